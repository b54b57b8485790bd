//! What is to be explained.

use crate::cluster::queue::{self, Subject, Waiting, Work};
use crate::cluster::{Cluster, ObjectName, extended, meant, pods};

/// Is what is to be explained, and what there is beside it.
pub(super) struct Chosen {
    pub(super) subjects: Vec<Work>,
    /// Whether it is all that waits, in files if there are any beside the cluster, and not
    /// what the user named.
    pub(super) is_all: bool,
    /// How many pods and claims wait.
    pub(super) waiting: Waiting,
    /// How many claims have devices.
    pub(super) allocated: usize,
}

/// Chooses what the user named, or else all that waits.
pub(super) fn choose(
    cluster: &Cluster,
    pending: Vec<Work>,
    claim: Option<&str>,
    pod: Option<&str>,
) -> Result<Chosen, String> {
    let waiting = Waiting::of(&pending);
    let claims = cluster.claims.values();
    let allocated = claims
        .filter(|given| given.object.status.allocation.is_some())
        .count();
    let subjects = match (claim, pod) {
        (Some(claim), _) => vec![of_claim(cluster, pending, &named(cluster, claim))?],
        (None, Some(pod)) => vec![of_pod(cluster, pending, &named(cluster, pod))?],
        (None, None) => queue::of_files(pending, cluster).0,
    };
    Ok(Chosen {
        subjects,
        is_all: claim.is_none() && pod.is_none(),
        waiting,
        allocated,
    })
}

/// Reads `namespace/name`, or a name in the namespace of those that have none.
fn named(cluster: &Cluster, text: &str) -> ObjectName {
    match text.split_once('/') {
        Some((namespace, name)) => ObjectName::new(namespace, name),
        None => ObjectName::new(&cluster.namespace(), text),
    }
}

/// Returns a claim, or the pod that waits for it with others.
fn of_claim(cluster: &Cluster, pending: Vec<Work>, name: &ObjectName) -> Result<Work, String> {
    let Some(claim) = cluster.claim(name) else {
        return Err(meant::absent("claim", name, &cluster.claims));
    };
    let waits = claim.status.allocation.is_none();
    let needs = |work: &Work| matches!(&work.claims, Ok(claims) if claims.contains(name));
    let work = pending.into_iter().filter(|_| waits).find(needs);
    Ok(work.unwrap_or_else(|| Work {
        subject: Subject::Claim(name.clone()),
        claims: Ok(vec![name.clone()]),
        extended: None,
    }))
}

/// Returns a pod with its claims, whether it waits or not.
fn of_pod(cluster: &Cluster, pending: Vec<Work>, name: &ObjectName) -> Result<Work, String> {
    let Some(pod) = cluster.pod(name) else {
        return Err(meant::absent("pod", name, &cluster.pods));
    };
    let subject = Subject::Pod(name.clone());
    let work = pending.into_iter().find(|work| work.subject == subject);
    let claims = || {
        let mut claims: Vec<ObjectName> = pods::Owned::of(cluster).all_of(name, pod).collect();
        claims.extend(extended::made(cluster).remove(name));
        claims.retain(|claim| cluster.claims.contains_key(claim));
        claims.sort_unstable();
        claims.dedup();
        claims
    };
    Ok(work.unwrap_or_else(|| Work {
        claims: Ok(claims()),
        subject,
        extended: None,
    }))
}
