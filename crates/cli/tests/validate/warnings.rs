//! Each code has a page, and the example on it has that code and no other.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{dralloc, validate_file};

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

fn example(code: &str) -> String {
    format!("testdata/operators/warnings/{code}.yaml")
}

fn cured(code: &str) -> String {
    format!("testdata/operators/warnings/{code}.cured.yaml")
}

/// Returns the options with which the example of a code has it.
fn options(code: &str) -> &'static [&'static str] {
    match code {
        "feature-off" => &["--kubernetes-version", "1.35"],
        _ => &[],
    }
}

/// Returns the codes of which there are pages.
fn pages() -> BTreeSet<String> {
    let files = fs::read_dir(root("docs/warnings")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let pages = names.filter_map(|name| name.strip_suffix(".md").map(str::to_owned));
    pages.filter(|name| name != "README").collect()
}

/// Returns the codes that the command line takes.
fn codes() -> BTreeSet<String> {
    let refused = dralloc(&["validate", "-f", "-", "--disable", "none-of-them"]);
    let (_, list) = refused.errors.split_once("[possible values: ").unwrap();
    let (list, _) = list.split_once(']').unwrap();
    list.split(", ").map(str::to_owned).collect()
}

/// Returns what is between the first fence of a sort on a page and its end.
fn block<'p>(page: &'p str, sort: &str) -> &'p str {
    let (_, rest) = page.split_once(&format!("```{sort}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

#[test]
fn every_code_has_its_page_and_the_other_way_round() {
    assert_eq!(codes(), pages());
    let index = fs::read_to_string(root("docs/warnings/README.md")).unwrap();
    for code in codes() {
        let page = fs::read_to_string(root(&format!("docs/warnings/{code}.md"))).unwrap();
        assert!(page.starts_with(&format!("# {code}\n")), "{code}");
        assert!(index.contains(&format!("[`{code}`]({code}.md)")), "{code}");
    }
}

/// What the command prints is compared with all other pages.
#[test]
fn pages_show_their_examples() {
    for code in pages() {
        let page = fs::read_to_string(root(&format!("docs/warnings/{code}.md"))).unwrap();
        let file = fs::read_to_string(root(&example(&code))).unwrap();
        assert_eq!(block(&page, "yaml"), file, "{code}");
        let example = example(&code);
        let words = [&["dralloc", "validate", "-f", &*example], options(&code)].concat();
        assert_eq!(block(&page, "sh"), words.join(" ") + "\n", "{code}");
    }
}

#[test]
fn an_example_has_its_code_alone_and_loses_it_when_cured() {
    for code in pages() {
        let options = options(&code);
        let run = validate_file(&example(&code), &[&["-o", "json"], options].concat());
        assert_eq!((run.code, &*run.errors), (0, ""), "{code}");
        let report: serde_json::Value = serde_json::from_str(&run.output).unwrap();
        let findings = report["findings"].as_array().unwrap();
        let found = findings.iter().map(|one| one["code"].as_str().unwrap());
        let found: BTreeSet<&str> = found.collect();
        assert_eq!(found, BTreeSet::from([&*code]), "{code}");
        insta::with_settings!({snapshot_path => "snapshots", prepend_module_to_snapshot => false}, {
            insta::assert_snapshot!(format!("{code}.json"), run.output);
        });
        let disabled = validate_file(&example(&code), &[&["--disable", &*code], options].concat());
        assert!(
            disabled.output.starts_with("nothing found in "),
            "{code}: {}",
            disabled.output
        );
        let cured = validate_file(&cured(&code), options);
        assert!(
            cured.output.starts_with("nothing found in "),
            "{code}: {}",
            cured.output
        );
    }
}
