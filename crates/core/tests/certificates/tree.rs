//! Certificates as trees.

use dralloc::{Certificate, Step};

/// Returns how many cases a step leaves.
pub(crate) fn cases(step: &Step) -> usize {
    match step {
        Step::Alternatives { alternatives, .. } => alternatives.len(),
        Step::Values { values, .. } => values.len(),
        Step::Devices { devices, .. } => devices.len() + 1,
        _ => 0,
    }
}

/// Returns where the steps of a step and all its cases end.
pub(crate) fn end(certificate: &Certificate, step: usize) -> usize {
    let (mut open, mut place) = (1, step);
    while open > 0 {
        open += cases(&certificate.steps[place]);
        open -= 1;
        place += 1;
    }
    place
}

/// Returns where the steps of one case of a split begin.
pub(crate) fn case(certificate: &Certificate, split: usize, case: usize) -> usize {
    (0..case).fold(split + 1, |place, _| end(certificate, place))
}

pub(crate) fn kind(step: &Step) -> &'static str {
    match step {
        Step::Count { .. } => "count",
        Step::Distinct { .. } => "distinct",
        Step::Groups { .. } => "groups",
        Step::Counters { .. } => "counters",
        Step::Capacities { .. } => "capacities",
        Step::Parts { .. } => "parts",
        Step::Least { .. } => "least",
        Step::Limit { .. } => "limit",
        Step::Alternatives { .. } => "alternatives",
        Step::Values { .. } => "values",
        Step::Devices { .. } => "devices",
        Step::Allocated { .. } => "allocated",
        Step::Releasing { .. } => "releasing",
        _ => "another",
    }
}
