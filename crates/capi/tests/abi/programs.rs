//! The programs in `tests/c`, compiled and run as a host would.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Build, Linkage};

/// Returns the files of the corpus with calls, in order.
fn calls() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/corpus");
    let files = fs::read_dir(corpus)
        .unwrap()
        .map(|file| file.unwrap().path());
    let mut calls: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|found| found == "calls"))
        .collect();
    calls.sort();
    calls
}

/// Counts the calls in files.
fn count(files: &[PathBuf]) -> usize {
    let count = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        let calls = text.lines().filter(|line| {
            !line.is_empty()
                && !line.starts_with('#')
                && !line.starts_with("=\t")
                && !line.starts_with("!\t")
        });
        calls.count()
    };
    files.iter().map(count).sum()
}

#[test]
fn a_program_uses_every_noun() {
    for linkage in [Linkage::Shared, Linkage::Static] {
        assert_eq!(Build::new("smoke").linkage(linkage).run(&[]), "ok\n");
    }
}

#[test]
fn the_corpus_has_its_results() {
    let files = calls();
    let arguments: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let printed = Build::new("corpus").run(&arguments);
    assert_eq!(printed, format!("{} calls\n", count(&files)));
}

#[test]
fn misuse_is_answered_with_a_status() {
    assert_eq!(Build::new("misuse").run(&[]), "ok\n");
}

#[test]
fn numbers_and_sizes_are_frozen() {
    assert_eq!(Build::new("frozen").run(&[]), "ok\n");
}

#[test]
fn conformance_cases_have_their_digests() {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let cases = testdata.join("conformance/generated.jsonl");
    let digests = testdata.join("corpus/conformance.digests");
    let printed = Build::new("conformance").run(&[&cases]);
    let expected = fs::read_to_string(digests).unwrap();
    let mut lines = printed.lines().zip(expected.lines());
    assert_eq!(lines.find(|(found, expected)| found != expected), None);
    assert_eq!(printed.lines().count(), 2000);
}
