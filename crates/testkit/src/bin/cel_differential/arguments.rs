//! The command line.

use std::path::PathBuf;

pub(crate) const USAGE: &str = "\
usage: dralloc-cel-differential --upstream PATH [options]

Generates selectors with devices and compares what dralloc and Kubernetes' own
CEL say to each: outcome, runtime cost, estimated cost. Exits with 1 if they
differ where nothing explains it.

  --upstream PATH          Kubernetes' CEL (program in benches/upstream-cel)
  --kubernetes-minor N     version of that program, 1.N (37)
  --cases N                number of selectors (10000)
  --seed N                 seed of the first selector (0)
  --expression TEXT        compare this selector, on the device of the first seed
  --keep-going             go on after 20 unexplained differences
  --examples N             kinds of differences to print, shortened (40)";

/// What the command line asks for.
pub(crate) struct Arguments {
    pub(crate) upstream: PathBuf,
    pub(crate) minor: u32,
    pub(crate) cases: u64,
    pub(crate) seed: u64,
    pub(crate) expression: Option<String>,
    pub(crate) keep_going: bool,
    pub(crate) examples: usize,
}

impl Arguments {
    /// Reads the arguments after the program's name.
    pub(crate) fn parse(words: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self {
            upstream: PathBuf::new(),
            minor: 37,
            cases: 10_000,
            seed: 0,
            expression: None,
            keep_going: false,
            examples: 40,
        };
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            if word == "--keep-going" {
                arguments.keep_going = true;
                continue;
            }
            let value = words.next();
            let value = value.ok_or_else(|| format!("`{word}` needs a value\n{USAGE}"))?;
            match word.as_str() {
                "--upstream" => arguments.upstream = value.into(),
                "--kubernetes-minor" => arguments.minor = number(&value)?,
                "--cases" => arguments.cases = number(&value)?,
                "--seed" => arguments.seed = number(&value)?,
                "--expression" => arguments.expression = Some(value),
                "--examples" => arguments.examples = number(&value)?,
                _ => return Err(format!("`{word}` is no option\n{USAGE}")),
            }
        }
        if arguments.upstream.as_os_str().is_empty() {
            return Err(format!("`--upstream` is missing\n{USAGE}"));
        }
        Ok(arguments)
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| format!("`{text}`: expected a whole number"))
}
