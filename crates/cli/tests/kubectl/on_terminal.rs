//! What is shown on a terminal.

use crate::Live;
use crate::common::kubectl_dralloc_command;
use crate::common::terminal::on_terminal;

fn shown(live: &Live) -> String {
    let command = kubectl_dralloc_command(&["allocate"], live.0.path(), &[]);
    let (shown, code) = on_terminal(command, 100);
    assert_eq!(code, 1);
    shown
}

#[test]
fn a_bar_is_shown_while_the_cluster_is_slow_and_then_taken_away() {
    let live = Live::new();
    let quick = shown(&live);
    assert!(!quick.contains("reading the cluster"), "{quick:?}");
    live.script(
        "resourceslices",
        "sleep 1.1; cat \"$DRALLOC_CLUSTER/resourceslices.json\"",
    );
    let slow = shown(&live);
    assert!(slow.contains("reading the cluster "), "{slow:?}");
    assert!(slow.contains("/8"), "{slow:?}");
    // The line is cleared, and the answer is the same.
    assert!(slow.ends_with(&quick), "{slow:?}");
}

#[test]
fn answers_have_colours() {
    let colours = shown(&Live::new());
    for expected in [
        "\u{1b}[1mNAMESPACE  POD ",
        "\u{1b}[31mNot allocated:\u{1b}[0m pod team-a/training\n",
        "Allocated: \u{1b}[31m1\u{1b}[0m of 2 pods.\n",
    ] {
        assert!(colours.contains(expected), "{colours:?}");
    }
}
