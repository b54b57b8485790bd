//! The command line.

use std::path::PathBuf;

use dralloc_testkit::generate::Profile;

pub(crate) const USAGE: &str = "\
usage: dralloc-differential [options]

Generates cases and compares what two engines say to each. Exits with 1 if they
differ where no known fault of Kubernetes' allocator explains it.

  --upstream PATH    Kubernetes' allocator (program in oracle/);
                     without it: brute force
  --dralloc PATH     the dralloc command line; without it: brute force
  --cases N          number of cases (1000)
  --seed N           seed of the first case (0)
  --block N          cases per run of the engines (500)
  --profile P        small or medium (medium)
  --timeout SECONDS  limit of Kubernetes' allocator per case (2)
  --keep-going       go on after 20 unexplained differences";

/// What the command line asks for.
pub(crate) struct Arguments {
    pub(crate) upstream: Option<PathBuf>,
    pub(crate) dralloc: Option<PathBuf>,
    pub(crate) cases: u64,
    pub(crate) seed: u64,
    pub(crate) block: u64,
    pub(crate) profile: Profile,
    pub(crate) timeout: u64,
    pub(crate) keep_going: bool,
}

impl Arguments {
    /// Reads the arguments after the program's name.
    pub(crate) fn parse(words: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self {
            upstream: None,
            dralloc: None,
            cases: 1000,
            seed: 0,
            block: 500,
            profile: Profile::Medium,
            timeout: 2,
            keep_going: false,
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
                "--upstream" => arguments.upstream = Some(value.into()),
                "--dralloc" => arguments.dralloc = Some(value.into()),
                "--cases" => arguments.cases = number(&value)?,
                "--seed" => arguments.seed = number(&value)?,
                "--block" => arguments.block = number(&value)?.max(1),
                "--timeout" => arguments.timeout = number(&value)?,
                "--profile" => {
                    arguments.profile = match value.as_str() {
                        "small" => Profile::Small,
                        "medium" => Profile::Medium,
                        _ => return Err(format!("`{value}`: expected small or medium")),
                    }
                }
                _ => return Err(format!("`{word}` is no option\n{USAGE}")),
            }
        }
        Ok(arguments)
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("`{text}`: expected a whole number"))
}
