//! Cards as partitionable devices: every placement of every MIG profile.
//!
//! Slices are published as NVIDIA's driver does: per node a pool, with a counter
//! set for each card in slices of their own, and in others the whole card and each
//! place where an instance can be made, all drawing on that set. A memory slice is
//! a counter of its own, so placements exclude one another as on the card.

mod card;
mod models;
mod slices;

use dralloc::model::ResourceSlice;

pub use card::{Card, Engines, Instance};
pub use models::Model;
pub use slices::{DRIVER, NODE};

/// Returns the slices of a node with that many cards as the text of a Kubernetes
/// list, one slice a line.
///
/// # Examples
///
/// ```
/// use dralloc_testkit::partitions::{self, Model};
///
/// let text = partitions::text(Model::A100, 1);
/// assert_eq!(text.lines().count(), 4);
/// assert_eq!(text.matches("gpu-0-mig-").count(), 25);
/// ```
pub fn text(model: Model, cards: usize) -> String {
    let slices: Vec<String> = slices::slices(model.card(), cards)
        .iter()
        .map(ToString::to_string)
        .collect();
    format!(
        "{{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n{}\n]}}\n",
        slices.join(",\n")
    )
}

/// Returns the slices of a node with that many cards.
///
/// # Errors
///
/// If what [`text`] gives is no slice, which would be a fault of this module.
pub fn slices(model: Model, cards: usize) -> Result<Vec<ResourceSlice>, serde_json::Error> {
    slices::slices(model.card(), cards)
        .into_iter()
        .map(serde_json::from_value)
        .collect()
}
