//! Claims that wait, each for another reason, with their exact explanations.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::common::dralloc;

const FOLDER: &str = "testdata/operators/pending";

/// All cases, by the names of their files.
const CASES: [&str; 18] = [
    "01-held-by-another",
    "02-taint",
    "03-count-too-large",
    "04-no-common-root",
    "05-wrong-domain",
    "06-partitions-used-up",
    "07-incomplete-pool",
    "08-class-missing",
    "09-selector-fails",
    "10-node-selector",
    "11-share-too-large",
    "12-required-place",
    "13-smallest-release",
    "14-not-together",
    "15-wrong-domain-in-selector",
    "16-taint-of-a-rule",
    "17-device-gone",
    "18-capacity-misnamed",
];

fn explain(case: &str, output: &str) -> crate::common::Run {
    dralloc(&[
        "explain",
        "-f",
        &format!("{FOLDER}/{case}.yaml"),
        "-o",
        output,
    ])
}

fn data(case: &str) -> Value {
    serde_json::from_str(&explain(case, "json").output).unwrap()
}

/// Compares both forms with those on file.
fn check(case: &str) {
    for form in ["text", "json"] {
        let run = explain(case, form);
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(format!("{case}.{form}"), run.text());
        });
    }
}

#[test]
fn held_by_another() {
    check("01-held-by-another");
}

#[test]
fn taint() {
    check("02-taint");
}

#[test]
fn count_too_large() {
    check("03-count-too-large");
}

#[test]
fn no_common_root() {
    check("04-no-common-root");
}

#[test]
fn wrong_domain() {
    check("05-wrong-domain");
}

#[test]
fn partitions_used_up() {
    check("06-partitions-used-up");
}

#[test]
fn incomplete_pool() {
    check("07-incomplete-pool");
}

#[test]
fn class_missing() {
    check("08-class-missing");
}

#[test]
fn selector_fails() {
    check("09-selector-fails");
}

#[test]
fn node_selector() {
    check("10-node-selector");
}

#[test]
fn share_too_large() {
    check("11-share-too-large");
}

#[test]
fn required_place() {
    check("12-required-place");
}

#[test]
fn smallest_release() {
    check("13-smallest-release");
}

#[test]
fn not_together() {
    check("14-not-together");
}

#[test]
fn wrong_domain_in_selector() {
    check("15-wrong-domain-in-selector");
}

#[test]
fn taint_of_a_rule() {
    check("16-taint-of-a-rule");
}

#[test]
fn device_gone() {
    check("17-device-gone");
}

#[test]
fn capacity_misnamed() {
    check("18-capacity-misnamed");
}

#[test]
fn every_case_is_tested() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(FOLDER);
    let files = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = files
        .map(|file| {
            file.unwrap()
                .path()
                .file_stem()
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    names.sort();
    assert_eq!(names, CASES);
}

#[test]
fn all_classes_of_reasons_and_kinds_of_remedies_are_covered() {
    let (mut verdicts, mut kinds) = (BTreeSet::new(), BTreeSet::new());
    for case in CASES {
        let data = data(case);
        for subject in data["subjects"].as_array().unwrap() {
            verdicts.insert(subject["verdict"].as_str().unwrap().to_owned());
            for group in list(&subject["groups"]) {
                verdicts.insert(group["verdict"].as_str().unwrap().to_owned());
            }
            for remedy in list(&subject["remedies"]) {
                let kind = remedy["remedy"]["kind"].as_str().unwrap_or("node");
                kinds.insert(kind.to_owned());
            }
        }
    }
    let expected = [
        "afterRelease",
        "badInput",
        "deviceGone",
        "fits",
        "neverPossible",
        "ruledOut",
    ];
    assert_eq!(verdicts, expected.map(str::to_owned).into());
    let expected = [
        "attribute",
        "capacity",
        "constraint",
        "count",
        "guard",
        "name",
        "node",
        "policy",
        "pool",
        "release",
        "selector",
        "toleration",
    ];
    assert_eq!(kinds, expected.map(str::to_owned).into());
}

#[test]
fn counts_add_up() {
    for case in CASES {
        let data = data(case);
        for subject in data["subjects"].as_array().unwrap() {
            let groups = list(&subject["groups"]);
            let nodes: Vec<&Value> = groups
                .iter()
                .flat_map(|group| list(&group["nodes"]))
                .collect();
            let expected = subject["nodes"].as_u64().unwrap_or(0);
            assert_eq!(nodes.len() as u64, expected, "{case}");
            let distinct: BTreeSet<&str> =
                nodes.iter().map(|node| node.as_str().unwrap()).collect();
            assert_eq!(distinct.len(), nodes.len(), "{case}");
            for group in groups {
                for request in list(&group["explanation"]["requests"]) {
                    let number = |value: &Value| value.as_u64().unwrap();
                    let refused = list(&request["refused"]).iter().map(|one| number(&one[1]));
                    let sum = number(&request["usable"]) + refused.sum::<u64>();
                    assert_eq!(number(&request["considered"]), sum, "{case}");
                }
            }
        }
    }
}

/// Returns the elements of a list; none where there is no list.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
