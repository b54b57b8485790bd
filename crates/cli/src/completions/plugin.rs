//! [`script`]: what `kubectl` runs to complete the words after `kubectl dralloc`.

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::kubectl;

/// Says what it is.
const HEAD: &str = "#!/usr/bin/env bash
# Completes `kubectl dralloc`. kubectl runs this file where it is on the PATH, executable and
# named `kubectl_complete-dralloc`, with the words that follow, and offers what it prints.

";

/// Asks the function of bash, and prints its answer as `kubectl` reads it: a word a line,
/// then a number. 4 is for no names of files beside these words, 2 for no blank after one.
const TAIL: &str = r#"
[[ $# -gt 0 ]] || set -- ""
COMP_WORDS=(dralloc "$@")
COMP_CWORD=$#
previous=${COMP_WORDS[COMP_CWORD - 1]}
_dralloc dralloc "${COMP_WORDS[COMP_CWORD]}" "$previous" 2> /dev/null
directive=4
for word in "${COMPREPLY[@]}"; do
    if [[ $previous == -* && -d $word ]]; then
        word=$word/
        directive=6
    fi
    printf '%s\n' "$word"
done
printf ':%s\n' "$directive"
"#;

/// Returns the script: that of bash for the plugin, in the form that `kubectl` wants.
pub(super) fn script() -> Vec<u8> {
    let mut script = HEAD.as_bytes().to_vec();
    let mut command = kubectl::plugin(Arguments::command());
    // The function is called by this name in the end. With a hyphen in it no word after a
    // subcommand would be completed.
    clap_complete::generate(Shell::Bash, &mut command, "dralloc", &mut script);
    script.extend_from_slice(TAIL.as_bytes());
    script
}
