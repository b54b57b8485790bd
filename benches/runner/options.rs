//! [`Options`]: what the command line asks for.

use std::path::PathBuf;
use std::time::Duration;

use regex::Regex;

/// Is the command line: `-workload FILE -mode M -run REGEX -budget 300ms …`.
pub(crate) struct Options {
    pub(crate) workload: PathBuf,
    pub(crate) variant: String,
    modes: Vec<String>,
    run: Regex,
    /// How long one record is sampled.
    pub(crate) budget: Duration,
    /// How long one call may take.
    pub(crate) timeout: Duration,
    /// How long a whole sequence may take.
    pub(crate) sequence: Duration,
}

impl Options {
    pub(crate) fn from_arguments(
        mut arguments: impl Iterator<Item = String>,
    ) -> Result<Self, String> {
        let mut options = Self {
            workload: PathBuf::new(),
            variant: "kubernetes".to_owned(),
            modes: Vec::new(),
            run: Regex::new(".").map_err(|error| error.to_string())?,
            budget: Duration::from_secs(1),
            timeout: Duration::from_secs(20),
            sequence: Duration::from_secs(60),
        };
        while let Some(name) = arguments.next() {
            let value = arguments
                .next()
                .ok_or_else(|| format!("no value for `{name}`, expected one"))?;
            match name.trim_start_matches('-') {
                "workload" => options.workload = value.into(),
                "variant" => options.variant = value,
                "mode" => options.modes = value.split(',').map(str::to_owned).collect(),
                "run" => options.run = Regex::new(&value).map_err(|error| error.to_string())?,
                "budget" => options.budget = duration(&value)?,
                "timeout" => options.timeout = duration(&value)?,
                "seqcap" => options.sequence = duration(&value)?,
                _ => return Err(format!("option `{name}` is not known")),
            }
        }
        Ok(options)
    }

    pub(crate) fn asks_for(&self, run: &str) -> bool {
        self.run.is_match(run)
    }

    /// Returns the modes in which a kind of run is measured.
    pub(crate) fn modes_of(&self, kind: &str) -> Vec<String> {
        if !self.modes.is_empty() {
            return self.modes.clone();
        }
        let modes: &[&str] = match kind {
            "node" => &["held", "rebuild", "coldcel"],
            "sequence" => &["perpod", "rebuild"],
            _ => &["held", "perpod", "rebuild"],
        };
        modes.iter().map(|mode| (*mode).to_owned()).collect()
    }
}

/// Reads a duration as Go writes it, with one unit.
fn duration(text: &str) -> Result<Duration, String> {
    let bad = || format!("`{text}` is no duration, expected one such as `300ms` or `20s`");
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits.parse().map_err(|_| bad())?;
    match &text[digits.len()..] {
        "ms" => Ok(Duration::from_millis(number)),
        "s" => Ok(Duration::from_secs(number)),
        "m" => Ok(Duration::from_secs(60 * number)),
        _ => Err(bad()),
    }
}
