//! [`Index`]: which documents know a device.

use std::collections::BTreeSet;

use imbl::{OrdMap, OrdSet};

use crate::model::{DeviceId, Str};
use crate::rules;
use crate::store::NodeView;
use crate::topology::Graph;

/// Is what a document knows a device by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::topology) enum Key {
    Device(DeviceId),
    /// A value that it shows.
    Value {
        attribute: Str,
        value: Str,
        /// Only devices of the node of that name are meant.
        node: Option<Str>,
    },
}

/// Finds documents by what they know devices by.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Keys with the name of the document.
    known: OrdSet<(Key, Str)>,
    /// Attributes of keys, and how many keys there are of each.
    attributes: OrdMap<Str, usize>,
}

impl Index {
    /// Adds what a document knows.
    pub(super) fn add(&mut self, name: &Str, graph: &Graph) {
        for key in graph.keys() {
            if let Key::Value { attribute, .. } = &key {
                *self.attributes.entry(attribute.clone()).or_insert(0) += 1;
            }
            self.known.insert((key, name.clone()));
        }
    }

    /// Takes away what a document knows.
    pub(super) fn remove(&mut self, name: &Str, graph: &Graph) {
        for key in graph.keys() {
            if let Key::Value { attribute, .. } = &key {
                let left = self.attributes.get(attribute).map_or(0, |count| count - 1);
                if left == 0 {
                    self.attributes.remove(attribute);
                } else {
                    self.attributes.insert(attribute.clone(), left);
                }
            }
            self.known.remove(&(key, name.clone()));
        }
    }

    /// Returns the documents that know a device of a node; all others know none.
    pub(super) fn documents(&self, view: &NodeView) -> BTreeSet<&Str> {
        let mut documents = BTreeSet::new();
        if self.known.is_empty() {
            return documents;
        }
        let node = &view.node.metadata.name;
        for entry in &view.devices {
            documents.extend(self.of(Key::Device(entry.id())));
            for attribute in self.attributes.keys() {
                let shown = rules::lookup_text(entry.device(), entry.driver(), attribute);
                let Some(value) = shown else {
                    continue;
                };
                for node in [None, Some(node.clone())] {
                    let (attribute, value) = (attribute.clone(), value.clone());
                    documents.extend(self.of(Key::Value {
                        attribute,
                        value,
                        node,
                    }));
                }
            }
        }
        documents
    }

    /// Returns the documents with a key, in order.
    fn of(&self, key: Key) -> impl Iterator<Item = &Str> {
        let first = (key, Str::default());
        let known = self.known.range(first.clone()..);
        known
            .take_while(move |(known, _)| *known == first.0)
            .map(|(_, name)| name)
    }
}
