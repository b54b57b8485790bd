use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

/// Returns where a file that is empty starts.
pub(crate) fn start(file: &str) -> Start {
    let text = Text::of_json(&file.into(), &Arc::default());
    Start::new(text.place(""), text)
}

/// Is a directory with files for one test.
struct Files(TempDir);

impl Files {
    fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(directory.path().join(name), text).unwrap();
        }
        Self(directory)
    }

    /// Reads files, or the whole directory if none is named.
    ///
    /// Lists the objects as place and name, the warnings, and the outcome.
    fn read(
        &self,
        names: &[&str],
        is_strict: bool,
    ) -> (Vec<String>, Vec<String>, Result<Summary, String>) {
        let directory = self.0.path();
        let mut paths: Vec<_> = names.iter().map(|name| directory.join(name)).collect();
        if paths.is_empty() {
            paths.push(directory.to_owned());
        }
        let prefix = format!("{}/", directory.display());
        let short = |text: String| text.replace(&prefix, "");
        let mut objects = Vec::new();
        let mut warnings = Vec::new();
        let result = read_paths(&paths, is_strict, &mut |item| {
            let name = match &item.object {
                Object::Node(node) => node.metadata.name.clone(),
                Object::DeviceClass(class) => class.metadata.name.clone(),
                Object::ResourceSlice(slice) => slice.metadata.name.clone(),
                other => panic!("{other:?}"),
            };
            objects.push(short(format!("{} {name}", item.origin)));
            for (origin, warning) in item.warnings {
                warnings.push(short(format!("{origin}: {warning}")));
            }
            Ok(())
        });
        (
            objects,
            warnings,
            result.map_err(|error| short(error.to_string())),
        )
    }

    fn faults(&self) -> String {
        self.read(&[], false).2.unwrap_err()
    }
}

/// Reads files and directories.
fn read_paths(
    paths: &[PathBuf],
    is_strict: bool,
    sink: &mut dyn FnMut(Item) -> Result<(), InputError>,
) -> Result<Summary, InputError> {
    read(Source::list(paths)?, is_strict, FEW_FAULTS, sink)
}

const NODE: &str = "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n";

#[test]
fn documents_and_items_know_their_places() {
    let yaml = "\
# Two documents, the first a list.
apiVersion: v1
items:
- apiVersion: v1
  kind: Node
  metadata:
    name: a
-   apiVersion: v1
    kind: Node
    metadata: {name: b}
kind: List
---
---
apiVersion: v1
kind: ConfigMap
...
---
  apiVersion: v1
  kind: Node
  metadata:
    name: c
";
    let files = Files::new(&[("a.yaml", yaml)]);
    let (objects, _, summary) = files.read(&["a.yaml"], false);
    assert_eq!(
        objects,
        ["a.yaml:4:3 a", "a.yaml:8:5 b", "a.yaml:18:3 (document 4) c"]
    );
    let ignored = [(("v1".to_owned(), "ConfigMap".to_owned()), 1)]
        .into_iter()
        .collect();
    assert_eq!(
        summary,
        Ok(Summary {
            objects: 3,
            ignored
        })
    );
}

#[test]
fn json_is_read_by_content_or_name() {
    let json = r#"{"apiVersion":"v1","kind":"Node",
 "metadata":{"name":"é"}} {"apiVersion":"v1","kind":"Node","metadata":{"name":"b"}}"#;
    let files = Files::new(&[
        ("a.json", json),
        ("b.yaml", json),
        (
            "c.yml",
            "\u{feff}{apiVersion: v1, kind: Node, metadata: {name: c}}",
        ),
        (
            "d.json",
            "\u{feff}{\"apiVersion\":\"v1\",\"kind\":\"Node\"}",
        ),
        ("e.txt", "not read"),
    ]);
    let (objects, _, summary) = files.read(&[], false);
    assert_eq!(
        objects,
        [
            "a.json:1:1 é",
            "a.json:2:27 b",
            "b.yaml:1:1 é",
            "b.yaml:2:27 b",
            "c.yml:1:1 c",
            "d.json:1:1 "
        ],
    );
    assert!(summary.is_ok());
}

