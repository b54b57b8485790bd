//! Commands of the pages print what the pages say.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::blocks::{Block, blocks};
use crate::common::{dralloc_with, programs};
use crate::{pages, read, root};

/// How lines start that are not run, and why.
const NOT_RUN: [(&str, &str); 11] = [
    (".ci/install", "the tests themselves"),
    ("make ", "builds; `make test-install` tests it"),
    ("cargo install ", "builds"),
    ("export ", "for what is not run"),
    ("cc ", "tests/install of the C library compiles it"),
    ("go ", "the tests of the Go module"),
    ("DRALLOC_LIBRARY=", "the tests of the Go module"),
    ("python3 -m venv ", "the tests of the Python package"),
    ("pip install ", "the tests of the Python package"),
    ("source <(", "of another shell"),
    ("chmod +x ", "tests/kubectl/completions.rs does it"),
];

/// Pages whose blocks in other languages, and what is printed below them, have tests of
/// their own.
const TESTED_ELSEWHERE: [(&str, &str); 4] = [
    ("docs/python.md", "python/tests/test_documentation.py"),
    ("docs/rust.md", "crates/core/src/lib.rs"),
    ("docs/go.md", "go/examples/docs_test.go"),
    ("docs/c.md", "crates/capi/tests/abi/pages.rs"),
];

/// Is a copy of the repository for one page, in which its commands run.
struct Copy(TempDir);

impl Copy {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let link = |from: &Path, name: &Path| symlink(from, folder.path().join(name)).unwrap();
        for entry in fs::read_dir(root()).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root()).unwrap();
            if name != Path::new("docs") {
                link(&path, name);
            }
        }
        // Pictures are drawn, not overwritten.
        fs::create_dir_all(folder.path().join("docs/pictures")).unwrap();
        for entry in fs::read_dir(root().join("docs")).unwrap() {
            let path = entry.unwrap().path();
            if !path.ends_with("pictures") {
                link(&path, path.strip_prefix(root()).unwrap());
            }
        }
        Self(folder)
    }

    /// Runs a line as a shell does; returns what a terminal would show, and whether it is
    /// an answer, which may be a "no".
    fn run(&self, line: &str) -> (String, bool) {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
        let path = std::env::join_paths(
            [tests.join("common/stand-in"), programs()]
                .into_iter()
                .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
        );
        // What kubectl does with a plugin.
        let line = line
            .replace("kubectl dralloc", "kubectl-dralloc")
            .replace("cargo run --release -- ", "dralloc ");
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {line}")])
            .current_dir(self.0.path())
            .env("PATH", path.unwrap())
            .env_remove("COLUMNS")
            .env_remove("KUBECTL")
            .env("DRALLOC_CLUSTER", root().join("testdata/operators/cluster"))
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (text, matches!(output.status.code(), Some(0 | 1)))
    }

    /// Compares the pictures that were drawn with those of the repository.
    fn compare_pictures(&self, page: &str) -> usize {
        let mut count = 0;
        for entry in fs::read_dir(self.0.path().join("docs/pictures")).unwrap() {
            let path = entry.unwrap().path();
            let kept = root().join("docs/pictures").join(path.file_name().unwrap());
            if is_update() {
                fs::copy(&path, &kept).unwrap();
            }
            let (drawn, kept) = (fs::read(&path).unwrap(), fs::read(&kept).unwrap());
            assert!(drawn == kept, "{page}: {} is another", path.display());
            count += 1;
        }
        count
    }
}

fn is_update() -> bool {
    std::env::var_os("DRALLOC_UPDATE_PAGES").is_some_and(|value| value == "1")
}

/// Returns the lines of a script, of which some go on over several.
fn lines(script: &str) -> Vec<String> {
    let script = script.replace("\\\n", "");
    let lines = script
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

/// Returns whether a line is to be run, or how those start that are not.
fn is_run(line: &str) -> Result<(), &'static str> {
    let ours = ["dralloc ", "kubectl dralloc ", "cargo run --release -- "];
    if ours.iter().any(|start| line.starts_with(start)) || line.contains("| dralloc ") {
        return Ok(());
    }
    let start = NOT_RUN.iter().find(|(start, _)| line.starts_with(start));
    Err(start
        .unwrap_or_else(|| panic!("nothing says whether this is run: {line}"))
        .0)
}

