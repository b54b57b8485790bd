//! [`Call`]: one question, as far as the books answer it.

use std::borrow::Cow;
use std::sync::Arc;

use dralloc_topology::{LARGEST_NICS, LARGEST_TABLE, Watch};
use imbl::OrdMap;

use super::allocation::Granted;
use super::{AllocateOptions, CarriedPolicies, Snapshot, Transaction, books};
use crate::amounts::{self, Asked, Shortage};
use crate::budget::Meter;
use crate::claims::{PreparedClaims, owner_of};
use crate::error::{Code, Error};
use crate::model::{AllocationResult, DeviceHealth, Node, ResourceClaim, Str};
use crate::objective::{Health, Scope, Term};
use crate::outcome::Reason;
use crate::rules;
use crate::solver::{BestGoal, Halt};
use crate::state::{Draft, HeldAs, Holding, MAX_USERS};
use crate::store::NodeView;
use crate::topology::{Machine, Machines, Topologies};

/// Is a question to any node: which claims are to be searched for, which have
/// something already, and what is held.
pub(super) struct Call<'a> {
    /// Those that have something already ask for nothing here.
    pub(super) claims: Cow<'a, PreparedClaims>,
    pub(super) held: Cow<'a, Draft>,
    granted: Granted,
    /// What claims have by their status alone, by their place.
    news: Vec<(usize, Holding)>,
    /// Which amounts of the node are needed.
    asked: Option<Asked<'a>>,
    /// Why no node will do.
    refused: Option<Reason>,
    /// What went wrong with devices.
    pub(super) healths: &'a OrdMap<Str, Arc<DeviceHealth>>,
    /// How devices are linked.
    topologies: &'a Topologies,
    /// Whether what policies and machines require holds.
    requires: bool,
}

/// Keeps the last claims of which some ask for nothing, since what is compiled
/// for them is known by their identity.
#[derive(Debug, Default)]
pub(super) struct Reduced {
    last: Option<(PreparedClaims, Vec<bool>, PreparedClaims)>,
}

impl Reduced {
    fn get(&mut self, claims: &PreparedClaims, has_something: Vec<bool>) -> PreparedClaims {
        if let Some((whole, places, reduced)) = &self.last
            && whole.is_same(claims)
            && *places == has_something
        {
            // Claims of one template are the same but for who asks.
            return reduced.asked_by(claims);
        }
        let reduced = claims.without_requests_of(|place| has_something[place]);
        self.last = Some((claims.clone(), has_something, reduced.clone()));
        reduced
    }
}

