//! What is to be done, in order.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use dralloc::Features;
use dralloc::model::{ObjectMeta, Str};

use super::extended::{self, Extended};
use super::pods::{self, Owned};
use super::{Cluster, ObjectName, Objects};
use crate::words::{counted, listed};

/// Is a pod or a claim that waits for devices.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) subject: Subject,
    /// The claims it needs, or why that cannot be said.
    pub(crate) claims: Result<Vec<ObjectName>, String>,
    /// What a pod asks for beside them by the names of extended resources.
    pub(crate) extended: Option<Extended>,
}

/// Says what devices are for; prints as `pod namespace/name`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Subject {
    Pod(ObjectName),
    Claim(ObjectName),
}

impl fmt::Display for Subject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pod(name) => write!(formatter, "pod {name}"),
            Self::Claim(name) => write!(formatter, "claim {name}"),
        }
    }
}

impl Subject {
    /// Returns a reason without the name of the claim, where that is named above it already.
    pub(crate) fn not_named_again<'r>(&self, reason: &'r str) -> &'r str {
        let own = match self {
            Self::Claim(name) => reason.strip_prefix(&format!("claim `{}`: ", name.name)),
            Self::Pod(_) => None,
        };
        own.unwrap_or(reason)
    }
}

/// Counts pods and claims; prints as `2 pods` or `1 pod and 1 claim`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub(crate) pods: usize,
    pub(crate) claims: usize,
}

impl Waiting {
    /// Counts those that wait.
    pub(crate) fn of<'w>(work: impl IntoIterator<Item = &'w Work>) -> Self {
        let mut waiting = Self::default();
        for work in work {
            match work.subject {
                Subject::Pod(_) => waiting.pods += 1,
                Subject::Claim(_) => waiting.claims += 1,
            }
        }
        waiting
    }

    /// Returns how many they are together.
    pub(crate) fn total(self) -> usize {
        self.pods + self.claims
    }
}

impl fmt::Display for Waiting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [(self.pods, "pod"), (self.claims, "claim")];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, noun)| counted(count, noun)).collect();
        formatter.write_str(&listed(&counts, "and"))
    }
}

/// Orders work by creation; what has no time comes later, as it was given.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Order {
    time: Time,
    subject: Subject,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Time {
    /// API servers print all times alike, in UTC: texts compare as times do.
    Created(Str),
    Given(usize),
}

impl Order {
    fn new(metadata: &ObjectMeta, place: usize, subject: Subject) -> Self {
        let created = metadata.creation_timestamp.clone();
        Self {
            time: created.map_or(Time::Given(place), Time::Created),
            subject,
        }
    }
}

/// Lists the pods that wait, and the claims that wait without one; templates
/// make their claims.
pub(crate) fn work(cluster: &mut Cluster, features: &Features) -> Vec<Work> {
    extended::drop_left_over(cluster);
    let owned = Owned::of(cluster);
    let made = extended::made(cluster);
    let mut orders = Vec::new();
    let mut used = BTreeSet::new();
    for (name, given) in &cluster.pods {
        let pod = &given.object;
        used.extend(owned.all_of(name, pod));
        used.extend(made.get(name).cloned());
        let asks = !pod.spec.resource_claims.is_empty() || extended::asks(pod);
        if pods::is_pending(pod) && asks {
            orders.push(Order::new(
                &pod.metadata,
                given.place,
                Subject::Pod(name.clone()),
            ));
        }
    }
    for (name, given) in &cluster.claims {
        let metadata = &given.object.metadata;
        let waits = given.object.status.allocation.is_none();
        if waits && metadata.deletion_timestamp.is_none() && !used.contains(name) {
            orders.push(Order::new(
                metadata,
                given.place,
                Subject::Claim(name.clone()),
            ));
        }
    }
    orders.sort();
    let subjects = orders.into_iter().map(|order| order.subject);
    subjects
        .map(|subject| resolve(subject, &owned, &made, features, cluster))
        .collect()
}

/// Parts what waits in files that are laid beside a cluster from what waits in that.
///
/// A pod is of the files with a claim or a template, too. Where the files have none of the
/// three they change what others find: then all that waits is asked for.
pub(crate) fn of_files(work: Vec<Work>, cluster: &Cluster) -> (Vec<Work>, Vec<Work>) {
    let is_asked_for = has_files(&cluster.pods, cluster)
        || has_files(&cluster.claims, cluster)
        || has_files(&cluster.templates, cluster);
    if !cluster.is_behind_files() || !is_asked_for {
        return (work, Vec::new());
    }
    work.into_iter()
        .partition(|work| is_of_files(work, cluster))
}

fn has_files<T>(objects: &Objects<T>, cluster: &Cluster) -> bool {
    objects.values().any(|given| cluster.is_of_files(given))
}

fn is_of_files(work: &Work, cluster: &Cluster) -> bool {
    let claims = work.claims.iter().flatten();
    let mut given = claims.filter_map(|claim| cluster.claims.get(claim));
    if given.any(|given| cluster.is_of_files(given)) {
        return true;
    }
    let Subject::Pod(name) = &work.subject else {
        return false;
    };
    let Some(given) = cluster.pods.get(name) else {
        return false;
    };
    let entries = given.object.spec.resource_claims.iter();
    let mut templates = entries.filter_map(|entry| {
        let template = entry.resource_claim_template_name.as_ref()?;
        let template = ObjectName::new(&name.namespace, template);
        cluster.templates.get(&template)
    });
    cluster.is_of_files(given) || templates.any(|template| cluster.is_of_files(template))
}

fn resolve(
    subject: Subject,
    owned: &Owned,
    made: &BTreeMap<ObjectName, ObjectName>,
    features: &Features,
    cluster: &mut Cluster,
) -> Work {
    let (claims, extended) = match &subject {
        Subject::Claim(name) => (Ok(vec![name.clone()]), None),
        Subject::Pod(name) => match cluster.pods.get(name) {
            Some(given) => {
                let (pod, place) = (given.object.clone(), given.place);
                let claims = pods::claims_of(&pod, place, owned, features, cluster);
                match (claims, made.get(name)) {
                    (Ok(mut claims), Some(special)) => {
                        claims.push(special.clone());
                        (Ok(claims), None)
                    }
                    (Ok(claims), None) => {
                        let classes = cluster.device_classes.values();
                        let classes = classes.map(|given| &given.object);
                        match Extended::of(&pod, classes, features, cluster) {
                            Ok(extended) => (Ok(claims), extended),
                            Err(reason) => (Err(reason), None),
                        }
                    }
                    (Err(reason), _) => (Err(reason), None),
                }
            }
            None => (Ok(Vec::new()), None),
        },
    };
    Work {
        subject,
        claims,
        extended,
    }
}
