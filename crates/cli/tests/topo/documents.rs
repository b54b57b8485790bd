//! Files with topologies, right and wrong.

use serde_json::json;

use crate::common::{Run, dralloc_with};

const TWO: &str = r"
apiVersion: v1
kind: Node
metadata: {name: node-1}
---
apiVersion: dralloc.dev/v1alpha1
kind: Topology
metadata: {name: a}
spec:
  vertices:
  - {id: gpu0, kind: gpu}
---
apiVersion: dralloc.dev/v1alpha1
kind: Topology
metadata: {name: b}
spec:
  vertices:
  - {id: gpu0, kind: gpu}
  - {id: gpu1, kind: gpu}
  links:
  - {a: gpu0, b: gpu2, type: NVLink}
";

fn show(input: &str, arguments: &[&str]) -> Run {
    let all = [&["topo", "show", "-f", "-"], arguments].concat();
    dralloc_with(&all, input)
}

/// Returns what is wrong with a document.
fn error(input: &str, arguments: &[&str]) -> String {
    let run = show(input, arguments);
    assert_eq!((run.code, &*run.output), (2, ""));
    run.errors
}

#[test]
fn one_topology_of_several_is_named() {
    let run = show(TWO, &["--name", "a"]);
    assert_eq!((run.code, &*run.errors), (0, ""));
    assert!(
        run.output.starts_with("a\n\n      gpu0\ngpu0  X\n"),
        "{}",
        run.output
    );
    assert_eq!(
        error(TWO, &[]),
        "error: <stdin>:13:1 (document 3): several topologies, `a` and `b`, expected one, or the \
         name of one by `--name`\n"
    );
    assert_eq!(
        error(TWO, &["--name", "c"]),
        "error: <stdin>:2:1: no topology `c` in the file, expected kind `Topology`\n"
    );
}

#[test]
fn lists_are_what_is_in_them() {
    let topology = |name: &str, end: &str| {
        format!(
            r#"{{"apiVersion":"dralloc.dev/v1alpha1","kind":"Topology","metadata":{{"name":"{name}"}},
                "spec":{{"vertices":[{{"id":"gpu0","kind":"gpu"}}],
                "links":[{{"a":"gpu0","b":"{end}","type":"NVLink"}}]}}}}"#
        )
    };
    let list = |kind: &str, items: &[String]| {
        let items = items.join(",");
        format!(r#"{{"apiVersion":"v1","kind":"{kind}","items":[{items}]}}"#)
    };
    let node = r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"a"}}"#.to_owned();
    let alone = topology("a", "gpu0").replace(r#"{"a":"gpu0","b":"gpu0","type":"NVLink"}"#, "");
    for kind in ["List", "TopologyList"] {
        let text = list(kind, &[node.clone(), alone.clone(), topology("b", "gpu1")]);
        let run = show(&text, &["--name", "a"]);
        assert_eq!((run.code, &*run.errors), (0, ""));
        assert!(
            run.output.starts_with("a\n\n      gpu0\n"),
            "{}",
            run.output
        );
        // Places are those in the file.
        let message = "spec.links[0].b: no vertex `gpu1`, expected the id of one\n";
        assert_eq!(
            error(&text, &["--name", "b"]),
            format!("error: <stdin>:5:42: {message}")
        );
        let several = error(&text, &[]);
        assert!(
            several.contains("several topologies, `a` and `b`"),
            "{several}"
        );
    }
    let one = show(&list("List", &[alone]), &[]);
    assert_eq!((one.code, &*one.errors), (0, ""));
    assert_eq!(
        error(&list("List", &[node]), &[]),
        "error: <stdin>:1:57: apiVersion: expected `dralloc.dev/v1alpha1`, found `v1`\n"
    );
    for (text, message) in [
        (
            r#"{"kind":"List","items":[]}"#,
            "1:1: apiVersion: expected `dralloc.dev/v1alpha1`, found ``",
        ),
        (
            r#"{"kind":"List","items":7}"#,
            "1:24: items: expected a list of objects",
        ),
        (
            r#"{"kind":"List","items":[7]}"#,
            "1:25: expected an object, found `7`",
        ),
    ] {
        assert_eq!(error(text, &[]), format!("error: <stdin>:{message}\n"));
    }
}

#[test]
fn many_nics_that_look_alike_are_one_line() {
    let nics = (0..17).map(|nic| format!("  - {{id: nic{nic}, kind: nic}}\n"));
    let nics: String = nics.collect();
    let text =
        format!("apiVersion: dralloc.dev/v1alpha1\nkind: Topology\nspec:\n  vertices:\n{nics}");
    let output = show(&text, &[]).output;
    assert!(output.ends_with("\n└─ 17 NICs nic0 … nic16\n"), "{output}");
}