impl Call<'_> {
    /// Returns why a node will not do, if that can be told without a search.
    pub(super) fn refuses(&self, node: &Node) -> Option<Reason> {
        if self.refused.is_some() {
            return self.refused.clone();
        }
        let asked = self.asked.as_ref();
        if let Some(short) = asked.and_then(|asked| asked.shortage(node, self.held.amounts())) {
            let Shortage { name, missing } = short;
            return Some(Reason::Amount { name, missing });
        }
        let mut granted = self.granted.iter().flat_map(|granted| granted.iter());
        let is_out_of_reach = |granted: &Option<Arc<AllocationResult>>| {
            let granted = granted.as_ref();
            granted.is_some_and(|granted| !rules::reaches(granted, node))
        };
        let claim = granted.position(is_out_of_reach)?;
        Some(Reason::AllocatedElsewhere { claim })
    }

    /// Returns whether nodes are told apart by the search alone.
    pub(super) fn is_plain(&self) -> bool {
        self.refused.is_none() && self.granted.is_none() && self.asked.is_none()
    }

    pub(super) fn granted(&self) -> &Granted {
        &self.granted
    }

    /// Returns whether a claim is allocated already.
    pub(super) fn has_something(&self, claim: usize) -> bool {
        let granted = self.granted.as_ref();
        granted.is_some_and(|granted| granted.get(claim).is_some_and(Option::is_some))
    }

    /// Returns what claims have already, and what of it nobody knew.
    pub(super) fn into_known(self) -> (Granted, Vec<(usize, Holding)>) {
        (self.granted, self.news)
    }

    /// Returns how the devices of a node are linked, if some term needs that.
    ///
    /// # Errors
    ///
    /// With scope node: [`Code::Unsupported`] where there are more of them, or of NICs, than
    /// terms can count; and if it is stopped.
    pub(super) fn machine(
        &self,
        scopes: &[Scope],
        view: &NodeView,
        machines: &mut Machines,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Arc<Machine>>, Halt> {
        let find = |needs: fn(&Term) -> bool| {
            let mut terms = scopes.iter().flat_map(|scope| &scope.terms);
            terms.find(|term| needs(term))
        };
        if find(Term::needs_topology).is_none() {
            return Ok(None);
        }
        let machine = machines.get(view, self.topologies, meter)?;
        let refused = |term: &Term, counted: String| {
            let message =
                format!("term `{term}` of more than {counted} on a node is not supported");
            let error = Error::new(Code::Unsupported, message).on_node();
            Err(Halt::Error(error))
        };
        if machine.is_beyond_tables()
            && let Some(term) = find(Term::needs_table)
        {
            return refused(term, format!("{LARGEST_TABLE} linked devices"));
        }
        if machine.is_beyond_alignments()
            && let Some(term) = find(Term::needs_alignment)
        {
            return refused(term, format!("{LARGEST_NICS} linked devices or NICs"));
        }
        Ok(Some(machine))
    }

    /// Returns where the devices of a node are, if policies or the machine require
    /// something of that.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(super) fn required<W: Watch>(
        &self,
        view: &NodeView,
        machines: &mut Machines,
        watch: &mut W,
    ) -> Result<Option<Arc<Machine>>, W::Stop> {
        if !self.requires_places() {
            return Ok(None);
        }
        let has_demands = self.claims.compiled().has_demands();
        let machine = machines.get(view, self.topologies, watch)?;
        Ok((has_demands || machine.allowed_sets().is_some()).then_some(machine))
    }

    /// Returns whether what claims carry counts.
    pub(super) fn requires(&self) -> bool {
        self.requires
    }

    /// Returns whether something may be required of nodes that they do not show otherwise.
    pub(super) fn requires_places(&self) -> bool {
        self.requires && (self.claims.compiled().has_demands() || self.topologies.limit_sets())
    }

    /// Returns what makes one answer better than another.
    pub(super) fn goal<'g>(
        &'g self,
        scopes: &'g [Scope],
        machine: Option<&'g Arc<Machine>>,
        options: &AllocateOptions<'_>,
    ) -> BestGoal<'g> {
        let health = Health {
            documents: self.healths,
            now: options.now,
        };
        BestGoal {
            scopes,
            health,
            machine,
        }
    }

    /// Returns whether there is nothing to search for.
    pub(super) fn is_granted(&self) -> bool {
        let granted = self.granted.as_ref();
        granted.is_some_and(|granted| granted.iter().all(Option::is_some))
    }
}

