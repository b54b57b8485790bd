//! What would make it fit, in words.

use std::cmp::Reverse;

use dralloc::model::{Pod, Str};
use dralloc::{Holder, Remedy};

use super::found::Suggestion;
use super::survey::{Help, Survey};
use crate::cluster::nodes::RuledOut;
use crate::cluster::question::Question;

/// So many changes of one kind are told.
const MAX_OF_A_KIND: usize = 3;

/// Returns what would help.
pub(super) fn of(question: &Question, survey: &Survey, pod: Option<&Pod>) -> Vec<Suggestion> {
    let releases = survey.helps.iter().filter_map(|help| match &help.remedy {
        Remedy::Release { holders } => Some((help, holders)),
        _ => None,
    });
    let releases: Vec<(&Help, &Vec<Holder>)> = releases.collect();
    let mut suggestions: Vec<Suggestion> = release(&releases).into_iter().collect();
    let helps = survey.helps.iter();
    let told = helps.filter(|help| {
        let mut others = survey.helps.iter();
        let is_release = matches!(help.remedy, Remedy::Release { .. });
        !is_release && !others.any(|other| asks_more(&help.remedy, &other.remedy))
    });
    suggestions.extend(told.map(|help| Suggestion {
        text: text(question, &help.remedy),
        others: Vec::new(),
        nodes: help.nodes,
        example: help.example.clone(),
        remedy: Some(help.remedy.clone()),
    }));
    for (reason, names) in &survey.elsewhere {
        if let Some(example) = names.first() {
            suggestions.push(Suggestion {
                text: elsewhere(*reason, example, pod),
                others: Vec::new(),
                nodes: names.len(),
                example: example.clone(),
                remedy: None,
            });
        }
    }
    suggestions
}

/// Returns the smallest release, with others that are enough on the same node: what is
/// least comes first, on each node and of all nodes.
fn release(releases: &[(&Help, &Vec<Holder>)]) -> Option<Suggestion> {
    let ((first, _), rest) = releases.split_first()?;
    let rest = rest.iter();
    let others = rest.filter(|(help, _)| help.example == first.example);
    let others: Vec<Holder> = others.flat_map(|(_, holders)| (*holders).clone()).collect();
    let mut text = first.remedy.to_string();
    match others.as_slice() {
        [] => {}
        [other] => text = format!("{text}, or {other}"),
        others => text = format!("{text}, or one of {} others", others.len()),
    }
    Some(Suggestion {
        text,
        others,
        nodes: first.nodes,
        example: first.example.clone(),
        remedy: Some(first.remedy.clone()),
    })
}

/// Returns what would help by kinds, each once; what helps on more nodes first, and of
/// each kind the first few.
pub(super) fn merged(all: Vec<Suggestion>) -> Vec<Suggestion> {
    let mut merged: Vec<Suggestion> = Vec::new();
    for one in all {
        // The nodes are others, of which something else is asked.
        match merged.iter_mut().find(|known| known.text == one.text) {
            Some(known) => known.nodes += one.nodes,
            None => merged.push(one),
        }
    }
    let rank = |one: &Suggestion| one.remedy.as_ref().map_or(usize::MAX, Remedy::rank);
    merged.sort_by_key(|one| {
        let nodes = one.remedy.as_ref().map(|_| Reverse(one.nodes));
        (rank(one), nodes)
    });
    let (mut kind, mut told) = (None, 0);
    merged.retain(|one| {
        let Some(remedy) = &one.remedy else {
            return true;
        };
        if kind != Some(remedy.as_str()) {
            (kind, told) = (Some(remedy.as_str()), 0);
        }
        told += 1;
        told <= MAX_OF_A_KIND
    });
    merged
}

/// Returns whether a remedy asks more of people than another of its kind: it takes more
/// away from the same request.
fn asks_more(remedy: &Remedy, other: &Remedy) -> bool {
    match (remedy, other) {
        (
            Remedy::Capacity {
                claim,
                request,
                capacity,
                instead,
                ..
            },
            Remedy::Capacity {
                claim: other_claim,
                request: other,
                capacity: other_capacity,
                instead: more,
                ..
            },
        ) => (claim, request, capacity) == (other_claim, other, other_capacity) && instead < more,
        _ => false,
    }
}

/// Says what to do, with the name of the claim where there are several.
fn text(question: &Question, remedy: &Remedy) -> String {
    let name = remedy.claim().and_then(|claim| question.names.get(claim));
    match name.filter(|_| question.names.len() > 1) {
        Some(name) => format!("{remedy} of claim `{}`", name.name),
        None => remedy.to_string(),
    }
}

/// Says what would let a pod use a node that it may not use now.
fn elsewhere(reason: RuledOut, node: &Str, pod: Option<&Pod>) -> String {
    match reason {
        RuledOut::NodeName => "let the pod not name its node".to_owned(),
        RuledOut::Cordoned => format!("uncordon {node}"),
        RuledOut::NodeSelector => {
            let selector = pod.map(|pod| &pod.spec.node_selector);
            let wanted = selector.into_iter().flat_map(|selector| selector.iter());
            let wanted = wanted.map(|(key, value)| format!("{key}: {value}"));
            let wanted = wanted.collect::<Vec<_>>().join(", ");
            format!("let the pod's `nodeSelector` (`{wanted}`) select {node}")
        }
        RuledOut::AllocatedClaim => format!(
            "release the claims of the pod that are allocated, so that all can be on {node}"
        ),
    }
}
