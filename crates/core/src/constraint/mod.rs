//! What holds between devices that are picked together: one propagator per file.
//!
//! Each knows what is picked only through its own state. State changes go
//! through the [`Trail`], so that a candidate that is rejected leaves no trace.

mod allowed_sets;
mod attribute_sets;
mod capacity;
mod compatibility_groups;
mod counters;
mod distinct_attribute;
mod exclusive;
mod holders;
mod linked;
mod match_attribute;
mod ring_rate;
mod trail;
mod twins;
mod unit_cuts;
mod unit_groups;
mod vertices;

pub(crate) use allowed_sets::AllowedSets;
pub(crate) use attribute_sets::{AttributeSets, SetId};
pub(crate) use capacity::Capacity;
pub(crate) use compatibility_groups::CompatibilityGroups;
pub(crate) use counters::Counters;
pub(crate) use distinct_attribute::DistinctAttribute;
pub(crate) use exclusive::Exclusive;
pub(crate) use holders::Holders;
pub(crate) use linked::Linked;
pub(crate) use match_attribute::MatchAttribute;
pub(crate) use ring_rate::RingRate;
pub(crate) use trail::{Mark, Trail, Undo};
pub(crate) use twins::TwinPicks;
pub(crate) use unit_cuts::UnitCuts;
pub(crate) use unit_groups::UnitGroups;
