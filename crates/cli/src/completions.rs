//! `dralloc completions`: completion scripts for shells.

use std::io::{self, Write as _};

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// Prints a completion script for a shell.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  source <(dralloc completions bash)
  dralloc completions zsh > ~/.zfunc/_dralloc
  dralloc completions fish > ~/.config/fish/completions/dralloc.fish")]
pub(crate) struct Options {
    /// The shell that is to complete.
    shell: Shell,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    // Through memory: the generator panics when it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(
        options.shell,
        &mut Arguments::command(),
        "dralloc",
        &mut script,
    );
    let mut output = io::stdout().lock();
    output.write_all(&script)?;
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}
