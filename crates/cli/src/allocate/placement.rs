//! [`Placement`]: finds a node and devices for one piece of work after the other.

use std::collections::{BTreeMap, BTreeSet};

use dralloc::model::{Pod, ResourceClaimConsumerReference, Str};
use dralloc::{
    AllocateOptions, Budget, Engine, Error, Features, Outcome, Policy, Scope, Workspace,
};

use super::reasons::Reasons;
use super::together;
use crate::cluster::nodes;
use crate::cluster::question::{Asked, Question, is_user};
use crate::cluster::queue::{Subject, Work};
use crate::cluster::{Cluster, ObjectName};
use crate::judgement::Judgement;
use crate::reasons::{Reason, Tally};
use crate::style;

/// Says what became of one piece of work.
#[derive(Debug)]
pub(super) enum Verdict {
    /// All claims have devices.
    Placed(Found),
    /// Why not, one reason a line.
    Failed(Vec<String>),
}

/// Says where devices were found.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) node: Str,
    /// How good the answer is, if that was asked for.
    pub(super) judgement: Option<Judgement>,
    /// What the devices of policies have in common, a policy a line.
    pub(super) together: Vec<String>,
}

impl Found {
    /// Returns a node of which nothing else is known.
    fn on(node: &Str) -> Self {
        Self {
            node: node.clone(),
            judgement: None,
            together: Vec::new(),
        }
    }
}

/// Is what is wanted of answers.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// Absent: what claims and classes carry counts.
    pub(super) policy: Option<Policy>,
    /// Seconds since 1970.
    pub(super) now: Option<i64>,
    /// Branches of the search on a node.
    pub(super) branches: u64,
}

/// Places work; what was placed stays placed.
#[derive(Debug)]
pub(super) struct Placement {
    pub(super) cluster: Cluster,
    /// Whether it is only asked what would fit if nothing were held.
    pub(super) nothing_held: bool,
    engine: Engine,
    features: Features,
    wanted: Wanted,
    workspace: Workspace,
    /// Nodes that cannot satisfy a question, by the text of the question.
    /// Devices are only ever taken, so that a node that is too full stays so.
    too_full: BTreeMap<String, BTreeSet<Str>>,
    reasons: Reasons,
}

impl Wanted {
    fn options(&self) -> AllocateOptions<'_> {
        let options = AllocateOptions::new().budget(Budget::new().branches(self.branches));
        let options = match &self.policy {
            Some(policy) => options.policy(policy),
            None => options,
        };
        match self.now {
            Some(now) => options.now(now),
            None => options,
        }
    }
}

impl Placement {
    /// Returns a placement in a cluster, the engine of which knows all but what waits.
    pub(super) fn new(
        cluster: Cluster,
        engine: Engine,
        features: Features,
        wanted: Wanted,
    ) -> Self {
        Self {
            cluster,
            nothing_held: false,
            engine,
            features,
            wanted,
            workspace: Workspace::new(),
            too_full: BTreeMap::new(),
            reasons: Reasons::default(),
        }
    }

    /// Places a pod or claim on the first node that fits.
    pub(super) fn place(&mut self, work: &Work) -> Verdict {
        let result = match &work.claims {
            Ok(claims) => self.place_claims(&work.subject, claims),
            Err(reason) => Err(vec![reason.clone()]),
        };
        // A claim that is named above its reasons need not be named in them.
        let without_name = |reason: String| match &work.subject {
            Subject::Claim(name) => {
                let prefix = format!("claim `{}`: ", name.name);
                reason
                    .strip_prefix(&prefix)
                    .map(str::to_owned)
                    .unwrap_or(reason)
            }
            Subject::Pod(_) => reason,
        };
        match result {
            Ok(found) => Verdict::Placed(found),
            Err(reasons) => Verdict::Failed(reasons.into_iter().map(without_name).collect()),
        }
    }

