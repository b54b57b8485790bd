//! Random cases, made from a seed.
//!
//! A case is about one group of features, often with others mixed in. Sizes
//! follow the [`Profile`]; everything else follows from the seed, so a seed is
//! all that is needed to see a case again.

mod claim;
mod config;
mod device;
mod group;
mod held;
mod linked;
mod machine;
mod node;
mod objective;
mod partition;
mod pool;
mod random;
mod selector;
mod text;
mod twins;
mod weights;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

use crate::case::Case;

pub use group::Group;
pub use linked::{LinkedQuestion, TOPOLOGY_TERMS, linked_question};
pub use objective::{Question, question};
pub use random::Random;
use weights::Weights;

/// How large cases are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// At most 8 devices and few picks: brute force solves every one.
    Small,
    /// Up to 18 devices, 44 in cases about limits: Kubernetes' search solves
    /// nearly all.
    Medium,
}

/// The features that Kubernetes' allocator knows, as cases name them.
const FEATURES: [&str; 11] = [
    "adminAccess",
    "compatibilityGroups",
    "consumableCapacity",
    "derivedAttributes",
    "deviceBindingAndStatus",
    "deviceTaints",
    "fractionalCapacityRange",
    "listTypeAttributes",
    "optionalNodeOperations",
    "partitionableDevices",
    "prioritizedList",
];

/// Returns the group that the case of a seed is about.
pub fn group(seed: u64) -> Group {
    Group::EVERY[Random::new(seed).below(Group::EVERY.len())]
}

/// Returns the case of a seed as JSON, in the format of the conformance cases.
///
/// # Examples
///
/// ```
/// use dralloc_testkit::generate::{self, Profile};
///
/// let case = generate::json(7, Profile::Small);
/// assert_eq!(case, generate::json(7, Profile::Small));
/// assert!(case["name"].as_str().is_some_and(|name| name.ends_with("-7")));
/// ```
pub fn json(seed: u64, profile: Profile) -> Value {
    let mut random = Random::new(seed);
    let first = Group::EVERY[random.below(Group::EVERY.len())];
    of_group(seed, first, profile, &mut random)
}

/// Returns a case about a group of features, and maybe others.
fn of_group(seed: u64, first: Group, profile: Profile, random: &mut Random) -> Value {
    let mut groups = vec![first];
    let others = match random.below(10) {
        0..=5 => 0,
        6..=8 => 1,
        _ => 3,
    };
    for _ in 0..others {
        groups.push(Group::EVERY[random.below(Group::EVERY.len())]);
    }
    let weights = Weights::new(profile, &groups, random);
    let inventory = pool::inventory(&weights, random);
    let held = held::held(&inventory, &weights, random);
    json!({
        "name": format!("{}-{seed}", first.name()),
        "features": features(&weights, random),
        "node": node::node(&weights, random),
        "deviceClasses": config::classes(&weights, random),
        "resourceSlices": inventory.slices,
        "claims": claim::claims(&inventory.devices, &weights, random),
        "allocated": held,
    })
}

/// Returns the case of a seed.
///
/// # Panics
///
/// Never, unless the generator writes something that is no case.
#[expect(
    clippy::expect_used,
    reason = "a test of this module reads every kind of case"
)]
pub fn case(seed: u64, profile: Profile) -> Case {
    let text = json(seed, profile).to_string();
    Case::from_line(&text).expect("a generated case can be read")
}

/// Returns the features that are on: all, or all but some.
fn features(weights: &Weights, random: &mut Random) -> Value {
    let mut features = Map::new();
    for feature in FEATURES {
        if !random.chance(weights.gates) {
            features.insert(feature.into(), json!(true));
        } else if random.chance(50) {
            features.insert(feature.into(), json!(false));
        }
    }
    features.into()
}
