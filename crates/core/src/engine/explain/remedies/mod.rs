//! [`Transaction::remedies`]: small changes that make claims fit.
//!
//! What might help is read off the devices that are refused; it is a remedy only if
//! the engine says that the claims fit with it.

mod amounts;
mod literals;
mod names;
mod published;
mod rules;
mod tolerations;
mod trial;

use self::trial::Trial;
use super::asker::Asker;
use super::largest_count::is_monotone;
use super::weight;
use crate::claims::{Alternative, PreparedClaims};
use crate::engine::{AllocateOptions, Transaction, Workspace};
use crate::error::Error;
use crate::explain::{Class, Explanation, Remedy, SelectorPlace};
use crate::model::Str;
use crate::solver::{Check, Plan, Problem};
use crate::store::NodeView;

/// So many releases are tried beside the smallest.
const MAX_OTHER_RELEASES: usize = 32;

impl Transaction {
    /// Returns changes with which claims fit on a node, each enough by itself: a name that
    /// devices publish in the place of one that none of them has, a release, a guard in a
    /// selector, a lower count or amount, one constraint or one requirement less, a pool with
    /// all its slices, an attribute that devices publish, one selector less, tolerations; in
    /// that order, and nothing if the claims fit.
    ///
    /// Of releases the smallest comes first, as [`Class::AfterRelease`] says it; then others
    /// of one holder each. Each change was tried, as [`Transaction::remedied`] makes it so. It
    /// is no complete list: what takes two changes of different kinds is not found, and the
    /// effort is bounded.
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::explain`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
    /// use dralloc::{AllocateOptions, Change, Engine, Features, Outcome, Workspace};
    ///
    /// let mut engine = Engine::new(Features::all());
    /// let class: DeviceClass = serde_json::from_str(r#"{"metadata": {"name": "gpu"}}"#)?;
    /// let slice: ResourceSlice = serde_json::from_str(
    ///     r#"{"metadata": {"name": "s"},
    ///         "spec": {"driver": "gpu.example.com", "nodeName": "node-1",
    ///                  "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 1},
    ///                  "devices": [{"name": "gpu-0"}, {"name": "gpu-1",
    ///                      "taints": [{"key": "lost", "effect": "NoSchedule"}]}]}}"#,
    /// )?;
    /// engine.apply(Change::Node(Node::new("node-1", [])))?;
    /// engine.apply(Change::DeviceClass(class))?;
    /// engine.apply(Change::ResourceSlice(slice))?;
    /// let claim: ResourceClaim = serde_json::from_str(
    ///     r#"{"metadata": {"namespace": "default", "name": "two"},
    ///         "spec": {"devices": {"requests": [{"name": "gpu", "exactly":
    ///             {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 2}}]}}}"#,
    /// )?;
    ///
    /// let snapshot = engine.snapshot();
    /// let claims = snapshot.prepare(&[claim])?;
    /// let (options, mut workspace) = (AllocateOptions::new(), Workspace::new());
    /// let mut transaction = snapshot.transaction();
    /// let remedies = transaction.remedies("node-1", &claims, &options, &mut workspace)?;
    /// let texts: Vec<String> = remedies.iter().map(ToString::to_string).collect();
    /// assert_eq!(texts, [
    ///     "ask for 1 device instead of 2 in request `gpu`",
    ///     "tolerate the taint `lost:NoSchedule` in request `gpu`",
    /// ]);
    ///
    /// let claims = transaction.remedied(&claims, &remedies[0])?;
    /// let outcome = transaction.allocate("node-1", &claims, &options, &mut workspace)?;
    /// assert!(matches!(outcome, Outcome::Optimal(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remedies(
        &self,
        node: &str,
        claims: &PreparedClaims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Vec<Remedy>, Error> {
        self.tried(
            node,
            claims,
            options,
            workspace,
            |explanation, question, trial| {
                let Some(question) = question else {
                    release(explanation, trial);
                    return;
                };
                question.names(trial);
                release(explanation, trial);
                self.other_releases(explanation, question.view, trial);
                question.tolerations(trial);
                if matches!(explanation.class, Some(Class::BadInput { .. })) {
                    for guard in question.guards() {
                        trial.add(guard);
                    }
                }
                question.counts(trial);
                question.capacities(trial);
                question.constraints(trial);
                question.policies(trial);
                question.pools(self.inventory(), trial);
                question.attributes(trial);
                question.selectors(trial);
            },
        )
    }

    /// Tries each other single holder of a conflict where one is enough.
    fn other_releases(&self, explanation: &Explanation, view: &NodeView, trial: &mut Trial<'_>) {
        let (Some(Class::AfterRelease { holders }), Some(conflict)) =
            (&explanation.class, &explanation.conflict)
        else {
            return;
        };
        let [first] = holders.as_slice() else {
            return;
        };
        let others = conflict.holders.iter().filter(|holder| *holder != first);
        let mut owners: Vec<Str> = others.map(|holder| holder.owner.clone()).collect();
        weight::sort(&mut owners, self, view);
        for owner in owners.into_iter().take(MAX_OTHER_RELEASES) {
            let mut known = conflict.holders.iter();
            let holder = known.find(|holder| holder.owner == owner);
            let holders = holder.cloned().into_iter().collect();
            trial.add(Remedy::Release { holders });
        }
    }

    /// Returns the guards in selectors, and names that devices publish in the place of those
    /// that selectors read, with which nothing fails on a node any more, whether
    /// the claims fit on it then or not: an error on one node ends the attempt on all.
    ///
    /// Each was tried, as [`Transaction::remedied`] makes it so. There are none where nothing
    /// fails.
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::explain`].
    pub fn guards(
        &self,
        node: &str,
        claims: &PreparedClaims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Vec<Remedy>, Error> {
        self.tried(
            node,
            claims,
            options,
            workspace,
            |explanation, question, trial| {
                if let (Some(Class::BadInput { .. }), Some(question)) =
                    (&explanation.class, question)
                {
                    let names = question.names_in_selectors().into_iter();
                    for change in names.chain(question.guards()) {
                        trial.add_without_failure(change);
                    }
                }
            },
        )
    }

    /// Tries changes where claims do not fit; there is no question where the claims cannot
    /// be looked at with notes.
    fn tried(
        &self,
        node: &str,
        claims: &PreparedClaims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
        tries: impl FnOnce(&Explanation, Option<&Question<'_>>, &mut Trial<'_>),
    ) -> Result<Vec<Remedy>, Error> {
        let explanation = self.explain(node, claims, options, workspace)?;
        if explanation.class.is_none() && explanation.whole.is_empty() {
            return Ok(Vec::new());
        }
        let options = options.for_any_answer(claims);
        let call = self.call(claims, &options, &mut workspace.reduced)?;
        let view = self.inventory().view(node)?;
        let machines = &mut workspace.machines;
        let Ok(required) = call.required(view, machines, &mut options.budget.meter()) else {
            return Ok(Vec::new());
        };
        let (verdicts, machine) = (&mut workspace.verdicts, required.as_ref());
        let problem = Problem::with_notes(&call.claims, view, &call.held, verdicts, machine);
        let devices = view.devices.len();
        let asker = Asker::on(self, node, devices, options, workspace);
        let mut trial = Trial::new(claims, asker);
        let question = problem.as_ref().ok().map(|problem| Question {
            claims,
            view,
            problem,
            is_monotone: is_monotone(&call.claims, machine.map(|machine| &**machine)),
        });
        tries(&explanation, question.as_ref(), &mut trial);
        Ok(trial.finish(workspace))
    }
}

