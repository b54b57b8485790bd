//! What would make it fit, in words.

use dralloc::Remedy;
use dralloc::model::{Pod, Str};

use super::found::Suggestion;
use super::survey::{Help, Survey};
use crate::cluster::nodes::RuledOut;
use crate::cluster::question::Question;

/// So many changes of one kind are told.
const MAX_OF_A_KIND: usize = 3;

/// Returns what would help, by kinds; what helps on more nodes first.
pub(super) fn of(question: &Question, survey: &Survey, pod: Option<&Pod>) -> Vec<Suggestion> {
    let mut kinds: Vec<(&str, Vec<&Help>)> = Vec::new();
    for help in &survey.helps {
        let kind = help.remedy.as_str();
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, helps)) => helps.push(help),
            None => kinds.push((kind, vec![help])),
        }
    }
    kinds.sort_by_key(|(_, helps)| helps.first().map(|help| rank(&help.remedy)));
    let mut suggestions = Vec::new();
    for (_, helps) in kinds {
        let mut told: Vec<&Help> = Vec::new();
        for help in &helps {
            if !helps
                .iter()
                .any(|other| asks_more(&help.remedy, &other.remedy))
            {
                told.push(help);
            }
        }
        told.sort_by_key(|help| std::cmp::Reverse(help.nodes));
        let told = told.into_iter().take(MAX_OF_A_KIND);
        suggestions.extend(told.map(|help| Suggestion {
            text: text(question, &help.remedy),
            nodes: help.nodes,
            example: help.example.clone(),
            remedy: Some(help.remedy.clone()),
        }));
    }
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

/// Returns the place of a kind among all, as the engine has them.
fn rank(remedy: &Remedy) -> usize {
    const ORDER: [&str; 10] = [
        "release",
        "toleration",
        "guard",
        "count",
        "capacity",
        "constraint",
        "policy",
        "pool",
        "attribute",
        "selector",
    ];
    let kind = remedy.as_str();
    let place = ORDER.iter().position(|known| *known == kind);
    place.unwrap_or(ORDER.len())
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
