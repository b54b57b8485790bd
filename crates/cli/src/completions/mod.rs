//! `dralloc completions`: completion scripts for shells, and for the plugin of `kubectl`.

mod plugin;

use std::io::{self, Write as _};

use clap::{Args, CommandFactory as _, ValueEnum};
use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// Prints a completion script for a shell, or for `kubectl dralloc`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  source <(dralloc completions bash)
  dralloc completions zsh > ~/.zfunc/_dralloc
  dralloc completions fish > ~/.config/fish/completions/dralloc.fish
  dralloc completions kubectl > kubectl_complete-dralloc
kubectl runs the last, with bash, where it is executable and on the PATH by that name.")]
pub(crate) struct Options {
    /// The shell that is to complete, or `kubectl`.
    program: Program,
}

/// Is what completes.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Program {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
    Kubectl,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let script = match options.program {
        Program::Bash => of_shell(Shell::Bash),
        Program::Elvish => of_shell(Shell::Elvish),
        Program::Fish => of_shell(Shell::Fish),
        Program::Powershell => of_shell(Shell::PowerShell),
        Program::Zsh => of_shell(Shell::Zsh),
        Program::Kubectl => plugin::script(),
    };
    let mut output = io::stdout().lock();
    output.write_all(&script)?;
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the script of a shell. It goes through memory: the generator panics when it
/// cannot write.
fn of_shell(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "dralloc", &mut script);
    script
}