/// Tries what an explanation says already.
fn release(explanation: &Explanation, trial: &mut Trial<'_>) {
    if let Some(Class::AfterRelease { holders }) = &explanation.class
        && !holders.is_empty()
    {
        let holders = holders.clone();
        trial.add(Remedy::Release { holders });
    }
}

/// Is a question that has no answer.
struct Question<'q> {
    claims: &'q PreparedClaims,
    view: &'q NodeView,
    /// With notes why devices are refused.
    problem: &'q Problem<'q>,
    /// Whether fewer devices are never harder to have.
    is_monotone: bool,
}

impl Question<'_> {
    /// Returns the alternatives as they are asked for, with their claims.
    fn alternatives(&self) -> impl Iterator<Item = (usize, &Alternative)> {
        let plans = self.problem.plans.iter();
        plans.map(|plan| (plan.claim, plan.alternative))
    }
}

/// Returns the devices that a check refuses.
pub(super) fn refused<'p>(plan: &'p Plan<'_>, check: Check) -> impl Iterator<Item = usize> + 'p {
    let refused = plan.refused.iter().enumerate();
    let refused = refused.filter(move |(_, refused)| **refused == Some(check));
    refused.map(|(device, _)| device)
}

/// Says where the selector of an alternative is written.
fn selector_place(claim: usize, alternative: &Alternative, place: usize) -> SelectorPlace {
    match place.checked_sub(alternative.class.spec.selectors.len()) {
        Some(selector) => SelectorPlace::Request {
            claim,
            request: alternative.name.in_results().into_owned(),
            selector,
        },
        None => SelectorPlace::Class {
            class: alternative.class.metadata.name.clone(),
            selector: place,
        },
    }
}
