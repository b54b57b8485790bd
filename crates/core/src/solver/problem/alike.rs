//! Requests that are alike, so that their picks could be exchanged.

use std::collections::BTreeMap;

use super::plan::Plan;
use super::{Constraint, Problem, Propagator};

/// Is a set of requests that match constraints tie together.
#[derive(Debug)]
pub(in crate::solver) struct Block {
    /// In order.
    pub(in crate::solver) requests: Vec<usize>,
    pub(in crate::solver) constraints: Vec<usize>,
    /// The first block that is like it; its own place if there is none before.
    pub(in crate::solver) like: usize,
}

/// Returns the blocks of requests without a choice, by their first requests.
pub(in crate::solver) fn blocks(problem: &Problem<'_>) -> Vec<Block> {
    let mut block_of: Vec<usize> = (0..problem.requests.len()).collect();
    let mut of_constraint: BTreeMap<usize, usize> = BTreeMap::new();
    for plan in &problem.plans {
        for compared in &plan.constraints {
            let own = block_of[plan.request];
            let other = *of_constraint.entry(compared.constraint).or_insert(own);
            let (from, to) = (own.max(other), own.min(other));
            let moved = block_of.iter_mut().chain(of_constraint.values_mut());
            moved
                .filter(|block| **block == from)
                .for_each(|block| *block = to);
        }
    }
    let mut requests: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (request, block) in block_of.into_iter().enumerate() {
        requests.entry(block).or_default().push(request);
    }
    let mut blocks: Vec<Block> = Vec::new();
    for requests in requests.into_values() {
        let is_plain = |request: &usize| match problem.plans_of(*request) {
            [plan] => plan.possible && plan.all.is_none(),
            _ => false,
        };
        if !requests.iter().all(is_plain) {
            continue;
        }
        let plans = requests
            .iter()
            .flat_map(|request| problem.plans_of(*request));
        let constraints = plans.flat_map(|plan| &plan.constraints);
        let mut constraints: Vec<usize> = constraints.map(|one| one.constraint).collect();
        constraints.sort_unstable();
        constraints.dedup();
        let mut block = Block {
            requests,
            constraints,
            like: blocks.len(),
        };
        let mut others = blocks.iter();
        let like = others
            .position(|other| other.like_itself(&blocks) && are_alike(problem, other, &block));
        block.like = like.unwrap_or(block.like);
        blocks.push(block);
    }
    blocks
}

impl Block {
    fn like_itself(&self, blocks: &[Self]) -> bool {
        blocks
            .get(self.like)
            .is_some_and(|first| std::ptr::eq(first, self))
    }
}

/// Is a request whose first device is not after that of another in the first
/// solution.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct Before {
    pub(in crate::solver) request: usize,
    /// The last of the requests that change places with those that are like them.
    pub(in crate::solver) last: usize,
}

/// Returns for each request one before it whose first device is not after its
/// own in the first solution.
///
/// Sound: the picks of requests that are alike can be exchanged, and so can
/// those of blocks that are. If the first device of the later one came before,
/// exchanging them would give a solution that is before the first. In a problem
/// that is cut off blocks are alike only if all of both is there.
pub(in crate::solver) fn before(problem: &Problem<'_>, blocks: &[Block]) -> Vec<Option<Before>> {
    let mut before = vec![None; problem.requests.len()];
    for (place, block) in blocks.iter().enumerate() {
        let mut earlier = blocks[..place].iter().rev();
        let other = earlier.find(|other| other.like == block.like);
        if let Some(other) = other {
            let last = block.requests.iter().chain(&other.requests).max();
            before[block.requests[0]] = last.map(|last| Before {
                request: other.requests[0],
                last: *last,
            });
        }
        for (at, request) in block.requests.iter().enumerate().skip(1) {
            let mut earlier = block.requests[..at].iter().rev();
            let other = earlier.find(|other| {
                let (Some(one), Some(other)) = (plan(problem, *request), plan(problem, **other))
                else {
                    return false;
                };
                one.constraints == other.constraints && wants_same(problem, one, other)
            });
            before[*request] = other.map(|other| Before {
                request: *other,
                last: *request,
            });
        }
    }
    before
}

fn plan<'p, 'a>(problem: &'p Problem<'a>, request: usize) -> Option<&'p Plan<'a>> {
    match problem.plans_of(request) {
        [plan] => Some(plan),
        _ => None,
    }
}

/// Returns whether two plans can have the same devices in the same way, but for constraints.
fn wants_same(problem: &Problem<'_>, one: &Plan<'_>, other: &Plan<'_>) -> bool {
    // Access for administration sees what its own claim has picked before it.
    let sees = |plan: &Plan<'_>| {
        plan.alternative.admin_access && (plan.claim == one.claim || plan.claim == other.claim)
    };
    !problem.plans.iter().any(sees)
        && one.needed == other.needed
        && one.candidates == other.candidates
        && one.amounts == other.amounts
        && [one, other].iter().all(|plan| {
            plan.constraints.iter().all(|compared| {
                let constraint = &problem.constraints[compared.constraint];
                let mut shown = compared.all_shown().iter().flatten();
                // What cannot be compared may come first only.
                matches!(constraint.propagator, Propagator::Match(_))
                    || !shown.any(|set| constraint.sets.is_incomparable(*set))
            })
        })
}

/// Returns whether blocks are the same, request by request and constraint by constraint.
///
/// Which values the numbers of a constraint stand for does not matter: each compares
/// its own only, and the devices show the same numbers to both.
fn are_alike(problem: &Problem<'_>, one: &Block, other: &Block) -> bool {
    let same_constraint = |(one, other): (&usize, &usize)| {
        let (one, other) = (&problem.constraints[*one], &problem.constraints[*other]);
        one.is_like(other)
    };
    let place = |block: &Block, constraint: usize| {
        block
            .constraints
            .iter()
            .position(|other| *other == constraint)
    };
    one.requests.len() == other.requests.len()
        && one.constraints.len() == other.constraints.len()
        && one
            .constraints
            .iter()
            .zip(&other.constraints)
            .all(same_constraint)
        && one
            .requests
            .iter()
            .zip(&other.requests)
            .all(|(first, second)| {
                let (Some(first), Some(second)) = (plan(problem, *first), plan(problem, *second))
                else {
                    return false;
                };
                wants_same(problem, first, second)
                    && first.constraints.len() == second.constraints.len()
                    && first.constraints.iter().zip(&second.constraints).all(
                        |(one_compared, other_compared)| {
                            let (a, b) = (one_compared.constraint, other_compared.constraint);
                            let (sets, others) =
                                (&problem.constraints[a].sets, &problem.constraints[b].sets);
                            let same = |(a, b): (&Option<_>, &Option<_>)| match (a, b) {
                                (None, None) => true,
                                (Some(a), Some(b)) => sets.values(*a) == others.values(*b),
                                _ => false,
                            };
                            let shown = one_compared.all_shown().iter();
                            place(one, a) == place(other, b)
                                && shown.zip(other_compared.all_shown()).all(same)
                        },
                    )
            })
}

impl Constraint<'_> {
    /// Returns whether it asks the same of values.
    fn is_like(&self, other: &Self) -> bool {
        matches!(
            (&self.propagator, &other.propagator),
            (Propagator::Match(_), Propagator::Match(_))
                | (Propagator::Distinct(_), Propagator::Distinct(_))
        )
    }
}
