//! [`ClusterOptions`]: which files describe a cluster, and how they are to be read.

use std::path::PathBuf;

use clap::Args;

use super::Cluster;
use super::read::Gathered;
use crate::failure::Failure;
use crate::gates::{self, GateSetting, Gates};
use crate::input::Source;
use crate::kubectl::Live;
use crate::style;

/// Is what all commands that read a cluster are told of it.
#[derive(Debug, Args)]
pub(crate) struct ClusterOptions {
    /// Files, folders, or `-` for standard input; in YAML or JSON.
    #[arg(short = 'f', long = "filename", value_name = "FILE|DIR|-", required = true, num_args = 1..)]
    filenames: Vec<PathBuf>,
    /// Files that say how devices are linked (`Topology`), read as if they were given
    /// with `-f`.
    #[arg(long, value_name = "FILE")]
    topology: Vec<PathBuf>,
    /// Uses the feature gates of this version, such as `1.35`; without it all
    /// features are on.
    #[arg(long, value_name = "VERSION", value_parser = gates::parse_version)]
    kubernetes_version: Option<u32>,
    /// Switches single features on or off, such as `DRAConsumableCapacity=true`.
    #[arg(long, value_name = "GATE=BOOL", value_delimiter = ',', value_parser = gates::parse_setting)]
    feature_gates: Vec<GateSetting>,
    /// Lets selectors compare quantities and versions by `<`, `<=`, `>` and `>=`,
    /// which Kubernetes does not.
    #[arg(long)]
    relaxed_selectors: bool,
    /// Refuses fields that are not known instead of warning of them.
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    live: Live,
}

impl ClusterOptions {
    /// Returns what counts of the API: what was asked for, else what the server has.
    fn gates(&self, server: Option<u32>, serves_taint_rules: bool) -> Gates {
        let minor = self.kubernetes_version.or(server);
        let (oldest, newest) = (gates::OLDEST_MINOR, gates::NEWEST_MINOR);
        let known = minor.map(|minor| minor.clamp(oldest, newest));
        if let (Some(minor), Some(known)) = (minor, known)
            && minor != known
        {
            style::note(&format!(
                "1.{minor} is not known here, its gates are taken from 1.{known}"
            ));
        }
        let mut settings = Vec::new();
        if self.kubernetes_version.is_none() && serves_taint_rules {
            settings.extend(gates::for_taint_rules());
        }
        settings.extend_from_slice(&self.feature_gates);
        let mut gates = Gates::new(known, &settings);
        gates.features.relaxed_selectors = self.relaxed_selectors;
        gates
    }

    /// Returns where objects are read from, in that order, and what they come into.
    fn sources(&self) -> Result<(Cluster, Vec<Source>, Gates), Failure> {
        let files = [&*self.filenames, &*self.topology].concat();
        let mut sources = Source::list(&files)?;
        let has_files = !self.filenames.is_empty();
        let wants_version = self.kubernetes_version.is_none();
        let live = self.live.read(has_files, wants_version)?;
        let mut cluster = match self.live.namespace() {
            Some(namespace) => Cluster::in_namespace(&namespace),
            None => Cluster::default(),
        };
        let gates = self.gates(live.version, live.serves_taint_rules);
        if has_files {
            cluster.behind(&live.sources);
        }
        sources.extend(live.sources);
        Ok((cluster, sources, gates))
    }

    /// Reads all files, or the cluster that `kubectl` knows; faults are told together.
    /// Returns what counts of the API, too.
    ///
    /// # Errors
    ///
    /// If there are faults, `kubectl` fails, or files that are to have topologies have none.
    pub(crate) fn read(&self) -> Result<(Cluster, Gates), Failure> {
        let (cluster, sources, gates) = self.sources()?;
        let cluster = super::read::read(cluster, sources, self.strict)?;
        self.expect_topologies(&cluster)?;
        Ok((cluster, gates))
    }

    /// Reads all files and tells all that is to be said of them; fields that are not
    /// known are no fault of the reading, however strict it is to be.
    ///
    /// # Errors
    ///
    /// If `kubectl` fails, or files that are to have topologies have none.
    pub(crate) fn gather(&self) -> Result<(Gathered, Gates), Failure> {
        let (cluster, sources, gates) = self.sources()?;
        let gathered = super::read::gather(cluster, sources, false, usize::MAX);
        if gathered.error.is_none() {
            self.expect_topologies(&gathered.cluster)?;
        }
        Ok((gathered, gates))
    }

    /// Returns whether fields that are not known are to be refused.
    pub(crate) fn is_strict(&self) -> bool {
        self.strict
    }

    fn expect_topologies(&self, cluster: &Cluster) -> Result<(), Failure> {
        if self.topology.is_empty() || !cluster.topologies.is_empty() {
            return Ok(());
        }
        let message = "--topology: no topology in the files, expected kind `Topology`";
        Err(Failure::Input(message.to_owned()))
    }
}
