//! Asks the engine and brute force the same.

use dralloc::model::AllocationResult;
use dralloc::{AllocateOptions, Budget, Change, Error, Outcome, Snapshot, Workspace};
use dralloc_testkit::generate::LinkedQuestion;
use dralloc_testkit::oracle::{Cel, Optimum, Options, Wish, best};

use crate::support;

/// Branches after which the engine gives up a question.
const BRANCHES: u64 = 1_000_000;

/// Questions in an ordinary run; `DRALLOC_PROPERTY_CASES` asks for more.
pub(crate) fn cases(usual: u64) -> u64 {
    let asked = std::env::var("DRALLOC_PROPERTY_CASES").ok();
    asked.map_or(usual, |text| text.parse().unwrap())
}

/// Returns what the engine knows before a question is asked.
pub(crate) fn snapshot(question: &LinkedQuestion) -> Snapshot {
    let mut engine = support::engine(&question.case);
    for topology in &question.topologies {
        engine.apply(Change::Topology(topology.clone())).unwrap();
    }
    engine.snapshot()
}

pub(crate) fn options(question: &LinkedQuestion) -> AllocateOptions<'_> {
    let options = AllocateOptions::new().budget(Budget::new().branches(BRANCHES));
    match &question.policy {
        Some(policy) => options.policy(policy),
        None => options,
    }
}

/// Is what somebody says to a question.
#[derive(Debug, PartialEq)]
pub(crate) enum Said {
    /// The values of terms, and the devices by request.
    Best(Vec<i64>, Vec<String>),
    No,
    Error(String),
    /// It was too much.
    Nothing,
}

/// Returns requests with their devices, in order.
pub(crate) fn devices(results: &[AllocationResult]) -> Vec<String> {
    let results = results.iter().flat_map(|result| &result.devices.results);
    let named = results.map(|one| format!("{} {}/{}", one.request, one.driver, one.device));
    named.collect()
}

/// Returns the engine's answer.
pub(crate) fn engine(question: &LinkedQuestion) -> (Said, Vec<AllocationResult>) {
    match outcome(question) {
        Ok(Outcome::Optimal(allocation)) => {
            let results = allocation.results();
            let values = allocation.objective().iter().map(|term| term.value);
            (Said::Best(values.collect(), devices(&results)), results)
        }
        Ok(Outcome::Infeasible(_)) => (Said::No, Vec::new()),
        Ok(_) => (Said::Nothing, Vec::new()),
        Err(error) => (Said::Error(error.to_string()), Vec::new()),
    }
}

fn outcome(question: &LinkedQuestion) -> Result<Outcome, Error> {
    let snapshot = snapshot(question);
    let claims = snapshot.prepare(&question.case.claims)?;
    let node = &question.case.node.metadata.name;
    let mut transaction = snapshot.transaction();
    transaction.allocate(node, &claims, &options(question), &mut Workspace::new())
}

/// Returns the answer of brute force.
pub(crate) fn brute_force(question: &LinkedQuestion) -> Said {
    let wish = Wish {
        scopes: question.scopes.clone(),
        topologies: question.topologies.clone(),
        demands: question.demands.clone(),
        ..Wish::default()
    };
    match best(&question.case, &Cel::default(), Options::default(), &wish) {
        Optimum::Allocated(values, results) => Said::Best(values, devices(&results)),
        Optimum::Other(dralloc_testkit::oracle::Solution::Infeasible) => Said::No,
        Optimum::Other(dralloc_testkit::oracle::Solution::Error(failure)) => {
            Said::Error(failure.message)
        }
        Optimum::Other(_) => Said::Nothing,
    }
}
