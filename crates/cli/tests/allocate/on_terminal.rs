//! What is shown on a terminal.

use std::fs;

use crate::CLUSTER;
use crate::common::nodes::{claim, cluster};
use crate::common::program;
use crate::common::terminal::{dralloc_on_terminal, on_terminal};

/// Returns what is shown while claims are allocated that are too large for all nodes.
fn shown(claims: u32) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cluster.json");
    // Each asks for something else, so that none is answered by the one before.
    let claims = (0..claims).map(|number| {
        let claim = claim(&format!("claim-{number}"), 9);
        claim.replace("\"name\":\"gpu\"", &format!("\"name\":\"gpu-{number}\""))
    });
    fs::write(&file, cluster(90) + &claims.collect::<String>()).unwrap();
    let mut command = program("dralloc");
    command.args(["allocate", "-f", file.to_str().unwrap()]);
    let (shown, code) = on_terminal(command, 100);
    assert_eq!(code, 1, "{shown}");
    shown
}

/// How long it takes depends on the machine: the work grows until it is long enough.
#[test]
fn a_bar_is_shown_where_it_takes_long_and_then_taken_away() {
    let quick = shown(1);
    assert!(!quick.contains("allocating"), "{quick:?}");
    let mut lengths = (4..16).map(|power| 1_u32 << power);
    let slow = lengths.find_map(|length| {
        let slow = shown(length);
        slow.contains("allocating").then_some((length, slow))
    });
    let (length, slow) = slow.unwrap();
    assert!(slow.contains(&format!("/{length}")), "{slow:?}");
    // The line is cleared before the answer, which is without a bar.
    let (_, answer) = slow.rsplit_once("\u{1b}[2K").unwrap();
    let start = answer.trim_start_matches(['\r', '\n']);
    assert!(start.starts_with("\u{1b}[31mNot allocated:"), "{start:?}");
}

#[test]
fn answers_have_colours() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cluster.yaml");
    fs::write(&file, CLUSTER.to_owned() + &crate::claim("one", 1)).unwrap();
    let shown = dralloc_on_terminal(&["allocate", "-f", file.to_str().unwrap()], 100);
    assert!(shown.starts_with("\u{1b}[1mCLAIM  NODE "), "{shown:?}");
    assert!(
        shown.ends_with("Allocated: \u{1b}[32m1\u{1b}[0m claim.\n"),
        "{shown:?}"
    );
}
