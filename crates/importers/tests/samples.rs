//! The files of `testdata/importers` against the documents beside them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::fs;

use dralloc_importers::{Source, import};
use dralloc_topology::{Document, Topology};
use serde_json::{Value, json};

/// Every file gives the document and the warnings of the `.expected.json` beside it;
/// with `UPDATE_EXPECTED` set they are written anew.
#[test]
fn every_sample_gives_the_document_beside_it() {
    let mut count = 0;
    for source in Source::ALL {
        for path in common::samples(source) {
            count += 1;
            let imported = import(source, fs::read(&path).unwrap()).unwrap();
            let found = json!({
                "warnings": common::warnings(&imported),
                "document": imported.document,
            });
            let expected = path.with_extension("expected.json");
            if std::env::var_os("UPDATE_EXPECTED").is_some() {
                let text = serde_json::to_string_pretty(&found).unwrap();
                fs::write(&expected, text + "\n").unwrap();
            }
            let expected = fs::read_to_string(expected).unwrap();
            let expected: Value = serde_json::from_str(&expected).unwrap();
            assert_eq!(found, expected, "{}", path.display());
            // What is written can be read, and means the same.
            let text = serde_json::to_string(&imported.document).unwrap();
            let read = Document::read(&text).unwrap();
            assert_eq!(read, imported.document, "{}", path.display());
            let topology = Topology::new(&read).unwrap();
            assert_eq!(topology.warnings(), [], "{}", path.display());
        }
    }
    assert!(count >= 20, "only {count} samples");
}
