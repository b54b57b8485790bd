//! Compiles C programs against the library as it was just built, and runs them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Says which library a program is linked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linkage {
    /// `libdralloc.so`, found when the program starts.
    Shared,
    /// `libdralloc.a`.
    Static,
}

/// Is a program that is to be compiled.
pub(crate) struct Build {
    name: &'static str,
    folder: &'static str,
    linkage: Linkage,
    flags: Vec<&'static str>,
    sort: &'static str,
}

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns where programs are made.
pub(crate) fn workshop() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// Returns the folder of the libraries, under the names that they are installed with.
pub(crate) fn libraries() -> &'static Path {
    static STAGED: OnceLock<PathBuf> = OnceLock::new();
    STAGED.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let built = test.parent().unwrap();
        let staged = workshop().join("lib");
        for name in ["libdralloc.so.0", "libdralloc.so"] {
            stage(&built.join("libdralloc_capi.so"), &staged, name);
        }
        stage(&built.join("libdralloc_capi.a"), &staged, "libdralloc.a");
        staged
    })
}

/// Copies a library; other tests may be doing the same.
fn stage(from: &Path, folder: &Path, name: &str) {
    fs::create_dir_all(folder).unwrap();
    let own = folder.join(format!("{name}.{}", std::process::id()));
    fs::copy(from, &own).unwrap();
    fs::rename(&own, folder.join(name)).unwrap();
}

/// Runs a command and returns what it printed; it has to end well.
pub(crate) fn run(command: &mut Command) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (stdout, stderr) = (
        String::from_utf8(stdout).unwrap(),
        String::from_utf8_lossy(&stderr).into_owned(),
    );
    assert!(
        status.success(),
        "{command:?} ended with {status}\n{stdout}\n{stderr}"
    );
    stdout
}

impl Build {
    /// Returns the program `tests/c/NAME.c`, with the shared library.
    pub(crate) fn new(name: &'static str) -> Self {
        Self {
            name,
            folder: "tests/c",
            linkage: Linkage::Shared,
            flags: Vec::new(),
            sort: "plain",
        }
    }

    /// Returns the program `examples/NAME.c` of the project, with the shared library.
    pub(crate) fn example(name: &'static str) -> Self {
        Self {
            folder: "../../examples",
            ..Self::new(name)
        }
    }

    pub(crate) fn linkage(mut self, linkage: Linkage) -> Self {
        self.linkage = linkage;
        self
    }

    /// Adds flags for the compiler, which make a program of another sort.
    pub(crate) fn flags(mut self, sort: &'static str, flags: &[&'static str]) -> Self {
        self.flags.extend_from_slice(flags);
        self.sort = sort;
        self
    }

    /// Compiles the program and returns where it is.
    pub(crate) fn compile(&self) -> PathBuf {
        let program = workshop().join(format!("{}-{}-{:?}", self.name, self.sort, self.linkage));
        let source = package().join(self.folder).join(format!("{}.c", self.name));
        let mut compiler = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
        compiler
            .args(["-std=c99", "-D_POSIX_C_SOURCE=200809L"])
            .args(["-Wall", "-Wextra", "-Werror", "-O1", "-g"])
            .arg(concat!(
                "-DDRALLOC_TEST_VERSION=\"",
                env!("CARGO_PKG_VERSION"),
                "\""
            ))
            .args(&self.flags)
            .arg("-I")
            .arg(package().join("../../include"))
            .arg(source)
            .arg("-o")
            .arg(&program);
        match self.linkage {
            Linkage::Shared => compiler.arg("-L").arg(libraries()).arg("-ldralloc"),
            Linkage::Static => compiler.arg(libraries().join("libdralloc.a")),
        };
        compiler.args(["-lpthread", "-lm", "-ldl"]);
        run(&mut compiler);
        program
    }

    /// Compiles the program, runs it, and returns what it printed.
    pub(crate) fn run(&self, arguments: &[&Path]) -> String {
        let mut program = Command::new(self.compile());
        program.args(arguments).env("LD_LIBRARY_PATH", libraries());
        run(&mut program)
    }
}
