//! What all commands have in common.

mod common;

use std::io::Read as _;
use std::process::Stdio;

use common::{dralloc, program};

#[test]
fn help_has_examples() {
    let run = dralloc(&["--help"]);
    insta::assert_snapshot!(run.output, @"
    Allocates devices by the rules of Kubernetes' dynamic resource allocation

    Usage: dralloc <COMMAND>

    Commands:
      allocate     Allocates devices to pods and claims, from files
      validate     Says what is wrong with objects in files, and what will surprise
      inventory    Lists what devices there are, what is free, and who holds the rest
      explain      Says why pods and claims wait for devices, and what would change that
      replay       Answers recorded cases, one JSON line each, or makes the calls of a trace again
      dump         Prints what the engine knows of the objects in files, as one JSON document
      topo         Shows how devices are linked, and selects those that work best together
      cel          Checks and evaluates device selectors
      completions  Prints a completion script for a shell, or for `kubectl dralloc`
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help     Print help
      -V, --version  Print version
    ");
    for command in [
        "allocate",
        "validate",
        "inventory",
        "explain",
        "replay",
        "dump",
        "topo",
        "cel",
        "completions",
    ] {
        let run = dralloc(&[command, "--help"]);
        assert!(run.output.contains("\nExamples:\n"), "{}", run.output);
        assert_eq!((run.code, run.errors.as_str()), (0, ""));
    }
}

#[test]
fn completions_are_printed() {
    let run = dralloc(&["completions", "bash"]);
    assert!(run.output.starts_with("_dralloc() {"), "{}", run.output);
    assert_eq!((run.code, run.errors.as_str()), (0, ""));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = program("dralloc")
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut errors = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut errors)
        .unwrap();
    assert_eq!(
        (child.wait().unwrap().code(), errors.as_str()),
        (Some(0), "")
    );
}
