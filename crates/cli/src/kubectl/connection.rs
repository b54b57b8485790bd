//! [`Connection`]: the options of `kubectl` that say which cluster is meant, and as whom.

use std::ffi::OsString;

use clap::builder::OsStringValueParser;
use clap::{Arg, ArgAction, ArgMatches, Command};

/// The options, with what they take and say. Tokens are no option here: a command line
/// can be seen by others, and the kubeconfig is the place for them.
const OPTIONS: [(&str, &str, &str); 12] = [
    ("context", "NAME", "Uses this context of the kubeconfig"),
    ("kubeconfig", "FILE", "Uses this kubeconfig"),
    ("cluster", "NAME", "Uses this cluster of the kubeconfig"),
    ("user", "NAME", "Uses this user of the kubeconfig"),
    (
        "request-timeout",
        "TIME",
        "Gives up a request after this time, such as `20s`",
    ),
    ("server", "URL", "Asks this API server"),
    ("as", "USER", "Asks in the name of this user"),
    (
        "as-group",
        "GROUP",
        "Asks in the name of this group; can be repeated",
    ),
    ("as-uid", "UID", "Asks in the name of this uid"),
    ("certificate-authority", "FILE", "Trusts this authority"),
    (
        "tls-server-name",
        "NAME",
        "Expects this name in the server's certificate",
    ),
    (
        "cache-dir",
        "FOLDER",
        "Where kubectl keeps what it knows of servers",
    ),
];

/// So many options are in the short help.
const COMMON: usize = 2;

/// Is what `kubectl` is told of the cluster.
#[derive(Clone, Debug, Default)]
pub(super) struct Connection(Vec<OsString>);

impl Connection {
    /// Offers the options.
    pub(super) fn offer(command: Command) -> Command {
        let options = OPTIONS
            .iter()
            .enumerate()
            .map(|(place, (name, value, help))| {
                Arg::new(*name)
                    .long(*name)
                    .value_name(*value)
                    .help(*help)
                    .help_heading("Options of kubectl")
                    .hide_short_help(place >= COMMON)
                    .action(ArgAction::Append)
                    .value_parser(OsStringValueParser::new())
            });
        command.args(options)
    }

    /// Returns the options as they were given, of a command that offers them.
    pub(super) fn given(matches: &ArgMatches) -> Self {
        let mut arguments = Vec::new();
        for (name, _, _) in OPTIONS {
            for value in matches.get_many::<OsString>(name).into_iter().flatten() {
                let mut argument = OsString::from(format!("--{name}="));
                argument.push(value);
                arguments.push(argument);
            }
        }
        Self(arguments)
    }

    /// Returns the arguments of `kubectl`.
    pub(super) fn arguments(&self) -> &[OsString] {
        &self.0
    }
}
