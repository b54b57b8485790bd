//! [`Placement`]: finds a node and devices for one piece of work after the other.

use std::collections::{BTreeMap, BTreeSet};

use dralloc::model::{Amounts, Pod, ResourceClaimConsumerReference, Str};
use dralloc::{
    Allocation, Budget, Engine, Features, Gap, Outcome, Scope, Snapshot, Transaction, Workspace,
};

use super::numbers::Numbers;
use super::reasons::Reasons;
use super::tally::Tally;
use super::together;
use crate::cluster::extended::Extended;
use crate::cluster::gated::Gated;
use crate::cluster::nodes;
use crate::cluster::question::{Asked, Question, is_user};
use crate::cluster::questions::{Posed, Questions};
use crate::cluster::queue::{Subject, Work};
use crate::cluster::{Cluster, Given, ObjectName};
use crate::judgement::Judgement;
use crate::policy::Wanted;
use crate::reasons::Reason;
use crate::style;

/// Says what became of one piece of work.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// All claims have devices.
    Placed(Found),
    /// Why not, one reason a line.
    Failed(Vec<String>),
}

/// Says where devices were found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(super) node: Str,
    /// How good the answer is, if that was asked for.
    pub(super) judgement: Option<Judgement>,
    /// What the devices of policies have in common, a policy a line.
    pub(super) together: Vec<String>,
    /// Extended resources that the node's device plugins serve.
    pub(super) amounts: Amounts,
}

impl Found {
    /// Returns a node of which nothing else is known.
    fn on(node: &Str) -> Self {
        Self {
            node: node.clone(),
            judgement: None,
            together: Vec::new(),
            amounts: Amounts::new(),
        }
    }
}

/// Places work; what was placed stays placed.
#[derive(Debug)]
pub(crate) struct Placement {
    pub(super) cluster: Cluster,
    /// Whether it is only asked what would fit if nothing were held.
    nothing_held: bool,
    /// Whether it is told why something fits on no node.
    pub(crate) says_why: bool,
    engine: Engine,
    features: Features,
    wanted: Wanted,
    /// Branches of the search on a node.
    branches: u64,
    workspace: Workspace,
    numbers: Numbers,
    /// Nodes that cannot satisfy a question, by the number of the question.
    /// Devices are only ever taken, so that a node that is too full stays so.
    too_full: BTreeMap<usize, BTreeSet<Str>>,
    reasons: Reasons,
    gated: Gated,
}

impl Placement {
    /// Returns a placement in a cluster, the engine of which knows all but what waits.
    pub(crate) fn new(
        cluster: Cluster,
        engine: Engine,
        features: Features,
        wanted: Wanted,
        branches: u64,
        nothing_held: bool,
    ) -> Self {
        Self {
            cluster,
            nothing_held,
            says_why: true,
            engine,
            features,
            wanted,
            branches,
            workspace: Workspace::new(),
            numbers: Numbers::default(),
            too_full: BTreeMap::new(),
            reasons: Reasons::default(),
            gated: Gated::new(features, nothing_held),
        }
    }

    /// Places a pod or claim on the first node that fits.
    ///
    /// The claim that is made for extended resources of a pod becomes one of its claims.
    pub(crate) fn place(&mut self, work: &mut Work) -> Verdict {
        let result = match &mut work.claims {
            Ok(claims) => self.place_claims(&work.subject, claims, work.extended.as_ref()),
            Err(reason) => Err(vec![reason.clone()]),
        };
        let told = |reason: &String| work.subject.not_named_again(reason).to_owned();
        match result {
            Ok(found) => Verdict::Placed(found),
            Err(reasons) => {
                let mut reasons: Vec<String> = reasons.iter().map(told).collect();
                if self.says_why {
                    let snapshot = self.engine.snapshot();
                    let gates = self.gated.ask(&self.cluster, &snapshot, work);
                    reasons.extend(gates.map(|gates| gates.to_string()));
                }
                Verdict::Failed(reasons)
            }
        }
    }

    fn place_claims(
        &mut self,
        subject: &Subject,
        names: &mut Vec<ObjectName>,
        extended: Option<&Extended>,
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
        let snapshot = self.engine.snapshot();
        let mut questions =
            Questions::new(question, extended, &snapshot).map_err(|reason| vec![reason])?;
        let found = self.first_node(pod.as_ref(), &mut questions, snapshot)?;
        let is_made = |extended: &&Extended| self.cluster.claims.contains_key(&extended.claim);
        let made = extended.filter(is_made);
        names.extend(made.map(|extended| extended.claim.clone()));
        if let (Some(pod), false) = (&pod, self.nothing_held) {
            self.reserve(names, pod);
        }
        Ok(found)
    }

