//! The search: depth first, in canonical order, first solution wins, or all are seen.

use super::failure::{Failure, FailureKind};
use super::optimum::{Best, Optimum, Wish};
use super::requests::{self, Alternative, MAX_DEVICES, Request, Want};
use super::world::{Condition, Pick, Place, World};
use super::{Expressions, Options, Solution};
use super::{
    capacity, constraints, counters, groups, in_use, pools, result, selectors, taints, twins,
};
use crate::case::Case;

/// How deep the recursion may get: far below what a small stack allows.
const MAX_DEPTH: usize = 500;

/// See [`super::solve`].
pub(super) fn solve(
    case: &Case,
    expressions: &dyn Expressions,
    options: Options,
) -> (Solution, u64) {
    let world = match world(case, expressions, options) {
        Ok(world) => world,
        Err(failure) => return (Solution::Error(failure), 0),
    };
    let claims = match requests::prepare(&world) {
        Ok(claims) => claims,
        Err(failure) => return (Solution::Error(failure), 0),
    };
    let mut search = Search::new(&world, &claims, options.steps);
    let found = search.request(0, 0, &Progress::default(), 0);
    let steps = search.steps;
    let solution = match found {
        Ok(End::Found(progress)) => match result::build(&world, &progress) {
            Ok(results) => Solution::Allocated(results),
            Err(failure) => Solution::Error(failure),
        },
        Ok(End::Exhausted) => nothing_fits(&world, search.conflict),
        Ok(End::TooMany) => Solution::Error(too_many()),
        Err(Stop::Failure(failure)) => Solution::Error(failure),
        Err(Stop::Budget) => Solution::Skipped,
    };
    (solution, steps)
}

/// See [`super::best`].
pub(super) fn best(
    case: &Case,
    expressions: &dyn Expressions,
    options: Options,
    wish: &Wish,
) -> Optimum {
    let failed = |failure| Optimum::Other(Solution::Error(failure));
    let world = match world(case, expressions, options) {
        Ok(world) => world,
        Err(failure) => return failed(failure),
    };
    let claims = match requests::prepare(&world) {
        Ok(claims) => claims,
        Err(failure) => return failed(failure),
    };
    let mut search = Search::new(&world, &claims, options.steps);
    search.best = Some(Best::new(&world, wish));
    let end = search.request(0, 0, &Progress::default(), 0);
    let best = search.best.take().and_then(Best::into_best);
    match (end, best) {
        (Err(Stop::Failure(failure)), _) => failed(failure),
        (Err(Stop::Budget), _) => Optimum::Other(Solution::Skipped),
        (Ok(_), Some((values, progress))) => match result::build(&world, &progress) {
            Ok(results) => Optimum::Allocated(values, results),
            Err(failure) => failed(failure),
        },
        (Ok(End::TooMany), None) => failed(too_many()),
        (Ok(_), None) => Optimum::Other(nothing_fits(&world, search.conflict)),
    }
}

pub(super) fn world<'a>(
    case: &'a Case,
    expressions: &'a dyn Expressions,
    options: Options,
) -> Result<World<'a>, Failure> {
    Ok(World {
        case,
        pools: pools::gather(case, options.counts)?,
        expressions,
        twins: twins::pairs(case),
    })
}

/// Only met if a claim cannot be as small as was computed beforehand.
fn too_many() -> Failure {
    Failure::new(
        FailureKind::LimitExceeded,
        format!("more than {MAX_DEVICES} devices in one claim"),
    )
}

/// A claim that wants all devices although its constraints do not allow them
/// together is at fault, if that is what the search met on its way.
fn nothing_fits(world: &World<'_>, conflict: Option<Failure>) -> Solution {
    if let Some(conflict) = conflict {
        return Solution::Error(conflict);
    }
    if world
        .pools
        .iter()
        .any(|pool| pool.condition == Condition::Invalid)
    {
        let failure = Failure::new(FailureKind::Pool, "nothing fits, and a pool is invalid");
        return Solution::Error(failure.on_node());
    }
    Solution::Infeasible
}

