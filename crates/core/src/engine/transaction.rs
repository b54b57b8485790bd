//! [`Transaction`]: a private what-if on a snapshot.

use std::borrow::Cow;
use std::sync::Arc;

use super::allocation::Granted;
use super::call::Call;
use super::{AllocateOptions, Allocation, Outcome, Releasing, Snapshot, Workspace};
use crate::claims::{PreparedClaims, owner_of};
use crate::error::{Code, Error};
use crate::model::{AllocationResult, ResourceClaim, Str};
use crate::state::{Basis, Draft, DraftMark, Grant, Holding, MAX_USERS, Record, Sight, records_of};
use crate::store::{Inventory, NodeView};

/// Tries things on a [`Snapshot`] that nobody else sees before they are committed.
///
/// # Examples
///
/// ```
/// use dralloc::{Engine, Features};
///
/// let mut engine = Engine::new(Features::all());
/// let mut transaction = engine.snapshot().transaction();
/// let start = transaction.savepoint();
/// // allocate, hold, release …
/// transaction.rollback(&start)?;
/// transaction.commit(&mut engine)?;
/// # Ok::<(), dralloc::Error>(())
/// ```
#[derive(Debug)]
pub struct Transaction {
    /// Tells the transaction from others, its clones included.
    identity: Arc<()>,
    pub(super) snapshot: Snapshot,
    pub(crate) draft: Draft,
}

/// Is a point in a transaction to go back to.
#[derive(Clone, Debug)]
pub struct Savepoint {
    transaction: Arc<()>,
    mark: DraftMark,
}

/// The clone is a transaction of its own: savepoints of one are none of the other.
impl Clone for Transaction {
    fn clone(&self) -> Self {
        Self {
            identity: Arc::default(),
            snapshot: self.snapshot.clone(),
            draft: self.draft.clone(),
        }
    }
}

impl Transaction {
    pub(super) fn new(snapshot: Snapshot) -> Self {
        let draft = Draft::over(Arc::clone(&snapshot.state), Arc::clone(&snapshot.amounts));
        Self {
            identity: Arc::default(),
            snapshot,
            draft,
        }
    }

    /// Returns the snapshot that it started from.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Returns the nodes and slices, hypothetical ones among them.
    pub(crate) fn inventory(&self) -> &Arc<Inventory> {
        self.draft.inventory().unwrap_or(&self.snapshot.inventory)
    }

