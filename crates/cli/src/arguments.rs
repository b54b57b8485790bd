//! [`Arguments`]: what can be asked on the command line.

use clap::{Parser, Subcommand};

use crate::{allocate, cel, completions, dump, explain, inventory, replay, topo, validate};

/// Allocates devices by the rules of Kubernetes' dynamic resource allocation.
#[derive(Debug, Parser)]
#[command(
    name = "dralloc",
    version,
    propagate_version = true,
    max_term_width = 100
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Allocate(allocate::Options),
    Validate(validate::Options),
    Inventory(inventory::Options),
    Explain(explain::Options),
    Replay(replay::Options),
    Dump(dump::Options),
    Topo(topo::Options),
    Cel(cel::Options),
    Completions(completions::Options),
}
