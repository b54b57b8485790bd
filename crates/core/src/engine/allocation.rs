//! [`Allocation`]: an answer as dense ids.

use std::sync::Arc;

use super::result;
use super::share_id::share_id;
use crate::claims::{Alternative, PreparedClaims};
use crate::error::Error;
use crate::model::{AllocationResult, DeviceId, NodeSelector, Quantity, Str};
use crate::solver::{Problem, Solution};
use crate::state::{Draft, HeldAs, Record};
use crate::store::NodeView;

/// Says which devices claims got on a node.
///
/// The form that Kubernetes stores is made when it is asked for.
#[derive(Clone, Debug)]
pub struct Allocation {
    claims: PreparedClaims,
    view: Arc<NodeView>,
    /// Which alternative each request got, by claim.
    alternatives: Vec<Vec<usize>>,
    picked: Vec<Picked>,
    node_selectors: Vec<Option<NodeSelector>>,
}

/// Is one device for one request.
#[derive(Clone, Debug)]
pub(super) struct Picked {
    pub(super) claim: usize,
    pub(super) request: usize,
    /// Place of the device in the view.
    pub(super) device: usize,
    pub(super) admin_access: bool,
    pub(super) share: Option<Str>,
    /// What is taken of the capacities of a shared device, in their order.
    pub(super) amounts: Vec<Quantity>,
}

/// Is one device that a claim got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllocatedDevice {
    /// Place of the claim in the question.
    pub claim: usize,
    /// Place of the request in the claim.
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
        let mut picked: Vec<Picked> = Vec::with_capacity(solution.picks.len());
        for pick in &solution.picks {
            let plan = &problem.plans[pick.plan];
            let entry = &view.devices[pick.device];
            let shared = view.shareable.contains(pick.device);
            let share = shared.then(|| {
                let owner = &claims.claims()[plan.claim].owner;
                let request = plan.alternative.name.to_string();
                share_id(owner, &request, &entry.id(), |id| {
                    held.device(entry.key)
                        .is_some_and(|held| held.has_share(id))
                        || picked.iter().any(|other| {
                            other.device == pick.device && other.share.as_deref() == Some(id)
                        })
                })
            });
            picked.push(Picked {
                claim: plan.claim,
                request: plan.request_of_claim,
                device: pick.device,
                admin_access: plan.alternative.admin_access,
                share,
                amounts: plan.amounts.get(&pick.device).cloned().unwrap_or_default(),
            });
        }
        let node_selectors = node_selectors(&picked, claims.len(), view)?;
        let (claims, view) = (claims.clone(), Arc::clone(view));
        Ok(Self {
            claims,
            view,
            alternatives,
            picked,
            node_selectors,
        })
    }

    /// Returns the same picks on another node that the question cannot tell from this one.
    pub(super) fn moved_to(&self, view: &Arc<NodeView>, held: &Draft) -> Result<Self, Error> {
        let mut picked: Vec<Picked> = Vec::with_capacity(self.picked.len());
        for one in &self.picked {
            let entry = &view.devices[one.device];
            let share = one.share.as_ref().map(|_| {
                let claim = &self.claims.claims()[one.claim];
                let alternative = self.alternatives[one.claim][one.request];
                let request = &claim.requests[one.request].alternatives[alternative].name;
                share_id(&claim.owner, &request.to_string(), &entry.id(), |id| {
                    held.device(entry.key)
                        .is_some_and(|held| held.has_share(id))
                        || picked.iter().any(|other| {
                            other.device == one.device && other.share.as_deref() == Some(id)
                        })
                })
            });
            picked.push(Picked {
                share,
                ..one.clone()
            });
        }
        Ok(Self {
            claims: self.claims.clone(),
            view: Arc::clone(view),
            alternatives: self.alternatives.clone(),
            node_selectors: node_selectors(&picked, self.claims.len(), view)?,
            picked,
        })
    }

    /// Returns how Kubernetes' scheduler ranks the alternatives: for each request
    /// with a choice 8, less the place of the one that it gets.
    pub(super) fn rank(&self) -> u64 {
        let claims = self.claims.claims().iter().zip(&self.alternatives);
        let requests = claims.flat_map(|(claim, chosen)| claim.requests.iter().zip(chosen));
        let ranks = requests.filter_map(|(request, chosen)| {
            let is_choice = request.alternatives.get(*chosen)?.name.is_subrequest();
            is_choice.then(|| 8_u64.saturating_sub(*chosen as u64))
        });
        ranks.sum()
    }

    /// Returns the places of the devices that are held by it.
    pub(super) fn taken(&self) -> impl Iterator<Item = usize> + '_ {
        let held = self.picked.iter().filter(|picked| !picked.admin_access);
        held.map(|picked| picked.device)
    }

    /// Returns the name of the node.
    pub fn node(&self) -> &str {
        &self.view.node.metadata.name
    }

    /// Returns the devices in the order of the search.
    pub fn devices(&self) -> impl Iterator<Item = AllocatedDevice> + '_ {
        self.picked.iter().map(|picked| AllocatedDevice {
            claim: picked.claim,
            request: picked.request,
            alternative: self.alternatives[picked.claim][picked.request],
            device: self.view.devices[picked.device].id(),
        })
    }

    /// Returns the form that Kubernetes stores, for each claim in order.
    pub fn results(&self) -> Vec<AllocationResult> {
        let results = (0..self.claims.len()).map(|claim| {
            let prepared = &self.claims.claims()[claim];
            let requests = prepared.requests.iter().zip(&self.alternatives[claim]);
            let chosen: Vec<&Alternative> = requests
                .map(|(request, index)| &request.alternatives[*index])
                .collect();
            let picked = self.picked.iter().filter(|picked| picked.claim == claim);
            AllocationResult {
                devices: result::devices(prepared, &chosen, picked, &self.claims, &self.view),
                node_selector: self.node_selectors[claim].clone(),
                allocation_timestamp: None,
            }
        });
        results.collect()
    }

    /// Returns what is held by it, with the place of the claim.
    pub(super) fn records(&self) -> impl Iterator<Item = (usize, Record)> + '_ {
        self.picked
            .iter()
            .filter(|picked| !picked.admin_access)
            .map(|picked| {
                let entry = &self.view.devices[picked.device];
                let names = entry.device().capacity.keys();
                let consumed = names.zip(&picked.amounts);
                let consumed = consumed
                    .map(|(name, amount)| (name.clone(), amount.amount().clone()))
                    .collect();
                let held_as = match &picked.share {
                    None => HeldAs::Whole,
                    Some(id) => HeldAs::Share {
                        id: Some(id.clone()),
                        consumed: (!picked.amounts.is_empty()).then_some(consumed),
                    },
                };
                let record = Record {
                    device: entry.key,
                    pool: entry.stored.pool,
                    held_as,
                };
                (picked.claim, record)
            })
    }
}

fn node_selectors(
    picked: &[Picked],
    claims: usize,
    view: &NodeView,
) -> Result<Vec<Option<NodeSelector>>, Error> {
    let selector = |claim| {
        let of_claim = picked.iter().filter(|picked| picked.claim == claim);
        let devices = of_claim.map(|picked| &view.devices[picked.device]);
        result::node_selector(devices, &view.node)
            .map_err(|error| error.under(&format!("claims[{claim}]")))
    };
    (0..claims).map(selector).collect()
}
