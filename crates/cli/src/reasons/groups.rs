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
    for &(reason, nodes) in reasons {
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
        let node = reason.node.as_ref().or(node.as_ref());
        Some((node.cloned()?, example))
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

#[cfg(test)]
mod tests {
    use dralloc::Check;

    use super::super::counts::tests::short;
    use super::*;

    /// Puts nodes together, each of which has one reason; prints a group a line.
    fn told(reasons: &[Reason], most: usize) -> Vec<String> {
        let nodes: Vec<Str> = (0..reasons.len())
            .map(|node| format!("node-{node}").into())
            .collect();
        let nodes = nodes.iter().map(std::slice::from_ref);
        let Groups { told, rest } = groups(reasons.iter().zip(nodes), most);
        let lines = told.iter().map(|one| {
            let example = one.in_particular();
            let example = example.map_or_else(String::new, |text| format!(" ({text})"));
            format!("{}: {}{example}", one.nodes.join(" "), one.text)
        });
        let mut lines: Vec<String> = lines.collect();
        lines.extend((rest > 0).then(|| format!("rest {rest}")));
        lines
    }

    fn words(detail: &str, summary: &str) -> Reason {
        Reason {
            detail: detail.to_owned(),
            ..Reason::plain(summary)
        }
    }

    fn held(count: usize, by: &str) -> Reason {
        Reason {
            example: Some(format!("held by {by}")),
            ..Reason::counted(short(4, (8 - count, 8), &[(Check::InUse, count)]))
        }
    }

    #[test]
    fn what_most_nodes_have_comes_first() {
        let reasons = ["a", "b", "b"].map(Reason::plain);
        assert_eq!(told(&reasons, 3), ["node-1 node-2: b", "node-0: a"]);
        assert_eq!(told(&[], 3), [""; 0]);
    }

    #[test]
    fn equal_numbers_stay_as_they_are() {
        let reasons = [held(6, "a"), held(6, "b")];
        assert_eq!(
            told(&reasons, 1),
            [
                "node-0 node-1: request `gpu` needs 4 devices, 2 of 8 are usable: 6 in use \
                 (on node-0: held by a)"
            ]
        );
    }

    #[test]
    fn numbers_become_ranges_before_a_reason_is_left_out() {
        let mut reasons = vec![held(6, "a"), held(7, "b"), Reason::plain("cordoned")];
        assert_eq!(told(&reasons, 3).len(), 3);
        let range = "node-0 node-1: request `gpu` needs 4 devices, 1 to 2 of 8 are usable: \
                     6 to 7 in use (on node-0: held by a)";
        assert_eq!(told(&reasons, 2), [range, "node-2: cordoned"]);
        // What keeps devices away tells reasons apart as long as there is room.
        reasons.push(Reason::counted(short(4, (3, 8), &[(Check::Taint, 5)])));
        let taint = "node-3: request `gpu` needs 4 devices, 3 of 8 are usable: 5 tainted";
        assert_eq!(told(&reasons, 3), [range, "node-2: cordoned", taint]);
        let coarse = "node-0 node-1 node-3: request `gpu` needs 4 devices, 1 to 3 of 8 are usable: \
                      0 to 7 in use, 0 to 5 tainted (on node-0: held by a)";
        assert_eq!(told(&reasons, 2), [coarse, "node-2: cordoned"]);
        reasons.push(Reason::plain("too far"));
        assert_eq!(told(&reasons, 2), [coarse, "rest 2"]);
    }

    #[test]
    fn words_have_the_numbers_of_a_node_for_an_example() {
        let reasons = [
            words("too few: 1 of 2", "too few"),
            words("too few: 3 of 4", "too few"),
        ];
        assert_eq!(
            told(&reasons, 1),
            ["node-0 node-1: too few (on node-0: too few: 1 of 2)"]
        );
    }

    #[test]
    fn what_never_fits_is_apart_from_what_waits() {
        let never = Reason {
            is_never: true,
            ..held(6, "a")
        };
        let mut reasons = vec![never, held(6, "b"), held(7, "c")];
        assert_eq!(told(&reasons, 3).len(), 3);
        assert_eq!(told(&reasons, 2).len(), 2);
        assert_eq!(told(&reasons, 1).len(), 1);
        reasons.truncate(1);
        let nodes = [Str::from("a")];
        let groups = groups([(&reasons[0], &nodes[..])], 3);
        assert!(groups.told[0].is_never);
    }
}
