//! Syntax: any text parses or is refused, and places are within the text.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match dralloc_cel::outline(text) {
        Ok(outline) => {
            for span in outline.spans {
                // Nodes are of at least one character.
                assert!(text.get(span).is_some_and(|piece| !piece.is_empty()));
            }
        }
        Err(error) => {
            assert!(text.get(error.span.clone()).is_some());
            assert!(!error.message.contains('\n'), "{error}");
        }
    }
});