impl Transaction {
    /// Looks up what claims have, and takes them out of the question.
    ///
    /// The books win: only of a claim that they do not know, neither by an event
    /// nor by a transaction, its own status is believed.
    ///
    /// # Errors
    ///
    /// With scope request: [`Code::Invalid`] for claims of other features and
    /// negative amounts, [`Code::NodeSelector`] for a malformed one of an allocation,
    /// [`Code::LimitExceeded`] for too many users, and what is wrong with a claim
    /// that lost its allocation.
    pub(super) fn call<'a>(
        &'a self,
        claims: &'a PreparedClaims,
        options: &AllocateOptions<'a>,
        reduced: &mut Reduced,
    ) -> Result<Call<'a>, Error> {
        if claims.features() != self.snapshot.features() {
            let message = "the claims were prepared under other features, expected the engine's";
            return Err(Error::new(Code::Invalid, message).at("claims"));
        }
        let own = options.user.and_then(|user| self.draft.amounts().of(user));
        let own = own.filter(|_| !options.nothing_held);
        if let Some(amounts) = options.amounts {
            amounts::check(amounts)?;
        }
        let mut call = Call {
            claims: Cow::Borrowed(claims),
            held: if options.nothing_held {
                Cow::Owned(Draft::default())
            } else {
                self.held(options.releasing)
            },
            granted: None,
            news: Vec::new(),
            asked: options
                .amounts
                .map(|amounts| Asked::new(amounts, own.cloned())),
            refused: None,
            healths: &self.snapshot.documents.device_healths,
            topologies: &self.snapshot.documents.graphs,
            requires: options.carried == CarriedPolicies::Used,
        };
        let mut granted: Vec<Option<Arc<AllocationResult>>> = Vec::new();
        for (place, owner) in claims.owners().iter().enumerate() {
            let stored = claims.stored(place);
            let is_believed = |_: &&ResourceClaim| !options.nothing_held;
            let news = stored.filter(is_believed);
            let news = news.and_then(|claim| self.snapshot.news_of(&call.held, claim));
            let known = (!options.nothing_held).then(|| self.draft.holding(owner));
            let known = known.flatten().map(|holding| &**holding);
            let holding = news.as_ref().or(known);
            let grant = holding.and_then(|holding| holding.grant.as_ref());
            let is_releasing = stored
                .is_some_and(|claim| claim.metadata.deletion_timestamp.is_some())
                || holding.is_some_and(|holding| holding.releasing);
            if is_releasing {
                call.refused = Some(Reason::Releasing { claim: place });
                return Ok(call);
            }
            let Some((holding, grant)) = holding.zip(grant) else {
                if let Some(fault) = &claims.claims()[place].fault {
                    return Err(fault.clone());
                }
                continue;
            };
            if let Some(user) = options.user
                && holding.users.len() >= MAX_USERS
                && !holding.users.contains(user)
            {
                call.refused = Some(Reason::FullyReserved { claim: place });
                return Ok(call);
            }
            let result = grant.result();
            rules::check_reach(&result)
                .map_err(|error| error.under(&format!("claims[{place}].status.allocation")))?;
            if granted.is_empty() {
                granted = vec![None; claims.len()];
            }
            granted[place] = Some(result);
            if let Some((holding, claim)) = news.zip(stored) {
                books::check(claim).map_err(|error| error.under(&format!("claims[{place}]")))?;
                let held = call.held.to_mut();
                held.set(owner, holding.clone(), None);
                call.news.push((place, holding));
            }
        }
        if !granted.is_empty() {
            let has_something = granted.iter().map(Option::is_some).collect();
            call.claims = Cow::Owned(reduced.get(claims, has_something));
            call.granted = Some(granted.into());
        }
        if options.carried == CarriedPolicies::Used
            && let Some(error) = &call.claims.compiled().unsupported
        {
            return Err(error.clone());
        }
        Ok(call)
    }
}

impl Snapshot {
    /// Returns what a claim has by its status, if nothing else is known of it.
    pub(crate) fn news_of(&self, held: &Draft, claim: &ResourceClaim) -> Option<Holding> {
        claim.status.allocation.as_ref()?;
        let owner = owner_of(claim);
        if held.holding(&owner).is_some()
            || held.owners().contains_key(&owner)
            || self.owners.contains_key(&owner)
        {
            return None;
        }
        let shares = self.features().consumable_capacity;
        let mut holding = books::holding_of(claim.clone(), shares, &self.catalog);
        leave_out_held(&mut holding, held);
        Some(holding)
    }
}

/// Leaves out what is held already: hosts with books of their own list what
/// claims have without an owner.
fn leave_out_held(holding: &mut Holding, held: &Draft) {
    holding.records.retain(|record| {
        let device = held.device(record.device);
        !device.is_some_and(|device| match &record.held_as {
            HeldAs::Whole => device.is_whole(),
            HeldAs::Share { id, .. } => {
                let mut known = device.share_ids();
                id.as_ref().is_some_and(|id| known.any(|known| known == id))
            }
        })
    });
}