    /// Allocates claims together on a node; what they get is held from then on.
    ///
    /// A claim that is allocated already gets what it has, word for word, if
    /// that can be used on the node, and is no part of the search; the others
    /// are found beside it. What a claim has is known from events, commits and
    /// this transaction. Only of a claim that none of them told of, its own
    /// status is believed, and held from then on.
    ///
    /// Plain amounts of the node that are asked for beside the claims are held
    /// for the user of the claims.
    ///
    /// # Errors
    ///
    /// With scope node, so that another node may do: [`Code::NotFound`] (the
    /// node), and [`Code::Pool`] where nothing fits and a pool is invalid. With
    /// scope request: [`Code::Invalid`] (claims of other features, negative amounts,
    /// amounts for nobody), [`Code::LimitExceeded`], [`Code::NodeSelector`],
    /// [`Code::Pool`] (all devices are asked for and a pool is not complete), what is
    /// wrong with a claim that lost its allocation, and what fails on a device that
    /// the search comes to before the answer.
    pub fn allocate(
        &mut self,
        node: &str,
        claims: &PreparedClaims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Outcome, Error> {
        let taken = options.taken()?;
        let call = self.call(claims, options, &mut workspace.reduced)?;
        let outcome = self.answer_on(node, &call, options, workspace)?;
        let Some(allocation) = outcome.allocation() else {
            return Ok(outcome);
        };
        let is_granted = call.is_granted();
        let (granted, news) = call.into_known();
        self.keep(claims, &granted, news);
        if let Some((owner, amounts)) = taken {
            self.use_amounts(node, owner, amounts, true);
        }
        if is_granted {
            return Ok(outcome);
        }
        let answer = allocation.dense();
        if let [owner] = claims.owners() {
            let mut records = Vec::with_capacity(allocation.len());
            records.extend(allocation.records().map(|(_, record)| record));
            let owner = workspace.own.owner(owner);
            self.give(&owner, records, Grant::Dense(answer, 0), allocation);
            return Ok(outcome);
        }
        let mut records: Vec<Vec<Record>> = vec![Vec::new(); claims.len()];
        for (claim, record) in allocation.records() {
            records[claim].push(record);
        }
        for (place, (owner, records)) in claims.owners().iter().zip(records).enumerate() {
            if !allocation.is_granted(place) {
                let grant = Grant::Dense(Arc::clone(&answer), place);
                self.give(owner, records, grant, allocation);
            }
        }
        Ok(outcome)
    }

    /// Makes an owner have what an answer gave it.
    fn give(&mut self, owner: &Str, records: Vec<Record>, grant: Grant, answer: &Allocation) {
        let view = answer.view();
        let sight = Sight {
            node: view.node.metadata.name.clone(),
            revision: view.revision,
            twins: view.twins.pools_of(answer.taken()),
        };
        let holding = Holding {
            records,
            grant: Some(grant),
            ..Holding::default()
        };
        self.draft.set(owner, holding, Some(Basis::Chosen(sight)));
    }

    /// Notes that the transaction depends on what claims have already.
    fn keep(&mut self, claims: &PreparedClaims, granted: &Granted, news: Vec<(usize, Holding)>) {
        let places = granted
            .iter()
            .flat_map(|granted| granted.iter().enumerate());
        for (place, _) in places.filter(|(_, granted)| granted.is_some()) {
            let owner = &claims.owners()[place];
            if !self.draft.owners().contains_key(owner)
                && let Some(holding) = self.draft.holding(owner)
            {
                let holding = Holding::clone(holding);
                self.draft.set(owner, holding, None);
            }
        }
        for (place, holding) in news {
            // What a host holds in books of its own is its business.
            if !holding.records.is_empty() {
                self.draft
                    .set(&claims.owners()[place], holding, Some(Basis::Status));
            }
        }
    }

    /// Answers like [`Transaction::allocate`], and holds nothing.
    ///
    /// It is there for measurements of the search alone.
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::allocate`].
    #[doc(hidden)]
    pub fn consider(
        &self,
        node: &str,
        claims: &PreparedClaims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Outcome, Error> {
        let call = self.call(claims, options, &mut workspace.reduced)?;
        self.answer_on(node, &call, options, workspace)
    }

    pub(super) fn answer_on(
        &self,
        node: &str,
        call: &Call<'_>,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Outcome, Error> {
        if !call.is_plain()
            && let Some(reason) = call.refuses(self.inventory().known_node(node)?)
        {
            return Ok(Outcome::Infeasible(reason));
        }
        let view = self.inventory().view(node)?;
        Self::answer(view, call, options, workspace)
    }

    /// Returns what is held as a question sees it.
    pub(super) fn held(&self, releasing: Releasing) -> Cow<'_, Draft> {
        let owners = match releasing {
            Releasing::Taken => Vec::new(),
            Releasing::Free => self.draft.releasing(),
        };
        if owners.is_empty() {
            return Cow::Borrowed(&self.draft);
        }
        let mut held = self.draft.clone();
        for owner in owners {
            held.set(&owner, Holding::default(), None);
        }
        Cow::Owned(held)
    }

    /// Answers on a node that is not refused.
    pub(super) fn answer(
        view: &Arc<NodeView>,
        call: &Call<'_>,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Outcome, Error> {
        if call.is_granted() {
            let allocation = Allocation::granted(&call.claims, view, call.granted());
            return Ok(Outcome::Optimal(allocation));
        }
        let scopes = options.scopes(&call.claims);
        let mut meter = options.budget.meter();
        let required = match call.required(view, &mut workspace.machines, &mut meter) {
            Ok(required) => required,
            Err(cause) => return Ok(Outcome::Unknown(cause)),
        };
        let held = (&*call.held, required.as_ref());
        let mut known = required.clone();
        let outcome = if scopes.is_empty() {
            workspace.solve(&call.claims, view, held, options)?
        } else {
            let machine = call.machine(&scopes, view, &mut workspace.machines, &mut meter);
            let machine = match machine {
                Ok(machine) => machine,
                Err(halt) => return Ok(Outcome::Unknown(halt.cause()?)),
            };
            known = known.or_else(|| machine.clone());
            let goal = call.goal(&scopes, machine.as_ref(), options);
            workspace.solve_best(&call.claims, view, held, goal, options)?
        };
        let mut beside = |allocation: Allocation| {
            let allocation = allocation.beside(call.granted());
            match known.as_ref().filter(|_| call.requires()) {
                Some(machine) => allocation.placed(machine, &mut meter),
                None => allocation,
            }
        };
        Ok(match outcome {
            Outcome::Optimal(allocation) => Outcome::Optimal(beside(allocation)),
            Outcome::Feasible { allocation, gap } => Outcome::Feasible {
                allocation: beside(allocation),
                gap,
            },
            outcome => outcome,
        })
    }

    /// Holds exactly what an allocation says, for a claim.
    ///
    /// Whether others hold the same is not asked, nor whether the devices are
    /// published: an exact apply repeats what was decided elsewhere.
    pub fn hold(&mut self, claim: &ResourceClaim, allocation: &AllocationResult) {
        let shares = self.snapshot.features().consumable_capacity;
        let holding = Holding {
            records: records_of(allocation, shares, &self.snapshot.catalog),
            grant: Some(Grant::Written(Arc::new(allocation.clone()))),
            ..Holding::default()
        };
        self.draft.set(&owner_of(claim), holding, None);
    }

    /// Gives back what a claim holds, whoever uses it; returns whether it held anything.
    pub fn release(&mut self, claim: &ResourceClaim) -> bool {
        let owner = owner_of(claim);
        let held = self.draft.holding(&owner);
        let held = held.is_some_and(|held| !held.is_empty());
        if held {
            self.draft.set(&owner, Holding::default(), None);
        }
        held
    }

    /// Reserves a claim for one more user, by uid; returns whether that is new.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`] if the claim holds nothing, [`Code::LimitExceeded`] if
    /// it has 256 users.
    pub fn reserve(&mut self, claim: &ResourceClaim, user: &str) -> Result<bool, Error> {
        let owner = owner_of(claim);
        let held = self.draft.holding(&owner).filter(|held| !held.is_empty());
        let Some(held) = held else {
            let message = format!("claim `{owner}` holds nothing, expected one with devices");
            return Err(Error::new(Code::NotFound, message));
        };
        if held.users.contains(user) {
            return Ok(false);
        }
        if held.users.len() >= MAX_USERS {
            let message = format!("claim `{owner}` has {MAX_USERS} users, expected fewer");
            return Err(Error::new(Code::LimitExceeded, message));
        }
        let mut holding = Holding::clone(held);
        holding.users.insert(user.into());
        self.change(&owner, holding);
        Ok(true)
    }

