//! `dralloc topo show`: matrix, tree, data.

use crate::common::dralloc;
use crate::machine;

/// Compares an answer with that on file.
fn check(name: &str, arguments: &[&str]) {
    let run = dralloc(&[&["topo", "show", "-f"], arguments].concat());
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, run.text());
    });
}

#[test]
fn a_mesh_with_nics() {
    check(
        "dgx1",
        &[&machine("dgx1-v100"), "--devices", "gpu0,gpu3,nic0"],
    );
}

#[test]
fn switches_nested_deep() {
    check("mi250x", &[&machine("mi250x-8gcd-frontier-class")]);
}

#[test]
fn allowed_sets() {
    check("partitions", &[&machine("hgx-h100-fm-shared-nvswitch")]);
}

#[test]
fn a_broken_device_is_joined_by_nothing() {
    check("b200", &[&machine("hgx-b200-gpu2-nvlink-down")]);
}

#[test]
fn places_that_look_alike_are_one_line() {
    check("cluster", &[&machine("gb200-8xnvl72-576gpu")]);
    // What is chosen is apart from the others.
    let chosen = ["--devices", "r0t0g0,r0t0g1,r5t3g0"];
    check(
        "cluster-chosen",
        &[&[&*machine("gb200-8xnvl72-576gpu")][..], &chosen].concat(),
    );
}

#[test]
fn a_matrix_is_whole_if_asked_for() {
    let file = machine("gb200-nvl72-rack");
    let all = dralloc(&["topo", "show", "-f", &file, "--matrix"]);
    let rows = all
        .output
        .lines()
        .skip(3)
        .take_while(|line| !line.is_empty());
    let widths: Vec<usize> = rows.map(|row| row.split_whitespace().count()).collect();
    // Name, levels, NUMA node.
    assert_eq!(widths, [74; 72]);
    assert!(!all.output.contains("--matrix"));
    let cut = dralloc(&["topo", "show", "-f", &file]);
    assert!(
        cut.output
            .contains("\n16 of 72 devices and NICs; --matrix prints all\n"),
        "{}",
        cut.output
    );
}

#[test]
fn data() {
    check("data", &[&machine("a100-pcie-x4-one-bridge"), "-o", "json"]);
    let chosen = ["--devices", "gpu1,gpu0,nic1", "-o", "json"];
    check(
        "data-chosen",
        &[&[&*machine("a100-pcie-x4-one-bridge")][..], &chosen].concat(),
    );
}

#[test]
fn devices_have_to_exist() {
    let run = dralloc(&[
        "topo",
        "show",
        "-f",
        &machine("dgx1-v100"),
        "--devices",
        "gpu0,gpu9",
    ]);
    assert_eq!(
        (run.code, &*run.errors),
        (
            2,
            "error: --devices: no device or NIC `gpu9`, expected the id of one\n"
        )
    );
}
