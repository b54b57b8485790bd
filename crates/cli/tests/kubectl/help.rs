//! What the plugin says of itself.

use insta::assert_snapshot;

use crate::Live;
use crate::common::dralloc;

#[test]
fn help_names_the_plugin_as_it_is_called() {
    let live = Live::new();
    let run = live.run(&["--help"]);
    assert!(
        run.output.contains("\nUsage: kubectl dralloc <COMMAND>\n"),
        "{}",
        run.output
    );
    assert_snapshot!(live.run(&["dump", "-h"]).output, @"");
    let long = live.run(&["dump", "--help"]).output;
    for option in [
        "--context",
        "--as-group",
        "--cache-dir",
        "--namespace",
        "--live",
    ] {
        assert!(long.contains(option), "{option}: {long}");
    }
    let other = live.run(&["cel", "check", "--help"]).output;
    assert!(other.contains("\n  kubectl dralloc cel check"), "{other}");
    assert!(!other.contains("\n  dralloc"), "{other}");
}

#[test]
fn dralloc_by_itself_knows_no_cluster() {
    let run = dralloc(&["dump"]);
    assert_eq!(run.code, 2);
    assert!(run.errors.contains("--filename"), "{}", run.errors);
    let run = dralloc(&["dump", "-f", "-", "--context", "staging"]);
    assert_eq!(run.code, 2);
    let help = dralloc(&["dump", "--help"]).output;
    assert!(
        !help.contains("kubeconfig") && !help.contains("--live"),
        "{help}"
    );
}
