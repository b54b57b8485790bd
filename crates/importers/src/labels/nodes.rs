//! [`Node`]: a host and what its labels say.

use std::collections::{BTreeMap, BTreeSet};

use dralloc_topology::{Code, MAX_VERTICES};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::json::Text;
use super::key::{self, Level};
use crate::error::{Error, Warnings};
use crate::text::{Position, quoted};

/// Is a node of the cluster.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) position: Position,
    /// Where it is, level by level.
    pub(super) places: BTreeMap<Level, Place>,
}

/// Is the value of a label.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) value: String,
    pub(super) position: Position,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Object<'t> {
    #[serde(borrow, default)]
    kind: Option<&'t RawValue>,
    #[serde(borrow, default)]
    items: Option<&'t RawValue>,
    #[serde(borrow, default)]
    metadata: Option<&'t RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Metadata<'t> {
    #[serde(borrow)]
    name: &'t RawValue,
    #[serde(borrow, default)]
    labels: Option<BTreeMap<String, &'t RawValue>>,
}

/// Reads nodes: objects, lists of them (`kubectl get nodes -o json`) or arrays.
pub(super) fn read(text: &str, warnings: &mut Warnings) -> Result<Vec<Node>, Error> {
    let mut text = Text::new(text);
    let mut reader = Reader::default();
    let mut end = Position::START;
    for value in text.values()? {
        end = text.position(value);
        if value.get().starts_with('[') {
            for item in text.read::<Vec<&RawValue>>(value)? {
                reader.object(&mut text, item, warnings)?;
            }
        } else {
            let object: Object<'_> = text.read(value)?;
            match object.items {
                Some(items) => {
                    for item in text.read::<Vec<&RawValue>>(items)? {
                        reader.object(&mut text, item, warnings)?;
                    }
                }
                None => reader.object(&mut text, value, warnings)?,
            }
        }
    }
    if reader.nodes.is_empty() {
        return Err(Error::malformed(
            end,
            "expected nodes of a cluster, found none",
        ));
    }
    Ok(reader.nodes)
}

#[derive(Default)]
struct Reader {
    nodes: Vec<Node>,
    names: BTreeSet<String>,
}

impl Reader {
    /// Reads an object; what is no node is passed over.
    fn object<'t>(
        &mut self,
        text: &mut Text<'t>,
        value: &'t RawValue,
        warnings: &mut Warnings,
    ) -> Result<(), Error> {
        let object: Object<'_> = text.read(value)?;
        let kind: Option<String> = object.kind.map(|kind| text.read(kind)).transpose()?;
        if kind.as_deref().is_some_and(|kind| kind != "Node") {
            return Ok(());
        }
        let position = text.position(value);
        let Some(metadata) = object.metadata else {
            return Err(Error::malformed(position, "expected `metadata` of a node"));
        };
        let metadata: Metadata<'_> = text.read(metadata)?;
        let name: String = text.read(metadata.name)?;
        let position = text.position(metadata.name);
        if name.is_empty() || name.contains('/') {
            let message = format!("expected the name of a node, found {}", quoted(&name));
            return Err(Error::new(Code::Invalid, position, message));
        }
        if !self.names.insert(name.clone()) {
            let message = format!("node {} is there twice, expected once", quoted(&name));
            return Err(Error::new(Code::Duplicate, position, message));
        }
        if self.nodes.len() == MAX_VERTICES {
            let message = format!("expected at most {MAX_VERTICES} nodes");
            return Err(Error::limit(position, message));
        }
        let mut places: BTreeMap<Level, (usize, Place)> = BTreeMap::new();
        for (key, label) in metadata.labels.into_iter().flatten() {
            let Some((level, rank)) = key::level(&key) else {
                continue;
            };
            let value: String = text.read(label)?;
            let before = places.get(&level).map(|&(before, _)| before);
            if value.is_empty() || before.is_some_and(|before| before <= rank) {
                continue;
            }
            let position = text.position(label);
            places.insert(level, (rank, Place { value, position }));
        }
        let places = places.into_iter().map(|(level, (_, place))| (level, place));
        let node = Node {
            places: places.collect(),
            name,
            position,
        };
        if node.places.is_empty() {
            let name = quoted(&node.name);
            let message = format!("no label of node {name} says where it is");
            warnings.add(position, message);
        }
        self.nodes.push(node);
        Ok(())
    }
}
