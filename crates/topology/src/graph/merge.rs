//! One link of what its two ends report.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::Edge;
use crate::document::{Link, LinkType};
use crate::error::{Oddity, Warning};
use crate::validate::{Ids, quoted};

/// Returns the links by their ends, the lower number first, and their type.
///
/// Tools report a link at both ends, so two entries with the same ends and type are two
/// reports of one link, not two links (those are bonded: `count`). Where they differ the
/// weaker counts, with a warning: the other end could not keep up.
pub(super) fn links(
    links: &[Link],
    ids: &Ids<'_>,
    warnings: &mut Vec<Warning>,
) -> BTreeMap<(usize, usize, LinkType), Edge> {
    let mut edges: BTreeMap<(usize, usize, LinkType), Edge> = BTreeMap::new();
    for (index, link) in links.iter().enumerate() {
        let (Some(&a), Some(&b)) = (ids.get(&*link.a), ids.get(&*link.b)) else {
            continue;
        };
        let edge = Edge {
            link_type: link.link_type,
            count: link
                .count
                .map_or(1, |count| u32::try_from(count).unwrap_or(1)),
            rate: link.bandwidth,
        };
        match edges.entry((a.min(b), a.max(b), link.link_type)) {
            Entry::Vacant(entry) => {
                entry.insert(edge);
            }
            Entry::Occupied(mut entry) => {
                let before = *entry.get();
                let left = before.weaker(edge);
                if before != edge {
                    let message = format!(
                        "`{}` between {} and {} is reported as {} and as {}, the weaker counts: {}",
                        link.link_type.as_str(),
                        quoted(&link.a),
                        quoted(&link.b),
                        shown(before),
                        shown(edge),
                        shown(left),
                    );
                    let path = format!("spec.links[{index}]");
                    warnings.push(Warning::new(Oddity::WeakerLink, path, message));
                }
                entry.insert(left);
            }
        }
    }
    edges
}

fn shown(edge: Edge) -> String {
    match edge.rate {
        Some(rate) => format!("{} at {rate} GB/s", edge.count),
        None => format!("{} at an unknown rate", edge.count),
    }
}