/// Is what was found in the pages.
#[derive(Debug, Default)]
struct Found {
    run: usize,
    compared: usize,
    pictures: usize,
    not_run: BTreeSet<&'static str>,
}

/// Runs the commands of a page, and compares what they print.
fn check(page: &str, found: &mut Found) {
    let text = read(page);
    let copy = Copy::new();
    let mut corrected: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut shift = 0;
    // What the block before printed, if it was run.
    let mut printed: Option<(String, String)> = None;
    for block in blocks(&text) {
        let place = format!("{page}:{}", block.line);
        if block.language == "sh" {
            expect_success(printed.take());
            printed = run(&copy, &block, found);
            continue;
        }
        let is_output = block.language == "text"
            || block.is_next && ["json", "yaml", "console"].contains(&&*block.language);
        match printed.take() {
            Some((output, _)) if is_output => {
                if is_update() {
                    let start = block.lines.start.checked_add_signed(shift).unwrap();
                    let new: Vec<_> = output.lines().map(str::to_owned).collect();
                    shift += isize::try_from(new.len()).unwrap()
                        - isize::try_from(block.lines.len()).unwrap();
                    corrected.splice(start..start + block.lines.len(), new);
                } else {
                    assert_eq!(output, block.text, "{place}");
                }
                found.compared += 1;
            }
            other => {
                expect_success(other);
                check_other(page, &place, &block);
            }
        }
    }
    expect_success(printed);
    found.pictures += copy.compare_pictures(page);
    if is_update() {
        std::fs::write(root().join(page), corrected.join("\n") + "\n").unwrap();
    }
}

/// Runs a script; returns what all of it printed, and what failed.
fn run(copy: &Copy, block: &Block, found: &mut Found) -> Option<(String, String)> {
    let (mut output, mut failed) = (String::new(), String::new());
    let mut is_any = false;
    for line in lines(&block.text) {
        match is_run(&line) {
            Ok(()) => {
                let (text, is_answer) = copy.run(&line);
                if !is_answer {
                    failed = format!("{line}\n{text}");
                }
                output.push_str(&text);
                found.run += 1;
                is_any = true;
            }
            Err(start) => {
                found.not_run.insert(start);
            }
        }
    }
    is_any.then_some((output, failed))
}

/// A command fails only where the page shows how.
fn expect_success(printed: Option<(String, String)>) {
    if let Some((_, failed)) = printed {
        assert_eq!(failed, "");
    }
}

/// Checks a block that no command of the page printed: objects can be read, parts of files
/// are there, and all else has tests of its own.
fn check_other(page: &str, place: &str, block: &Block) {
    if TESTED_ELSEWHERE.iter().any(|(tested, _)| *tested == page) {
        return;
    }
    assert_eq!(block.language, "yaml", "{place}: nothing tests this block");
    if let Some(file) = &block.file {
        let part = trimmed(&block.text);
        let file = trimmed(&read(file));
        let is_there = file.windows(part.len()).any(|lines| lines == part);
        assert!(is_there, "{place}: not a part of the file");
    } else {
        let run = dralloc_with(&["validate", "--strict", "-f", "-"], &block.text);
        assert_eq!(run.code, 0, "{place}: {}", run.text());
    }
}

fn trimmed(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn commands_print_what_the_pages_say() {
    let mut found = Found::default();
    for page in [vec!["README.md".to_owned()], pages()].concat() {
        check(&page, &mut found);
    }
    let starts: BTreeSet<_> = NOT_RUN.iter().map(|(start, _)| *start).collect();
    assert_eq!(found.not_run, starts, "all that is listed is there");
    for (page, test) in TESTED_ELSEWHERE {
        let name = page.trim_start_matches("docs/");
        assert!(read(test).contains(name), "{test} does not read {page}");
    }
    assert!(
        found.run > 20 && found.compared > 10 && found.pictures >= 4,
        "{found:?}"
    );
}
