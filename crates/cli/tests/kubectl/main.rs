//! `kubectl dralloc`, with a `kubectl` that serves files.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod beside;
#[path = "../common/mod.rs"]
mod common;
mod completions;
mod failures;
mod help;
mod on_terminal;
mod reading;
mod version;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use common::{Run, kubectl_dralloc};

/// Is a cluster of which single kinds can be replaced.
struct Live(TempDir);

impl Live {
    fn new() -> Self {
        let live = Self(tempfile::tempdir().unwrap());
        for entry in fs::read_dir(cluster()).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(
                &path,
                live.path(path.file_name().unwrap().to_str().unwrap()),
            )
            .unwrap();
        }
        live
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Serves a text for a kind.
    fn serve(&self, kind: &str, text: &str) {
        fs::write(self.path(&format!("{kind}.json")), text).unwrap();
    }

    /// Runs a script in the place of `kubectl get` of a kind.
    fn script(&self, kind: &str, script: &str) {
        let path = self.path(kind);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Run {
        kubectl_dralloc(arguments, self.0.path(), &[])
    }

    /// Runs the plugin; returns what `kubectl` was called with, too. All but the first
    /// call are in order of their text, since they are made at the same time.
    fn calls(&self, arguments: &[&str]) -> (Run, Vec<String>) {
        let log = self.path("calls");
        let environment = [("DRALLOC_CALLS", log.to_str().unwrap())];
        let run = kubectl_dralloc(arguments, self.0.path(), &environment);
        let log = fs::read_to_string(&log).unwrap_or_default();
        let mut calls: Vec<String> = log.lines().map(str::to_owned).collect();
        calls.get_mut(1..).into_iter().for_each(<[String]>::sort);
        (run, calls)
    }
}

/// Returns the folder with the cluster of the documentation.
fn cluster() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/operators/cluster")
}
