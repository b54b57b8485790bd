//! [`Allocation`]: an answer as dense ids.

mod device;
mod form;
mod granted;
mod numbered;
mod picked;
mod result;
mod shares;
mod together;

use std::sync::Arc;

pub use device::AllocatedDevice;
pub(super) use granted::Granted;
pub use numbered::NumberedDevice;
pub use together::{Together, UnitTogether};

use form::ResultForm;
use picked::{Picked, PickedList};
use shares::{Share, Shares};

use super::own::OwnClaims;
use crate::claims::{Alternative, PreparedClaims};
use crate::error::Error;
use crate::model::{AllocationResult, NodeSelector};
use crate::number::number;
use crate::objective::TermValue;
use crate::solver::{ManyQuestion, OneRequest, Problem, Shortcut, Solution};
use crate::state::{DenseAnswer, Draft, HeldAs, Record};
use crate::store::{DeviceEntry, NodeView};

/// Says which devices claims got on a node.
///
/// The form that Kubernetes stores is made when it is asked for.
#[derive(Clone, Debug)]
pub struct Allocation {
    answer: Arc<Answer>,
    /// What claims had already, by their place.
    granted: Granted,
    /// How good it is; none where the first in canonical order is wanted.
    judgement: Option<Arc<Judgement>>,
    /// What the devices of policies have in common.
    together: Option<Arc<[Together]>>,
}

/// Is what a search found. The books share it with the host.
#[derive(Clone, Debug)]
struct Answer {
    /// What was asked for.
    compiled: OwnClaims,
    view: Arc<NodeView>,
    /// Which alternative each request got, by claim; none if each got its first.
    alternatives: Vec<Vec<usize>>,
    picked: PickedList,
    /// What is taken of shared devices, by the place of the pick and in order.
    shares: Option<Arc<[(usize, Share)]>>,
}

/// Is what a policy says of an answer.
#[derive(Debug)]
struct Judgement {
    values: Vec<TermValue>,
    warnings: Vec<Error>,
}

impl From<Answer> for Allocation {
    fn from(answer: Answer) -> Self {
        Self {
            answer: Arc::new(answer),
            granted: None,
            judgement: None,
            together: None,
        }
    }
}

impl Allocation {
    /// Adds how good it is.
    pub(super) fn with_judgement(self, values: Vec<TermValue>, warnings: Vec<Error>) -> Self {
        let judgement = Judgement { values, warnings };
        Self {
            judgement: Some(Arc::new(judgement)),
            ..self
        }
    }

    /// Returns the values of the terms of the policy, the most important first;
    /// none in the `kubernetes` policy.
    pub fn objective(&self) -> &[TermValue] {
        self.judgement
            .as_ref()
            .map_or(&[], |judgement| &judgement.values)
    }

    /// Returns the errors of devices that could not be had since evaluation failed
    /// on them, and were not compared; none in the `kubernetes` policy.
    pub fn warnings(&self) -> &[Error] {
        self.judgement
            .as_ref()
            .map_or(&[], |judgement| &judgement.warnings)
    }

    /// Makes the answer of a search.
    ///
    /// # Errors
    ///
    /// If the node selectors of the devices of a claim cannot be joined.
    pub(super) fn new(
        problem: &Problem<'_>,
        solution: &Solution,
        (claims, own): (&PreparedClaims, OwnClaims),
        view: &Arc<NodeView>,
        held: &Draft,
    ) -> Result<Self, Error> {
        let mut alternatives = vec![Vec::new(); claims.len()];
        for plan in &solution.plans {
            let plan = &problem.plans[*plan];
            alternatives[plan.claim].push(plan.index);
        }
        let mut picked = PickedList::new();
        let mut shares = Shares::new(claims, held);
        for (place, pick) in solution.picks.iter().enumerate() {
            let plan = &problem.plans[pick.plan];
            picked.push(Picked {
                claim: number(plan.claim),
                request: number(plan.request_of_claim),
                device: number(pick.device),
                admin_access: plan.alternative.admin_access,
            });
            if view.shareable.contains(pick.device) {
                let amounts = plan.amounts.get(&pick.device);
                let amounts = amounts.map_or_else(Arc::default, |list| list.as_slice().into());
                shares.add(place, picked.as_slice(), plan.alternative, view, amounts);
            }
        }
        let answer = Answer {
            alternatives,
            shares: shares.done(),
            ..Answer::of(own, Arc::clone(view), picked)
        };
        for claim in 0..claims.len() {
            answer
                .node_selector(claim)
                .map_err(|error| error.under(&format!("claims[{claim}]")))?;
        }
        Ok(answer.into())
    }

