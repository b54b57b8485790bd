//! [`Told`]: nodes by why they do not fit, few enough to read.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use dralloc::model::Str;

use super::reason::{Common, Reason};

/// Is nodes with a reason that they have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    /// By name; there is one at least.
    pub(crate) nodes: Vec<Str>,
    pub(crate) text: String,
    /// A node, and what is so there in particular.
    pub(crate) example: Option<(Str, String)>,
    /// Whether it would not fit on any of them even if nothing were held.
    pub(crate) is_never: bool,
}

impl Told {
    /// Returns what is so on one of the nodes, with its name if there are others.
    pub(crate) fn in_particular(&self) -> Option<String> {
        let (node, text) = self.example.as_ref()?;
        Some(match self.nodes.as_slice() {
            [_] => text.clone(),
            _ => format!("on {node}: {text}"),
        })
    }
}

/// Is all nodes, by reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Groups {
    /// That of most nodes first.
    pub(crate) told: Vec<Told>,
    /// How many nodes have other reasons.
    pub(crate) rest: usize,
}

/// Says how much reasons have to have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// All numbers.
    Equal,
    /// What keeps devices away; numbers are ranges.
    Alike,
    /// The request; numbers are ranges.
    Coarse,
}

/// Puts nodes together by their reasons. What they have in common is told with as many
/// numbers as is possible in so many groups; of reasons that are still more the last are
/// only counted.
pub(crate) fn groups<'r>(
    reasons: impl IntoIterator<Item = (&'r Reason, &'r [Str])>,
    most: usize,
) -> Groups {
    let reasons: Vec<_> = reasons.into_iter().collect();
    let mut told = Vec::new();
    for level in [Level::Equal, Level::Alike, Level::Coarse] {
        told = at(level, &reasons);
        if told.len() <= most {
            break;
        }
    }
    let rest = if told.len() > most {
        told.split_off(most.saturating_sub(1))
    } else {
        Vec::new()
    };
    Groups {
        told,
        rest: rest.iter().map(|one| one.nodes.len()).sum(),
    }
}

/// Puts nodes together whose reasons have so much in common.
fn at(level: Level, reasons: &[(&Reason, &[Str])]) -> Vec<Told> {
    let mut places: BTreeMap<(bool, String), usize> = BTreeMap::new();
    let mut collected: Vec<Vec<(&Reason, &[Str])>> = Vec::new();
    for (reason, nodes) in reasons {
        let is_never = reason.is_never && level != Level::Coarse;
        let place = *places
            .entry((is_never, key(level, reason)))
            .or_insert_with(|| {
                collected.push(Vec::new());
                collected.len() - 1
            });
        collected[place].push((reason, nodes));
    }
    let mut told: Vec<Told> = collected.iter().map(|group| tell(level, group)).collect();
    told.sort_by(|one, other| {
        let key = |told: &Told| Reverse(told.nodes.len());
        key(one)
            .cmp(&key(other))
            .then_with(|| one.nodes.cmp(&other.nodes))
    });
    told
}

fn key(level: Level, reason: &Reason) -> String {
    match (level, &reason.common) {
        (Level::Equal, _) => reason.detail.clone(),
        (_, Common::Words(words)) => words.clone(),
        (_, Common::Numbers(numbers)) => numbers.key(level == Level::Coarse),
    }
}

/// Tells a group, which has one reason at least.
fn tell(level: Level, group: &[(&Reason, &[Str])]) -> Told {
    let nodes = group.iter().flat_map(|(_, nodes)| *nodes);
    let mut nodes: Vec<Str> = nodes.cloned().collect();
    nodes.sort_unstable();
    let first = |(_, nodes): &&(&Reason, &[Str])| nodes.iter().min().cloned();
    let mut order: Vec<_> = group.iter().map(|one| (first(&one), one.0)).collect();
    order.sort_by(|(one, _), (other, _)| one.cmp(other));
    let text = text(level, &order);
    let example = order.iter().find_map(|(node, reason)| {
        let is_told = reason.detail == text || matches!(reason.common, Common::Numbers(_));
        let example = match (is_told, &reason.example) {
            (true, example) => example.clone()?,
            (false, None) => reason.detail.clone(),
            (false, Some(example)) => format!("{}; {example}", reason.detail),
        };
        Some((node.clone()?, example))
    });
    Told {
        nodes,
        text,
        example,
        is_never: group.iter().all(|(reason, _)| reason.is_never),
    }
}

/// Returns what reasons have in common.
fn text(level: Level, reasons: &[(Option<Str>, &Reason)]) -> String {
    let mut reasons = reasons.iter().map(|(_, reason)| *reason);
    let Some(first) = reasons.next() else {
        return String::new();
    };
    match &first.common {
        _ if level == Level::Equal => first.detail.clone(),
        _ if reasons.clone().all(|other| other.detail == first.detail) => first.detail.clone(),
        Common::Words(words) => words.clone(),
        Common::Numbers(numbers) => {
            let mut numbers = numbers.clone();
            for other in reasons {
                if let Common::Numbers(other) = &other.common {
                    numbers.add(other);
                }
            }
            numbers.to_string()
        }
    }
}
