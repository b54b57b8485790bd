//! Cutting devices ends when it is told to.

use std::sync::Arc;

use dralloc_topology::{Scope, Unwatched, Watch};
use serde_json::{Value, json};

use super::{Grouping, Groups, LARGEST_GROUPING, STEPS_OF_A_SET, best_cut};
use crate::engine::{Change, Engine};
use crate::features::Features;
use crate::model::{Node, ResourceSlice};
use crate::topology::{AffinityScope, Machine, Topologies};

/// Counts steps, and ends after so many.
struct Steps {
    taken: u64,
    most: u64,
}

impl Watch for Steps {
    type Stop = u64;

    fn steps(&mut self, steps: u64) -> Result<(), u64> {
        self.taken += steps;
        if self.taken > self.most {
            return Err(self.taken);
        }
        Ok(())
    }
}

/// Returns groups of devices in two NUMA nodes each, of which neighbours share one.
fn ring(size: usize) -> Groups {
    let device = |number: usize| {
        let next = (number + 1) % LARGEST_GROUPING;
        json!({"name": format!("gpu-{number:02}"), "attributes":
            {"resource.kubernetes.io/numaNode": {"ints": [number, next]}}})
    };
    let devices: Vec<Value> = (0..LARGEST_GROUPING).map(device).collect();
    let mut engine = Engine::new(Features::all());
    engine.apply(Change::Node(Node::new("n", []))).unwrap();
    let slice: ResourceSlice = serde_json::from_value(json!({
        "metadata": {"name": "n"},
        "spec": {"driver": "d", "nodeName": "n", "devices": devices,
            "pool": {"name": "n", "generation": 1, "resourceSliceCount": 1}}}))
    .unwrap();
    engine.apply(Change::ResourceSlice(slice)).unwrap();
    let snapshot = engine.snapshot();
    let view = snapshot.inventory.view("n").unwrap();
    let Ok(machine) = Machine::new(view, &Topologies::default(), &mut Unwatched);
    Groups {
        machine: Arc::new(machine),
        count: LARGEST_GROUPING / size,
        sizes: vec![size],
        levels: vec![
            AffinityScope::Domain(Scope::NumaNode),
            AffinityScope::Domain(Scope::Host),
        ],
        is_required: false,
        apart: None,
    }
}

#[test]
fn a_cut_that_is_stopped_stays_what_it_was() {
    let mut grouping = Grouping::new(ring(4));
    let mut values = Vec::new();
    for device in 0..LARGEST_GROUPING {
        let before = grouping.value();
        let mut none = Steps { taken: 0, most: 0 };
        assert!(grouping.admits(0, device, &mut none).is_err());
        grouping.add(0, device, &mut none);
        assert_eq!(grouping.value(), before);
        grouping.take_back();

        let mut all = Steps {
            taken: 0,
            most: u64::MAX,
        };
        assert_eq!(grouping.admits(0, device, &mut all), Ok(true));
        let needed = all.taken;
        // A step less than it takes is too few.
        let mut few = Steps {
            taken: 0,
            most: needed - 1,
        };
        assert!(grouping.admits(0, device, &mut few).is_err());
        grouping.add(0, device, &mut all);
        values.extend(grouping.value());
    }
    // A group of more than two has no NUMA node in common.
    assert_eq!(
        values,
        [0, 0, 0, 0, 0, 0, 0, 0, 5, 5, 10, 10, 15, 15, 20, 20]
    );
}

#[test]
fn the_best_cut_of_all_takes_so_many_steps_at_most() {
    for size in [1, 2, 4, 8, 16] {
        let groups = ring(size);
        let picks = || (0..LARGEST_GROUPING).map(|device| (0, device));
        let mut all = Steps {
            taken: 0,
            most: 1_000_000 * STEPS_OF_A_SET,
        };
        let cut = best_cut(&groups, picks(), &mut all).unwrap();
        let places: Vec<usize> = cut.iter().flat_map(|(_, group)| group.clone()).collect();
        let level = usize::from(size > 2);
        assert!(
            cut.iter()
                .all(|(reached, group)| { *reached == Some(level) && group.len() == size })
        );
        assert_eq!(places.len(), LARGEST_GROUPING);
        let mut few = Steps {
            taken: 0,
            most: all.taken - 1,
        };
        assert_eq!(best_cut(&groups, picks(), &mut few), Err(all.taken));
    }
}
