//! [`Explainer`]: finds out about one pod or claim after the other.

use std::collections::{BTreeMap, BTreeSet};

use dralloc::model::{AllocationResult, DeviceId, Pod};
use dralloc::{Features, Snapshot, Workspace};

use super::asks;
use super::found::{ClaimName, Devices, Found, Given, Group, Named, Pick, Verdict};
use super::given;
use super::groups::Groups;
use super::parts::Parts;
use super::suggestion;
use super::survey::{Poll, Rooms, Survey};
use crate::cluster::gated::Gated;
use crate::cluster::pods::Users;
use crate::cluster::question::{Asked, Question};
use crate::cluster::queue::{Subject, Work};
use crate::cluster::{Cluster, ObjectName, extended, pods};
use crate::policy::Wanted;
use crate::words;

/// Is what those have in common that are told together.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Same {
    /// What they ask for.
    question: String,
    /// Which nodes they may use.
    nodes: String,
    /// Claims of theirs that have devices.
    has: Vec<ClaimName>,
}

/// Finds out about pods and claims; nothing of it changes what others get.
pub(super) struct Explainer<'c> {
    pub(super) cluster: &'c Cluster,
    pub(super) snapshot: Snapshot,
    pub(super) wanted: Wanted,
    /// Seconds that a question may take.
    pub(super) patience: u64,
    pub(super) workspace: Workspace,
    /// On which node pools are.
    pub(super) homes: given::Homes,
    pub(super) features: Features,
    gated: Gated,
    found: Vec<Found>,
    /// What was asked before, and the place of what was found.
    asked: BTreeMap<Same, usize>,
    /// Of claims that have devices, as many pods may share them.
    given: BTreeMap<ObjectName, Given>,
    /// Devices that somebody has and nobody publishes, once it was asked for them.
    unpublished: Option<BTreeSet<DeviceId>>,
    /// Who uses which claim, once it was asked for.
    users: Option<Users>,
}

impl<'c> Explainer<'c> {
    pub(super) fn new(
        cluster: &'c Cluster,
        snapshot: Snapshot,
        features: Features,
        homes: given::Homes,
        wanted: Wanted,
        patience: u64,
    ) -> Self {
        Self {
            cluster,
            snapshot,
            wanted,
            patience,
            workspace: Workspace::new(),
            homes,
            features,
            gated: Gated::new(features, false),
            found: Vec::new(),
            asked: BTreeMap::new(),
            given: BTreeMap::new(),
            unpublished: None,
            users: None,
        }
    }

    /// Returns what was found out, in order.
    pub(super) fn into_found(self) -> Vec<Found> {
        self.found
    }

    /// Finds out about a pod or a claim; those that ask for the same are told together.
    pub(super) fn explain(&mut self, work: &Work) {
        let mut found = Found {
            subject: Named::of(&work.subject),
            others: Vec::new(),
            verdict: Verdict::Idle,
            message: String::new(),
            claims: Vec::new(),
            asks: Vec::new(),
            constraints: Vec::new(),
            nodes: None,
            groups: Vec::new(),
            remedies: Vec::new(),
            gates_off: None,
            would_get: None,
            has: Vec::new(),
        };
        if let Some(same) = self.fill(&mut found, work) {
            if let Some(same) = self.found.get_mut(same) {
                same.others.push(found.subject);
            }
        } else {
            note_gone(&mut found);
            if !found.verdict.is_good() {
                found.gates_off = self.gated.ask(self.cluster, &self.snapshot, work);
            }
            self.found.push(found);
        }
    }

    /// Writes down what is found out; or returns the place of the same.
    fn fill(&mut self, found: &mut Found, work: &Work) -> Option<usize> {
        let names = match &work.claims {
            Ok(names) => names,
            Err(reason) => {
                refuse(found, work, reason);
                return None;
            }
        };
        found.claims = names.iter().map(Into::into).collect();
        found.has = self.given(names);
        let pod = match &work.subject {
            Subject::Pod(name) => self.cluster.pod(name),
            Subject::Claim(_) => None,
        };
        if let Some(why) = idle(pod) {
            found.message = why;
            if !found.has.is_empty() {
                found.verdict = Verdict::Allocated;
            }
            return None;
        }
        if pod.is_none() && !names.is_empty() && found.has.len() == names.len() {
            found.verdict = Verdict::Allocated;
            "it has devices".clone_into(&mut found.message);
            return None;
        }
        let asked = Asked {
            names,
            pod,
            anew: false,
        };
        match Question::of(self.cluster, &asked, &self.features) {
            Ok(question) => self.ask(found, work, pod, &question),
            Err(reason) => {
                refuse(found, work, &reason);
                None
            }
        }
    }

