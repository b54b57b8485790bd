//! [`Allocation`]: an answer as dense ids.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::granted::Granted;
use super::result;
use super::share_id::share_id;
use crate::claims::{Alternative, Compiled, PreparedClaims};
use crate::error::Error;
use crate::model::{AllocationResult, DeviceId, NodeSelector, Quantity, Str};
use crate::number::number;
use crate::solver::{ManyQuestion, Problem, Shortcut, Solution};
use crate::state::{Draft, Found, HeldAs, Record};
use crate::store::{DeviceEntry, NodeView};

/// Says which devices claims got on a node.
///
/// The form that Kubernetes stores is made when it is asked for.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// What was asked for.
    pub(super) compiled: Arc<Compiled>,
    view: Arc<NodeView>,
    /// Which alternative each request got, by claim; none if each got its first.
    alternatives: Vec<Vec<usize>>,
    picked: PickedList,
    /// What is taken of shared devices, by the place of the pick.
    shares: BTreeMap<usize, Share>,
    /// What claims had already, by their place.
    pub(super) granted: Granted,
}

/// Is one device for one request.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Picked {
    pub(super) claim: u32,
    pub(super) request: u32,
    /// Place of the device in the view.
    pub(super) device: u32,
    pub(super) admin_access: bool,
}

/// Is what is taken of a device that several share.
#[derive(Clone, Debug)]
pub(super) struct Share {
    pub(super) id: Str,
    /// By capacity, in their order.
    pub(super) amounts: Vec<Quantity>,
}

/// Collects the shares of an answer.
struct Shares<'a> {
    claims: &'a PreparedClaims,
    held: &'a Draft,
    list: BTreeMap<usize, Share>,
}

impl<'a> Shares<'a> {
    fn new(claims: &'a PreparedClaims, held: &'a Draft) -> Self {
        Self {
            claims,
            held,
            list: BTreeMap::new(),
        }
    }

    /// Adds the share of a pick, with an id that no other share of its device has.
    fn add(
        &mut self,
        place: usize,
        picked: &[Picked],
        alternative: &Alternative,
        view: &NodeView,
        amounts: Vec<Quantity>,
    ) {
        let Picked { claim, device, .. } = picked[place];
        let entry = view.entry(device as usize);
        let held = self.held.device(entry.key);
        let is_outstanding = |id: &str| {
            let mut others = self.list.iter();
            held.is_some_and(|held| held.has_share(id))
                || others.any(|(other, share)| picked[*other].device == device && *share.id == *id)
        };
        let owner = &self.claims.owners()[claim as usize];
        let request = alternative.name.to_string();
        let id = share_id(owner, &request, &entry.id(), is_outstanding);
        self.list.insert(place, Share { id, amounts });
    }
}

/// Holds as many picks as most answers have without a heap.
#[derive(Clone, Debug)]
enum PickedList {
    Few(u8, [Picked; FEW]),
    Many(Vec<Picked>),
}

const FEW: usize = 8;

impl PickedList {
    fn new() -> Self {
        Self::Few(0, [Picked::default(); FEW])
    }

    fn of(picks: impl ExactSizeIterator<Item = Picked>) -> Self {
        match u8::try_from(picks.len()) {
            Ok(length) if usize::from(length) <= FEW => {
                let mut list = [Picked::default(); FEW];
                for (slot, picked) in list.iter_mut().zip(picks) {
                    *slot = picked;
                }
                Self::Few(length, list)
            }
            _ => Self::Many(picks.collect()),
        }
    }

    fn push(&mut self, picked: Picked) {
        match self {
            Self::Many(list) => list.push(picked),
            Self::Few(length, list) => {
                if let Some(slot) = list.get_mut(usize::from(*length)) {
                    *slot = picked;
                    *length += 1;
                } else {
                    let mut list = list.to_vec();
                    list.push(picked);
                    *self = Self::Many(list);
                }
            }
        }
    }

    fn as_slice(&self) -> &[Picked] {
        match self {
            Self::Few(length, list) => &list[..usize::from(*length)],
            Self::Many(list) => list,
        }
    }
}

/// Is one device that a claim got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllocatedDevice {
    /// Place of the claim in the question.
    pub claim: usize,
    /// Place of the request in the claim; the number of requests for a device
    /// that it had already by a request that it does not have.
    pub request: usize,
    /// Place of the alternative in the request, 0 for one without a choice.
    pub alternative: usize,
    /// The device.
    pub device: DeviceId,
}

