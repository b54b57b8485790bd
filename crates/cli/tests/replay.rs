//! `dralloc replay`, through the real binary.

mod common;

use common::{Run, dralloc, dralloc_with};

const CASE: &str = r#"{"name":"NAME","node":{"metadata":{"name":"n"}},"deviceClasses":[{"metadata":{"name":"gpu"}}],"resourceSlices":[{"metadata":{"name":"s"},"spec":{"driver":"d","nodeName":"n","pool":{"name":"p","generation":1,"resourceSliceCount":1},"devices":[{"name":"a","allowMultipleAllocations":true,"capacity":{"m":{"value":"2Gi"}}}]}}],"claims":[{"metadata":{"name":"c"},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"CLASS","allocationMode":"ExactCount","count":COUNT,"capacity":{"requests":{"m":"1.5Gi"}}}}]}}}],"features":{"consumableCapacity":true}}"#;

fn case(name: &str, class: &str, count: &str) -> String {
    let line = CASE
        .replace("NAME", name)
        .replace("CLASS", class)
        .replace("COUNT", count);
    format!("{line}\n")
}

/// Removes the time, which differs between runs.
fn without_nanos(run: &Run) -> String {
    let lines = run
        .output
        .lines()
        .map(|line| match line.rsplit_once(",\"nanos\":") {
            Some((line, nanos)) => {
                assert!(
                    nanos.trim_end_matches('}').parse::<u64>().is_ok(),
                    "{nanos}"
                );
                format!("{line}}}\n")
            }
            None => format!("{line}\n"),
        });
    lines.collect()
}

#[test]
fn one_line_answers_one_case() {
    let input = case("one", "gpu", "1") + &case("two", "gpu", "2") + &case("three", "none", "1");
    let run = dralloc_with(&["replay", "--repeat", "3", "-"], &input);
    insta::assert_snapshot!(without_nanos(&run), @r#"
    {"name":"one","outcome":"allocated","results":[{"devices":{"results":[{"request":"r","driver":"d","pool":"p","device":"a","shareID":"<share-0>","consumedCapacity":{"m":"1.5Gi"}}]},"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]}]}}]}
    {"name":"two","outcome":"infeasible"}
    {"name":"three","outcome":"error","error":{"code":"not-found","message":"no DeviceClass `none`, expected the name of one that exists","path":"claims[0].spec.devices.requests[0].exactly.deviceClassName","scope":"request"}}
    "#);
    assert_eq!((run.code, run.errors.as_str()), (0, ""));
}

#[test]
fn a_policy_has_values() {
    let input = case("one", "gpu", "1");
    let run = dralloc_with(&["replay", "--policy", "waste,evenness", "-"], &input);
    let values = r#""objective":[{"term":"waste","value":0},{"term":"evenness","value":1}]"#;
    assert!(run.output.contains(values), "{}", run.output);
    assert_eq!((run.code, run.errors.as_str()), (0, ""));
}

#[test]
fn a_line_that_cannot_be_read_does_not_stop_the_rest() {
    let input = format!("{{\n\n{}", case("one", "gpu", "2"));
    let run = dralloc_with(&["replay", "-"], &input);
    insta::assert_snapshot!(without_nanos(&run), @r#"
    {"name":"","outcome":"error","error":{"code":"malformed","message":"line 1: column 2: expected a name in double quotes, found the end of the text","path":"","scope":"request"}}
    {"name":"one","outcome":"infeasible"}
    "#);
    assert_eq!((run.code, run.errors.as_str()), (2, ""));
}

#[test]
fn nothing_is_defaulted() {
    let input = case("one", "gpu", "1").replace("ExactCount", "");
    let run = dralloc_with(&["replay", "-"], &input);
    insta::assert_snapshot!(without_nanos(&run), @r#"{"name":"one","outcome":"error","error":{"code":"unsupported","message":"``, expected ExactCount or All","path":"claims[0].spec.devices.requests[0].exactly.allocationMode","scope":"request"}}"#);
}

#[test]
fn what_cannot_be_done_is_said() {
    let run = dralloc(&["replay", "missing.jsonl"]);
    insta::assert_snapshot!(run.errors, @"error: cannot read `missing.jsonl`: No such file or directory (os error 2)");
    assert_eq!((run.code, run.output.as_str()), (2, ""));
    let run = dralloc(&["replay", "--policy", "magic", "-"]);
    insta::assert_snapshot!(run.errors, @r"
    error: invalid value 'magic' for '--policy <NAME|TERMS>': policy `magic` is not supported, expected kubernetes, pack, spread or affinity, or terms such as `waste,evenness=ATTRIBUTE`

    For more information, try '--help'.
    ");
    assert_eq!((run.code, run.output.as_str()), (2, ""));
}
