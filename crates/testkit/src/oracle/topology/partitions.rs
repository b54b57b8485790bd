//! [`Partitions`]: the partitions of a fabric that devices publish.

use std::collections::BTreeSet;

use dralloc::model::DeviceAttribute;

use super::seats;
use crate::oracle::world::{Offer, Place, World};

/// Has the cards of devices that a fabric is cut into, and what it is cut into.
pub(super) struct Partitions {
    /// Devices with the card that each is of.
    cards: Vec<(Place, String)>,
    whole: Vec<BTreeSet<String>>,
}

impl Partitions {
    /// Reads what devices show; none where none of them shows a partition.
    pub(super) fn of(world: &World<'_>, places: &[Place]) -> Option<Self> {
        let all: Vec<_> = places
            .iter()
            .map(|place| {
                let offer = world.offer(*place);
                let card = seats::card(offer).unwrap_or_else(|| format!("alone {}", offer.id));
                (*place, card, shown(offer))
            })
            .collect();
        let driver = |place: &Place| &world.offer(*place).id.driver;
        let shows = all.iter().filter(|(.., shown)| !shown.is_empty());
        let drivers: BTreeSet<_> = shows.map(|(place, ..)| driver(place)).collect();
        let mut whole = Vec::new();
        for (place, _, shown) in &all {
            for partition in shown {
                let members = all.iter().filter(|(other, _, shown)| {
                    driver(other) == driver(place) && shown.contains(partition)
                });
                let members: BTreeSet<String> = members.map(|(_, card, _)| card.clone()).collect();
                if members.len() == partition.0 {
                    whole.push(members);
                }
            }
        }
        let known = all
            .iter()
            .filter(|(place, ..)| drivers.contains(driver(place)));
        (!drivers.is_empty()).then(|| Self {
            cards: known
                .map(|(place, card, _)| (*place, card.clone()))
                .collect(),
            whole,
        })
    }

    /// Returns whether the cards of picks are a partition, or none of them is of a fabric.
    pub(super) fn is_one(&self, picks: &[Place]) -> bool {
        let picked = self.cards.iter().filter(|(place, _)| picks.contains(place));
        let picked: BTreeSet<String> = picked.map(|(_, card)| card.clone()).collect();
        picked.is_empty() || self.whole.contains(&picked)
    }
}

/// Returns how many cards the partitions of a device have, with their numbers.
fn shown(offer: &Offer<'_>) -> Vec<(usize, i64)> {
    let attributes = offer.device.attributes.iter();
    let own = attributes.filter_map(|(name, value)| {
        let own = format!("{}/", offer.id.driver);
        let id = name.strip_prefix(&*own).unwrap_or(name);
        let size = id.strip_prefix("partition")?;
        let is_number = size.bytes().all(|digit| digit.is_ascii_digit()) && !size.starts_with('0');
        match value {
            DeviceAttribute::Int(number) if is_number => Some((size.parse().ok()?, *number)),
            _ => None,
        }
    });
    own.collect()
}
