//! The programs again, watched by sanitizers and by Valgrind.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Build, libraries, run};

/// Memory that is not ours, or not given back; and what C does not define.
const WATCHED: &[&str] = &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// What both run of the corpus.
const FILES: &[&str] = &[
    "engine.calls",
    "questions.calls",
    "books.calls",
    "place.calls",
    "record.calls",
    "known.calls",
];

fn corpus(names: &[&str]) -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/corpus");
    names.iter().map(|name| corpus.join(name)).collect()
}

#[test]
fn programs_are_clean_for_sanitizers() {
    for name in ["smoke", "misuse"] {
        let program = Build::new(name).flags("watched", WATCHED);
        assert_eq!(program.run(&[]), "ok\n");
    }
    let hostile = Build::new("hostile").flags("watched", WATCHED);
    for threads in ["0", "1", "3"] {
        let printed = hostile.run(&["4", "2000", threads].map(Path::new));
        assert_eq!(printed.len(), 17, "{printed}");
    }
    let files = corpus(FILES);
    let arguments: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let printed = Build::new("corpus")
        .flags("watched", WATCHED)
        .run(&arguments);
    assert!(printed.ends_with(" calls\n"), "{printed}");
}

#[test]
#[ignore = "takes a minute and needs Valgrind; `make test-long` runs it"]
fn programs_are_clean_for_valgrind() {
    let under_valgrind = |name, arguments: &[PathBuf]| {
        let program = Build::new(name).compile();
        run(Command::new("valgrind")
            .args(["--quiet", "--leak-check=full", "--error-exitcode=9"])
            .args(["--errors-for-leak-kinds=definite,indirect"])
            .arg(program)
            .args(arguments)
            .env("LD_LIBRARY_PATH", libraries()))
    };
    assert_eq!(under_valgrind("smoke", &[]), "ok\n");
    assert_eq!(under_valgrind("misuse", &[]), "ok\n");
    let alone = ["5", "500", "1"].map(PathBuf::from);
    assert_eq!(under_valgrind("hostile", &alone).len(), 17);
    let printed = under_valgrind("corpus", &corpus(FILES));
    assert!(printed.ends_with(" calls\n"), "{printed}");
}
