//! What was selected, as data and for people.

use std::collections::BTreeMap;
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
use crate::topo::places::{PlaceKind, Places};
use crate::topo::{islands, words};
use crate::words::counted;

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
    let devices = devices
        .iter()
        .filter_map(|&device| machine.topology.device(device));
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
    let is_empty = question.count == 0;
    let mut text = if is_empty {
        // Of nothing there is nothing to measure.
        format!("{HEADING}Chosen:{HEADING:#} none\n")
    } else {
        Measures::new(&machine.topology, marks).text()
    };
    let left = marks.devices(Mark::Free).len();
    let _ = writeln!(text, "  left free   {left} of {free}");
    let whole = whole(machine, places, marks);
    for (number, line) in whole.iter().enumerate() {
        let name = if number == 0 { "left whole" } else { "" };
        let _ = writeln!(text, "  {name:<10}  {line}");
    }
    if is_empty {
        text.push_str("\nNo device is asked for, so none is chosen.\n");
        return text;
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
    let wanted = counted(count, "device");
    if count > free {
        return format!("{wanted} wanted, {free} free");
    }
    if question.required.len() > count {
        return format!("{wanted} wanted, {} required", question.required.len());
    }
    "no allowed set of that size is free".to_owned()
}

/// Returns what nobody uses of what was whole before: groups of devices that links join,
/// where there are several, and the widest places; each kind with its count.
fn whole(machine: &Machine, places: &Places, marks: &Marks) -> Vec<String> {
    let is_free = |device: &usize| marks.devices.get(*device) == Some(&Mark::Free);
    let mut text = Vec::new();
    let islands = islands::islands(&machine.topology);
    if islands.len() > 1 {
        let left: Vec<&Vec<usize>> = islands
            .iter()
            .filter(|island| island.iter().all(is_free))
            .collect();
        let id = |device: &usize| machine.topology.device(*device);
        let names = left.iter().map(|island| {
            let ids: Vec<String> = island
                .iter()
                .filter_map(id)
                .map(|vertex| words::short(&vertex.id))
                .collect();
            words::list(&ids).replace(", ", "+")
        });
        let names: Vec<String> = names.collect();
        let all = islands.len();
        if !names.is_empty() {
            let count = format!("{} of {all} groups that links join", names.len());
            text.push(format!("{count}: {}", words::list(&names)));
        }
    }
    for (kind, names) in whole_places(places, marks) {
        let noun = kind.noun(names.len());
        text.push(format!("{} {noun}: {}", names.len(), words::list(&names)));
    }
    text
}

/// Returns the names of the widest places with several devices, all of them free.
fn whole_places(places: &Places, marks: &Marks) -> BTreeMap<PlaceKind, Vec<String>> {
    let mut free = vec![0_usize; places.places.len()];
    for (number, place) in places.leaves_first() {
        let of_children = place.children.iter();
        let of_children: usize = of_children.filter_map(|&child| free.get(child)).sum();
        let own =
            place.kind == PlaceKind::Device && marks.devices.get(place.number) == Some(&Mark::Free);
        if let Some(entry) = free.get_mut(number) {
            *entry = of_children + usize::from(own);
        }
    }
    let is_whole = |number: usize| {
        let place = places.get(number);
        place.is_some_and(|place| place.devices > 1 && free.get(number) == Some(&place.devices))
    };
    let mut found: BTreeMap<PlaceKind, Vec<String>> = BTreeMap::new();
    for (number, place) in places.places.iter().enumerate() {
        if is_whole(number) && !place.parent.is_some_and(is_whole) {
            let names = found.entry(place.kind).or_default();
            names.push(words::short(&place.name));
        }
    }
    found
}
