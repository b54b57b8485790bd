//! Callers who get most things wrong are answered, whatever they do.

use std::path::PathBuf;
use std::process::Command;

use crate::support::{Build, Linkage, libraries, run};

/// Says how many calls of each thread the long test makes.
const CALLS: &str = "DRALLOC_HOSTILE_CALLS";

/// Is the program, compiled.
struct Hostile(PathBuf);

impl Hostile {
    fn linked(linkage: Linkage) -> Self {
        Self(Build::new("hostile").linkage(linkage).compile())
    }

    /// Makes calls at random; returns the digest of the answers, if there is one thread.
    fn digest(&self, seed: u32, calls: u32, threads: u32) -> String {
        let arguments = [seed, calls, threads].map(|number| number.to_string());
        run(Command::new(&self.0)
            .args(arguments)
            .env("LD_LIBRARY_PATH", libraries()))
    }
}

#[test]
fn random_calls_have_the_same_answers_each_time() {
    let shared = Hostile::linked(Linkage::Shared);
    let linked = Hostile::linked(Linkage::Static);
    for seed in 1..=3 {
        let first = shared.digest(seed, 3000, 1);
        assert_eq!(first.len(), 17, "{first}");
        assert_eq!(linked.digest(seed, 3000, 1), first);
    }
    // One call less is another digest.
    assert_ne!(shared.digest(1, 2999, 1), shared.digest(1, 3000, 1));
}

#[test]
fn handles_that_were_freed_long_ago_do_no_harm() {
    let hostile = Hostile::linked(Linkage::Shared);
    for seed in 1..=3 {
        assert_eq!(hostile.digest(seed, 3000, 0), "0000000000000000\n");
    }
}

#[test]
fn threads_may_use_and_free_the_same() {
    let hostile = Hostile::linked(Linkage::Shared);
    for seed in 1..=3 {
        assert_eq!(hostile.digest(seed, 3000, 3), "0000000000000000\n");
    }
}

#[test]
fn deep_texts_need_little_stack() {
    let deepest = Build::new("deepest").compile();
    // 512 KiB are promised; musl gives a thread 128.
    for kibibytes in ["512", "128"] {
        let mut program = Command::new(&deepest);
        program.arg(kibibytes).env("LD_LIBRARY_PATH", libraries());
        assert_eq!(run(&mut program), "274\n");
    }
}

#[test]
#[ignore = "takes minutes; `make test-long` runs it"]
fn random_calls_for_long() {
    let calls = std::env::var(CALLS).ok();
    let calls = calls
        .and_then(|calls| calls.parse().ok())
        .unwrap_or(100_000);
    let hostile = Hostile::linked(Linkage::Shared);
    for seed in 100..104 {
        assert_eq!(hostile.digest(seed, calls, 0), "0000000000000000\n");
        assert_eq!(hostile.digest(seed, calls, 1).len(), 17);
        assert_eq!(hostile.digest(seed, calls / 4, 4), "0000000000000000\n");
    }
}
