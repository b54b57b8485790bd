//! The document of the nodes.

use std::collections::{BTreeMap, BTreeSet};

use dralloc_topology::{LinkType, Vertex, VertexKind};

use super::key::Level;
use super::levels::Levels;
use super::nodes::{Node, Place};
use crate::builder::{Builder, link, vertex};
use crate::error::{Error, Warnings};
use crate::text::{Position, quoted};

/// The network, where no label divides it. Names of nodes have no slash.
const WHOLE: &str = "fabric/all";

/// The annotation that says what the racks are called, where numbers stand in for names.
const RACK_NAMES: &str = "dralloc.dev/rack-names";

/// Builds the document: hosts, then `NVLink` domains, blocks and fabrics.
pub(super) fn build(
    nodes: &[Node],
    levels: &Levels,
    warnings: &mut Warnings,
) -> Result<Builder, Error> {
    let mut builder = Builder::default();
    let racks = Racks::new(nodes, levels);
    if let Some(names) = racks.names() {
        builder
            .metadata
            .annotations
            .insert(RACK_NAMES.to_owned(), names);
    }
    let mut tree = Tree::default();
    for node in nodes {
        let vertex = Vertex {
            rack: racks.of(node),
            clique: node
                .places
                .get(&Level::NvLink)
                .map(|place| place.value.clone()),
            ..vertex(&node.name, VertexKind::Host)
        };
        builder.vertex(node.position, vertex)?;
        tree.hang(node, levels, warnings);
    }
    for kind in [
        VertexKind::NvLinkDomain,
        VertexKind::Block,
        VertexKind::Fabric,
    ] {
        for (id, position) in tree.made.iter().filter(|(id, _)| kind_of(id) == kind) {
            builder.vertex(*position, vertex(id, kind))?;
        }
    }
    for (a, b, link_type, position) in tree.links {
        builder.link(position, link(&a, &b, link_type))?;
    }
    Ok(builder)
}

fn kind_of(id: &str) -> VertexKind {
    match id.split_once('/') {
        Some(("nvlinkdomain", _)) => VertexKind::NvLinkDomain,
        Some(("block", _)) => VertexKind::Block,
        _ => VertexKind::Fabric,
    }
}

/// Grows from the hosts up.
#[derive(Default)]
struct Tree {
    /// What each place is in, and the host that says so first.
    parents: BTreeMap<String, (String, String)>,
    /// The places in the order of the text.
    made: Vec<(String, Position)>,
    known: BTreeSet<String>,
    links: Vec<(String, String, LinkType, Position)>,
}

impl Tree {
    fn hang(&mut self, node: &Node, levels: &Levels, warnings: &mut Warnings) {
        let place = |level: Option<Level>| node.places.get(&level?);
        let chain = [
            ("nvlinkdomain", place(Some(Level::NvLink))),
            ("block", place(levels.block)),
            ("fabric", place(levels.fabric)),
        ];
        let mut below = node.name.clone();
        for (sort, place) in chain {
            let Some(Place { value, position }) = place else {
                continue;
            };
            let id = format!("{sort}/{value}");
            self.put(&below, &id, *position, node, warnings);
            below = id;
        }
        if levels.fabric.is_none() {
            self.put(&below, WHOLE, node.position, node, warnings);
        }
    }

    /// Puts something in a place.
    fn put(
        &mut self,
        below: &str,
        id: &str,
        position: Position,
        node: &Node,
        warnings: &mut Warnings,
    ) {
        if self.known.insert(id.to_owned()) {
            self.made.push((id.to_owned(), position));
        }
        if let Some((parent, first)) = self.parents.get(below) {
            if parent != id {
                let message = format!(
                    "{} is in {} by this label, but in {} by those of {}, the first counts",
                    quoted(below),
                    quoted(id),
                    quoted(parent),
                    quoted(first),
                );
                warnings.add(position, message);
            }
            return;
        }
        let link_type = if id.starts_with("nvlinkdomain/") {
            LinkType::NVLinkTray
        } else {
            LinkType::NetTier
        };
        self.parents
            .insert(below.to_owned(), (id.to_owned(), node.name.clone()));
        self.links
            .push((below.to_owned(), id.to_owned(), link_type, position));
    }
}

/// Numbers racks, since documents have numbers for them.
struct Racks<'n> {
    level: Option<Level>,
    /// Numbers of names, in the order of the text; none where names are numbers.
    numbers: Option<BTreeMap<&'n str, i64>>,
}

impl<'n> Racks<'n> {
    fn new(nodes: &'n [Node], levels: &Levels) -> Self {
        let level = levels.rack;
        let names = || nodes.iter().filter_map(|node| node.places.get(&level?));
        let are_numbers = names().all(|place| number(&place.value).is_some());
        let mut numbers = BTreeMap::new();
        for place in names() {
            let next = i64::try_from(numbers.len()).unwrap_or(i64::MAX);
            numbers.entry(&*place.value).or_insert(next);
        }
        Self {
            level,
            numbers: (!are_numbers).then_some(numbers),
        }
    }

    fn of(&self, node: &Node) -> Option<i64> {
        let place = node.places.get(&self.level?)?;
        match &self.numbers {
            Some(numbers) => numbers.get(&*place.value).copied(),
            None => number(&place.value),
        }
    }

    /// Returns numbers and names, by number.
    fn names(&self) -> Option<String> {
        let numbers = self.numbers.as_ref()?;
        let mut names: Vec<(i64, &str)> = numbers.iter().map(|(&name, &of)| (of, name)).collect();
        names.sort_unstable();
        let names = names
            .iter()
            .map(|(number, name)| format!("{number}={name}"));
        Some(names.collect::<Vec<_>>().join(","))
    }
}

/// Returns the number that a name is, written as numbers are.
fn number(name: &str) -> Option<i64> {
    let number: i64 = name.parse().ok()?;
    (number >= 0 && number.to_string() == name).then_some(number)
}
