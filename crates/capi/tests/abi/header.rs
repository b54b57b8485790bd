//! The header says what the library has, and the numbers in it stay what they are.

use std::path::Path;

/// Writes the header anew if it is set.
const UPDATE: &str = "DRALLOC_UPDATE_HEADER";

#[test]
fn the_header_is_that_of_the_library() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let header = package.join("../../include/dralloc.h");
    let config = cbindgen::Config::from_file(package.join("cbindgen.toml")).unwrap();
    let builder = cbindgen::Builder::new().with_config(config);
    let bindings = builder.with_src(package.join("src/lib.rs"));
    let mut text = Vec::new();
    bindings.generate().unwrap().write(&mut text);
    let text = String::from_utf8(text).unwrap();
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&header, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&header).unwrap_or_default();
    assert!(
        committed == text,
        "include/dralloc.h is not what the library has; run with {UPDATE}=1 to write it"
    );
}