    /// Takes devices on the first node where all claims fit.
    fn first_node(
        &mut self,
        pod: Option<&Pod>,
        questions: &mut Questions<'_>,
        snapshot: Snapshot,
    ) -> Result<Found, Vec<String>> {
        let options = self.wanted.options(Budget::new().branches(self.branches));
        let user = pod.map(|pod| ObjectName::of(&pod.metadata).to_string());
        let mut tally = Tally::default();
        let mut infeasible = Vec::new();
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        for node in self.cluster.nodes.values().map(|given| &given.object) {
            let name = &node.metadata.name;
            if let Some(reason) = nodes::ruled_out(node, pod, questions.selectors()) {
                tally.add(name, Reason::plain(reason.as_str()));
                continue;
            }
            let posed = questions
                .on(node, &snapshot)
                .map_err(|reason| vec![reason])?;
            let question = &posed.question;
            if question.claims.is_empty() && question.amounts.is_empty() {
                return Ok(Found::on(name));
            }
            let number = numbers.entry(posed.place);
            let number = *number.or_insert_with(|| self.numbers.of(&question.key));
            let too_full = self.too_full.get(&number);
            if too_full.is_some_and(|nodes| nodes.contains(name)) {
                infeasible.push((node, number));
                continue;
            }
            let options = match &user {
                Some(user) => options.user(user).amounts(&question.amounts),
                None => options,
            };
            let mut transaction = snapshot.transaction();
            let workspace = &mut self.workspace;
            let outcome = if self.nothing_held {
                transaction.satisfiable(name, &posed.prepared, &options, workspace)
            } else {
                transaction.allocate(name, &posed.prepared, &options, workspace)
            };
            let (allocation, gap) = match outcome {
                Ok(Outcome::Optimal(allocation)) => (allocation, None),
                Ok(Outcome::Feasible { allocation, gap }) => (allocation, Some(gap)),
                Ok(Outcome::Unknown(cause)) => {
                    let text = format!("not known, the search ended early: {}", cause.as_str());
                    tally.add(name, Reason::plain(&text));
                    continue;
                }
                Ok(Outcome::Infeasible(dralloc::Reason::Amount {
                    name: amount,
                    missing,
                })) => {
                    let features = snapshot.features();
                    let reason = Reason::shortage(question, node, &amount, &missing, features);
                    tally.add(name, reason);
                    continue;
                }
                Ok(_) => {
                    let too_full = self.too_full.entry(number).or_default();
                    too_full.insert(name.clone());
                    infeasible.push((node, number));
                    continue;
                }
                Err(error) if error.scope() == Scope::Node => {
                    tally.add(name, Reason::fault(question, &error));
                    continue;
                }
                Err(error) => return Err(vec![question.describe(&error)]),
            };
            if self.nothing_held {
                return Ok(Found::on(name));
            }
            let name = name.clone();
            drop(snapshot);
            return self.take(name, pod, posed, transaction, &allocation, gap);
        }
        if !self.says_why {
            infeasible.clear();
        }
        for (node, number) in infeasible {
            let posed = questions
                .on(node, &snapshot)
                .map_err(|reason| vec![reason])?;
            let Posed {
                question, prepared, ..
            } = posed;
            let (name, workspace) = (&node.metadata.name, &mut self.workspace);
            let place = (number, name);
            let reason = self
                .reasons
                .explain(place, question, &snapshot, prepared, &options, workspace);
            tally.add(name, reason);
        }
        Err(tally.lines())
    }

    /// Takes what was found.
    fn take(
        &mut self,
        node: Str,
        pod: Option<&Pod>,
        posed: &Posed,
        transaction: Transaction,
        allocation: &Allocation,
        gap: Option<Gap>,
    ) -> Result<Found, Vec<String>> {
        let question = &posed.question;
        for warning in allocation.warnings() {
            let warning = question.describe(warning);
            style::warn(&format!("not compared with others: {warning}"));
        }
        let found = Found {
            node,
            judgement: Judgement::of(allocation, gap),
            together: together::describe(question, allocation),
            amounts: question.amounts.clone(),
        };
        let results = allocation.results();
        transaction
            .commit(&mut self.engine)
            .map_err(|error| vec![question.describe(&error)])?;
        if let (Some((claim, status)), Some(pod)) = (&posed.special, pod) {
            let pod = ObjectName::of(&pod.metadata);
            if let Some(given) = self.cluster.pods.get_mut(&pod) {
                given.object.status.extended_resource_claim_status = Some(status.clone());
            }
            let name = ObjectName::of(&claim.metadata);
            let given = Given {
                place: 0,
                origin: None,
                object: claim.clone(),
            };
            self.cluster.claims.insert(name, given);
        }
        for (claim, result) in question.names.iter().zip(results) {
            if let Some(given) = self.cluster.claims.get_mut(claim) {
                given.object.status.allocation = Some(result);
            }
        }
        let user = pod.map(|pod| ObjectName::of(&pod.metadata).to_string());
        let claims = question.names.iter();
        let claims = claims.filter_map(|name| self.cluster.claim(name));
        self.gated
            .take(&found.node, user.as_deref(), &found.amounts, claims);
        Ok(found)
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
