//! [`Bundles`]: match constraints that are alike compete for values.

use super::values::Rest;
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::constraint::SetId;
use crate::outcome::StopCause;
use crate::solver::problem::alike::Block;
use crate::solver::problem::{Problem, Propagator};

/// Holds bundles: the requests under a match constraint, each of which ends with
/// one value for all its devices.
pub(in crate::solver) struct Bundles {
    kinds: Vec<Kind>,
}

/// Is what bundles have in common that are alike.
struct Kind {
    /// By request: the number of devices that it needs.
    needed: Vec<usize>,
    /// By value and request: the devices that have the value.
    devices: Vec<Vec<Bitmap>>,
    bundles: Vec<Bundle>,
}

struct Bundle {
    constraint: usize,
    requests: Vec<usize>,
}

impl Bundles {
    pub(in crate::solver) fn new(
        problem: &Problem<'_>,
        blocks: &[Block],
        meter: &mut Meter<'_>,
    ) -> Result<Self, StopCause> {
        let mut kinds = Vec::new();
        for (place, block) in blocks
            .iter()
            .enumerate()
            .filter(|(place, block)| block.like == *place)
        {
            let like = || blocks[place..].iter().filter(|other| other.like == place);
            if like().nth(1).is_none() {
                continue;
            }
            for (at, constraint) in block.constraints.iter().enumerate() {
                let Some(kind) = Kind::new(problem, block, *constraint, meter)? else {
                    continue;
                };
                let under = |block: &Block| {
                    let constraint = block.constraints[at];
                    let is_under = |request: &&usize| is_under(problem, **request, constraint);
                    Bundle {
                        constraint,
                        requests: block.requests.iter().filter(is_under).copied().collect(),
                    }
                };
                kinds.push(Kind {
                    bundles: like().map(under).collect(),
                    ..kind
                });
            }
        }
        Ok(Self { kinds })
    }

    /// Returns whether values have too few devices for all bundles of some kind.
    ///
    /// Admissible: each bundle that is not begun ends with one value, and takes
    /// its devices from those that have it. So it counts how many bundles the
    /// devices of each value are enough for, less what bundles that are begun
    /// and have one value left still need of the same devices.
    pub(in crate::solver) fn are_short(&self, problem: &Problem<'_>, rest: Rest<'_, '_>) -> bool {
        self.kinds.iter().any(|kind| kind.is_short(problem, rest))
    }
}

impl Kind {
    /// Returns the kind of a block and one of its constraints; nothing if there
    /// are devices for which counting says nothing.
    fn new(
        problem: &Problem<'_>,
        block: &Block,
        constraint: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Self>, StopCause> {
        let sets = &problem.constraints[constraint].sets;
        if !matches!(
            problem.constraints[constraint].propagator,
            Propagator::Match(_)
        ) {
            return Ok(None);
        }
        let mut kind = Self {
            needed: Vec::new(),
            devices: vec![Vec::new(); sets.value_count()],
            bundles: Vec::new(),
        };
        for request in &block.requests {
            let [plan] = problem.plans_of(*request) else {
                return Ok(None);
            };
            let Some(compared) = plan.compared(constraint) else {
                continue;
            };
            if plan.candidates.len_without(&problem.serving) < plan.candidates.len() {
                return Ok(None);
            }
            kind.needed.push(plan.needed);
            for (value, devices) in kind.devices.iter_mut().enumerate() {
                meter.look_at(plan.candidates.len())?;
                let has = |set: SetId| {
                    sets.values(set)
                        .iter()
                        .any(|other| *other as usize == value)
                };
                let mut with = Bitmap::new(problem.view.devices.len());
                plan.candidates
                    .iter()
                    .filter(|device| compared.shown(*device).is_some_and(has))
                    .for_each(|device| with.insert(device));
                devices.push(with);
            }
        }
        Ok(Some(kind))
    }

    fn is_short(&self, problem: &Problem<'_>, rest: Rest<'_, '_>) -> bool {
        let is_later = |request: &usize| rest.later.iter().any(|later| later == *request);
        let untouched = self
            .bundles
            .iter()
            .filter(|bundle| bundle.requests.iter().all(is_later));
        let mut wanted = untouched.count();
        // A device by itself need not have a value.
        if wanted == 0
            || self
                .needed
                .iter()
                .fold(0, |sum, needed| needed.saturating_add(sum))
                < 2
        {
            return false;
        }
        let taken = problem.state.exclusive.taken_by_any();
        for (value, devices) in self.devices.iter().enumerate() {
            let mut hosts = wanted;
            for (request, (devices, needed)) in devices.iter().zip(&self.needed).enumerate() {
                if *needed == 0 {
                    continue;
                }
                let reserved = self.reserved(problem, rest, value, request);
                let free = devices.len_without(taken).saturating_sub(reserved);
                hosts = hosts.min(free / needed);
            }
            wanted -= hosts;
            if wanted == 0 {
                return false;
            }
        }
        true
    }

    /// Returns how many devices of a value bundles still need for sure that are begun.
    fn reserved(
        &self,
        problem: &Problem<'_>,
        rest: Rest<'_, '_>,
        value: usize,
        at: usize,
    ) -> usize {
        let needs = |bundle: &Bundle| {
            let constraint = &problem.constraints[bundle.constraint];
            let Propagator::Match(propagator) = &constraint.propagator else {
                return 0;
            };
            let only = propagator
                .common()
                .map(|common| constraint.sets.values(common));
            if !only.is_some_and(|only| matches!(only, [only] if *only as usize == value)) {
                return 0;
            }
            let request = bundle.requests[at];
            match rest.current {
                Some((plan, _, left)) if plan.request == request => left,
                _ if rest.later.iter().any(|later| later == request) => self.needed[at],
                _ => 0,
            }
        };
        self.bundles.iter().map(needs).sum()
    }
}

fn is_under(problem: &Problem<'_>, request: usize, constraint: usize) -> bool {
    let mut plans = problem.plans_of(request).iter();
    plans.any(|plan| plan.compared(constraint).is_some())
}
