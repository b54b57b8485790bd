//! [`Live`]: the cluster that `kubectl` is connected to, as one more input.

use clap::error::Result;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::connection::Connection;
use super::get::Kubectl;
use crate::failure::Failure;
use crate::input::Source;

const LIVE: &str = "live";
const NAMESPACE: &str = "namespace";

/// Is what was said of the cluster, if the command line is that of the plugin.
#[derive(Debug, Default)]
pub(crate) struct Live(Option<Options>);

#[derive(Debug)]
struct Options {
    connection: Connection,
    namespace: Option<String>,
    /// Whether the cluster is read, too, where files are given.
    is_added: bool,
}

/// Is what was read of a cluster.
#[derive(Debug, Default)]
pub(crate) struct Read {
    pub(crate) sources: Vec<Source>,
    /// The minor part of the server's version, where it was asked for and told.
    pub(crate) version: Option<u32>,
    /// Whether the server knows taint rules, which it does only where they are switched on.
    pub(crate) serves_taint_rules: bool,
}

impl Live {
    /// Offers the options, which `dralloc` by itself has not.
    pub(super) fn offer(command: Command) -> Command {
        let live = Arg::new(LIVE)
            .long(LIVE)
            .help("Reads the cluster beside the files: what if they were created?")
            .action(ArgAction::SetTrue)
            .requires("filenames");
        let namespace = Arg::new(NAMESPACE)
            .short('n')
            .long(NAMESPACE)
            .value_name("NAME")
            .help("The namespace of names without one; that of the context if it is not given")
            .help_heading("Options of kubectl");
        Connection::offer(command.arg(live).arg(namespace))
    }

    /// Returns the namespace of names without one, if there is another than usual.
    pub(crate) fn namespace(&self) -> Option<String> {
        let options = self.0.as_ref()?;
        let given = options.namespace.clone();
        given.or_else(|| Kubectl::new(&options.connection).namespace())
    }

    /// Returns what the cluster has, if that is asked for, with its version where that is
    /// wanted.
    ///
    /// # Errors
    ///
    /// If `kubectl` cannot be run, or fails.
    pub(crate) fn read(&self, has_files: bool, wants_version: bool) -> Result<Read, Failure> {
        match &self.0 {
            Some(options) if options.is_added || !has_files => {
                Kubectl::new(&options.connection).cluster(wants_version)
            }
            _ => Ok(Read::default()),
        }
    }
}

impl FromArgMatches for Live {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self> {
        let mut live = Self::default();
        live.update_from_arg_matches(matches)?;
        Ok(live)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<()> {
        // A flag has a value wherever it is offered, so none says that this is not the
        // plugin; the name of an option that is not offered is an error in builds with
        // debug assertions alone.
        let is_added = matches.try_get_one(LIVE).ok().flatten().copied();
        self.0 = is_added.map(|is_added| Options {
            connection: Connection::given(matches),
            namespace: matches.get_one(NAMESPACE).cloned(),
            is_added,
        });
        Ok(())
    }
}

/// Nothing by itself: the plugin offers the options.
impl Args for Live {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}