/// Is what has been decided so far.
#[derive(Clone, Default)]
pub(super) struct Progress<'a, 'w> {
    /// Devices, in the order in which they were chosen.
    pub(super) picks: Vec<Pick<'a, 'w>>,
    /// The alternative of each request that is being or has been satisfied.
    pub(super) chosen: Vec<&'w Alternative<'a>>,
}

/// Says how a part of the search ended.
enum End<'a, 'w> {
    Found(Progress<'a, 'w>),
    Exhausted,
    /// The claim would get too large, whichever devices are chosen.
    TooMany,
}

/// Says why the search cannot go on.
enum Stop {
    Failure(Failure),
    Budget,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

struct Search<'a, 'w> {
    world: &'w World<'a>,
    claims: &'w [Vec<Request<'a>>],
    steps: u64,
    limit: u64,
    /// The first of all wanted devices that a constraint refused.
    conflict: Option<Failure>,
    /// Where the best solution is wanted, not the first: the best so far.
    best: Option<Best<'a, 'w>>,
}

impl<'a, 'w> Search<'a, 'w> {
    fn new(world: &'w World<'a>, claims: &'w [Vec<Request<'a>>], limit: u64) -> Self {
        Self {
            world,
            claims,
            steps: 0,
            limit,
            conflict: None,
            best: None,
        }
    }

    fn step(&mut self, depth: usize) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps > self.limit || depth > MAX_DEPTH {
            Err(Stop::Budget)
        } else {
            Ok(())
        }
    }

    /// Satisfies a request and all after it.
    fn request(
        &mut self,
        claim: usize,
        request: usize,
        progress: &Progress<'a, 'w>,
        depth: usize,
    ) -> Result<End<'a, 'w>, Stop> {
        let Some(requests) = self.claims.get(claim) else {
            self.step(depth)?;
            let Some(best) = &mut self.best else {
                return Ok(End::Found(progress.clone()));
            };
            best.see(self.world, self.claims, progress)?;
            return Ok(End::Exhausted);
        };
        let Some(request) = requests.get(request) else {
            self.step(depth)?;
            // The size of a later claim says nothing about this one.
            return Ok(match self.request(claim + 1, 0, progress, depth + 1)? {
                End::TooMany => End::Exhausted,
                end => end,
            });
        };
        if !request.is_prioritized_list {
            return match request.alternatives.first() {
                Some(alternative) => self.alternative(alternative, progress, depth),
                None => Ok(End::Exhausted),
            };
        }
        self.step(depth)?;
        let mut all_too_many = true;
        for alternative in &request.alternatives {
            match self.alternative(alternative, progress, depth + 1)? {
                End::TooMany => {}
                End::Exhausted => all_too_many = false,
                found @ End::Found(_) => return Ok(found),
            }
        }
        Ok(if all_too_many {
            End::TooMany
        } else {
            End::Exhausted
        })
    }

    fn alternative(
        &mut self,
        alternative: &'w Alternative<'a>,
        progress: &Progress<'a, 'w>,
        depth: usize,
    ) -> Result<End<'a, 'w>, Stop> {
        let mut progress = progress.clone();
        progress.chosen.push(alternative);
        self.slot(alternative, 0, None, &progress, depth)
    }

    /// Chooses the next device of a request, of which `taken` are chosen.
    fn slot(
        &mut self,
        alternative: &'w Alternative<'a>,
        taken: usize,
        last: Option<Place>,
        progress: &Progress<'a, 'w>,
        depth: usize,
    ) -> Result<End<'a, 'w>, Stop> {
        self.step(depth)?;
        if matches!(&alternative.want, Want::All(places) if places.is_empty()) {
            return Ok(End::Exhausted);
        }
        let remaining = alternative.want.len() - i128::try_from(taken).unwrap_or(i128::MAX);
        if remaining <= 0 {
            return self.request(
                alternative.claim,
                alternative.request + 1,
                progress,
                depth + 1,
            );
        }
        let of_claim = progress
            .picks
            .iter()
            .filter(|pick| pick.alternative.claim == alternative.claim);
        if remaining > MAX_DEVICES - i128::try_from(of_claim.count()).unwrap_or(i128::MAX) {
            return Ok(End::TooMany);
        }
        let (candidates, is_all) = match &alternative.want {
            Want::All(places) => (vec![places[taken]], true),
            Want::Count(_) => (self.world.places(), false),
        };
        for place in candidates {
            if !is_all && (last.is_some_and(|last| place <= last)) {
                continue;
            }
            let picks = &progress.picks;
            if !is_all && !is_candidate(self.world, picks, alternative, place)? {
                continue;
            }
            if !is_available(self.world, picks, alternative, place) {
                continue;
            }
            if !constraints::allow(self.world, picks, alternative, place)? {
                if is_all {
                    self.conflict.get_or_insert_with(|| conflict(alternative));
                }
                continue;
            }
            if !capacity::allows(self.world, picks, alternative, place)? {
                continue;
            }
            let mut next = progress.clone();
            next.picks.push(self.pick(alternative, place)?);
            match self.slot(alternative, taken + 1, Some(place), &next, depth + 1)? {
                End::Exhausted => {}
                end => return Ok(end),
            }
        }
        Ok(End::Exhausted)
    }

    fn pick(
        &self,
        alternative: &'w Alternative<'a>,
        place: Place,
    ) -> Result<Pick<'a, 'w>, Failure> {
        let offer = self.world.offer(place);
        let is_share = self.world.is_shareable(offer.device);
        let amounts = if is_share {
            capacity::taken(self.world, alternative, offer)?
        } else {
            capacity::Amounts::new()
        };
        Ok(Pick {
            alternative,
            place,
            is_share,
            amounts,
        })
    }
}

