//! [`plugin`]: the command line as `kubectl` shows it.

use clap::Command;
use clap::builder::StyledStr;

use super::live::Live;

/// Is the option of the files that all commands about clusters have.
const FILES: &str = "filenames";

/// Makes the plugin's command line of that of `dralloc`.
pub(crate) fn plugin(command: Command) -> Command {
    let command = command
        .name("kubectl-dralloc")
        .bin_name("kubectl dralloc")
        .display_name("kubectl-dralloc");
    command.mut_subcommands(adapt)
}

fn adapt(command: Command) -> Command {
    let is_of_files = |arg: &clap::Arg| arg.get_id() == FILES;
    if command.get_arguments().any(is_of_files) {
        let examples = examples(&command);
        let command = command.mut_arg(FILES, |arg| {
            let help = "Files, folders, or `-` for standard input, in the place of the cluster; \
                        in YAML or JSON";
            arg.required(false).help(help)
        });
        return Live::offer(command).after_help(examples);
    }
    let help = command.get_after_help().map(StyledStr::to_string);
    let command = match help {
        Some(help) => command.after_help(renamed(&help)),
        None => command,
    };
    command.mut_subcommands(adapt)
}

/// Returns how a command about clusters is used.
fn examples(command: &Command) -> String {
    let name = command.get_name();
    let claim = if command.get_arguments().any(|arg| arg.get_id() == "claim") {
        format!("  kubectl dralloc {name} --claim default/training\n")
    } else {
        String::new()
    };
    format!(
        "Examples:\n  kubectl dralloc {name}\n  kubectl dralloc {name} --context staging\n{claim}  \
         kubectl dralloc {name} --live -f pod.yaml\n\
         Without files the cluster is read by `kubectl get`. Nothing is written to it."
    )
}

/// Returns examples as one types them for the plugin.
fn renamed(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let line = line.replace("| dralloc ", "| kubectl dralloc ");
        match line.strip_prefix("  dralloc ") {
            Some(rest) => format!("  kubectl dralloc {rest}"),
            None => line,
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