#[test]
fn what_is_wrong_has_file_line_column_and_path() {
    assert_eq!(
        error(TWO, &["--name", "b"]),
        "error: <stdin>:21:18 (document 3): spec.links[0].b: no vertex `gpu2`, expected the id of \
         one\n"
    );
    let head = "apiVersion: dralloc.dev/v1alpha1\nkind: Topology\n";
    for (rest, message) in [
        (
            "spec: {vertices: [{id: a, kind: gpu, numaNode: x}]}",
            "3:48: spec.vertices[0].numaNode: invalid type: string \"x\", expected i64",
        ),
        (
            "spec:\n  vertices:\n  - id: a\n    kind: cpu\n",
            "6:11: spec.vertices[0].kind: unknown variant `cpu`, expected one of `gpu`, `nic`, \
             `pcieSwitch`, `nvSwitch`, `numaNode`, `host`, `nvLinkDomain`, `block`, `fabric`",
        ),
        (
            "spec: {vertices: [{id: a, kind: gpu, modell: x}]}",
            "3:46: spec.vertices[0].modell: unknown field, expected none of that name",
        ),
        ("spec: [", "3:7: not valid YAML: unclosed bracket '['"),
    ] {
        let text = format!("{head}{rest}");
        assert_eq!(error(&text, &[]), format!("error: <stdin>:{message}\n"));
    }
    for (text, message) in [
        ("", "1:1: expected a value"),
        ("[1]", "1:1: expected an object, found a list"),
        (
            "kind: Topology\napiVersion: dralloc.dev/v2",
            "2:13: apiVersion: expected `dralloc.dev/v1alpha1`, found `dralloc.dev/v2`",
        ),
        (
            "apiVersion: dralloc.dev/v1alpha1\nkind: Topologie",
            "2:7: kind: expected `Topology`, found `Topologie`",
        ),
    ] {
        assert_eq!(error(text, &[]), format!("error: <stdin>:{message}\n"));
    }
}

#[test]
fn what_is_odd_is_a_warning_and_no_text_controls_the_terminal() {
    let text = "\
apiVersion: dralloc.dev/v1alpha1
kind: Topology
spec:
  vertices:
  - {id: \"a\\e[1m\", kind: gpu}
  - {id: b, kind: gpu}
  links:
  - {a: \"a\\e[1m\", b: b, type: NVLink, count: 2}
  - {a: b, b: \"a\\e[1m\", type: NVLink, count: 1}
";
    let run = show(text, &[]);
    assert_eq!(
        run.errors,
        "warning: <stdin>:9:5: spec.links[1]: `NVLink` between `b` and `a\\u{1b}[1m` is reported as \
         2 at an unknown rate and as 1 at an unknown rate, the weaker counts: 1 at an unknown rate\n"
    );
    assert_eq!(
        run.output,
        "topology

            a\\u{1b}[1m  b
a\\u{1b}[1m  X           NV1
b           NV1         X

Legend:
  NV#    so many NVLinks, directly or over switches

Tree: topology
├─ GPU a\\u{1b}[1m
└─ GPU b

Joined by links:
  2 GPUs: a\\u{1b}[1m, b
"
    );
}

#[test]
fn meshes_beyond_tables_have_best_sets_without_an_objective() {
    // A circle of 18 with one link from each to the next.
    let mesh = |size: usize| {
        let vertices = (0..size).map(|number| json!({"id": format!("gpu{number}"), "kind": "gpu"}));
        let links = (0..size).map(|number| {
            let (a, b) = (
                format!("gpu{number}"),
                format!("gpu{}", (number + 1) % size),
            );
            json!({"a": a, "b": b, "type": "NVLink"})
        });
        let (vertices, links): (Vec<_>, Vec<_>) = (vertices.collect(), links.collect());
        json!({"apiVersion": "dralloc.dev/v1alpha1", "kind": "Topology", "metadata": {"name": "circle"},
            "spec": {"vertices": vertices, "links": links}})
        .to_string()
    };
    let select = |size: usize| {
        let arguments = ["topo", "select", "-f", "-", "--count", "3"];
        dralloc_with(&arguments, &mesh(size))
    };
    let run = select(18);
    let last = run.output.lines().last();
    assert_eq!((run.code, &*run.errors), (0, ""));
    assert_eq!(last, Some("Best of all sets of 3 by ring, then links."));
    let run = select(33);
    assert_eq!(run.code, 2);
    assert!(
        run.errors.contains(
            "expected at most 16 devices in the domain around direct links, or 32 in all"
        ),
        "{}",
        run.errors
    );
}
