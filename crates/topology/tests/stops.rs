//! Whoever watches a search ends it where it is, and changes nothing else.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod machines;

use dralloc_topology::{Choice, Document, Question, Selector, Term, Topology, Watch};
use serde_json::{Value, json};

/// No more steps than this are told at once: the sets of a host of 16 devices.
const MOST_AT_ONCE: u64 = 4 << 16;

/// Ends a search after so many steps, and is told of none after that.
struct Steps {
    taken: u64,
    most: u64,
    largest: u64,
    is_over: bool,
}

impl Steps {
    fn most(most: u64) -> Self {
        Self {
            taken: 0,
            most,
            largest: 0,
            is_over: false,
        }
    }
}

impl Watch for Steps {
    type Stop = ();

    fn steps(&mut self, steps: u64) -> Result<(), ()> {
        assert!(!self.is_over, "it was ended");
        self.taken += steps;
        self.largest = self.largest.max(steps);
        self.is_over = self.taken > self.most;
        if self.is_over { Err(()) } else { Ok(()) }
    }
}

/// Returns devices with links that look like chance between each two of them.
fn mesh(size: usize) -> Topology {
    let mut state = 4_u64;
    let vertices = (0..size).map(|gpu| json!({"id": format!("g{gpu}"), "kind": "gpu"}));
    let vertices: Vec<Value> = vertices.collect();
    let mut links = Vec::new();
    for a in 0..size {
        for b in 0..a {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let (a, b) = (format!("g{a}"), format!("g{b}"));
            links.push(json!({"a": a, "b": b, "type": "NVLink", "count": 1 + (state >> 33) % 2}));
        }
    }
    let document = json!({"apiVersion": "dralloc.dev/v1alpha1", "kind": "Topology",
        "spec": {"vertices": vertices, "links": links}});
    Topology::new(&Document::read(&document.to_string()).unwrap()).unwrap()
}

/// Returns a rack of which a device has a link more than others, so that they are not alike.
fn uneven_rack() -> Topology {
    let mut rack: Value = serde_json::from_str(&machines::text("gb200-nvl72-rack")).unwrap();
    rack.as_object_mut().unwrap().remove("expectedLevels");
    let links = rack["spec"]["links"].as_array_mut().unwrap();
    let link = links.iter_mut().find(|link| link["type"] == "NVSwitch");
    let link = link.unwrap();
    link["count"] = json!(2);
    link["bandwidthGBps"] = json!(2.0 * link["bandwidthGBps"].as_f64().unwrap());
    Topology::new(&Document::read(&rack.to_string()).unwrap()).unwrap()
}

fn ask(
    selector: &Selector,
    count: usize,
    terms: &[Term],
    most: u64,
) -> (Result<Option<Choice>, ()>, Steps) {
    let free: Vec<usize> = (0..576).collect();
    let question = Question {
        free: &free,
        count,
        required: &[],
        terms,
    };
    let mut steps = Steps::most(most);
    let answer = selector.select_until(&question, &mut steps);
    (answer.map(Result::unwrap), steps)
}

#[test]
fn a_search_ends_within_a_fixed_number_of_steps() {
    let (rings, tree) = (&[Term::Ring, Term::Links][..], &Term::USUAL[..]);
    for (name, topology, count, terms) in [
        ("table of 16", mesh(16), 8, rings),
        ("mesh of 32", mesh(32), 5, rings),
        ("rack", uneven_rack(), 36, tree),
        (
            "eight racks",
            machines::machine("gb200-8xnvl72-576gpu"),
            100,
            tree,
        ),
    ] {
        let (answer, all) = ask(&Selector::new(&topology).unwrap(), count, terms, u64::MAX);
        let answer = answer.unwrap().unwrap();
        assert_eq!(answer.devices.len(), count, "{name}");
        println!("{name}: {} steps, {} at once", all.taken, all.largest);
        assert!(all.largest <= MOST_AT_ONCE, "{name}: {}", all.largest);
        for part in 0..12 {
            let most = all.taken / 12 * part;
            // What a table has learnt from an earlier question is not found out again.
            let (found, steps) = ask(&Selector::new(&topology).unwrap(), count, terms, most);
            assert_eq!(found, Err(()), "{name} {most}");
            assert!(steps.taken - most <= MOST_AT_ONCE, "{name} {most}");
        }
        let (again, _) = ask(&Selector::new(&topology).unwrap(), count, terms, all.taken);
        assert_eq!(again, Ok(Some(answer)), "{name}");
    }
}

#[test]
fn a_search_in_a_mesh_of_32_devices_ends_when_it_is_cancelled() {
    let topology = mesh(32);
    let selector = Selector::new(&topology).unwrap();
    let free: Vec<usize> = (0..32).collect();
    let question = Question {
        free: &free,
        count: 16,
        required: &[],
        terms: &[Term::Ring, Term::Links],
    };
    // By itself it ends after so many steps, without an answer.
    let error = selector.select(&question).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a set to be found in 131072 steps"
    );
    for most in [0, 1_000, 1_000_000] {
        let mut steps = Steps::most(most);
        assert_eq!(selector.select_until(&question, &mut steps), Err(()));
        assert!(steps.taken - most <= 16_usize.pow(3) as u64);
    }
}
