//! [`Extended`]: what pods ask for by the names of extended resources.

use std::collections::BTreeMap;

use dralloc::model::{DeviceClass, Node, Pod};
use dralloc::{ExtendedResources, ExtendedResourcesOnNode, Features, NodeUse, validate};

use super::generated_name::generated_name;
use super::{Cluster, ObjectName, pods};
use crate::style;

/// Annotation on the claim that is made for the extended resources of a pod.
const CLAIM_ANNOTATION: &str = "resource.kubernetes.io/extended-resource-claim";

/// Is what a pod asks for, and the name that its claim gets where it has one.
#[derive(Clone, Debug)]
pub(crate) struct Extended {
    pub(crate) resources: ExtendedResources,
    pub(crate) claim: ObjectName,
}

impl Extended {
    /// Returns what a pod asks for, with these classes, if it asks for any.
    pub(super) fn of<'c>(
        pod: &Pod,
        classes: impl IntoIterator<Item = &'c DeviceClass, IntoIter: Clone>,
        features: &Features,
        cluster: &Cluster,
    ) -> Result<Option<Self>, String> {
        // What comes from a server was let through by it.
        if pod.metadata.uid.is_none()
            && let Some(error) = validate::extended_resources(pod).first()
        {
            return Err(error.to_string());
        }
        let resources =
            ExtendedResources::of_pod(pod, classes, features).map_err(|error| error.to_string())?;
        if resources.resources().is_empty() {
            return Ok(None);
        }
        let ObjectName { namespace, name } = ObjectName::of(&pod.metadata);
        let is_free = |name: &str| cluster.claim(&ObjectName::new(&namespace, name)).is_none();
        let name = generated_name(&namespace, &name, "extended-resources", is_free);
        let claim = ObjectName::new(&namespace, &name);
        Ok(Some(Self { resources, claim }))
    }

    /// Returns what it comes to on a node; the claim has its name.
    pub(crate) fn on(&self, node: &Node) -> ExtendedResourcesOnNode {
        let mut here = self.resources.on(node);
        if let Some(claim) = &mut here.claim {
            claim.metadata.name = self.claim.name.clone();
        }
        here
    }

    /// Says of each resource whether it is devices on a node: what is asked of two nodes
    /// is the same if this is.
    pub(crate) fn kind_of(&self, node: &Node) -> Vec<bool> {
        let resources = self.resources.resources().iter();
        resources.map(|one| one.is_devices_on(node)).collect()
    }
}

/// Returns whether a pod asks for extended resources.
pub(crate) fn asks(pod: &Pod) -> bool {
    amounts(pod).is_none_or(|resources| !resources.resources().is_empty())
}

/// Returns what a pod uses of its node.
pub(super) fn in_use(name: &ObjectName, pod: &Pod) -> Option<NodeUse> {
    let is_over = matches!(&*pod.status.phase, "Succeeded" | "Failed");
    if pod.spec.node_name.is_empty() || is_over {
        return None;
    }
    let amounts = amounts(pod)?.amounts();
    (!amounts.is_empty()).then(|| NodeUse {
        owner: name.to_string().into(),
        node: pod.spec.node_name.clone(),
        amounts,
    })
}

/// Returns the resources of a pod whatever classes there are; nothing if there is an
/// amount that cannot be.
fn amounts(pod: &Pod) -> Option<ExtendedResources> {
    ExtendedResources::of_pod(pod, [], &Features::none()).ok()
}

/// Returns the claims that were made for the extended resources of pods, by pod.
pub(crate) fn made(cluster: &Cluster) -> BTreeMap<ObjectName, ObjectName> {
    let mut made = BTreeMap::new();
    for (name, given) in &cluster.claims {
        let metadata = &given.object.metadata;
        let mark = metadata.annotations.get(CLAIM_ANNOTATION);
        if mark.is_none_or(|mark| &**mark != "true") {
            continue;
        }
        let Some(owner) = pods::controlling_pod(metadata) else {
            continue;
        };
        let pod = ObjectName::new(&name.namespace, &owner.name);
        let is_its = |pod: &Pod| pods::is_uid_of(&owner.uid, pod);
        if cluster.pod(&pod).is_some_and(is_its) {
            made.entry(pod).or_insert_with(|| name.clone());
        }
    }
    made
}

/// Takes away the claims of attempts that did not end with a node for the pod.
///
/// They may be for another node. Kubernetes' scheduler deletes them, too, and begins anew.
pub(super) fn drop_left_over(cluster: &mut Cluster) {
    for (pod, claim) in made(cluster) {
        let waits = cluster
            .pod(&pod)
            .is_some_and(|pod| pod.spec.node_name.is_empty() && pods::is_pending(pod));
        if waits {
            cluster.claims.remove(&claim);
            style::note(&format!(
                "claim {claim} is of an earlier attempt to find a node for pod {pod}: \
                 it counts as deleted"
            ));
        }
    }
}
