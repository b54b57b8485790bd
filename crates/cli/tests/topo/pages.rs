//! The examples and their pictures.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{dralloc, dralloc_with};
use crate::machine;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the arguments of the command of a script.
fn command(script: &str) -> Vec<&str> {
    let mut lines = script
        .lines()
        .filter_map(|line| line.strip_prefix("dralloc "));
    let command = lines.next().unwrap();
    assert_eq!(lines.next(), None);
    command.split(' ').collect()
}

#[test]
fn pictures_of_the_examples_are_drawn_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("examples/topology")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let script = fs::read_to_string(&path).unwrap();
        let mut arguments = command(&script);
        let picture = arguments.last().unwrap().to_string();
        assert_eq!(picture, format!("docs/pictures/{name}.svg"));
        let drawn = folder.path().join("drawn.svg");
        *arguments.last_mut().unwrap() = drawn.to_str().unwrap();
        let run = dralloc(&arguments);
        assert_eq!((run.code, &*run.errors), (0, ""), "{name}");
        let (drawn, kept) = (
            fs::read(&drawn).unwrap(),
            fs::read(root().join(picture)).unwrap(),
        );
        assert!(
            drawn == kept,
            "{name}: run examples/topology/{name}.sh and look at the picture"
        );
        names.push(name);
    }
    names.sort();
    let expected = ["bridge-pair", "gpu-and-nic-units", "half-dgx1", "half-rack"];
    assert_eq!(names, expected);
}

#[test]
fn every_machine_can_be_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = folder.path().join("drawn.svg");
    let mut machines = 0;
    for entry in fs::read_dir(root().join("testdata/topologies")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        if !text.contains("\"kind\": \"Topology\"") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap();
        let svg = drawn.to_str().unwrap();
        let run = dralloc(&["topo", "show", "-f", &machine(name), "--svg", svg]);
        assert_eq!(run.code, 0, "{name}: {}", run.errors);
        let picture = fs::read_to_string(&drawn).unwrap();
        let devices = text.matches("\"kind\": \"gpu\"").count();
        let nics = text.matches("\"kind\": \"nic\"").count();
        // Each device is there with its tip, once or, beside its links, twice; so is each NIC.
        let boxes = picture.matches("<rect class=\"free\"").count();
        let tips = picture.matches("</title></rect>").count();
        assert!(boxes >= devices + nics, "{name}: {boxes}");
        assert!(tips >= devices + nics, "{name}: {tips}");
        assert!(picture.len() < 100_000, "{name}: {}", picture.len());
        for reference in [
            "<script",
            "href",
            "http://www.w3.org/1999",
            "url(h",
            "@import",
        ] {
            assert!(!picture.contains(reference), "{name}: {reference}");
        }
        machines += 1;
    }
    assert_eq!(machines, 26);
}

#[test]
fn names_in_a_picture_stay_text() {
    let text = r#"
apiVersion: dralloc.dev/v1alpha1
kind: Topology
metadata:
  name: "</title><script>alert(1)</script>"
  annotations: {dralloc.dev/title: "<image href='x'/>\0\u202e&"}
spec:
  vertices:
  - {id: "\"><script>", kind: gpu, model: "<b>"}
  - {id: "]]>", kind: nic, name: "<i>"}
  - {id: "<g>", kind: numaNode}
  links:
  - {a: "\"><script>", b: "<g>", type: PCIe}
  - {a: "]]>", b: "<g>", type: PCIe}
"#;
    let folder = tempfile::tempdir().unwrap();
    let drawn = folder.path().join("drawn.svg");
    let svg = drawn.to_str().unwrap();
    let run = dralloc_with(&["topo", "show", "-f", "-", "--svg", svg], text);
    assert_eq!((run.code, &*run.errors), (0, ""));
    let picture = fs::read_to_string(&drawn).unwrap();
    for wrong in [
        "<script", "<image", "<b>", "<i>", "<g>", "]]>", "\0", "\u{202e}",
    ] {
        assert!(!picture.contains(wrong), "{wrong:?} in {picture}");
    }
    assert!(
        picture.contains("<title>&quot;&gt;&lt;script&gt; (&lt;b&gt;)</title>"),
        "{picture}"
    );
}

#[test]
fn places_nested_deep_can_be_shown_and_drawn() {
    use std::fmt::Write as _;

    // A tower of switches, each with a NIC of its own, and a device in the highest.
    let mut text = "apiVersion: dralloc.dev/v1alpha1\nkind: Topology\nspec:\n  vertices:\n  \
        - {id: gpu0, kind: gpu}\n  - {id: numa0, kind: numaNode}\n"
        .to_owned();
    let mut links = "  links:\n  - {a: gpu0, b: s0, type: PCIe}\n  - {a: s249, b: numa0, \
        type: PCIe}\n"
        .to_owned();
    for number in 0..250 {
        let _ = writeln!(text, "  - {{id: s{number}, kind: pcieSwitch}}");
        let _ = writeln!(text, "  - {{id: n{number}, kind: nic}}");
        let _ = writeln!(links, "  - {{a: n{number}, b: s{number}, type: PCIe}}");
        if number > 0 {
            let below = number - 1;
            let _ = writeln!(links, "  - {{a: s{below}, b: s{number}, type: PCIe}}");
        }
    }
    text.push_str(&links);
    let folder = tempfile::tempdir().unwrap();
    let drawn = folder.path().join("drawn.svg");
    let svg = drawn.to_str().unwrap();
    let run = dralloc_with(&["topo", "show", "-f", "-", "--svg", svg], &text);
    assert_eq!((run.code, &*run.errors), (0, ""));
    let picture = fs::read_to_string(&drawn).unwrap();
    assert_eq!(picture.matches("<rect class=\"frame\"").count(), 250);
    assert_eq!(picture.matches("<rect class=\"free\"").count(), 252);
}

#[test]
fn a_picture_has_to_be_written_somewhere() {
    let run = dralloc(&[
        "topo",
        "show",
        "-f",
        &machine("dgx1-v100"),
        "--svg",
        "missing/x.svg",
    ]);
    assert_eq!(
        (run.code, &*run.output, &*run.errors),
        (
            2,
            "",
            "error: cannot write `missing/x.svg`: No such file or directory (os error 2)\n"
        )
    );
}
