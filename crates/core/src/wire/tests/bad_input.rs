use super::*;

#[test]
fn wrong_types_are_named_with_path_and_place() {
    let cases = [
        (
            r#"{"name":5}"#,
            "name: expected a string, found `5`",
            "5}]}}",
        ),
        (
            r#"{"name":["a"]}"#,
            "name: expected a string, found a list",
            "[\"a\"]}",
        ),
        (
            r#"{"attributes":[]}"#,
            "attributes: expected an object, found a list",
            "[]}]}}",
        ),
        (
            r#"{"attributes":{"a":{"int":"1"}}}"#,
            "attributes.a.int: expected a whole number, found `\"1\"`",
            "\"1\"}}}",
        ),
        (
            r#"{"attributes":{"a":{"bool":1}}}"#,
            "attributes.a.bool: expected `true` or `false`, found `1`",
            "1}}}]}",
        ),
        (
            r#"{"attributes":{"a":"x"}}"#,
            "attributes.a: expected an object, found `\"x\"`",
            "\"x\"}}]",
        ),
        (
            r#"{"capacity":{"m":{"value":"80Gib"}}}"#,
            "capacity.m.value: ",
            "\"80Gib",
        ),
        (
            r#"{"capacity":{"m":{"value":true}}}"#,
            "capacity.m.value: expected a quantity as a string or a number, found `true`",
            "true}}",
        ),
        (
            r#"{"taints":[{"key":{}}]}"#,
            "taints[0].key: expected a string, found an object",
            "{}}]}]",
        ),
        (
            r#"{"name":"a","name":"b"}"#,
            "name: duplicate field `name`, expected each field once",
            "\"name\"",
        ),
        (
            r#"{"attributes":{"a":{},"b":{},"a":{}}}"#,
            "attributes: duplicate key `a`, expected each key once",
            "{\"a\":{",
        ),
    ];
    for (device, message, place) in cases {
        let (found, at) = fault(&device_text("v1", device));
        let message = format!("spec.devices[0].{message}");
        assert!(
            found == message || (message.ends_with(": ") && found.starts_with(&message)),
            "{found}"
        );
        assert_eq!(at, place.chars().take(6).collect::<String>(), "{device}");
    }
}