    /// Ends the use of a claim by a user; with the last one the claim gives back
    /// what it holds. Returns whether it did.
    pub fn unreserve(&mut self, claim: &ResourceClaim, user: &str) -> bool {
        let owner = owner_of(claim);
        let held = self.draft.holding(&owner);
        let Some(held) = held.filter(|held| held.users.contains(user)) else {
            return false;
        };
        let mut holding = Holding::clone(held);
        holding.users.remove(user);
        let is_last = holding.users.is_empty();
        if is_last {
            holding = Holding::default();
        }
        self.change(&owner, holding);
        is_last
    }

    /// Marks what a claim holds as on its way out, or takes that back; returns
    /// whether it holds anything.
    ///
    /// The devices stay taken, but for calls that ask for [`Releasing::Free`].
    pub fn mark_releasing(&mut self, claim: &ResourceClaim, releasing: bool) -> bool {
        let owner = owner_of(claim);
        let held = self.draft.holding(&owner);
        let Some(held) = held.filter(|held| !held.is_empty()) else {
            return false;
        };
        if held.releasing != releasing {
            let mut holding = Holding::clone(held);
            holding.releasing = releasing;
            self.change(&owner, holding);
        }
        true
    }

    /// Changes what an owner has, but not why it has that.
    fn change(&mut self, owner: &Str, holding: Holding) {
        let drafted = self.draft.owners().get(owner);
        let basis = drafted.and_then(|drafted| drafted.basis.clone());
        self.draft.set(owner, holding, basis);
    }

    /// Returns a point to go back to; it stays one after going back to it.
    pub fn savepoint(&self) -> Savepoint {
        Savepoint {
            transaction: Arc::clone(&self.identity),
            mark: self.draft.mark(),
        }
    }

    /// Takes back everything since a savepoint, in time proportional to it.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`] if the savepoint is of another transaction, or was
    /// itself taken back; nothing is changed then.
    pub fn rollback(&mut self, savepoint: &Savepoint) -> Result<(), Error> {
        let own = Arc::ptr_eq(&self.identity, &savepoint.transaction);
        if own && self.draft.undo(savepoint.mark) {
            return Ok(());
        }
        let message = "the savepoint is gone, expected one of this transaction";
        Err(Error::new(Code::NotFound, message))
    }
}
