//! [`Levels`]: which labels make racks, blocks and fabrics.

use std::collections::BTreeMap;

use super::key::Level;
use super::nodes::Node;
use crate::error::Warnings;
use crate::text::Position;

/// Says which level of the labels each place of a document is from.
///
/// A document has racks, blocks and fabrics, labels have more tiers. Racks are from their
/// labels; where there are none, and no `NVLink` domains, which are racks by themselves,
/// the nearest of several tiers stands in. Blocks are from the nearest tier that is left,
/// else from zones; fabrics from regions, else from the farthest tier that is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Levels {
    pub(super) rack: Option<Level>,
    pub(super) block: Option<Level>,
    pub(super) fabric: Option<Level>,
}

impl Levels {
    /// Chooses the levels that nodes have.
    pub(super) fn new(nodes: &[Node], warnings: &mut Warnings) -> Self {
        let mut found: BTreeMap<Level, Position> = BTreeMap::new();
        for node in nodes {
            for (&level, place) in &node.places {
                found.entry(level).or_insert(place.position);
            }
        }
        let has = |level: Level| found.contains_key(&level).then_some(level);
        let of_network = |level: &Level| matches!(level, Level::Tier(_) | Level::Zone);
        let mut left: Vec<Level> = found.keys().copied().filter(of_network).collect();
        let tiers = left.iter().filter(|level| matches!(level, Level::Tier(_)));
        let stands_in = tiers.count() > 1 && has(Level::NvLink).is_none();
        let mut nearest = || (!left.is_empty()).then(|| left.remove(0));
        let rack = has(Level::Rack).or_else(|| if stands_in { nearest() } else { None });
        let block = nearest();
        let fabric = has(Level::Region).or_else(|| left.pop());
        for level in left {
            let (Some(&position), Some(block)) = (found.get(&level), block) else {
                continue;
            };
            let message = format!(
                "documents have no level for {}, blocks are from {}",
                shown(level),
                shown(block),
            );
            warnings.add(position, message);
        }
        Self {
            rack,
            block,
            fabric,
        }
    }
}

fn shown(level: Level) -> String {
    match level {
        Level::NvLink => "`NVLink` domains".to_owned(),
        Level::Rack => "racks".to_owned(),
        Level::Tier(tier) => format!("tier {tier} of the network"),
        Level::Zone => "zones".to_owned(),
        Level::Region => "regions".to_owned(),
    }
}