/// Returns the devices that an alternative can have if nothing else is picked.
pub(super) fn candidates(
    world: &World<'_>,
    alternative: &Alternative<'_>,
) -> Result<Vec<Place>, Failure> {
    let (places, is_all) = match &alternative.want {
        Want::All(places) => (places.clone(), true),
        Want::Count(_) => (world.places(), false),
    };
    let mut candidates = Vec::new();
    for place in places {
        if (is_all || is_candidate(world, &[], alternative, place)?)
            && is_available(world, &[], alternative, place)
            && constraints::allow(world, &[], alternative, place)?
        {
            candidates.push(place);
        }
    }
    Ok(candidates)
}

/// The checks that `All` makes before the search.
fn is_candidate(
    world: &World<'_>,
    picks: &[Pick<'_, '_>],
    alternative: &Alternative<'_>,
    place: Place,
) -> Result<bool, Failure> {
    Ok(!in_use::is_in_use(world, picks, alternative, place)
        && selectors::select(world, alternative, world.offer(place))?
        && capacity::allows(world, picks, alternative, place)?)
}

fn is_available(
    world: &World<'_>,
    picks: &[Pick<'_, '_>],
    alternative: &Alternative<'_>,
    place: Place,
) -> bool {
    let offer = world.offer(place);
    !in_use::is_in_use(world, picks, alternative, place)
        && node_can_skip_operations(world, place)
        && (world.case.features.partitionable_devices || offer.device.consumes_counters.is_empty())
        && groups::allow(world, picks, place)
        && counters::allow(world, picks, alternative, place)
        && taints::allow(world, alternative, offer)
}

fn node_can_skip_operations(world: &World<'_>, place: Place) -> bool {
    let case = world.case;
    let declares = |feature: &str| {
        case.node
            .status
            .declared_features
            .iter()
            .any(|declared| **declared == *feature)
    };
    world
        .offer(place)
        .slice
        .spec
        .skip_node_operations
        .is_empty()
        || case.features.optional_node_operations && declares("DRAOptionalNodeOperations")
}

fn conflict(alternative: &Alternative<'_>) -> Failure {
    let name = alternative.full_name();
    Failure::new(
        FailureKind::Invalid,
        format!("request `{name}` wants all devices, but a constraint keeps them apart"),
    )
}
