//! What is in what, as an indented tree.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::style::{GOOD, HEADING};
use crate::topo::chosen::{Mark, Marks};
use crate::topo::places::{Place, PlaceKind, Places};
use crate::topo::words;

/// With more devices or NICs than this, places in a row that look alike are one line.
const ALL_SHOWN: usize = 16;

/// Returns the tree; of places that look alike one is shown, with how many there are.
pub(super) fn tree(places: &Places, marks: &Marks) -> String {
    let Some(root) = places.get(0) else {
        return String::new();
    };
    let shapes = shapes(places, marks);
    let mut text = format!("{HEADING}Tree:{HEADING:#} {}\n", words::short(&root.name));
    // Places still to be written: the run of places, what is before its line, and
    // whether it is the last of its parent.
    let mut rest: Vec<(Vec<usize>, String, bool)> = Vec::new();
    let together = root.devices.max(root.nics) > ALL_SHOWN;
    push(&mut rest, &shapes, root, "", together);
    while let Some((run, before, is_last)) = rest.pop() {
        let alike: Vec<&Place> = run.iter().filter_map(|&place| places.get(place)).collect();
        let Some(&first) = alike.first() else {
            continue;
        };
        let (branch, below) = if is_last {
            ("└─ ", "   ")
        } else {
            ("├─ ", "│  ")
        };
        let chosen = mark(first, marks) == Mark::Chosen;
        let style = if chosen { GOOD } else { anstyle::Style::new() };
        let star = if chosen { "*" } else { "" };
        let line = line(&alike);
        let _ = writeln!(text, "{before}{branch}{style}{star}{line}{style:#}");
        let before = format!("{before}{below}");
        push(&mut rest, &shapes, first, &before, together);
    }
    text
}

/// Adds the children of a place, so that the first is popped next.
fn push(
    rest: &mut Vec<(Vec<usize>, String, bool)>,
    shapes: &[usize],
    place: &Place,
    before: &str,
    together: bool,
) {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for &child in &place.children {
        let alike = |run: &Vec<usize>| {
            let last = run.last().and_then(|&last| shapes.get(last));
            together && last == shapes.get(child)
        };
        match runs.last_mut().filter(|run| alike(run)) {
            Some(run) => run.push(child),
            None => runs.push(vec![child]),
        }
    }
    for (number, run) in runs.into_iter().rev().enumerate() {
        rest.push((run, before.to_owned(), number == 0));
    }
}

/// Returns the words for one place, or for several alike.
fn line(alike: &[&Place]) -> String {
    let Some(first) = alike.first() else {
        return String::new();
    };
    let names: Vec<String> = alike
        .iter()
        .map(|place| words::short(&place.name))
        .collect();
    let noun = first.kind.noun(alike.len());
    let each = if first.children.is_empty() || alike.len() == 1 {
        ""
    } else {
        ", each:"
    };
    match alike.len() {
        1 => format!("{noun} {}", words::list(&names)),
        count => format!("{count} {noun} {}{each}", words::list(&names)),
    }
}

/// Returns a number for each place, equal for places that look alike.
fn shapes(places: &Places, marks: &Marks) -> Vec<usize> {
    let mut shapes = vec![0; places.places.len()];
    let mut numbers: BTreeMap<(PlaceKind, Mark, Vec<usize>), usize> = BTreeMap::new();
    for (number, place) in places.leaves_first() {
        let children = place.children.iter();
        let children = children.filter_map(|&child| shapes.get(child).copied());
        let key = (place.kind, mark(place, marks), children.collect());
        let next = numbers.len();
        let shape = *numbers.entry(key).or_insert(next);
        if let Some(entry) = shapes.get_mut(number) {
            *entry = shape;
        }
    }
    shapes
}

fn mark(place: &Place, marks: &Marks) -> Mark {
    let marks = match place.kind {
        PlaceKind::Device => &marks.devices,
        PlaceKind::Nic => &marks.nics,
        _ => return Mark::Free,
    };
    marks.get(place.number).copied().unwrap_or_default()
}
