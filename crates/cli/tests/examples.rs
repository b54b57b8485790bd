//! The examples that newcomers run first, with their exact answers.

mod common;

use common::dralloc;

/// Compares the answers in all forms with those on file.
fn check(example: &str) {
    let file = format!("examples/{example}.yaml");
    for form in ["table", "yaml", "json"] {
        let run = dralloc(&["allocate", "-f", &file, "-o", form]);
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(format!("{example}.{form}"), run.text());
        });
    }
}

#[test]
fn one_gpu() {
    check("one-gpu");
}

#[test]
fn two_gpus_one_root() {
    check("two-gpus-one-root");
}

#[test]
fn bridged_pair() {
    check("bridged-pair");
}

#[test]
fn mig_mix() {
    check("mig-mix");
}

#[test]
fn mig_pack() {
    check("mig-pack");
}

#[test]
fn quarter_card() {
    check("quarter-card");
}

#[test]
fn memory_or_two() {
    check("memory-or-two");
}

#[test]
fn gpu_and_nic() {
    check("gpu-and-nic");
}

#[test]
fn gpu_and_nic_units() {
    check("gpu-and-nic-units");
}

#[test]
fn sm_slice() {
    check("sm-slice");
}

#[test]
fn mps() {
    check("mps");
}

#[test]
fn mig_by_claim() {
    check("mig-by-claim");
}

#[test]
fn time_slicing() {
    check("time-slicing");
}

#[test]
fn exclusive() {
    check("exclusive");
}

#[test]
fn extended_resource() {
    check("extended-resource");
}

#[test]
fn does_not_fit() {
    check("does-not-fit");
}

#[test]
fn every_example_is_tested() {
    let tested = [
        "bridged-pair.yaml",
        "does-not-fit.yaml",
        "exclusive.yaml",
        "extended-resource.yaml",
        "gpu-and-nic-units.yaml",
        "gpu-and-nic.yaml",
        // By the tests of `inventory`.
        "inventory.yaml",
        "memory-or-two.yaml",
        "mig-by-claim.yaml",
        "mig-mix.yaml",
        "mig-pack.yaml",
        "mps.yaml",
        "one-gpu.yaml",
        "quarter-card.yaml",
        "sm-slice.yaml",
        "time-slicing.yaml",
        "two-gpus-one-root.yaml",
    ];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let examples = files.filter(|file| file.extension().is_some_and(|end| end == "yaml"));
    let mut names: Vec<_> = examples
        .map(|file| file.file_name().unwrap().to_owned())
        .collect();
    names.sort();
    assert_eq!(names, tested);
}