#[test]
fn absurd_quantities_are_errors() {
    for quantity in ["1e999999999", "--1", "1.2.3", "", "1 Gi", "٣"] {
        let json = device_text(
            "v1",
            &format!(r#"{{"capacity":{{"m":{{"value":"{quantity}"}}}}}}"#),
        );
        let (message, _) = fault(&json);
        assert!(
            message.starts_with("spec.devices[0].capacity.m.value: "),
            "{quantity}: {message}"
        );
        assert!(!message.contains('\n'));
    }
}

#[test]
fn broken_json_is_named_with_its_place() {
    let cases = [
        (
            "{",
            "expected a name in double quotes, found the end of the text",
            "",
        ),
        ("[1", "expected an object, found a list", "[1"),
        ("{\"a\"}", "expected `:` after a name, found `}`", "}"),
        ("{\"a\":}", "expected a value, found `}`", "}"),
        ("{\"a\":1,}", "expected a value after `,`, found `}`", "}"),
        (
            "{\"a\":1 \"b\":2}",
            "expected `,` or `}`, found `\"b\"`",
            "\"b\":2}",
        ),
        (
            "{a:1}",
            "expected a name in double quotes, found `a`",
            "a:1}",
        ),
        ("{\"a\":01}", "expected a value, found `01`", "01}"),
        ("{\"a\":1.}", "expected a value, found `1.`", "1.}"),
        ("{\"a\":.5}", "expected a value, found `.5`", ".5}"),
        ("{\"a\":nul}", "expected a value, found `nul`", "nul}"),
        ("{\"a\":NaN}", "expected a value, found `NaN`", "NaN}"),
        ("{\"a\":\"x}", "string without closing double quote", "\"x}"),
        ("{\"a\":\"\\x\"}", "unknown escape in a string", "\\x\"}"),
        (
            "{\"a\":\"\\u12\"}",
            "unknown escape in a string",
            "\\u12\"}",
        ),
        ("{\"a\":\"\n\"}", "control character in a string", "\n\"}"),
        (
            "{\"kind\":\"\\ud800\"}",
            "escape in a string that is half of a surrogate pair",
            "\\ud800",
        ),
        (
            "{\"a\":[1,]}",
            "expected a value after `,`, found `]`",
            "]}",
        ),
        ("{\"kind\":1}", "expected a string, found `1`", "1}"),
        (
            "{\"kind\":\"a\",\"kind\":\"a\"}",
            "duplicate field `kind`, expected each field once",
            "\"kind\"",
        ),
        (
            "{\"a\":1}}",
            "object without `apiVersion`, expected `apiVersion` and `kind`",
            "{\"a\":1",
        ),
        ("é", "expected an object, found `é`", "é"),
    ];
    for (json, message, place) in cases {
        let found = faults(Decoder::new(), json);
        assert_eq!(found[0], (message.to_owned(), place.to_owned()), "{json}");
    }
}

#[test]
fn long_values_are_cut_in_messages() {
    let json = device_text("v1", &format!(r#"{{"taints":"{}"}}"#, "é".repeat(100)));
    let message = format!(
        "spec.devices[0].taints: expected a list, found `\"{}…`",
        "é".repeat(29)
    );
    assert_eq!(fault(&json).0, message);
}

#[test]
fn all_faults_of_an_object_are_told() {
    let text = r#"{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
        "metadata": {"name": "a", "labels": []},
        "spec": {"devices": {
            "requests": [
                {"name": 5, "exactly": {"count": "two", "selectors": {}, "selector": 1}},
                7,
                {"exactly": {"capacity": {"requests": {"memory": "1Gib", "cores": true}}}}
            ],
            "constraints": "none"}}}"#;
    let expected = [
        (
            "metadata.labels: expected an object, found a list",
            "[]},\n ",
        ),
        (
            "spec.devices.requests[0].name: expected a string, found `5`",
            "5, \"ex",
        ),
        (
            "spec.devices.requests[0].exactly.count: expected a whole number, found `\"two\"`",
            "\"two\",",
        ),
        (
            "spec.devices.requests[0].exactly.selectors: expected a list, found an object",
            "{}, \"s",
        ),
        (
            "spec.devices.requests[1]: expected an object, found `7`",
            "7,\n   ",
        ),
        (
            "spec.devices.requests[2].exactly.capacity.requests.cores: expected a quantity as a \
             string or a number, found `true`",
            "true}}",
        ),
        (
            "spec.devices.constraints: expected a list, found `\"none\"`",
            "\"none\"",
        ),
    ];
    let found = faults(Decoder::new(), text);
    for (message, place) in expected {
        let fault = (message.to_owned(), place.to_owned());
        assert!(found.contains(&fault), "{fault:?} is not in {found:#?}");
    }
    // That of the memory says what quantities are like.
    assert_eq!(found.len(), expected.len() + 1, "{found:#?}");
    let mut unknown = faults(Decoder::new().strict(true), text);
    assert_eq!(unknown.len(), found.len() + 1);
    assert_eq!(
        unknown.pop().map(|(message, _)| message).as_deref(),
        Some(
            "spec.devices.requests[0].exactly.selector: unknown field `selector` (did you mean \
             `selectors`)"
        )
    );
}

#[test]
fn faults_know_their_object() {
    let claim = r#"{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","spec":7}"#;
    let list = format!(r#"{{"apiVersion":"v1","kind":"List","items":[{claim}]}}"#);
    let mut objects = Vec::new();
    for text in [claim, &list, "7"] {
        let result = Decoder::new().decode_each(text, &mut |result| {
            let object = result.unwrap_err().object;
            objects.push(object.map(|object| (object.kind, &text[object.offset..][..2])));
            Ok(())
        });
        result.unwrap();
    }
    let found = Some(("ResourceClaim", "{\""));
    assert_eq!(objects, [found, found, None]);
}

#[test]
fn an_object_that_is_all_wrong_has_an_end() {
    let requests = vec!["7"; 1000].join(",");
    let text = format!(
        r#"{{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim",
            "spec":{{"devices":{{"requests":[{requests}]}}}}}}"#
    );
    assert_eq!(faults(Decoder::new(), &text).len(), 32);
}
