//! Partitions: profiles over the memory and the slices of a parent device.

use serde_json::{Map, Value, json};

use super::text::{Scale, quantity};
use super::{Random, Weights};

/// A parent's counters and the devices that draw on them.
pub(super) struct Partitions {
    pub counter_sets: Vec<Value>,
    pub shapes: Vec<Shape>,
}

/// One partition.
pub(super) struct Shape {
    pub name: String,
    pub profile: &'static str,
    pub parent: usize,
    pub consumes: Vec<Value>,
}

/// Returns at most `most` partitions of one or two parents.
pub(super) fn partitions(most: usize, weights: &Weights, random: &mut Random) -> Partitions {
    let parents = random.between(1, 2);
    let width = random.between(2, 4);
    let slack = random.below(2);
    let mut counter_sets = Vec::new();
    let mut shapes = Vec::new();
    for parent in 0..parents {
        counter_sets.push(counters(parent, width, slack, weights, random));
        shapes.extend(profiles(parent, width, weights, random));
    }
    random.shuffle(&mut shapes);
    shapes.truncate(most.max(1));
    if random.chance(60) {
        shapes.sort_by(|a, b| a.name.cmp(&b.name));
    }
    if parents == 2 && random.chance(15) {
        // A device that takes from both parents.
        if let Some(shape) = shapes.first_mut() {
            let set = format!("parent-{}", 1 - shape.parent);
            shape
                .consumes
                .push(json!({"counterSet": set, "counters": {"memory": {"value": "1"}}}));
        }
    }
    Partitions {
        counter_sets,
        shapes,
    }
}

fn counters(
    parent: usize,
    width: usize,
    slack: usize,
    weights: &Weights,
    random: &mut Random,
) -> Value {
    let mut counters = Map::new();
    let memory = if random.chance(weights.odd_quantities) {
        quantity(Scale::Units, weights, random)
    } else {
        json!((width - slack).to_string())
    };
    counters.insert("memory".into(), json!({"value": memory}));
    for place in 0..width {
        counters.insert(format!("slice-{place}"), json!({"value": "1"}));
    }
    if random.chance(20) {
        counters.insert(
            "engines".into(),
            json!({"value": random.pick(&["1", "2", "1500m"])}),
        );
    }
    json!({"name": format!("parent-{parent}"), "counters": counters})
}

/// Returns the whole parent, halves and single slices.
fn profiles(parent: usize, width: usize, weights: &Weights, random: &mut Random) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (size, profile) in [(1, "1g"), (2, "2g"), (width, "7g")] {
        for start in (0..width).step_by(size) {
            let end = (start + size).min(width);
            let mut counters = Map::new();
            let memory = if random.chance(weights.odd_quantities / 3) {
                quantity(Scale::Units, weights, random)
            } else {
                json!((end - start).to_string())
            };
            counters.insert("memory".into(), json!({"value": memory}));
            for place in start..end {
                counters.insert(format!("slice-{place}"), json!({"value": "1"}));
            }
            let mut consumption =
                json!({"counterSet": format!("parent-{parent}"), "counters": counters});
            if random.chance(weights.compatibility_groups) {
                let groups: &[&str] = random.pick(&[
                    &["mig"][..],
                    &["mig"],
                    &["vgpu"],
                    &["mig", "vgpu"],
                    &["mps", "mig"],
                    &[],
                ]);
                consumption["compatibilityGroups"] = json!(groups);
            }
            shapes.push(Shape {
                name: format!("gpu{parent}-{profile}-{start}"),
                profile,
                parent,
                consumes: vec![consumption],
            });
        }
    }
    shapes
}