    /// Makes the answer to a usual question, of place of the choice and
    /// device of each pick: devices are held whole, and their node selectors
    /// can be joined.
    pub(super) fn of_shortcut(
        shortcut: &Shortcut,
        picks: &[(usize, usize)],
        (claims, own): (&PreparedClaims, OwnClaims),
        view: &Arc<NodeView>,
    ) -> Self {
        let mut alternatives = Vec::new();
        let picks = picks.iter().map(|(place, device)| {
            let choice = shortcut.choice(*place);
            if choice.alternative != 0 {
                if alternatives.is_empty() {
                    let claims = claims.claims().iter();
                    alternatives.extend(claims.map(|claim| vec![0; claim.requests.len()]));
                }
                alternatives[choice.claim][choice.request] = choice.alternative;
            }
            Picked {
                claim: number(choice.claim),
                request: number(choice.request),
                device: number(*device),
                admin_access: false,
            }
        });
        let picked = PickedList::of(picks);
        let answer = Answer {
            alternatives,
            ..Answer::of(own, Arc::clone(view), picked)
        };
        answer.into()
    }

    /// Makes the answer to claims with one request, of devices in order; they
    /// are held whole, and their node selectors can be joined.
    pub(super) fn of_one_request(
        request: &OneRequest,
        devices: impl Iterator<Item = u32>,
        claims: &PreparedClaims,
        view: Arc<NodeView>,
    ) -> Self {
        let mut picked = PickedList::new();
        for device in devices {
            picked.push(Picked {
                claim: number(request.claim),
                request: number(request.place),
                device,
                admin_access: false,
            });
        }
        Answer::of(OwnClaims::of(claims), view, picked).into()
    }

    /// Makes the answer to a usual question among many devices, as
    /// [`Allocation::of_shortcut`] does; some of them may be shared.
    pub(super) fn of_many(
        question: &ManyQuestion<'_>,
        picks: &[(usize, usize)],
        (claims, own): (&PreparedClaims, OwnClaims),
        view: &Arc<NodeView>,
        held: &Draft,
    ) -> Self {
        let mut picked = PickedList::new();
        let mut shares = Shares::new(claims, held);
        for (place, (request, device)) in picks.iter().enumerate() {
            let amounts = question.amounts(*request, *device);
            let request = question.request(*request);
            picked.push(Picked {
                claim: number(request.claim),
                request: number(request.place),
                device: number(*device),
                admin_access: false,
            });
            if view.is_shareable(*device) {
                let claim = &claims.claims()[request.claim];
                let alternative = &claim.requests[request.place].alternatives[0];
                shares.add(place, picked.as_slice(), alternative, view, amounts);
            }
        }
        let answer = Answer {
            shares: shares.done(),
            ..Answer::of(own, Arc::clone(view), picked)
        };
        answer.into()
    }

    /// Makes the answer to a question of claims that all have something already.
    pub(super) fn granted(
        claims: &PreparedClaims,
        view: &Arc<NodeView>,
        granted: &Granted,
    ) -> Self {
        let own = OwnClaims::of(claims);
        let answer = Answer::of(own, Arc::clone(view), PickedList::new());
        Self::from(answer).beside(granted)
    }

    /// Adds what claims had already.
    pub(super) fn beside(self, granted: &Granted) -> Self {
        let granted = granted.clone();
        Self { granted, ..self }
    }

    /// Returns the same picks on another node that the question cannot tell
    /// from this one. Its node selectors can be joined, as those of this one can.
    pub(super) fn moved_to(
        &self,
        claims: &PreparedClaims,
        view: &Arc<NodeView>,
        held: &Draft,
    ) -> Self {
        let answer = &*self.answer;
        let picked = answer.picked.as_slice();
        let mut shares = Shares::new(claims, held);
        for (place, share) in answer.shares() {
            let Picked { claim, request, .. } = picked[*place];
            let alternative = answer.alternative(claim as usize, request as usize);
            let claim = &answer.compiled.claims[claim as usize];
            let alternative = &claim.requests[request as usize].alternatives[alternative];
            shares.add(
                *place,
                picked,
                alternative,
                view,
                Arc::clone(&share.amounts),
            );
        }
        Self {
            answer: Arc::new(Answer {
                compiled: answer.compiled.clone(),
                view: Arc::clone(view),
                alternatives: answer.alternatives.clone(),
                picked: answer.picked.clone(),
                shares: shares.done(),
            }),
            granted: self.granted.clone(),
            judgement: self.judgement.clone(),
            together: self.together.clone(),
        }
    }

    /// Returns the same picks on another node, or on the same, where nothing
    /// is shared.
    pub(super) fn on(&self, view: &Arc<NodeView>) -> Self {
        let mut moved = self.clone();
        if !Arc::ptr_eq(&moved.answer.view, view) {
            Arc::make_mut(&mut moved.answer).view = Arc::clone(view);
        }
        moved
    }

    /// Returns whether devices are taken in parts.
    pub(super) fn has_shares(&self) -> bool {
        self.answer.shares.is_some()
    }

