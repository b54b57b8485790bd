//! [`Language`]: the language that expressions are read in.

use clap::{Args, ValueEnum};
use dralloc_cel::Options;
use serde::Serialize;

use crate::gates::{self, NEWEST_MINOR};
use crate::style;

/// Is what both commands take.
#[derive(Debug, Args)]
pub(super) struct Language {
    /// Knows the functions of this version, such as `1.35`; the newest unless given.
    #[arg(long, value_name = "VERSION", value_parser = gates::parse_version)]
    kubernetes_version: Option<u32>,
    /// What is accepted: Kubernetes' language, or one that also compares
    /// quantities and versions by `<`, `<=`, `>` and `>=`.
    #[arg(long, value_enum, default_value_t = Dialect::Kubernetes)]
    dialect: Dialect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Dialect {
    Kubernetes,
    Relaxed,
}

impl Language {
    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Says so if a version was asked for that is newer than what is known.
    pub(super) fn remark(&self) {
        if let Some(minor) = self.kubernetes_version
            && minor > NEWEST_MINOR
        {
            style::note(&format!(
                "1.{minor} is not known here, its functions are taken from 1.{NEWEST_MINOR}"
            ));
        }
    }

    /// Returns the minor version that counts.
    pub(super) fn minor(&self) -> u32 {
        self.kubernetes_version
            .unwrap_or(NEWEST_MINOR)
            .min(NEWEST_MINOR)
    }

    /// Returns the version that was asked for.
    pub(super) fn version(&self) -> Option<u32> {
        self.kubernetes_version
    }

    /// Returns how selectors are compiled.
    pub(super) fn options(&self) -> Options {
        let dialect = match self.dialect {
            Dialect::Kubernetes => dralloc_cel::Dialect::Kubernetes,
            Dialect::Relaxed => dralloc_cel::Dialect::Relaxed,
        };
        Options::selector()
            .kubernetes_minor(self.minor())
            .dialect(dialect)
    }
}
