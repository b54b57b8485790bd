//! The answers of the command are the optima that were found by exhaustion.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::common::dralloc;
use crate::machine;

/// Has optima by machine and number of devices.
#[derive(Deserialize)]
struct Optima {
    results: BTreeMap<String, BTreeMap<String, Optimum>>,
}

#[derive(Deserialize)]
struct Optimum {
    max_links: u64,
    first_optimal: Vec<usize>,
    ring: Option<f64>,
    ring_first: Option<Vec<usize>>,
}

/// Returns the answer without the time it took, which is a whole number.
fn select(name: &str, count: &str, terms: &str) -> Value {
    let file = machine(name);
    let run = dralloc(&[
        "topo",
        "select",
        "-f",
        &file,
        "--count",
        count,
        "--objective",
        terms,
        "-o",
        "json",
    ]);
    assert_eq!(run.code, 0, "{}", run.errors);
    let mut answer: Value = serde_json::from_str(&run.output).unwrap();
    let nanos = answer.as_object_mut().unwrap().remove("nanos").unwrap();
    assert!(nanos.is_u64(), "{nanos}");
    answer
}

/// Returns the ids of devices, which are numbered as they are named.
fn ids(devices: &[usize]) -> Vec<String> {
    devices
        .iter()
        .map(|device| format!("gpu{device}"))
        .collect()
}

#[test]
fn every_machine_and_number_of_devices() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("testdata/topologies/golden-optima.json"));
    let optima: Optima = serde_json::from_str(&text.unwrap()).unwrap();
    let mut compared = 0;
    for (name, sizes) in &optima.results {
        for (count, optimum) in sizes {
            let links = select(name, count, "links");
            assert_eq!(links["links"], json!(optimum.max_links), "{name} {count}");
            assert_eq!(
                links["devices"],
                json!(ids(&optimum.first_optimal)),
                "{name} {count}"
            );
            assert_eq!(links["outcome"], "optimal");
            compared += 1;
            let (Some(ring), Some(first)) = (optimum.ring, &optimum.ring_first) else {
                continue;
            };
            let rings = select(name, count, "ring");
            assert_eq!(rings["ring"].as_f64(), Some(ring), "{name} {count}");
            assert_eq!(rings["devices"], json!(ids(first)), "{name} {count}");
            let usual = select(name, count, "ring,links,packing");
            assert_eq!(usual["ring"].as_f64(), Some(ring), "{name} {count}");
            compared += 1;
        }
    }
    assert_eq!(compared, 155);
}
