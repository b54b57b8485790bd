//! Importers: any text of any source is read or refused; what is read makes a topology,
//! and comes back from JSON.

#![no_main]

use dralloc_importers::{Source, import};
use dralloc_topology::{Document, Topology};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, text)) = bytes.split_first() else {
        return;
    };
    let source = Source::ALL[usize::from(*first) % Source::ALL.len()];
    let imported = match import(source, text) {
        Ok(imported) => imported,
        Err(error) => {
            assert!(error.line() > 0 && error.column() > 0);
            return;
        }
    };
    let topology = Topology::new(&imported.document).expect("a document that is right");
    for a in 0..topology.device_count().min(16) {
        for b in 0..topology.device_count().min(16) {
            assert_eq!(topology.level(a, b), topology.level(b, a));
        }
    }
    let json = serde_json::to_string(&imported.document).expect("a document can be written");
    assert_eq!(Document::read(&json).as_ref(), Ok(&imported.document));
});
