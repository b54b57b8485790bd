//! Texts from files, directories and standard input.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use dralloc::{Code, Error};

use super::position::Lines;
use super::{InputError, Origin};

/// The endings of files that are read from a directory.
const ENDINGS: [&str; 3] = ["json", "yaml", "yml"];

/// Is a place that text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Stdin,
    File(PathBuf),
    /// What a program printed, in JSON.
    Program {
        /// What the program is called in messages.
        name: Arc<str>,
        bytes: Vec<u8>,
    },
}

impl Source {
    /// Lists the sources of a command line: `-` is standard input, a directory its files.
    ///
    /// # Errors
    ///
    /// If standard input is there twice, or a directory cannot be read.
    pub(crate) fn list(paths: &[PathBuf]) -> Result<Vec<Self>, InputError> {
        let mut sources = Vec::new();
        for path in paths {
            if path.as_os_str() == "-" {
                if sources.contains(&Self::Stdin) {
                    let message = "standard input can be read only once";
                    return Err(fail(&Self::Stdin.name(), Code::Invalid, message));
                }
                sources.push(Self::Stdin);
            } else if path.is_dir() {
                sources.extend(directory(path)?);
            } else {
                sources.push(Self::File(path.clone()));
            }
        }
        Ok(sources)
    }

    /// Returns the source that a path names: `-` is standard input.
    pub(super) fn of(path: &Path) -> Self {
        if path.as_os_str() == "-" {
            Self::Stdin
        } else {
            Self::File(path.to_path_buf())
        }
    }

    /// Returns what the source is called in messages.
    pub(crate) fn name(&self) -> Arc<str> {
        match self {
            Self::Stdin => "<stdin>".into(),
            Self::File(path) => path.display().to_string().into(),
            Self::Program { name, .. } => Arc::clone(name),
        }
    }

    /// Returns whether the name says that the text is JSON.
    pub(super) fn is_json(&self) -> bool {
        match self {
            Self::Stdin => false,
            Self::File(path) => path.extension().is_some_and(|ending| ending == "json"),
            Self::Program { .. } => true,
        }
    }

    /// Returns what is there, in whatever encoding.
    pub(super) fn bytes(self) -> Result<Vec<u8>, InputError> {
        let name = self.name();
        match self {
            Self::Stdin => {
                let mut bytes = Vec::new();
                io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
            }
            Self::File(path) => fs::read(path),
            Self::Program { bytes, .. } => Ok(bytes),
        }
        .map_err(|error| fail(&name, Code::NotFound, &format!("cannot be read: {error}")))
    }

    pub(super) fn read(self) -> Result<String, InputError> {
        let name = self.name();
        let mut bytes = self.bytes()?;
        if bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        String::from_utf8(bytes).map_err(|error| {
            let place = error.utf8_error().valid_up_to();
            let position = Lines::new(error.as_bytes()).position(place);
            let message = "not valid UTF-8";
            let origin = Origin {
                file: name,
                document: 1,
                position: Some(position),
            };
            InputError::one(origin, Error::new(Code::Malformed, message))
        })
    }
}

fn directory(path: &Path) -> Result<Vec<Source>, InputError> {
    let name: Arc<str> = path.display().to_string().into();
    let list = || -> io::Result<Vec<PathBuf>> {
        fs::read_dir(path)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect()
    };
    let entries = list()
        .map_err(|error| fail(&name, Code::NotFound, &format!("cannot be listed: {error}")))?;
    let mut files: Vec<PathBuf> = entries
        .into_iter()
        .filter(|path| {
            let ending = path.extension().and_then(|ending| ending.to_str());
            ending.is_some_and(|ending| ENDINGS.contains(&ending)) && !path.is_dir()
        })
        .collect();
    if files.is_empty() {
        let message = "directory without files that end in .json, .yaml or .yml";
        return Err(fail(&name, Code::NotFound, message));
    }
    files.sort();
    Ok(files.into_iter().map(Source::File).collect())
}

fn fail(name: &Arc<str>, code: Code, message: &str) -> InputError {
    let origin = Origin {
        file: Arc::clone(name),
        document: 1,
        position: None,
    };
    InputError::one(origin, Error::new(code, message))
}
