//! [`Cluster`]: all objects that were given, each once; what waits in it, and the engine
//! that knows the rest. All commands about clusters share it.

pub(crate) mod extended;
mod faults;
mod generated_name;
mod load;
pub(crate) mod nodes;
mod options;
pub(crate) mod pods;
pub(crate) mod question;
pub(crate) mod questions;
pub(crate) mod queue;
mod read;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use dralloc::model::{
    AttributeOverlay, DeviceClass, DeviceHealth, DeviceHold, DeviceTaintRule, Node, ObjectMeta,
    Pod, ResourceClaim, ResourceClaimTemplate, ResourceSlice, Str, Topology,
};
use dralloc::validate::defaults;
use dralloc::wire::Object;

use crate::input::{Item, Origin};
pub(crate) use faults::refuse;
pub(crate) use load::load;
pub(crate) use options::ClusterOptions;

/// Names an object of some kind; prints as `namespace/name`, or as `name`
/// where the kind has no namespaces.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ObjectName {
    pub(crate) namespace: Str,
    pub(crate) name: Str,
}

impl ObjectName {
    pub(crate) fn new(namespace: &str, name: &str) -> Self {
        Self {
            namespace: namespace.into(),
            name: name.into(),
        }
    }

    /// Returns the name of an object that is in a namespace.
    pub(crate) fn of(metadata: &ObjectMeta) -> Self {
        Self {
            namespace: metadata.namespace.clone().unwrap_or_default(),
            name: metadata.name.clone(),
        }
    }
}

impl fmt::Display for ObjectName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_empty() {
            formatter.write_str(&self.name)
        } else {
            write!(formatter, "{}/{}", self.namespace, self.name)
        }
    }
}

/// Is an object with its place in the input.
#[derive(Debug)]
pub(crate) struct Given<T> {
    pub(crate) place: usize,
    /// None for what the input only implies.
    pub(crate) origin: Option<Origin>,
    pub(crate) object: T,
}

/// Says where an object is, for [`insert`].
struct Place {
    number: usize,
    origin: Origin,
}

/// Holds objects of one kind by name.
pub(crate) type Objects<T> = BTreeMap<ObjectName, Given<T>>;

/// Holds what was given.
#[derive(Debug, Default)]
pub(crate) struct Cluster {
    pub(crate) nodes: Objects<Node>,
    pub(crate) device_classes: Objects<DeviceClass>,
    pub(crate) resource_slices: Objects<ResourceSlice>,
    pub(crate) device_taint_rules: Objects<DeviceTaintRule>,
    pub(crate) topologies: Objects<Topology>,
    pub(crate) attribute_overlays: Objects<AttributeOverlay>,
    pub(crate) device_healths: Objects<DeviceHealth>,
    pub(crate) device_holds: Objects<DeviceHold>,
    pub(crate) templates: Objects<ResourceClaimTemplate>,
    pub(crate) claims: Objects<ResourceClaim>,
    pub(crate) pods: Objects<Pod>,
    places: usize,
    /// Where objects are that do not say it; none for `default`.
    namespace: Option<Str>,
}

impl Cluster {
    /// Returns a cluster in which objects are in this namespace if they do not say it.
    pub(crate) fn in_namespace(namespace: &str) -> Self {
        Self {
            namespace: Some(namespace.into()),
            ..Self::default()
        }
    }

    /// Returns the namespace of what does not say it.
    pub(crate) fn namespace(&self) -> Str {
        self.namespace.clone().unwrap_or_else(|| "default".into())
    }

    /// Returns whether no object was added.
    pub(crate) fn is_empty(&self) -> bool {
        self.places == 0
    }

