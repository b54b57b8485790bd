//! The examples for newcomers are what they should be: nothing is found in them.

use std::fs;
use std::path::Path;

use crate::validate_file;

#[test]
fn nothing_is_found_in_the_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut count = 0;
    for entry in fs::read_dir(root.join("examples")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        // A pool that is not complete and a device that is gone are what it shows.
        let is_yaml = Path::new(&name)
            .extension()
            .is_some_and(|ending| ending == "yaml");
        if is_yaml && name != "inventory.yaml" {
            let run = validate_file(&format!("examples/{name}"), &[]);
            let is_clean = run.output.starts_with("nothing found in ");
            assert!(is_clean && run.code == 0, "{name}: {}", run.text());
            count += 1;
        }
    }
    assert!(count >= 10, "{count}");
}