impl Allocation {
    pub(super) fn new(
        problem: &Problem<'_>,
        solution: &Solution,
        claims: &PreparedClaims,
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
                let amounts = plan.amounts.get(&pick.device).cloned().unwrap_or_default();
                shares.add(place, picked.as_slice(), plan.alternative, view, amounts);
            }
        }
        let allocation = Self {
            compiled: Arc::clone(claims.compiled()),
            view: Arc::clone(view),
            alternatives,
            picked,
            shares: shares.list,
            granted: None,
        };
        for claim in 0..claims.len() {
            allocation
                .node_selector(claim)
                .map_err(|error| error.under(&format!("claims[{claim}]")))?;
        }
        Ok(allocation)
    }

    /// Makes the answer to a usual question, of place of the choice and
    /// device of each pick: devices are held whole, and their node selectors
    /// can be joined.
    pub(super) fn of_shortcut(
        shortcut: &Shortcut,
        picks: &[(usize, usize)],
        claims: &PreparedClaims,
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
        Self {
            compiled: Arc::clone(claims.compiled()),
            view: Arc::clone(view),
            alternatives,
            picked,
            shares: BTreeMap::new(),
            granted: None,
        }
    }

    /// Makes the answer to a usual question among many devices, as
    /// [`Allocation::of_shortcut`] does; some of them may be shared.
    pub(super) fn of_many(
        question: &ManyQuestion<'_>,
        picks: &[(usize, usize)],
        claims: &PreparedClaims,
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
                shares.add(
                    place,
                    picked.as_slice(),
                    alternative,
                    view,
                    amounts.to_vec(),
                );
            }
        }
        Self {
            compiled: Arc::clone(claims.compiled()),
            view: Arc::clone(view),
            alternatives: Vec::new(),
            picked,
            shares: shares.list,
            granted: None,
        }
    }

    /// Makes the answer to a question of claims that all have something already.
    pub(super) fn granted(
        claims: &PreparedClaims,
        view: &Arc<NodeView>,
        granted: &Granted,
    ) -> Self {
        Self {
            compiled: Arc::clone(claims.compiled()),
            view: Arc::clone(view),
            alternatives: Vec::new(),
            picked: PickedList::new(),
            shares: BTreeMap::new(),
            granted: granted.clone(),
        }
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
        let picked = self.picked.as_slice();
        let mut shares = Shares::new(claims, held);
        for (place, share) in &self.shares {
            let Picked { claim, request, .. } = picked[*place];
            let alternative = self.alternative(claim as usize, request as usize);
            let claim = &self.compiled.claims[claim as usize];
            let alternative = &claim.requests[request as usize].alternatives[alternative];
            shares.add(*place, picked, alternative, view, share.amounts.clone());
        }
        Self {
            compiled: Arc::clone(&self.compiled),
            view: Arc::clone(view),
            alternatives: self.alternatives.clone(),
            picked: self.picked.clone(),
            shares: shares.list,
            granted: self.granted.clone(),
        }
    }

    /// Returns how Kubernetes' scheduler ranks the alternatives: for each request
    /// with a choice 8, less the place of the one that it gets.
    pub(super) fn rank(&self) -> u64 {
        let claims = self.compiled.claims.iter().enumerate();
        let ranks = claims.flat_map(|(claim, prepared)| {
            let requests = prepared.requests.iter().enumerate();
            requests.filter_map(move |(place, request)| {
                let chosen = self.alternative(claim, place);
                let is_choice = request.alternatives.get(chosen)?.name.is_subrequest();
                is_choice.then(|| 8_u64.saturating_sub(chosen as u64))
            })
        });
        ranks.sum()
    }

    /// Returns the places of the devices that are held by it.
    pub(super) fn taken(&self) -> impl Iterator<Item = usize> + '_ {
        let picked = self.picked.as_slice().iter();
        let held = picked.filter(|picked| !picked.admin_access);
        held.map(|picked| picked.device as usize)
    }

    /// Returns what the node saw.
    pub(super) fn view(&self) -> &NodeView {
        &self.view
    }

    /// Returns the name of the node.
    pub fn node(&self) -> &str {
        &self.view.node.metadata.name
    }

    /// Returns the number of devices that are given newly.
    pub(super) fn len(&self) -> usize {
        self.picked.as_slice().len()
    }

    /// Returns the devices in the order of the search, those that claims had
    /// already among them.
    pub fn devices(&self) -> impl Iterator<Item = AllocatedDevice> + '_ {
        (0..self.compiled.claims.len()).flat_map(move |claim| {
            let had = self.granted_to(claim).into_iter();
            let had = had.flat_map(|result| &result.devices.results);
            let had = had.map(move |result| self.had(claim, result));
            let picked = self.picked.as_slice().iter();
            let picked = picked.filter(move |picked| picked.claim as usize == claim);
            had.chain(picked.map(move |picked| {
                let request = picked.request as usize;
                AllocatedDevice {
                    claim,
                    request,
                    alternative: self.alternative(claim, request),
                    device: self.entry(picked).id(),
                }
            }))
        })
    }

    /// Returns the form that Kubernetes stores, for each claim in order.
    pub fn results(&self) -> Vec<AllocationResult> {
        (0..self.compiled.claims.len())
            .map(|claim| match self.granted_to(claim) {
                Some(had) => AllocationResult::clone(had),
                None => self.result(claim),
            })
            .collect()
    }

    /// Returns what is held newly by it, with the place of the claim.
    pub(super) fn records(&self) -> impl Iterator<Item = (usize, Record)> + '_ {
        self.picked_with_shares()
            .filter(|(picked, _)| !picked.admin_access)
            .map(|(picked, share)| {
                let entry = self.entry(picked);
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

    fn picked_with_shares(&self) -> impl Iterator<Item = (&Picked, Option<&Share>)> {
        let picked = self.picked.as_slice().iter().enumerate();
        picked.map(|(place, picked)| (picked, self.shares.get(&place)))
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
}

impl Found for Allocation {
    fn result(&self, claim: usize) -> AllocationResult {
        let prepared = &self.compiled.claims[claim];
        let requests = prepared.requests.iter().enumerate();
        let chosen: Vec<&Alternative> = requests
            .map(|(place, request)| &request.alternatives[self.alternative(claim, place)])
            .collect();
        let picked = self.picked_with_shares();
        let picked = picked.filter(|(picked, _)| picked.claim as usize == claim);
        AllocationResult {
            devices: result::devices(
                prepared,
                &chosen,
                picked,
                &self.compiled.features,
                &self.view,
            ),
            // It can be made, or this were an error already.
            node_selector: self.node_selector(claim).ok().flatten(),
            allocation_timestamp: None,
        }
    }
}
