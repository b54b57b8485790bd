//! What `kubectl` completes after `kubectl dralloc`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use crate::Live;
use crate::common::{dralloc, kubectl_dralloc_command, root};

/// Returns what `kubectl` is told of the last word, in a folder that has the script.
fn completed(words: &[&str], folder: &Path) -> Vec<String> {
    // The path is that on which the stand-in is.
    let plugin = kubectl_dralloc_command(&[], Path::new(""), &[]);
    let path = plugin.get_envs().find(|(name, _)| *name == "PATH");
    let mut path = path.and_then(|(_, value)| value).unwrap().to_owned();
    path.push(":");
    path.push(folder);
    let output = Command::new("kubectl")
        .args(["__complete", "dralloc"])
        .args(words)
        .env("PATH", path)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(str::to_owned).collect()
}

#[test]
fn kubectl_completes_by_the_script() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kubectl_complete-dralloc");
    let script = Live::new().run(&["completions"]);
    assert_eq!((script.code, &*script.errors), (0, ""));
    assert_eq!(dralloc(&["completions", "kubectl"]), script);
    fs::write(&file, &script.output).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    for (words, expected) in [
        (&["al"][..], &["allocate", ":4"][..]),
        (&["topo", "s"], &["show", "select", ":4"]),
        (&["allocate", "--sat"], &["--satisfiable", ":4"]),
        (&["allocate", "--con"], &["--context", ":4"]),
        (&["allocate", "-o", ""], &["table", "yaml", "json", ":4"]),
        // Folders have more in them.
        (
            &["explain", "-f", "testdata/oper"],
            &["testdata/operators/", ":6"],
        ),
        (
            &["explain", "-f", "testdata/operators/w"],
            &[
                "testdata/operators/wish.yaml",
                "testdata/operators/warnings/",
                "testdata/operators/wrong/",
                ":6",
            ],
        ),
        (&["nonsense", "x"], &[":4"]),
    ] {
        let mut expected = expected.to_vec();
        let mut completed = completed(words, folder.path());
        expected.sort_unstable();
        completed.sort_unstable();
        assert_eq!(completed, expected, "{words:?}");
    }
    // Nothing at all is the beginning of a word.
    assert!(completed(&[], folder.path()).contains(&"explain".to_owned()));
}
