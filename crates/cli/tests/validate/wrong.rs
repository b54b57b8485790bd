//! Twenty files with what people get wrong: the fault is named in each.

use std::fs;
use std::path::Path;

use crate::validate_file;

#[test]
fn the_fault_is_named_in_each_wrong_file() {
    let folder = "testdata/operators/wrong";
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files = fs::read_dir(root.join(folder)).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert_eq!(names.len(), 20);
    for name in names {
        let run = validate_file(&format!("{folder}/{name}"), &[]);
        let text = run.text().replace(&format!("{folder}/"), "");
        insta::with_settings!({snapshot_path => "snapshots/wrong", prepend_module_to_snapshot => false}, {
            insta::assert_snapshot!(name, text);
        });
    }
}
