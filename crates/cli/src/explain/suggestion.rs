//! What would make it fit, in words.

use std::cmp::Reverse;

use dralloc::Remedy;
use dralloc::model::{Pod, Str};

use super::found::Suggestion;
use super::survey::Survey;
use crate::cluster::nodes::RuledOut;
use crate::cluster::question::Question;

/// So many changes of one kind are told.
const MAX_OF_A_KIND: usize = 3;

/// Returns what would help.
pub(super) fn of(question: &Question, survey: &Survey, pod: Option<&Pod>) -> Vec<Suggestion> {
    let helps = survey.helps.iter();
    let told = helps.filter(|help| {
        let mut others = survey.helps.iter();
        !others.any(|other| asks_more(&help.remedy, &other.remedy))
    });
    let told = told.map(|help| Suggestion {
        text: text(question, &help.remedy),
        nodes: help.nodes,
        example: help.example.clone(),
        remedy: Some(help.remedy.clone()),
    });
    let mut suggestions: Vec<Suggestion> = told.collect();
    for (reason, names) in &survey.elsewhere {
        if let Some(example) = names.first() {
            suggestions.push(Suggestion {
                text: elsewhere(*reason, example, pod),
                nodes: names.len(),
                example: example.clone(),
                remedy: None,
            });
        }
    }
    suggestions
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
/// away from the same request, or needs more holders to give something back.
fn asks_more(remedy: &Remedy, other: &Remedy) -> bool {
    match (remedy, other) {
        (Remedy::Release { holders }, Remedy::Release { holders: fewer }) => {
            holders.len() > fewer.len()
        }
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
