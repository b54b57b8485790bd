use super::*;
use crate::{Code, Error};

/// Decodes a text and lists paths and names of what it holds, in order.
fn names(json: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let result = Decoder::new().decode(json, &mut |decoded| {
        let name = match decoded.object {
            Object::Node(node) => node.metadata.name.to_string(),
            Object::Pod(pod) => format!("pod {}", pod.metadata.name),
            Object::DeviceClass(class) => format!("class {}", class.metadata.name),
            Object::Ignored { kind, .. } => format!("ignored {kind}"),
            other => panic!("{other:?}"),
        };
        all.push((decoded.path, name));
        Ok(())
    });
    result.unwrap();
    all
}

#[test]
fn items_come_one_by_one_whatever_the_order_of_fields() {
    // The order of `kubectl get -o json`: items before kind.
    let json = r#"{"apiVersion":"v1","items":[
        {"apiVersion":"v1","kind":"Node","metadata":{"name":"a"}},
        {"kind":"ConfigMap","apiVersion":"v1"},
        {"apiVersion":"v1","kind":"NodeList","items":[{"metadata":{"name":"b"}},
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"c"}}]}
        ],"kind":"List","metadata":{"resourceVersion":""}}"#;
    let expected = [
        ("items[0]", "a"),
        ("items[1]", "ignored ConfigMap"),
        ("items[2].items[0]", "b"),
        ("items[2].items[1]", "pod c"),
    ];
    assert_eq!(
        names(json),
        expected.map(|(path, name)| (path.to_owned(), name.to_owned()))
    );
}

#[test]
fn items_of_a_typed_list_take_its_version_and_kind() {
    let json = r#"{"kind":"ResourceSliceList","apiVersion":"resource.k8s.io/v1beta1","items":[
        {"spec":{"devices":[{"basic":{"attributes":{"a":{"int":1}}}}]}}]}"#;
    assert_eq!(slice(json).spec.devices[0].attributes.len(), 1);
    assert_eq!(one(json).offset, json.find(r#"{"spec""#).unwrap());
    let json = r#"{"kind":"DeviceClassList","apiVersion":"resource.k8s.io/v1","items":[{"metadata":{"name":"a"}}]}"#;
    assert_eq!(names(json), [("items[0]".to_owned(), "class a".to_owned())]);
}

#[test]
fn texts_hold_any_number_of_objects() {
    let node = r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"a"}}"#;
    assert_eq!(names("").len(), 0);
    assert_eq!(names(" null \n").len(), 0);
    assert_eq!(names(&format!("{node}{node}\nnull {node}")).len(), 3);
    let empty = r#"{"apiVersion":"v1","kind":"List","items":null}"#;
    assert_eq!(names(empty).len(), 0);
}

#[test]
fn faults_in_one_item_do_not_hide_the_others() {
    let json = r#"{"apiVersion":"v1","kind":"List","items":[
        {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","spec":{"config":7}},
        {"kind":"Node"}, 5, "x", [], null,
        {"apiVersion":"v1"},
        {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"labels":{"a":[]}}}]}"#;
    let expected = [
        (
            "items[0].spec.config: expected a list, found `7`",
            "7}},\n ",
        ),
        (
            "items[1]: object without `apiVersion`, expected `apiVersion` and `kind`",
            "{\"kind",
        ),
        ("items[2]: expected an object, found `5`", "5, \"x\""),
        ("items[3]: expected an object, found `\"x\"`", "\"x\", ["),
        ("items[4]: expected an object, found a list", "[], nu"),
        ("items[5]: expected an object, found `null`", "null,\n"),
        (
            "items[6]: object without `kind`, expected `apiVersion` and `kind`",
            "{\"apiV",
        ),
        (
            "items[7].metadata.labels.a: expected a string, found a list",
            "[]}}}]",
        ),
    ];
    assert_eq!(
        faults(Decoder::new(), json),
        expected.map(|(message, place)| (message.to_owned(), place.to_owned())),
    );
}

#[test]
fn lists_must_have_items() {
    let json = r#"{"apiVersion":"v1","kind":"List","itms":[]}"#;
    assert_eq!(fault(json).0, "list without `items`");
    let json = r#"{"apiVersion":"v1","kind":"List","items":{}}"#;
    assert_eq!(
        fault(json),
        (
            "items: expected a list, found an object".to_owned(),
            "{}}".to_owned()
        )
    );
    let open = r#"{"apiVersion":"v1","kind":"List","items":["#;
    let json = format!("{}{}", open.repeat(9), "]}".repeat(9));
    let path = ["items[0]"; 8].join(".");
    assert_eq!(
        fault(&json).0,
        format!("{path}: lists in lists, more than 8 deep")
    );
}

#[test]
fn an_error_of_the_sink_ends_the_reading() {
    let node = r#"{"apiVersion":"v1","kind":"Node"}"#;
    let mut count = 0;
    let result = Decoder::new().decode(&node.repeat(3), &mut |_| {
        count += 1;
        Err(Error::new(Code::Conflict, "enough"))
    });
    assert_eq!(
        (count, result),
        (1, Err(Error::new(Code::Conflict, "enough")))
    );
}

#[test]
fn it_is_told_how_far_a_list_is_read_before_its_kind_is_known() {
    let items = [
        r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"a"}}"#,
        r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"b"}}"#,
    ];
    let json = format!(
        r#"{{"apiVersion":"v1","items":[{}],"kind":"List"}}"#,
        items.join(",")
    );
    let ends = items.map(|item| json.find(item).unwrap() + item.len());
    let (mut count, mut told) = (0, Vec::new());
    let taken = std::cell::RefCell::new(&mut count);
    let result = Decoder::new().decode_watched(
        &json,
        &mut |result| {
            **taken.borrow_mut() += usize::from(result.is_ok());
            Ok(())
        },
        &mut |offset| told.push((offset, **taken.borrow())),
    );
    result.unwrap();
    assert_eq!(told, ends.map(|end| (end, 0)));
    assert_eq!(count, 2);
}

#[test]
fn a_fault_has_what_else_is_to_be_said_of_its_object() {
    let json = r#"{"apiVersion":"v1","kind":"List","items":[
        {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a"},
         "spec":{"selector":[],"selectors":3,"config":4}}]}"#;
    let mut faults = Vec::new();
    let result = Decoder::new().decode_each(json, &mut |result| {
        faults.push(result.unwrap_err());
        Ok(())
    });
    result.unwrap();
    let told = faults.iter().map(|fault| {
        let warnings = fault.warnings.iter();
        let warnings = warnings.map(|one| (one.path.as_str(), &json[one.offset..][..10]));
        (fault.error.path(), warnings.collect::<Vec<_>>())
    });
    let unknown = ("items[0].spec.selector", r#""selector""#);
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            ("items[0].spec.selectors", vec![unknown]),
            ("items[0].spec.config", vec![])
        ]
    );
    // Where it is an error to begin with nothing is told twice.
    let mut count = 0;
    let strict = Decoder::new()
        .strict(true)
        .decode_each(json, &mut |result| {
            assert_eq!(result.unwrap_err().warnings, []);
            count += 1;
            Ok(())
        });
    strict.unwrap();
    assert_eq!(count, 3);
}