#[test]
fn warnings_have_line_and_column() {
    let yaml = "\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: s
spec:
  devices:
  - name: é
    basic:
      attributes: {}
  - {name: b, capacity: {m: 80Gi}}
";
    let files = Files::new(&[("a.yaml", yaml)]);
    let (objects, warnings, _) = files.read(&["a.yaml"], false);
    assert_eq!(objects, ["a.yaml:1:1 s"]);
    assert_eq!(
        warnings,
        [
            "a.yaml:8:5: spec.devices[0].basic: unknown field `basic` \
             (this is the form of v1beta1, in v1 its fields stand in the device)",
            "a.yaml:10:29: spec.devices[1].capacity.m: bare quantity `80Gi`, expected an object with `value` \
             (this is the form of v1alpha3, write `value: 80Gi`)",
        ],
    );
    let (objects, warnings, result) = files.read(&["a.yaml"], true);
    assert_eq!((objects.len(), warnings.len()), (0, 0));
    assert_eq!(
        result.unwrap_err(),
        "a.yaml:8:5: ResourceSlice `s`: spec.devices[0].basic: unknown field `basic` \
         (this is the form of v1beta1, in v1 its fields stand in the device)\n\
         a.yaml:10:29: ResourceSlice `s`: spec.devices[1].capacity.m: bare quantity `80Gi`, expected an object with `value` \
         (this is the form of v1alpha3, write `value: 80Gi`)",
    );
}

#[test]
fn one_fault_does_not_hide_another() {
    let yaml = "\
apiVersion: v1
kind: Node
metadata:
  name: [a]
---
a: b: c
---
apiVersion: v1
kind: Node
metadata:
  name: b
  labels:
    a: 1.50
---
a: 1
a: 2
---
- x
";
    let files = Files::new(&[
        ("a.yaml", yaml),
        ("b.yaml", NODE),
        ("c.json", "{\n \"a\": tru\n}"),
    ]);
    let (objects, _, result) = files.read(&[], false);
    assert_eq!(objects, ["b.yaml:1:1 a"]);
    assert_eq!(
        result.unwrap_err(),
        "a.yaml:4:9: metadata.name: expected a string, found a list\n\
         a.yaml:6:5 (document 2): not valid YAML: mapping values are not allowed in this context\n\
         a.yaml:13:8 (document 3): Node `b`: metadata.labels.a: expected a string, found `1.50`\n\
         a.yaml:16:1 (document 4): duplicate key `a`, expected each key once\n\
         a.yaml:18:1 (document 5): expected an object, found a list\n\
         c.json:2:7: expected a value, found `tru`",
    );
}

#[test]
fn reading_stops_after_twenty_faults() {
    let files = Files::new(&[("a.yaml", &"x: 1\n---\n".repeat(30))]);
    let faults = files.faults();
    assert_eq!(faults.lines().count(), 21);
    assert_eq!(
        faults.lines().last(),
        Some("too many errors, the rest of the input was not read")
    );
}

#[test]
fn what_cannot_be_read_is_named() {
    let files = Files::new(&[("a.txt", "")]);
    assert_eq!(
        files.faults().split(": ").last(),
        Some("directory without files that end in .json, .yaml or .yml"),
    );
    let (_, _, result) = files.read(&["missing.yaml"], false);
    assert!(
        result
            .unwrap_err()
            .starts_with("missing.yaml: cannot be read: ")
    );
    fs::write(files.0.path().join("b.yaml"), b"a: b\nc: \xc3\xa9\xff\n").unwrap();
    assert_eq!(files.faults(), "b.yaml:2:5: not valid UTF-8");
    let twice = ["-".into(), "-".into()];
    let error = read_paths(&twice, false, &mut |_| Ok(())).unwrap_err();
    assert_eq!(
        error.to_string(),
        "<stdin>: standard input can be read only once"
    );
}

#[test]
fn an_error_of_the_sink_ends_the_reading() {
    let files = Files::new(&[("a.yaml", &format!("{NODE}---\n{NODE}"))]);
    let mut count = 0;
    let error = read_paths(&[files.0.path().join("a.yaml")], false, &mut |item| {
        count += 1;
        Err(InputError::one(
            item.origin.origin().clone(),
            Error::new(Code::Duplicate, "enough"),
        ))
    });
    assert_eq!(
        (count, error.unwrap_err().faults()[0].error.message()),
        (1, "enough")
    );
}

#[test]
fn an_empty_file_has_no_objects() {
    let files = Files::new(&[
        ("a.yaml", ""),
        ("b.yaml", "# nothing\n---\n"),
        ("c.json", " \n"),
    ]);
    assert_eq!(files.read(&[], false).2, Ok(Summary::default()));
}

/// Returns the JSON text of the only document of a YAML text.
pub(crate) fn yaml_to_json(yaml: &str) -> String {
    let document = Documents::new(yaml)
        .next()
        .unwrap()
        .unwrap_or_else(|error| panic!("{} at {} of\n{yaml}", error.message, error.offset));
    document.json
}

/// Makes any JSON value, often with text that YAML could take for something else.
pub(crate) fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let text = prop_oneof![
        "\\PC{0,12}",
        "[a-z0-9:# \\n\\-.,'\"]{0,12}",
        "[0-9+\\-.eExobyn_:]{0,6}"
    ];
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        text.clone().prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::btree_map(text.clone(), inner, 0..5)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}
