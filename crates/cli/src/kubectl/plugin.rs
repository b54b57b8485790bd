//! [`plugin`]: the command line as `kubectl` shows it.

use clap::builder::StyledStr;
use clap::{Arg, Command};

use super::live::Live;

/// Is the option of the files that all commands about clusters have.
const FILES: &str = "filenames";

/// Is the option of the version that all commands about clusters have.
const VERSION: &str = "kubernetes_version";

/// Is the command that prints completion scripts.
const COMPLETIONS: &str = "completions";

/// What is said of `dralloc`, and what that is here.
const WORDS: [(&str, &str); 5] = [
    (", from files", ""),
    ("objects in files", "objects of the cluster"),
    ("`dralloc ", "`kubectl dralloc "),
    ("| dralloc ", "| kubectl dralloc "),
    ("  dralloc ", "  kubectl dralloc "),
];

/// Where commands about clusters read from.
const PLACE: &str = "Reads the cluster that `kubectl` is connected to, by `kubectl get`. With `-f` \
                     it reads files in the place of the cluster, and with `--live -f` files \
                     beside it: what if they were created? Nothing is written to the cluster.";

const EXAMPLES: &str = "Examples:
  kubectl dralloc explain --claim team-a/training
  kubectl dralloc inventory
  kubectl dralloc allocate --live -f pod.yaml
  kubectl dralloc validate --live -f manifests/
Without `-f` commands about clusters read the one that `kubectl` is connected to, by
`kubectl get`; `--live -f` lays files beside it. Nothing is written to the cluster.";

/// Makes the plugin's command line of that of `dralloc`.
pub(crate) fn plugin(command: Command) -> Command {
    let command = command
        .name("kubectl-dralloc")
        .bin_name("kubectl dralloc")
        .display_name("kubectl-dralloc")
        .after_help(EXAMPLES);
    command.mut_subcommands(adapt)
}

fn adapt(command: Command) -> Command {
    let is_about_clusters = command.get_arguments().any(|arg| arg.get_id() == FILES);
    let command = renamed(command);
    if !is_about_clusters {
        let command = command.mut_subcommands(adapt);
        return match command.get_name() {
            COMPLETIONS => completions(command),
            _ => command,
        };
    }
    let examples = examples(&command);
    let about = about(&command);
    let command = command
        .mut_arg(FILES, |arg| {
            let help = "Files, folders, or `-` for standard input, in the place of the cluster; \
                        in YAML or JSON";
            arg.required(false).help(help)
        })
        .mut_arg(VERSION, |arg| {
            let help = "Uses the feature gates of this version, such as `1.35`; without it those \
                        of the server's version, or all of them where only files are read";
            arg.help(help)
        });
    Live::offer(command).long_about(about).after_help(examples)
}

/// Has the script for `kubectl` printed where no other is asked for.
fn completions(command: Command) -> Command {
    let help = "Examples:
  kubectl dralloc completions > kubectl_complete-dralloc
Make it executable and put it on the PATH by that name: kubectl runs it, with bash. The
scripts of shells complete `dralloc` by itself.";
    let of_kubectl = |arg: Arg| arg.required(false).default_value("kubectl");
    command.mut_arg("program", of_kubectl).after_help(help)
}

/// Returns what a command about clusters does, and after that where it reads from.
fn about(command: &Command) -> String {
    let long = command.get_long_about().or(command.get_about());
    let long = long.map(StyledStr::to_string).unwrap_or_default();
    match long.split_once("\n\n") {
        Some((first, rest)) => format!("{first}\n\n{PLACE}\n\n{rest}"),
        None => format!("{long}\n\n{PLACE}"),
    }
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

/// Names the plugin where `dralloc` is named.
fn renamed(command: Command) -> Command {
    let told = |text: Option<&StyledStr>| Some(worded(&text?.to_string()));
    let about = told(command.get_about());
    let long_about = told(command.get_long_about());
    let after_help = told(command.get_after_help());
    let command = command.mut_args(|arg: Arg| {
        let (help, long_help) = (told(arg.get_help()), told(arg.get_long_help()));
        let arg = help.into_iter().fold(arg, Arg::help);
        long_help.into_iter().fold(arg, Arg::long_help)
    });
    let command = about.into_iter().fold(command, Command::about);
    let command = long_about.into_iter().fold(command, Command::long_about);
    after_help.into_iter().fold(command, Command::after_help)
}

fn worded(text: &str) -> String {
    let replaced = |text: String, (of_dralloc, here): &(&str, &str)| text.replace(of_dralloc, here);
    WORDS.iter().fold(text.to_owned(), replaced)
}
