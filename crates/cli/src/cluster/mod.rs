//! [`Cluster`]: all objects that were given, each once; what waits in it, and the engine
//! that knows the rest. All commands about clusters share it.

pub(crate) mod extended;
pub(crate) mod faults;
pub(crate) mod gated;
mod generated_name;
pub(crate) mod kind;
mod load;
pub(crate) mod meant;
pub(crate) mod nodes;
mod options;
pub(crate) mod pods;
pub(crate) mod question;
pub(crate) mod questions;
pub(crate) mod queue;
pub(crate) mod read;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::sync::Arc;

use dralloc::Code;
use dralloc::model::{
    AttributeOverlay, DeviceClass, DeviceHealth, DeviceHold, DeviceTaintRule, Node, ObjectMeta,
    Pod, ResourceClaim, ResourceClaimTemplate, ResourceSlice, Str, Topology,
};
use dralloc::validate::defaults;
use dralloc::wire::Object;

use crate::input::{Item, Source, Start};
pub(crate) use crate::object_name::ObjectName;
pub(crate) use faults::{refuse, warn_of_missing_kinds};
use kind::Kind;
pub(crate) use load::load;
pub(crate) use options::ClusterOptions;

/// Is an object with its place in the input.
#[derive(Debug)]
pub(crate) struct Given<T> {
    pub(crate) place: usize,
    /// None for what the input only implies.
    pub(crate) origin: Option<Start>,
    pub(crate) object: T,
}

/// Says why an object cannot be one of a cluster; prints as `file:line:column: message`.
#[derive(Debug)]
pub(crate) struct Conflict {
    pub(crate) origin: Start,
    pub(crate) code: Code,
    pub(crate) message: String,
}

impl fmt::Display for Conflict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.origin, self.message)
    }
}

/// Says where an object is, for [`insert`].
struct Place {
    number: usize,
    origin: Start,
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
    /// Names of the classes, also once they are in an engine.
    pub(crate) class_names: Vec<Str>,
    /// Whether no slice was given, also once they are in an engine.
    pub(crate) has_no_slices: bool,
    places: usize,
    /// Where objects are that do not say it; none for `default`.
    namespace: Option<Str>,
    /// What the sources are called that are the cluster itself, where files are laid beside it.
    background: Vec<Arc<str>>,
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

    /// Takes what comes from these sources for the cluster beside which files are laid.
    pub(crate) fn behind(&mut self, sources: &[Source]) {
        self.background = sources.iter().map(Source::name).collect();
    }

    /// Returns whether files are laid beside the cluster.
    pub(crate) fn is_behind_files(&self) -> bool {
        !self.background.is_empty()
    }

    /// Returns whether an object is of the files that are laid beside the cluster.
    pub(crate) fn is_of_files<T>(&self, given: &Given<T>) -> bool {
        let start = given.origin.as_ref();
        start.is_some_and(|start| !self.background.contains(&start.origin().file))
    }

    /// Returns whether no object was added.
    pub(crate) fn is_empty(&self) -> bool {
        self.places == 0
    }

    /// Returns how many objects were added, those that were known already, too.
    pub(crate) fn len(&self) -> usize {
        self.places
    }

    /// Adds an object with the API server's defaults; one that is known
    /// already, word for word, changes nothing.
    pub(crate) fn add(&mut self, item: Item) -> Result<(), Conflict> {
        let place = Place {
            number: self.places,
            origin: item.origin,
        };
        self.places += 1;
        match item.object {
            Object::Node(object) => insert(&mut self.nodes, place, object),
            Object::DeviceClass(object) => insert(&mut self.device_classes, place, object),
            Object::ResourceSlice(object) => insert(&mut self.resource_slices, place, object),
            Object::DeviceTaintRule(object) => insert(&mut self.device_taint_rules, place, object),
            Object::Topology(object) => insert(&mut self.topologies, place, object),
            Object::AttributeOverlay(object) => insert(&mut self.attribute_overlays, place, object),
            Object::DeviceHealth(object) => insert(&mut self.device_healths, place, object),
            Object::DeviceHold(object) => insert(&mut self.device_holds, place, object),
            Object::ResourceClaimTemplate(mut object) => {
                fill_in_namespace(&mut object.metadata, self.namespace());
                defaults::resource_claim_template(&mut object);
                insert(&mut self.templates, place, object)
            }
            Object::ResourceClaim(mut object) => {
                fill_in_namespace(&mut object.metadata, self.namespace());
                defaults::resource_claim(&mut object);
                insert(&mut self.claims, place, object)
            }
            Object::Pod(mut object) => {
                fill_in_namespace(&mut object.metadata, self.namespace());
                insert(&mut self.pods, place, *object)
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

/// Fills in the namespace as `kubectl` does.
fn fill_in_namespace(metadata: &mut ObjectMeta, namespace: Str) {
    if metadata.namespace().is_empty() {
        metadata.namespace = Some(namespace);
    }
}

fn insert<T: Kind + PartialEq>(
    objects: &mut Objects<T>,
    place: Place,
    object: T,
) -> Result<(), Conflict> {
    let Place {
        number: place,
        origin,
    } = place;
    let mut name = ObjectName::of(object.metadata());
    if !T::IS_NAMESPACED {
        name.namespace = Str::default();
    }
    if name.name.is_empty() {
        let message = format!("{} without `metadata.name`, expected a name", T::KIND);
        return Err(Conflict {
            origin,
            code: Code::Invalid,
            message,
        });
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
            let message = format!(
                "{} `{name}` differs from that of the same name{}, expected each object once",
                T::KIND,
                first.unwrap_or_default()
            );
            Err(Conflict {
                origin,
                code: Code::Duplicate,
                message,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(object: Object) -> Item {
        Item {
            object,
            warnings: Vec::new(),
            origin: crate::input::tests::start("a.yaml"),
        }
    }

    fn node(name: &str, label: &str) -> Item {
        item(Object::Node(Node::new(name, [("label", label)])))
    }

    #[test]
    fn equal_objects_count_once_and_different_ones_are_an_error() {
        let mut cluster = Cluster::default();
        assert!(cluster.add(node("a", "1")).is_ok());
        assert!(cluster.add(node("a", "1")).is_ok());
        assert_eq!(cluster.nodes.len(), 1);
        let message = "a.yaml:1:1: Node `a` differs from that of the same name at a.yaml:1:1, \
                       expected each object once";
        let conflict = cluster.add(node("a", "2")).unwrap_err();
        assert_eq!(conflict.to_string(), message);
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