    /// Adds an object with the API server's defaults; one that is known
    /// already, word for word, changes nothing.
    pub(crate) fn add(&mut self, item: Item) -> Result<(), String> {
        let place = Place {
            number: self.places,
            origin: item.origin,
        };
        self.places += 1;
        match item.object {
            Object::Node(object) => {
                let name = cluster_scoped(&object.metadata);
                insert("Node", &mut self.nodes, name, place, object)
            }
            Object::DeviceClass(object) => {
                let name = cluster_scoped(&object.metadata);
                insert("DeviceClass", &mut self.device_classes, name, place, object)
            }
            Object::ResourceSlice(object) => {
                let name = cluster_scoped(&object.metadata);
                insert(
                    "ResourceSlice",
                    &mut self.resource_slices,
                    name,
                    place,
                    object,
                )
            }
            Object::DeviceTaintRule(object) => {
                let name = cluster_scoped(&object.metadata);
                insert(
                    "DeviceTaintRule",
                    &mut self.device_taint_rules,
                    name,
                    place,
                    object,
                )
            }
            Object::Topology(object) => {
                let name = cluster_scoped(&object.metadata);
                insert("Topology", &mut self.topologies, name, place, object)
            }
            Object::AttributeOverlay(object) => {
                let name = cluster_scoped(&object.metadata);
                insert(
                    "AttributeOverlay",
                    &mut self.attribute_overlays,
                    name,
                    place,
                    object,
                )
            }
            Object::DeviceHealth(object) => {
                let name = cluster_scoped(&object.metadata);
                insert(
                    "DeviceHealth",
                    &mut self.device_healths,
                    name,
                    place,
                    object,
                )
            }
            Object::DeviceHold(object) => {
                let name = cluster_scoped(&object.metadata);
                insert("DeviceHold", &mut self.device_holds, name, place, object)
            }
            Object::ResourceClaimTemplate(mut object) => {
                let name = namespaced(&mut object.metadata, self.namespace());
                defaults::resource_claim_template(&mut object);
                insert(
                    "ResourceClaimTemplate",
                    &mut self.templates,
                    name,
                    place,
                    object,
                )
            }
            Object::ResourceClaim(mut object) => {
                let name = namespaced(&mut object.metadata, self.namespace());
                defaults::resource_claim(&mut object);
                insert("ResourceClaim", &mut self.claims, name, place, object)
            }
            Object::Pod(mut object) => {
                let name = namespaced(&mut object.metadata, self.namespace());
                insert("Pod", &mut self.pods, name, place, *object)
            }
            Object::Ignored { .. } => Ok(()),
        }
    }

    /// Returns the claim of a name.
    pub(crate) fn claim(&self, name: &ObjectName) -> Option<&ResourceClaim> {
        self.claims.get(name).map(|given| &given.object)
    }

    /// Returns the pod of a name.
    pub(crate) fn pod(&self, name: &ObjectName) -> Option<&Pod> {
        self.pods.get(name).map(|given| &given.object)
    }
}

fn cluster_scoped(metadata: &ObjectMeta) -> ObjectName {
    ObjectName {
        namespace: Str::default(),
        name: metadata.name.clone(),
    }
}

/// Fills in the namespace as `kubectl` does.
fn namespaced(metadata: &mut ObjectMeta, namespace: Str) -> ObjectName {
    if metadata.namespace().is_empty() {
        metadata.namespace = Some(namespace);
    }
    ObjectName::of(metadata)
}

fn insert<T: PartialEq>(
    kind: &str,
    objects: &mut Objects<T>,
    name: ObjectName,
    place: Place,
    object: T,
) -> Result<(), String> {
    let Place {
        number: place,
        origin,
    } = place;
    if name.name.is_empty() {
        return Err(format!(
            "{origin}: {kind} without `metadata.name`, expected a name"
        ));
    }
    match objects.entry(name) {
        Entry::Vacant(entry) => {
            entry.insert(Given {
                place,
                origin: Some(origin),
                object,
            });
            Ok(())
        }
        Entry::Occupied(entry) if entry.get().object == object => Ok(()),
        Entry::Occupied(entry) => {
            let (name, given) = (entry.key(), entry.get());
            let first = given.origin.as_ref().map(|first| format!(" at {first}"));
            Err(format!(
                "{origin}: {kind} `{name}` differs from that of the same name{}, \
                 expected each object once",
                first.unwrap_or_default()
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(object: Object) -> Item {
        let origin = Origin {
            file: "a.yaml".into(),
            document: 1,
            position: None,
        };
        Item {
            object,
            warnings: Vec::new(),
            origin,
        }
    }

    fn node(name: &str, label: &str) -> Item {
        item(Object::Node(Node::new(name, [("label", label)])))
    }

    #[test]
    fn equal_objects_count_once_and_different_ones_are_an_error() {
        let mut cluster = Cluster::default();
        assert_eq!(cluster.add(node("a", "1")), Ok(()));
        assert_eq!(cluster.add(node("a", "1")), Ok(()));
        assert_eq!(cluster.nodes.len(), 1);
        let message = "a.yaml: Node `a` differs from that of the same name at a.yaml, \
                       expected each object once";
        assert_eq!(cluster.add(node("a", "2")), Err(message.to_owned()));
    }

    #[test]
    fn claims_get_the_default_namespace() {
        let mut claim = ResourceClaim::default();
        claim.metadata.name = "a".into();
        let mut cluster = Cluster::default();
        cluster.add(item(Object::ResourceClaim(claim))).unwrap();
        let claim = cluster.claim(&ObjectName::new("default", "a")).unwrap();
        assert_eq!(claim.metadata.namespace(), "default");
    }
}
