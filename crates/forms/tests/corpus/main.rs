//! The corpus that all languages run: `testdata/corpus`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

mod calls;
mod cases;
mod conformance;

use std::fs;
use std::path::{Path, PathBuf};

/// Writes the results anew if it is set.
const UPDATE: &str = "DRALLOC_UPDATE_CORPUS";

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// Checks that a file is what it has to be.
fn check(name: &str, text: &str) {
    let file = testdata().join("corpus").join(name);
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&file, text).unwrap();
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    let mut lines = committed.lines().zip(text.lines()).enumerate();
    if let Some((line, (was, is))) = lines.find(|(_, (was, is))| was != is) {
        panic!("{name}:{}: expected\n{was}\nfound\n{is}", line + 1);
    }
    assert_eq!(committed.lines().count(), text.lines().count(), "{name}");
}

#[test]
fn every_call_has_its_result() {
    let mut files = 0;
    for entry in fs::read_dir(testdata().join("corpus")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path
            .extension()
            .is_none_or(|extension| extension != "calls")
        {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        check(&name, &calls::answered(&text));
        files += 1;
    }
    assert!(files > 1, "{files} files");
}

#[test]
fn cases_are_calls() {
    let text = cases::calls(&testdata().join("cases"));
    check("cases.calls", &calls::answered(&text));
}

#[test]
fn conformance_cases_have_their_digests() {
    let cases = fs::read_to_string(testdata().join("conformance/generated.jsonl")).unwrap();
    check("conformance.digests", &conformance::digests(&cases));
}
