//! Which claims a pod needs, and the claims that templates make for it.

use std::collections::{BTreeMap, BTreeSet};

use dralloc::model::{
    Map, ObjectMeta, OwnerReference, Pod, PodResourceClaim, ResourceClaim, ResourceClaimTemplate,
    Str,
};
use dralloc::{Features, validate};

use super::generated_name::generated_name;
use super::{Cluster, Given, ObjectName, meant};

/// Annotation on a claim made from a template: the pod's entry it is for.
const POD_CLAIM_NAME: &str = "resource.kubernetes.io/pod-claim-name";

/// Returns whether a pod is neither done nor being deleted.
pub(crate) fn is_alive(pod: &Pod) -> bool {
    let over = matches!(&*pod.status.phase, "Succeeded" | "Failed");
    !(over || pod.metadata.deletion_timestamp.is_some())
}

/// Pods by the claim that they use.
pub(crate) type Users = BTreeMap<ObjectName, BTreeSet<ObjectName>>;

/// Finds out who uses which claim: pods that name it or have it, and those for which it is
/// reserved, given or not; none that is done.
pub(crate) fn users(cluster: &Cluster) -> Users {
    let (owned, mut users) = (Owned::of(cluster), Users::new());
    let alive = cluster.pods.iter().filter(|(_, pod)| is_alive(&pod.object));
    for (name, given) in alive {
        for claim in owned.all_of(name, &given.object) {
            users.entry(claim).or_default().insert(name.clone());
        }
    }
    for (claim, given) in &cluster.claims {
        let reserved = given.object.status.reserved_for.iter();
        for user in reserved.filter(|user| &*user.resource == "pods") {
            let pod = ObjectName::new(&claim.namespace, &user.name);
            if cluster.pod(&pod).is_none_or(is_alive) {
                users.entry(claim.clone()).or_default().insert(pod);
            }
        }
    }
    users
}

/// Returns whether a pod waits for devices.
///
/// Pods that are done or being deleted ask for nothing, and those that run have
/// what they need.
pub(crate) fn is_pending(pod: &Pod) -> bool {
    let bound = !pod.spec.node_name.is_empty();
    let runs = bound && !matches!(&*pod.status.phase, "" | "Pending");
    is_alive(pod) && !runs
}

/// Knows which claims were made for which pod.
#[derive(Debug, Default)]
pub(crate) struct Owned {
    /// Pod to its claims, in order of their names.
    claims: BTreeMap<ObjectName, Vec<OwnedClaim>>,
}

#[derive(Debug)]
struct OwnedClaim {
    entry: Str,
    owner_uid: Str,
    name: ObjectName,
}

impl Owned {
    /// Finds the claims that carry an owner and the annotation.
    pub(crate) fn of(cluster: &Cluster) -> Self {
        let mut owned = Self::default();
        for (name, given) in &cluster.claims {
            let metadata = &given.object.metadata;
            let entry = metadata.annotations.get(POD_CLAIM_NAME);
            if let (Some(entry), Some(owner)) = (entry, controlling_pod(metadata)) {
                let pod = ObjectName::new(&name.namespace, &owner.name);
                owned.claims.entry(pod).or_default().push(OwnedClaim {
                    entry: entry.clone(),
                    owner_uid: owner.uid.clone(),
                    name: name.clone(),
                });
            }
        }
        owned
    }

    /// Returns the claims that a pod names, that its status names, and that were made for a
    /// pod of its name, there or not.
    pub(crate) fn all_of<'a>(
        &'a self,
        name: &'a ObjectName,
        pod: &'a Pod,
    ) -> impl Iterator<Item = ObjectName> + 'a {
        let entries = pod.spec.resource_claims.iter();
        let direct = entries.filter_map(|entry| entry.resource_claim_name.as_ref());
        let statuses = pod.status.resource_claim_statuses.iter();
        let by_status = statuses.filter_map(|status| status.resource_claim_name.as_ref());
        let named = direct.chain(by_status);
        let made = self.claims.get(name).into_iter().flatten();
        named
            .map(|claim| ObjectName::new(&name.namespace, claim))
            .chain(made.map(|claim| claim.name.clone()))
    }

    /// Returns the claim that was made for an entry of a pod, the first if there are several.
    fn find(&self, pod: &Pod, entry: &str) -> Option<&ObjectName> {
        let mut claims = self.claims.get(&ObjectName::of(&pod.metadata))?.iter();
        let claim =
            claims.find(|claim| &*claim.entry == entry && is_uid_of(&claim.owner_uid, pod))?;
        Some(&claim.name)
    }
}

pub(super) fn controlling_pod(metadata: &ObjectMeta) -> Option<&OwnerReference> {
    let mut owners = metadata.owner_references.iter();
    owners.find(|owner| owner.controller == Some(true) && &*owner.kind == "Pod")
}

/// Pods in files written by hand have no uid; then the name must do.
pub(super) fn is_uid_of(uid: &str, pod: &Pod) -> bool {
    pod.metadata
        .uid
        .as_deref()
        .is_none_or(|pod_uid| pod_uid == uid)
}

