//! [`Transaction::explain`]: why claims do not fit on a node.
//!
//! Nothing here knows a rule. Parts of the question are left out, and the rest is
//! asked again, so that an explanation is as true as answers are.

mod asker;
mod at_once;
mod largest_count;
mod members;
mod nodes;
mod reduce;
mod release;
mod remedied;
mod remedies;
mod tainted;
mod weight;

use std::borrow::Cow;
use std::sync::Arc;

use self::asker::Asker;
use self::members::{Found, Members};
use super::call::Call;
use super::{AllocateOptions, Outcome, Transaction, Workspace};
use crate::bitmap::Bitmap;
use crate::claims::PreparedClaims;
use crate::error::Error;
use crate::explain::{
    self, Class, Conflict, ConflictConstraint, ConflictPolicy, Explanation, Holder,
};
use crate::model::Str;
use crate::outcome::Reason;
use crate::solver::{Arithmetic, Problem, measure};
use crate::state::{Draft, Holding};
use crate::store::NodeView;
use crate::topology::Machine;

impl Transaction {
    /// Says why claims do not fit on a node: what becomes of each device, which
    /// requests, constraints and holders conflict, and whether waiting helps.
    ///
    /// Claims that are allocated already have no requests here. The budget is that
    /// of the question; what is asked beyond it takes a bounded number of branches.
    /// The policy does not matter: claims fit under each or under none. If the budget ends
    /// before it is known where the devices are, the explanation is empty.
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::allocate`] that are found before devices are looked
    /// at; what else that fails with is [`Class::BadInput`].
    pub fn explain(
        &self,
        node: &str,
        claims: &PreparedClaims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Explanation, Error> {
        let options = options.for_any_answer(claims);
        let call = self.call(claims, &options, &mut workspace.reduced)?;
        let refused = call.refuses(self.inventory().known_node(node)?);
        let view = self.inventory().view(node)?;
        let machines = &mut workspace.machines;
        let Ok(required) = call.required(view, machines, &mut options.budget.meter()) else {
            // Without places nothing of the devices can be said.
            return Ok(Explanation::default());
        };
        let (verdicts, machine) = (&mut workspace.verdicts, required.as_ref());
        let mut counted = Problem::with_notes(&call.claims, view, &call.held, verdicts, machine);
        let mut explanation = match &counted {
            Ok(problem) => explain::counts(problem),
            Err(_) => Explanation::default(),
        };
        let outcome = match refused {
            Some(reason) => Ok(Outcome::Infeasible(reason)),
            None => Self::answer(view, &call, &options, workspace),
        };
        let mut conflict = None;
        match outcome {
            Err(error) => explanation.class = Some(Class::BadInput { error }),
            Ok(Outcome::Infeasible(reason)) => {
                let question = Why {
                    transaction: self,
                    node,
                    view,
                    claims,
                    call: &call,
                    options: &options,
                    machine,
                };
                question.explain(&reason, &mut explanation, workspace);
                if let Some(refused) = explain::refused(&reason) {
                    explanation.whole = vec![refused];
                    return Ok(explanation);
                }
                let constraints = explanation.conflict.as_ref();
                conflict = constraints.map(|conflict| conflict.constraints.clone());
            }
            Ok(Outcome::Optimal(_) | Outcome::Feasible { .. }) => return Ok(explanation),
            Ok(Outcome::Unknown(_)) => {}
        }
        if let Ok(problem) = &mut counted {
            explanation.whole = explain::whole(problem, conflict.as_deref());
        }
        Ok(explanation)
    }
}

/// Is a question that has no answer.
struct Why<'w> {
    transaction: &'w Transaction,
    node: &'w str,
    view: &'w NodeView,
    claims: &'w PreparedClaims,
    call: &'w Call<'w>,
    options: &'w AllocateOptions<'w>,
    /// Where the devices are, if something is required of that.
    machine: Option<&'w Arc<Machine>>,
}

impl Why<'_> {
    fn explain(&self, reason: &Reason, explanation: &mut Explanation, workspace: &mut Workspace) {
        let empty = self
            .transaction
            .satisfiable(self.node, self.claims, self.options, workspace);
        let is_never = match empty {
            Ok(Outcome::Optimal(_) | Outcome::Feasible { .. }) => Some(false),
            Ok(Outcome::Infeasible(_)) => Some(true),
            Ok(Outcome::Unknown(_)) => None,
            Err(error) => {
                // The claims were refused for what they have; anew they cannot be had.
                explanation.class = Some(Class::BadInput { error });
                None
            }
        };
        let owners = match is_never {
            // Who holds anything has no part in it.
            Some(true) => Vec::new(),
            _ => self.holders(reason),
        };
        let mut asker = Asker::new(self, is_never == Some(true), workspace);
        let mut suspects = owners.clone();
        let is_search = matches!(
            reason,
            Reason::Request { .. } | Reason::Count | Reason::Exhausted
        );
        let conflict = is_search.then(|| {
            let members = Members::new(&self.call.claims, owners.clone());
            reduce::reduce(members, reason, &mut asker)
        });
        if let Some(conflict) = &conflict {
            suspects.clone_from(&conflict.holders);
        }
        let released = match is_never {
            Some(false) => {
                let mut owners = owners;
                weight::sort(&mut suspects, self.transaction, self.view);
                weight::sort(&mut owners, self.transaction, self.view);
                release::find(self.claims, &suspects, &owners, &mut asker)
            }
            _ => Vec::new(),
        };
        let machine = self.machine.map(|machine| &**machine);
        let at_once = conflict
            .as_ref()
            .and_then(|conflict| at_once::count(conflict, machine, &mut asker));
        asker.finish(workspace);
        if let Some(conflict) = conflict {
            let held = if is_never == Some(true) {
                Cow::Owned(Draft::default())
            } else {
                Cow::Borrowed(&*self.call.held)
            };
            let mut arithmetic = self.arithmetic(&conflict, &held, &released, workspace);
            if arithmetic.is_empty() {
                arithmetic.extend(at_once);
            }
            explanation.arithmetic = arithmetic;
            explanation.conflict = Some(Conflict {
                requests: conflict.requests,
                policies: self.policies(&conflict.constraints),
                constraints: conflict
                    .constraints
                    .into_iter()
                    .filter(|one| self.is_own(one))
                    .collect(),
                holders: self.named(conflict.holders),
                irreducible: conflict.irreducible,
            });
        }
        match is_never {
            Some(true) => explanation.class = Some(Class::NeverPossible),
            Some(false) => {
                let holders = self.named(released);
                explanation.class = Some(Class::AfterRelease { holders });
            }
            None => {}
        }
    }

    /// Says whether a member of a conflict is a constraint, and nothing that a policy
    /// requires: those come after them.
    fn is_own(&self, one: &ConflictConstraint) -> bool {
        let claim = self.call.claims.claims().get(one.claim);
        claim.is_some_and(|claim| one.constraint < claim.constraints.len())
    }

    /// Returns what of a conflict policies require.
    fn policies(&self, members: &[ConflictConstraint]) -> Vec<ConflictPolicy> {
        let required = members.iter().filter_map(|one| {
            let claim = self.call.claims.claims().get(one.claim)?;
            let place = one.constraint.checked_sub(claim.constraints.len())?;
            Some(ConflictPolicy {
                claim: one.claim,
                requires: claim.demands().get(place)?.rule.to_string(),
            })
        });
        required.collect()
    }

    /// Measures what a conflict is short of, and what a release makes of it.
    fn arithmetic(
        &self,
        conflict: &Found,
        held: &Draft,
        released: &[Str],
        workspace: &mut Workspace,
    ) -> Vec<Arithmetic> {
        let places = conflict.constraints.iter();
        let places: Vec<_> = places.map(|one| (one.claim, one.constraint)).collect();
        let verdicts = &mut workspace.verdicts;
        let nothing = Bitmap::new(self.view.devices.len());
        // What there is, and which devices can be had; the numbers are of devices of a set if
        // any is short of something.
        let mut measured = |held: &Draft, freed: &Bitmap| {
            let problem =
                Problem::with_notes(&conflict.claims, self.view, held, verdicts, self.machine);
            let Ok(problem) = problem else {
                return (Vec::new(), nothing.clone());
            };
            let mut usable = nothing.clone();
            for plan in &problem.plans {
                usable.unite(&plan.candidates);
            }
            (measure(&problem, &places, freed), usable)
        };
        let then = (!released.is_empty()).then(|| {
            let mut held = held.clone();
            for owner in released {
                held.set(owner, Holding::default(), None);
            }
            measured(&held, &nothing)
        });
        let freed = then.as_ref().map_or(&nothing, |(_, usable)| usable);
        let (mut short, _) = measured(held, freed);
        short.retain(Arithmetic::is_short);
        if let Some((then, _)) = &then {
            for one in &mut short {
                one.compare(then);
            }
        }
        short
    }

    /// Returns who may be in the way, in order.
    fn holders(&self, reason: &Reason) -> Vec<Str> {
        let draft = &self.transaction.draft;
        if let Reason::Amount { .. } = reason {
            return draft.amounts().users(self.node);
        }
        let mut pools: Vec<_> = self.view.pools.iter().map(|pool| pool.key).collect();
        pools.extend(self.view.twins.pools_of(0..self.view.devices.len()));
        pools.sort_unstable();
        let mut owners = self
            .call
            .held
            .holders(|pool| pools.binary_search(&pool).is_ok());
        // What claims have elsewhere is in the way, too.
        let own = self.claims.owners().iter().enumerate();
        let has = |(place, _): &(usize, &Str)| self.call.has_something(*place);
        owners.extend(own.filter(has).map(|(_, owner)| owner.clone()));
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    fn named(&self, owners: Vec<Str>) -> Vec<Holder> {
        let known = &self.transaction.snapshot.owners;
        let holder = |owner: Str| Holder {
            name: known.get(&owner).cloned().flatten(),
            owner,
        };
        owners.into_iter().map(holder).collect()
    }
}
