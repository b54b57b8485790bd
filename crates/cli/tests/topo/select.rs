//! `dralloc topo select`: answers for people and programs, and what cannot be.

use crate::common::{Run, dralloc};
use crate::machine;

fn select(name: &str, arguments: &[&str]) -> Run {
    dralloc(&[&["topo", "select", "-f", &*machine(name)], arguments].concat())
}

#[test]
fn an_answer_is_one_line_of_five_fields() {
    let run = select("mi200-8p-hypercube", &["--count", "8", "-o", "json"]);
    assert_eq!((run.code, &*run.errors), (0, ""));
    let start = r#"{"devices":["gpu0","gpu1","gpu2","gpu3","gpu4","gpu5","gpu6","gpu7"],"ring":2.6667,"links":12,"outcome":"optimal","nanos":"#;
    let nanos = run
        .output
        .strip_prefix(start)
        .and_then(|rest| rest.strip_suffix("}\n"));
    let nanos = nanos.and_then(|nanos| nanos.parse::<u64>().ok());
    assert!(nanos.is_some_and(|nanos| nanos > 0), "{}", run.output);
}

#[test]
fn what_is_left_whole_is_told() {
    let run = select("gb200-8xnvl72-576gpu", &["--count", "80"]);
    assert_eq!(
        run.text(),
        "\
Chosen: 80 GPUs r0t0g0 … r1t1g3
  ring        no ring over links
  links       46512
  worst pair  NET
  span        block
  left free   496 of 576
  left whole  6 of 8 groups that links join: r2t0g0 … r2t17g3, r3t0g0 … r3t17g3, r4t0g0 … r4t17g3, \
r5t0g0 … r5t17g3, r6t0g0 … r6t17g3, r7t0g0 … r7t17g3
              1 block: b1
              2 racks: r2, r3
              16 hosts: r1t2 … r1t17

Best of all sets of 80 by ring, then links, then packing.
exit code 0"
    );
}

#[test]
fn terms_free_and_required_devices_are_the_users() {
    let count = ["--count", "2", "--objective"];
    for (terms, more, devices) in [
        ("ring,links,packing", &[][..], "gpu0, gpu3"),
        ("span", &[], "gpu0, gpu1"),
        (
            "bottleneck,packing",
            &["--free", "gpu7,gpu1,gpu2"],
            "gpu1, gpu2",
        ),
        ("ring", &["--required", "gpu6"], "gpu5, gpu6"),
    ] {
        let run = select("dgx1-v100", &[&count[..], &[terms], more].concat());
        let first = run.output.lines().next().unwrap_or_default();
        assert_eq!(first, format!("Chosen: {devices}"), "{terms}");
    }
}

#[test]
fn no_such_set_is_a_no() {
    for (name, arguments, why) in [
        (
            "dgx1-v100",
            &["--count", "9"][..],
            "9 devices wanted, 8 free",
        ),
        (
            "dgx1-v100",
            &["--count", "18446744073709551615"],
            "18446744073709551615 devices wanted, 8 free",
        ),
        (
            "dgx1-v100",
            &["--count", "1", "--free", "gpu0", "--required", "gpu1"],
            "gpu1 is required and not free",
        ),
        (
            "dgx1-v100",
            &["--count", "1", "--required", "gpu0,gpu1"],
            "1 device wanted, 2 required",
        ),
        (
            "hgx-h100-fm-shared-nvswitch",
            &["--count", "3"],
            "no allowed set of that size is free",
        ),
    ] {
        let text = format!("No such set: {why}\nexit code 1");
        assert_eq!(select(name, arguments).text(), text);
        let run = select(name, &[arguments, &["-o", "json"]].concat());
        let start = r#"{"devices":[],"ring":0,"links":0,"outcome":"infeasible","nanos":"#;
        assert!(run.output.starts_with(start), "{}", run.output);
        assert_eq!((run.code, &*run.errors), (1, ""));
    }
}

#[test]
fn ids_that_are_there_twice_count_once() {
    let twice = ["--count", "2", "--free", "gpu1,gpu0,gpu1"];
    let run = select("dgx1-v100", &twice);
    assert!(
        run.output.starts_with("Chosen: gpu0, gpu1\n"),
        "{}",
        run.output
    );
    assert!(
        run.output.contains("  left free   0 of 2\n"),
        "{}",
        run.output
    );
    assert_eq!(
        select("dgx1-v100", &["--count", "2", "--free", "gpu0,gpu0"]).text(),
        "No such set: 2 devices wanted, 1 free\nexit code 1"
    );
    let one = select("dgx1-v100", &["--count", "1", "--required", "gpu5,gpu5"]);
    assert!(one.output.starts_with("Chosen: gpu5\n"), "{}", one.output);
}

#[test]
fn no_devices_are_a_set() {
    assert_eq!(
        select("dgx1-v100", &["--count", "0"]).text(),
        "\
Chosen: none
  left free   8 of 8
  left whole  1 machine: dgx1-v100

No device is asked for, so none is chosen.
exit code 0"
    );
}

#[test]
fn what_cannot_be_asked_is_said() {
    let wrong = |name, arguments: &[&str]| {
        let run = select(name, arguments);
        assert_eq!((run.code, &*run.output), (2, ""));
        run.errors.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(
        wrong("dgx1-v100", &["--count", "2", "--free", "gpu0,gpu9"]),
        "error: --free: no device `gpu9`, expected the id of one"
    );
    assert_eq!(
        wrong("dgx1-v100", &["--count", "2", "--required", "nic0"]),
        "error: --required: no device `nic0`, expected the id of one"
    );
    assert_eq!(
        wrong("dgx1-v100", &["--count", "2", "--objective", "ring,best"]),
        "error: invalid value 'best' for '--objective <TERM,…>': expected one of `ring`, `links`, \
         `bottleneck`, `span`, `packing`, found `best`"
    );
    assert_eq!(
        wrong("dgx1-v100", &["--count", "2", "--objective", "ring, ring"]),
        "error: --objective: term `ring` is there twice, expected each once"
    );
    assert_eq!(
        wrong(
            "gb200-nvl72-rack",
            &["--count", "2", "--objective", "bottleneck"]
        ),
        "error: --objective: expected terms out of `ring`, `links`, `span`, `packing` in this order \
         for more than 16 devices, found `bottleneck`"
    );
}
