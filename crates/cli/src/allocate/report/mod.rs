//! The answer: a table to read, or objects for tools.

mod objects;
mod table;

use std::io::{self, Write as _};

use super::Format;
use super::placement::Verdict;
use crate::cluster::Cluster;
use crate::cluster::queue::{Subject, Work};
use crate::style::{self, BAD, GOOD};

/// Is a piece of work with what became of it.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) work: Work,
    pub(super) verdict: Verdict,
}

/// Prints the answer.
pub(super) fn print(cluster: &Cluster, placed: &[Placed], format: Format) -> io::Result<()> {
    match format {
        Format::Table => {
            let mut output = anstream::stdout().lock();
            output.write_all(table::write(cluster, placed).as_bytes())?;
            output.flush()
        }
        Format::Yaml | Format::Json => {
            for line in judgements(placed) {
                style::say(&line);
            }
            for (work, reasons) in failed(placed) {
                style::say(&format!("{BAD}not allocated:{BAD:#} {}", work.subject));
                for reason in reasons {
                    style::say(&format!("  {reason}"));
                }
            }
            if placed.iter().any(|placed| lacks_uid(cluster, placed)) {
                style::note(
                    "pods without `metadata.uid` are entered in `reservedFor` without one, \
                     which no API server accepts",
                );
            }
            let mut output = io::stdout().lock();
            let text = match format {
                Format::Json => objects::json(cluster, placed)?,
                _ => objects::yaml(cluster, placed)?,
            };
            output.write_all(text.as_bytes())?;
            output.flush()
        }
    }
}

/// Prints what would fit if nothing were held.
pub(super) fn print_satisfiable(placed: &[Placed]) -> io::Result<()> {
    let mut output = anstream::stdout().lock();
    output.write_all(table::write_satisfiable(placed).as_bytes())?;
    output.flush()
}

/// Returns what was not placed, with the reasons.
fn failed(placed: &[Placed]) -> impl Iterator<Item = (&Work, &[String])> {
    placed.iter().filter_map(|placed| match &placed.verdict {
        Verdict::Failed(reasons) => Some((&placed.work, reasons.as_slice())),
        Verdict::Placed(..) => None,
    })
}

/// Says how good the answers are that policies were asked of, and what their devices have
/// in common, a line each.
fn judgements(placed: &[Placed]) -> impl Iterator<Item = String> {
    placed.iter().flat_map(|placed| {
        let subject = &placed.work.subject;
        let (judgement, together) = match &placed.verdict {
            Verdict::Placed(found) => (found.judgement.as_ref(), &*found.together),
            Verdict::Failed(_) => (None, &[][..]),
        };
        let judgement = judgement.map(|judgement| {
            if judgement.is_proved() {
                format!("{GOOD}Best:{GOOD:#} {subject}: {judgement}")
            } else {
                format!("{BAD}Best so far:{BAD:#} {subject}: {judgement}")
            }
        });
        let together = together.iter();
        let together = together.map(move |text| format!("Together: {subject}: {text}"));
        judgement.into_iter().chain(together)
    })
}

/// Returns whether a placed pod was never seen by an API server.
fn lacks_uid(cluster: &Cluster, placed: &Placed) -> bool {
    match (&placed.verdict, &placed.work.subject) {
        (Verdict::Placed(..), Subject::Pod(name)) => cluster
            .pod(name)
            .is_some_and(|pod| pod.metadata.uid.is_none()),
        _ => false,
    }
}
