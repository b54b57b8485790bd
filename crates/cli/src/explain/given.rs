//! Why a claim has the devices that it has.

use std::collections::BTreeMap;

use dralloc::model::{AllocationResult, ResourceClaim, Str};
use dralloc::{Allocation, Budget, Outcome, RunnerUp as Second};

use super::found::{Given, Pick, RunnerUp, Why};
use super::patience::Patience;
use super::whole::{Explainer, pick};
use crate::cluster::question::Question;
use crate::cluster::{Cluster, ObjectName};
use crate::judgement::Judgement;

/// Branches of the search after which nobody waits for a runner-up.
const BRANCHES: u64 = 1_000_000;

/// Node of a pool, by driver and name of the pool.
pub(super) type Homes = BTreeMap<(Str, Str), Str>;

/// Asks what the claim would get if it had nothing, and compares.
pub(super) fn explain(
    explainer: &mut Explainer<'_>,
    name: &ObjectName,
    claim: &ResourceClaim,
    allocation: &AllocationResult,
) -> Given {
    let results = allocation.devices.results.iter();
    let devices = results.map(|result| Pick {
        claim: name.name.clone(),
        request: result.request.clone(),
        device: format!("{}/{}/{}", result.driver, result.pool, result.device),
    });
    let mut given = Given {
        claim: name.into(),
        node: node_of(explainer, allocation),
        devices: devices.collect(),
        gone: explainer.gone(allocation),
        used_by: Vec::new(),
        why: Why::Unknown,
        message: String::new(),
        today: None,
        runner_up: None,
        requests: Vec::new(),
    };
    if !given.gone.is_empty() {
        let users = explainer.users(name);
        given.used_by = users.iter().map(Into::into).collect();
    }
    let Some(node) = given.node.clone() else {
        "no node given here is meant: it cannot be compared".clone_into(&mut given.message);
        return given;
    };
    let mut anew = claim.clone();
    anew.status.allocation = None;
    let question = Question::new(vec![anew], Vec::new());
    if let Err(message) = compare(explainer, &mut given, &node, &question) {
        given.message = message;
    }
    given
}

fn compare(
    explainer: &mut Explainer<'_>,
    given: &mut Given,
    node: &Str,
    question: &Question,
) -> Result<(), String> {
    let describe = |error: dralloc::Error| {
        format!(
            "today it could not be evaluated: {}",
            question.describe(&error)
        )
    };
    let Explainer {
        snapshot,
        wanted,
        patience,
        workspace,
        ..
    } = explainer;
    let patience = Patience::of_seconds(*patience);
    let budget = Budget::new().branches(BRANCHES).deadline(&patience);
    let options = wanted.options(budget);
    let claims = snapshot.prepare(&question.claims).map_err(describe)?;
    let mut transaction = snapshot.transaction();
    for claim in &question.claims {
        transaction.release(claim);
    }
    if let Ok(explanation) = transaction.explain(node, &claims, &options, workspace) {
        given.requests = explanation.requests;
    }
    let second = transaction
        .runner_up(node, &claims, &options, workspace)
        .unwrap_or(Second::Nothing);
    let outcome = transaction
        .clone()
        .allocate(node, &claims, &options, workspace);
    let picks = |allocation: &Allocation| -> Vec<Pick> {
        let devices = allocation.devices();
        devices.map(|device| pick(question, &device)).collect()
    };
    let (allocation, gap) = match outcome.map_err(describe)? {
        Outcome::Optimal(allocation) => (allocation, None),
        Outcome::Feasible { allocation, gap } => (allocation, Some(gap)),
        Outcome::Infeasible(_) => {
            given.why = Why::NotToday;
            let why = match given.gone.as_slice() {
                [] => ": something has changed since, or somebody else gave them",
                _ => "",
            };
            given.message = format!(
                "today it would not get any devices there, even if it gave these back{why}"
            );
            return Ok(());
        }
        Outcome::Unknown(_) => return Err("the search for today's answer ended early".to_owned()),
    };
    let judgement = Judgement::of(&allocation, gap);
    let today = picks(&allocation);
    if sorted(&today) == sorted(&given.devices) {
        let counted = counted(given);
        (given.why, given.message) = match judgement {
            Some(judgement) if judgement.is_proved() => {
                (Why::Best, format!("none are better: {judgement}"))
            }
            Some(judgement) => (Why::Unknown, format!("none better are known: {judgement}")),
            None => {
                let text = "they are the first that fit, in the order of driver, pool, slice \
                            and place in the slice";
                (Why::First, format!("{text}{counted}"))
            }
        };
        given.runner_up = runner_up(&second, &picks);
        return Ok(());
    }
    // It may have been given by those who want something else.
    let order = match judgement {
        Some(_) => "the best by its policy",
        None => "the first that fit",
    };
    given.why = Why::Differs;
    given.message = match given.gone.as_slice() {
        [] => format!(
            "they are not {order} today: it got them when others were held, or from somebody else"
        ),
        _ => "once it has given them back it can get others there".to_owned(),
    };
    given.today = Some(today);
    Ok(())
}

/// Returns how many devices came into question, for each request, such as
/// ``; for request `gpu` 6 of 8 come into question: 2 in use``. Each does by itself: together
/// they may be too many.
fn counted(given: &Given) -> String {
    let mut texts: Vec<String> = Vec::new();
    for request in &given.requests {
        if request.refused.is_empty() {
            continue;
        }
        let refused = request.refused.iter();
        let refused = refused.map(|(check, count)| format!("{count} {}", check.as_phrase()));
        let refused = refused.collect::<Vec<_>>().join(", ");
        let (considered, usable) = (request.considered, request.usable);
        let come = if usable == 1 { "comes" } else { "come" };
        texts.push(format!(
            "for request `{}` {usable} of {considered} {come} into question: {refused}",
            request.name
        ));
    }
    match texts.as_slice() {
        [] => String::new(),
        texts => format!("; {}", texts.join("; ")),
    }
}

fn runner_up(second: &Second, picks: &impl Fn(&Allocation) -> Vec<Pick>) -> Option<RunnerUp> {
    match second {
        Second::Found { allocation, .. } => Some(RunnerUp {
            devices: picks(allocation),
            message: second.to_string(),
        }),
        Second::Nothing | Second::Unknown(_) => None,
    }
}

fn sorted(picks: &[Pick]) -> Vec<&Pick> {
    let mut sorted: Vec<&Pick> = picks.iter().collect();
    sorted.sort_unstable();
    sorted
}

/// Returns the node where devices can be used, the first if there are several.
fn node_of(explainer: &Explainer<'_>, allocation: &AllocationResult) -> Option<Str> {
    if let Some(selector) = &allocation.node_selector {
        let mut nodes = explainer.cluster.nodes.values();
        let node = nodes.find(|given| selector.matches(&given.object).unwrap_or(false));
        return node.map(|given| given.object.metadata.name.clone());
    }
    let first = allocation.devices.results.first()?;
    let pool = (first.driver.clone(), first.pool.clone());
    explainer.homes.get(&pool).cloned()
}

/// Returns on which node pools are that are on one.
pub(super) fn homes(cluster: &Cluster) -> Homes {
    let slices = cluster.resource_slices.values();
    let homes = slices.filter_map(|given| {
        let spec = &given.object.spec;
        let node = spec.node_name.clone()?;
        let is_given = cluster.nodes.contains_key(&ObjectName::new("", &node));
        is_given.then(|| ((spec.driver.clone(), spec.pool.name.clone()), node))
    });
    homes.collect()
}