/// Returns the claims that a pod needs, in the order of its entries; claims
/// that its templates have not made yet are added to the cluster.
pub(crate) fn claims_of(
    pod: &Pod,
    place: usize,
    owned: &Owned,
    features: &Features,
    cluster: &mut Cluster,
) -> Result<Vec<ObjectName>, String> {
    let mut claims: Vec<ObjectName> = Vec::new();
    let mut generated = Vec::new();
    let mut names = BTreeSet::new();
    for entry in &pod.spec.resource_claims {
        if entry.name.is_empty() {
            return Err("an entry of `resourceClaims` has no name, expected one".to_owned());
        }
        if !names.insert(&entry.name) {
            return Err(format!(
                "two entries of `resourceClaims` are named `{}`, expected different names",
                entry.name
            ));
        }
        let name = match resolve(pod, entry, owned, cluster)? {
            Resolved::Claim(name) => name,
            Resolved::Unneeded => continue,
            Resolved::Template(template) => {
                let claim = generate(pod, entry, template, features, cluster)?;
                let name = ObjectName::of(&claim.metadata);
                generated.push((name.clone(), claim));
                name
            }
        };
        if !claims.contains(&name) {
            claims.push(name);
        }
    }
    // Only now: a pod that cannot run gets no claims.
    for (name, object) in generated {
        cluster.claims.insert(
            name,
            Given {
                place,
                origin: None,
                object,
            },
        );
    }
    Ok(claims)
}

/// Says where the claim of an entry comes from.
enum Resolved<'a> {
    Claim(ObjectName),
    Template(&'a ResourceClaimTemplate),
    /// Kubernetes found that the entry needs no claim.
    Unneeded,
}

fn resolve<'a>(
    pod: &Pod,
    entry: &PodResourceClaim,
    owned: &Owned,
    cluster: &'a Cluster,
) -> Result<Resolved<'a>, String> {
    let namespace = pod.metadata.namespace();
    match (
        &entry.resource_claim_name,
        &entry.resource_claim_template_name,
    ) {
        (Some(claim), None) => {
            let name = ObjectName::new(namespace, claim);
            existing(&name, entry, cluster)?;
            Ok(Resolved::Claim(name))
        }
        (None, Some(template)) => made(pod, entry, template, owned, cluster),
        _ => Err(format!(
            "entry `{}`: expected either `resourceClaimName` or `resourceClaimTemplateName`",
            entry.name
        )),
    }
}

/// Finds the claim that was made from a template, or the template.
fn made<'a>(
    pod: &Pod,
    entry: &PodResourceClaim,
    template: &str,
    owned: &Owned,
    cluster: &'a Cluster,
) -> Result<Resolved<'a>, String> {
    let namespace = pod.metadata.namespace();
    let statuses = &pod.status.resource_claim_statuses;
    if let Some(status) = statuses.iter().find(|status| status.name == entry.name) {
        let Some(claim) = &status.resource_claim_name else {
            return Ok(Resolved::Unneeded);
        };
        let name = ObjectName::new(namespace, claim);
        let metadata = &existing(&name, entry, cluster)?.metadata;
        let is_own = controlling_pod(metadata)
            .is_some_and(|by| by.name == pod.metadata.name && is_uid_of(&by.uid, pod));
        if is_own {
            return Ok(Resolved::Claim(name));
        }
        let entry = &entry.name;
        return Err(format!(
            "entry `{entry}`: claim `{claim}` was not made for this pod"
        ));
    }
    if let Some(name) = owned.find(pod, &entry.name) {
        return Ok(Resolved::Claim(name.clone()));
    }
    let name = ObjectName::new(namespace, template);
    match cluster.templates.get(&name) {
        Some(given) => Ok(Resolved::Template(&given.object)),
        None => Err(format!(
            "entry `{}`: there is no template `{template}` in namespace `{namespace}`{}",
            entry.name,
            meant::hint(&name, &cluster.templates)
        )),
    }
}

fn existing<'a>(
    name: &ObjectName,
    entry: &PodResourceClaim,
    cluster: &'a Cluster,
) -> Result<&'a ResourceClaim, String> {
    cluster.claim(name).ok_or_else(|| {
        let hint = meant::hint(name, &cluster.claims);
        let ObjectName { namespace, name } = name;
        format!(
            "entry `{}`: there is no claim `{name}` in namespace `{namespace}`{hint}",
            entry.name
        )
    })
}

/// Makes the claim of a template for a pod, as the resource claim controller does.
fn generate(
    pod: &Pod,
    entry: &PodResourceClaim,
    template: &ResourceClaimTemplate,
    features: &Features,
    cluster: &Cluster,
) -> Result<ResourceClaim, String> {
    if let Some(error) = validate::resource_claim_template(template, features).first() {
        return Err(format!("template `{}`: {error}", template.metadata.name));
    }
    let ObjectName {
        namespace,
        name: pod_name,
    } = ObjectName::of(&pod.metadata);
    let is_free = |name: &str| {
        !cluster
            .claims
            .contains_key(&ObjectName::new(&namespace, name))
    };
    let name = generated_name(&namespace, &pod_name, &entry.name, is_free);
    let mut annotations: Map<Str, Str> = template.spec.metadata.annotations.clone();
    annotations.insert(POD_CLAIM_NAME.into(), entry.name.clone());
    let owner = OwnerReference {
        api_version: "v1".into(),
        kind: "Pod".into(),
        name: pod_name,
        uid: pod.metadata.uid.clone().unwrap_or_default(),
        controller: Some(true),
        block_owner_deletion: Some(true),
    };
    let metadata = ObjectMeta {
        name: name.into(),
        namespace: Some(namespace),
        labels: template.spec.metadata.labels.clone(),
        annotations,
        owner_references: vec![owner].into(),
        ..ObjectMeta::default()
    };
    Ok(ResourceClaim {
        metadata,
        spec: template.spec.spec.clone(),
        ..ResourceClaim::default()
    })
}