    /// Returns how Kubernetes' scheduler ranks the alternatives: for each request
    /// with a choice 8, less the place of the one that it gets.
    pub(super) fn rank(&self) -> u64 {
        let answer = &*self.answer;
        let claims = answer.compiled.claims.iter().enumerate();
        let ranks = claims.flat_map(|(claim, prepared)| {
            let requests = prepared.requests.iter().enumerate();
            requests.filter_map(move |(place, request)| {
                let chosen = answer.alternative(claim, place);
                let is_choice = request.alternatives.get(chosen)?.name.is_subrequest();
                is_choice.then(|| 8_u64.saturating_sub(chosen as u64))
            })
        });
        ranks.sum()
    }

    /// Returns the places of the devices that are held by it.
    pub(super) fn taken(&self) -> impl Iterator<Item = usize> + '_ {
        let picked = self.answer.picked.as_slice().iter();
        let held = picked.filter(|picked| !picked.admin_access);
        held.map(|picked| picked.device as usize)
    }

    /// Returns what the node saw.
    pub(super) fn view(&self) -> &NodeView {
        &self.answer.view
    }

    /// Returns the name of the node.
    pub fn node(&self) -> &str {
        &self.answer.view.node.metadata.name
    }

    /// Returns the number of devices that are given newly.
    pub(super) fn len(&self) -> usize {
        self.answer.picked.as_slice().len()
    }

    /// Returns what was found, as the books keep it.
    pub(super) fn dense(&self) -> Arc<dyn DenseAnswer> {
        Arc::clone(&self.answer) as Arc<dyn DenseAnswer>
    }

    /// Returns the form that Kubernetes stores, for each claim in order.
    pub fn results(&self) -> Vec<AllocationResult> {
        (0..self.answer.compiled.claims.len())
            .map(|claim| match self.granted_to(claim) {
                Some(had) => AllocationResult::clone(had),
                None => self.answer.result(claim),
            })
            .collect()
    }

    /// Returns what is held newly by it, with the place of the claim.
    pub(super) fn records(&self) -> impl Iterator<Item = (usize, Record)> + '_ {
        let answer = &*self.answer;
        answer
            .picked_with_shares()
            .filter(|(picked, _)| !picked.admin_access)
            .map(|(picked, share)| {
                let entry = answer.entry(picked);
                let held_as = match share {
                    None => HeldAs::Whole,
                    Some(share) => {
                        let names = entry.device().capacity.keys().cloned();
                        let amounts = share.amounts.iter().map(|one| one.amount().clone());
                        let consumed = names.zip(amounts).collect();
                        HeldAs::Share {
                            id: Some(share.id.clone()),
                            consumed: (!share.amounts.is_empty()).then_some(consumed),
                        }
                    }
                };
                let record = Record {
                    device: entry.key,
                    pool: entry.stored.pool,
                    held_as,
                };
                (picked.claim as usize, record)
            })
    }
}

impl Answer {
    /// Makes an answer of whole devices, each for the first alternative of its request.
    fn of(compiled: OwnClaims, view: Arc<NodeView>, picked: PickedList) -> Self {
        Self {
            compiled,
            view,
            alternatives: Vec::new(),
            picked,
            shares: None,
        }
    }

    fn shares(&self) -> &[(usize, Share)] {
        self.shares.as_deref().unwrap_or_default()
    }

    fn picked_with_shares(&self) -> impl Iterator<Item = (&Picked, Option<&Share>)> {
        let picked = self.picked.as_slice().iter().enumerate();
        let mut shares = self.shares().iter().peekable();
        picked.map(move |(place, picked)| {
            let share = shares.next_if(|(other, _)| *other == place);
            (picked, share.map(|(_, share)| share))
        })
    }

    fn alternative(&self, claim: usize, request: usize) -> usize {
        let of_claim = self.alternatives.get(claim);
        of_claim
            .and_then(|requests| requests.get(request))
            .map_or(0, |alternative| *alternative)
    }

    fn entry(&self, picked: &Picked) -> &DeviceEntry {
        self.view.entry(picked.device as usize)
    }

    fn node_selector(&self, claim: usize) -> Result<Option<NodeSelector>, Error> {
        let picked = self.picked.as_slice().iter();
        let of_claim = picked.filter(|picked| picked.claim as usize == claim);
        let devices = of_claim.map(|picked| self.entry(picked));
        result::node_selector(devices, &self.view.node)
    }

    /// Returns the form that Kubernetes stores for a claim that is given something newly.
    fn form(&self, claim: usize) -> ResultForm<'_> {
        let prepared = &self.compiled.claims[claim];
        let requests = prepared.requests.iter().enumerate();
        let chosen: Vec<&Alternative> = requests
            .map(|(place, request)| &request.alternatives[self.alternative(claim, place)])
            .collect();
        let picked = self.picked_with_shares();
        let picked = picked.filter(|(picked, _)| picked.claim as usize == claim);
        ResultForm {
            devices: result::devices(
                prepared,
                &chosen,
                picked,
                &self.compiled.features,
                &self.view,
            ),
            // It can be made, or this were an error already.
            node_selector: self.node_selector(claim).ok().flatten(),
        }
    }
}

impl DenseAnswer for Answer {
    fn result(&self, claim: usize) -> AllocationResult {
        self.form(claim).into()
    }
}