    fn ask(
        &mut self,
        found: &mut Found,
        work: &Work,
        pod: Option<&Pod>,
        question: &Question,
    ) -> Option<usize> {
        if work.extended.is_none() {
            let same = Same {
                question: question.key.clone(),
                nodes: Rooms::key(pod, question),
                has: found.has.iter().map(|given| given.claim.clone()).collect(),
            };
            if let Some(same) = self.asked.get(&same) {
                return Some(*same);
            }
            self.asked.insert(same, self.found.len());
        }
        let rooms = Rooms::of(self.cluster, pod, question);
        let Parts { asked, short } = match &work.extended {
            Some(extended) => Parts::of(self, extended, work, question, rooms),
            None => Parts {
                asked: vec![(question.clone(), rooms)],
                short: Groups::default(),
            },
        };
        let (mut groups, mut remedies) = (short, Vec::new());
        let mut verdict = Verdict::RuledOut;
        for (question, rooms) in &asked {
            for text in asks::requests(question) {
                if !found.asks.contains(&text) {
                    found.asks.push(text);
                }
            }
            for text in asks::constraints(question) {
                if !found.constraints.contains(&text) {
                    found.constraints.push(text);
                }
            }
            let poll = Poll {
                cluster: self.cluster,
                snapshot: &self.snapshot,
                wanted: &self.wanted,
                patience: self.patience,
            };
            let survey = Survey::take(question, rooms, poll, &mut self.workspace);
            let survey = match survey {
                Ok(survey) => survey,
                Err(error) => {
                    refuse(found, work, &question.describe(&error));
                    found.would_get = None;
                    return None;
                }
            };
            groups.add_survey(question, &survey, rooms);
            let suggestions = suggestion::of(question, &survey, pod);
            if survey.is_ended_by_error() {
                // What helps elsewhere only does not.
                remedies = match verdict {
                    Verdict::BadInput => Vec::new(),
                    _ => suggestions,
                };
                verdict = Verdict::BadInput;
            } else if verdict != Verdict::BadInput {
                remedies.extend(suggestions);
            }
            if let (None, Some((node, devices))) = (&found.would_get, &survey.would_get)
                && !question.claims.is_empty()
            {
                let picks = devices.iter().map(|one| pick(question, one));
                found.would_get = Some(Devices {
                    node: node.clone(),
                    devices: picks.collect(),
                });
            }
        }
        found.nodes = Some(self.cluster.nodes.len());
        found.groups = groups.finish();
        found.verdict = overall(verdict, &found.groups);
        // Where a device plugin serves the pod it needs nothing else.
        if found.verdict != Verdict::Fits {
            found.remedies = suggestion::merged(remedies);
            found.would_get = None;
        }
        found.message = message(found, self.cluster);
        None
    }

    /// Returns which devices of an allocation are not published any more.
    pub(super) fn gone(&mut self, allocation: &AllocationResult) -> Vec<String> {
        if self.cluster.has_no_slices {
            return Vec::new();
        }
        let snapshot = &self.snapshot;
        let unpublished = self.unpublished.get_or_insert_with(|| {
            let stock = snapshot.stock();
            let devices = stock.unpublished().iter();
            devices.map(|(device, _)| device.clone()).collect()
        });
        let results = allocation.devices.results.iter();
        let devices = results.map(|result| {
            let (driver, pool) = (result.driver.clone(), result.pool.clone());
            DeviceId::new(driver, pool, result.device.clone())
        });
        let gone = devices.filter(|device| unpublished.contains(device));
        gone.map(|device| device.to_string()).collect()
    }

    /// Returns the pods that use a claim.
    pub(super) fn users(&mut self, claim: &ObjectName) -> Vec<ObjectName> {
        let cluster = self.cluster;
        let users = self.users.get_or_insert_with(|| pods::users(cluster));
        let users = users.get(claim).into_iter().flatten();
        users.cloned().collect()
    }

    /// Explains the claims that have devices.
    fn given(&mut self, names: &[ObjectName]) -> Vec<Given> {
        let mut found = Vec::new();
        for name in names {
            if let Some(claim) = self.cluster.claim(name)
                && let Some(allocation) = &claim.status.allocation
            {
                if !self.given.contains_key(name) {
                    let given = given::explain(self, name, claim, allocation);
                    self.given.insert(name.clone(), given);
                }
                found.extend(self.given.get(name).cloned());
            }
        }
        found
    }
}

/// Notes that something is wrong whatever the devices are.
fn refuse(found: &mut Found, work: &Work, reason: &str) {
    found.verdict = Verdict::BadInput;
    work.subject
        .not_named_again(reason)
        .clone_into(&mut found.message);
}

