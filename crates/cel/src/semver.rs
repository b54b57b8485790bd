//! Semantic versions, parsed as strictly as Kubernetes does.

use std::cmp::Ordering;
use std::fmt;

use crate::runtime::excerpt;

/// A semantic version (semver 2.0.0) and the text it was written as.
///
/// Equality and order follow precedence: build metadata does not count.
#[derive(Clone, Debug)]
pub struct Semver {
    text: Box<str>,
    major: u64,
    minor: u64,
    patch: u64,
    prerelease: Box<[Identifier]>,
}

/// One dot separated part of a prerelease.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Identifier {
    // Numbers come before text, so the derived order is that of semver.
    Number(u64),
    Text(Box<str>),
}

/// Text that is no semantic version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SemverError {
    message: String,
}

impl fmt::Display for SemverError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for SemverError {}

fn error(message: impl Into<String>) -> SemverError {
    SemverError {
        message: message.into(),
    }
}

impl Semver {
    /// Parses `major.minor.patch`, with an optional prerelease and build metadata.
    ///
    /// # Errors
    /// Fails on anything else: a missing part, a leading `v`, a leading zero, a
    /// character outside `0-9A-Za-z-.`, a number beyond 64 bits.
    ///
    /// ```
    /// use dralloc_cel::Semver;
    /// assert!(Semver::parse("1.2.3-rc.1+build").is_ok());
    /// assert!(Semver::parse("v1.2.3").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, SemverError> {
        if text.is_empty() {
            return Err(error("a version must not be empty"));
        }
        let mut parts = text.splitn(3, '.');
        let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(error(format!(
                "expected major, minor and patch in version `{}`",
                excerpt(text)
            )));
        };
        let (rest, build) = match rest.split_once('+') {
            Some((rest, build)) => (rest, Some(build)),
            None => (rest, None),
        };
        let (patch, prerelease) = match rest.split_once('-') {
            Some((patch, prerelease)) => (patch, Some(prerelease)),
            None => (rest, None),
        };
        let prerelease = match prerelease {
            Some(prerelease) => prerelease
                .split('.')
                .map(identifier)
                .collect::<Result<Vec<_>, _>>()?,
            None => Vec::new(),
        };
        for part in build.into_iter().flat_map(|build| build.split('.')) {
            check_characters(part, "build metadata")?;
        }
        Ok(Self {
            major: number(major, "major")?,
            minor: number(minor, "minor")?,
            patch: number(patch, "patch")?,
            prerelease: prerelease.into(),
            text: text.into(),
        })
    }

    /// Parses like [`Semver::parse`] after the relaxations of `semver(text, true)`:
    /// a leading `v` and leading zeros are dropped, a missing minor or patch
    /// becomes 0.
    ///
    /// # Errors
    /// Fails on what is no version after that.
    pub fn parse_tolerant(text: &str) -> Result<Self, SemverError> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let mut parts: Vec<String> = text.splitn(3, '.').map(str::to_owned).collect();
        for part in &mut parts {
            if part.len() > 1 {
                let stripped = part.trim_start_matches('0');
                *part = if stripped.starts_with(|first: char| first.is_ascii_digit()) {
                    stripped.to_owned()
                } else {
                    format!("0{stripped}")
                };
            }
        }
        if parts.len() < 3 {
            if parts.last().is_some_and(|last| last.contains(['+', '-'])) {
                return Err(error(format!(
                    "a short version cannot have a prerelease or build metadata: `{}`",
                    excerpt(text)
                )));
            }
            while parts.len() < 3 {
                parts.push("0".to_owned());
            }
        }
        Self::parse(&parts.join("."))
    }

    /// Returns the text that the version was parsed from.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the first number.
    pub fn major(&self) -> u64 {
        self.major
    }

    /// Returns the second number.
    pub fn minor(&self) -> u64 {
        self.minor
    }

    /// Returns the third number.
    pub fn patch(&self) -> u64 {
        self.patch
    }
}

fn number(part: &str, name: &str) -> Result<u64, SemverError> {
    if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(error(format!(
            "expected digits as {name} version, not `{}`",
            excerpt(part)
        )));
    }
    if part.len() > 1 && part.starts_with('0') {
        return Err(error(format!(
            "{name} version must not have leading zeros: `{}`",
            excerpt(part)
        )));
    }
    part.parse().map_err(|_| {
        error(format!(
            "{name} version is out of range: `{}`",
            excerpt(part)
        ))
    })
}

fn identifier(part: &str) -> Result<Identifier, SemverError> {
    check_characters(part, "prerelease")?;
    if !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(Identifier::Text(part.into()));
    }
    number(part, "prerelease").map(Identifier::Number)
}

fn check_characters(part: &str, name: &str) -> Result<(), SemverError> {
    if part.is_empty() {
        return Err(error(format!("empty identifier in {name}")));
    }
    if part
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    {
        return Ok(());
    }
    Err(error(format!(
        "invalid character in {name}: `{}`",
        excerpt(part)
    )))
}

impl PartialEq for Semver {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Semver {}

impl PartialOrd for Semver {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Semver {
    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = (self.major, self.minor, self.patch);
        numbers
            .cmp(&(other.major, other.minor, other.patch))
            .then_with(|| self.prerelease.is_empty().cmp(&other.prerelease.is_empty()))
            .then_with(|| self.prerelease.cmp(&other.prerelease))
    }
}

impl fmt::Display for Semver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}
