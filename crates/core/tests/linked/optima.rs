//! The best sets of known machines, as recorded.

use dralloc::{Policy, Term};
use serde_json::Value;

use crate::known::{best, claim, devices, engine, read, values};

/// Returns the links of a pair of devices by the recorded levels.
fn links(machine: &Value, a: usize, b: usize) -> i64 {
    let cell = machine["expectedLevels"]["gpuGpu"][a][b].as_str().unwrap();
    let digits = cell
        .strip_prefix("NV")
        .or_else(|| cell.strip_prefix("XGMI"));
    digits.map_or(0, |digits| digits.parse().unwrap())
}

#[test]
fn all_sizes_are_as_good_as_recorded() {
    let recorded = read("golden-optima");
    let mut compared = 0;
    for (name, sizes) in recorded["results"].as_object().unwrap() {
        let machine = read(name);
        let snapshot = engine(&machine).snapshot();
        let ids = machine["spec"]["vertices"].as_array().unwrap().iter();
        let ids = ids.filter(|vertex| vertex["kind"] == "gpu");
        let ids: Vec<String> = ids
            .map(|vertex| vertex["id"].as_str().unwrap().replace('_', "-"))
            .collect();
        let pairs = (0..ids.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let most = pairs.map(|(a, b)| links(&machine, a, b)).max().unwrap();
        for (size, expected) in sizes.as_object().unwrap() {
            let size: usize = size.parse().unwrap();
            let by = |term| {
                let policy = Policy::Terms(vec![term]);
                best(&mut snapshot.transaction(), &claim("c", size), &policy)
            };
            let by_links = by(Term::Links);
            let pairs = i64::try_from(size * (size - 1) / 2).unwrap();
            let lacking = pairs * most - expected["max_links"].as_i64().unwrap();
            assert_eq!(values(&by_links), [lacking], "{name} {size}");
            let first = |field: &str| -> Vec<&str> {
                let places = expected[field].as_array().unwrap().iter();
                let places = places.map(|place| usize::try_from(place.as_u64().unwrap()).unwrap());
                places.map(|place| &*ids[place]).collect()
            };
            assert_eq!(devices(&by_links), first("first_optimal"), "{name} {size}");
            if expected["ring"].is_number() {
                let by_ring = by(Term::Ring);
                assert_eq!(devices(&by_ring), first("ring_first"), "{name} {size}");
                compared += 1;
            }
        }
    }
    println!("{compared}");
    assert!(compared > 60, "{compared}");
}