/// Says so where a claim has devices that are not published any more: it may look as if
/// nothing were missing.
fn note_gone(found: &mut Found) {
    let gone = found.has.iter().filter(|given| !given.gone.is_empty());
    let names: Vec<String> = gone
        .map(|given| format!("`{}`", given.claim.name))
        .collect();
    if names.is_empty() || !matches!(found.verdict, Verdict::Allocated | Verdict::Fits) {
        return;
    }
    let (what, has, device, is) = match names.as_slice() {
        [_] => ("claim", "has", "a device", "is"),
        _ => ("claims", "have", "devices", "are"),
    };
    let names = words::few(&names);
    found.message = match found.subject.kind {
        "pod" => format!("{what} {names} {has} {device} that {is} not published any more"),
        _ => "it has devices that are not published any more".to_owned(),
    };
    found.verdict = Verdict::DeviceGone;
    (found.nodes, found.would_get) = (None, None);
    found.groups.clear();
}

/// Says why a pod does not wait, if it does not.
fn idle(pod: Option<&Pod>) -> Option<String> {
    let pod = pod?;
    let phase = &*pod.status.phase;
    if !pods::is_pending(pod) {
        let node = &pod.spec.node_name;
        return Some(match phase {
            _ if pod.metadata.deletion_timestamp.is_some() => "it is being deleted".to_owned(),
            "Succeeded" | "Failed" => "it is done".to_owned(),
            _ => format!("it runs on {node}"),
        });
    }
    let asks = !pod.spec.resource_claims.is_empty() || extended::asks(pod);
    (!asks).then(|| "it asks for no devices".to_owned())
}

/// Returns what it comes to over all nodes: the most that can be hoped for, but that an
/// error of a claim ends the attempt on all of them.
fn overall(verdict: Verdict, groups: &[Group]) -> Verdict {
    if verdict == Verdict::BadInput {
        return verdict;
    }
    let best = groups.iter().map(|group| group.verdict).min();
    best.unwrap_or(Verdict::RuledOut)
}

/// How the message of what fits ends.
pub(super) const NOT_DEVICES: &str = ": devices are not what keeps it waiting";

/// Says the verdict in a sentence.
fn message(found: &Found, cluster: &Cluster) -> String {
    let all = cluster.nodes.len();
    let count = |verdict: Verdict| -> usize {
        let groups = found.groups.iter().filter(|group| group.verdict == verdict);
        groups.map(|group| group.nodes.len()).sum()
    };
    let of_all = |count: usize| words::of_all(count, all, "node");
    match found.verdict {
        Verdict::Fits => {
            let nodes = of_all(count(Verdict::Fits));
            format!("it fits on {nodes}{NOT_DEVICES}")
        }
        Verdict::AfterRelease => {
            let nodes = of_all(count(Verdict::AfterRelease));
            format!("it fits on no node now, but on {nodes} once others give devices back")
        }
        Verdict::Unknown => "it is not known whether it fits: the search ended early".to_owned(),
        Verdict::BadInput => {
            let nodes = of_all(count(Verdict::BadInput));
            let fits = match count(Verdict::Fits) {
                0 => String::new(),
                fits => format!(
                    "; an error ends the attempt on all nodes, although it fits on {}",
                    of_all(fits)
                ),
            };
            format!("something cannot be evaluated on {nodes}{fits}")
        }
        Verdict::NeverPossible => {
            let asked = all - count(Verdict::RuledOut);
            match (asked, all) {
                (1, 1) => "it would not fit on the only node even if nothing were held".to_owned(),
                (1, _) => "it would not fit on the only node that it may use even if nothing \
                           were held"
                    .to_owned(),
                (2, 2) => {
                    "it would not fit on either of 2 nodes even if nothing were held".to_owned()
                }
                (2, _) => "it would not fit on either of the 2 nodes that it may use even if \
                           nothing were held"
                    .to_owned(),
                (asked, all) if asked < all => format!(
                    "it would not fit on any of the {asked} nodes that it may use even if \
                     nothing were held"
                ),
                _ => format!("it would not fit on any of {all} nodes even if nothing were held"),
            }
        }
        Verdict::RuledOut if all == 0 => "there is no node".to_owned(),
        Verdict::RuledOut if all == 1 => "it may not use the only node".to_owned(),
        Verdict::RuledOut if all == 2 => "it may use neither of 2 nodes".to_owned(),
        Verdict::RuledOut => format!("it may use none of {all} nodes"),
        Verdict::Allocated | Verdict::Idle | Verdict::DeviceGone => found.message.clone(),
    }
}

/// Names a device that a question would get.
pub(super) fn pick(question: &Question, device: &dralloc::AllocatedDevice) -> Pick {
    let claim = question.claims.get(device.claim);
    let request = claim.and_then(|claim| claim.spec.devices.requests.get(device.request));
    let request = request.map_or_else(Default::default, |request| {
        match request.first_available.get(device.alternative) {
            Some(alternative) => format!("{}/{}", request.name, alternative.name).into(),
            None => request.name.clone(),
        }
    });
    let name = question.names.get(device.claim);
    Pick {
        claim: name.map(|name| name.name.clone()).unwrap_or_default(),
        request,
        device: device.device.to_string(),
    }
}

/// An engine is only read here.
impl std::fmt::Debug for Explainer<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Explainer").finish_non_exhaustive()
    }
}