    fn place_claims(
        &mut self,
        subject: &Subject,
        names: &[ObjectName],
    ) -> Result<Found, Vec<String>> {
        let pod = match subject {
            Subject::Pod(name) => self.cluster.pod(name).cloned(),
            Subject::Claim(_) => None,
        };
        let asked = Asked {
            names,
            pod: pod.as_ref(),
            anew: self.nothing_held,
        };
        let question = Question::of(&self.cluster, &asked, &self.features);
        let question = question.map_err(|reason| vec![reason])?;
        let found = self.first_node(pod.as_ref(), &question)?;
        if let (Some(pod), false) = (&pod, self.nothing_held) {
            self.reserve(names, pod);
        }
        Ok(found)
    }

    /// Takes devices on the first node where all claims fit.
    fn first_node(&mut self, pod: Option<&Pod>, question: &Question) -> Result<Found, Vec<String>> {
        let request = |error: &Error| vec![question.describe(error)];
        let snapshot = self.engine.snapshot();
        let prepared = snapshot
            .prepare(&question.claims)
            .map_err(|error| request(&error))?;
        let options = self.wanted.options();
        let too_full = self.too_full.entry(question.key.clone()).or_default();
        let mut tally = Tally::default();
        let mut infeasible = Vec::new();
        for node in self.cluster.nodes.values().map(|given| &given.object) {
            let name = &node.metadata.name;
            if let Some(reason) = nodes::ruled_out(node, pod, &question.selectors) {
                tally.add(name, Reason::plain(reason.as_str()));
                continue;
            }
            if question.claims.is_empty() {
                return Ok(Found::on(name));
            }
            if too_full.contains(name) {
                infeasible.push(name.clone());
                continue;
            }
            let mut transaction = snapshot.transaction();
            let workspace = &mut self.workspace;
            let outcome = if self.nothing_held {
                transaction.satisfiable(name, &prepared, &options, workspace)
            } else {
                transaction.allocate(name, &prepared, &options, workspace)
            };
            let outcome = match outcome {
                Ok(Outcome::Optimal(allocation)) => Ok(Ok((allocation, None))),
                Ok(Outcome::Feasible { allocation, gap }) => Ok(Ok((allocation, Some(gap)))),
                Ok(other) => Ok(Err(other)),
                Err(error) => Err(error),
            };
            match outcome {
                Ok(Ok(_)) if self.nothing_held => return Ok(Found::on(name)),
                Ok(Ok((allocation, gap))) => {
                    for warning in allocation.warnings() {
                        let warning = question.describe(warning);
                        style::warn(&format!("not compared with others: {warning}"));
                    }
                    let found = Found {
                        node: name.clone(),
                        judgement: Judgement::of(&allocation, gap),
                        together: together::describe(question, &allocation),
                    };
                    let results = allocation.results();
                    drop(snapshot);
                    transaction
                        .commit(&mut self.engine)
                        .map_err(|error| request(&error))?;
                    for (claim, result) in question.names.iter().zip(results) {
                        if let Some(given) = self.cluster.claims.get_mut(claim) {
                            given.object.status.allocation = Some(result);
                        }
                    }
                    return Ok(found);
                }
                Ok(Err(Outcome::Unknown(cause))) => {
                    let text = format!("not known, the search ended early: {}", cause.as_str());
                    tally.add(name, Reason::plain(&text));
                }
                Ok(Err(_)) => {
                    too_full.insert(name.clone());
                    infeasible.push(name.clone());
                }
                Err(error) if error.scope() == Scope::Node => {
                    tally.add(name, Reason::plain(&question.describe(&error)));
                }
                Err(error) => return Err(request(&error)),
            }
        }
        for node in &infeasible {
            let workspace = &mut self.workspace;
            let reason = self
                .reasons
                .explain(question, node, &snapshot, &prepared, &options, workspace);
            tally.add(node, reason);
        }
        Err(tally.lines())
    }

    /// Enters a pod as a user of its claims.
    fn reserve(&mut self, names: &[ObjectName], pod: &Pod) {
        for name in names {
            let Some(given) = self.cluster.claims.get_mut(name) else {
                continue;
            };
            let users = &mut given.object.status.reserved_for;
            if !users.iter().any(|user| is_user(user, pod)) {
                users.push(ResourceClaimConsumerReference {
                    api_group: Str::default(),
                    resource: "pods".into(),
                    name: pod.metadata.name.clone(),
                    uid: pod.metadata.uid.clone().unwrap_or_default(),
                });
            }
        }
    }
}
