//! Random transactions, commits and events against plain books.

use std::collections::{BTreeMap, BTreeSet};

use dralloc::model::{ResourceClaim, ResourceSlice};
use dralloc::{
    AllocateOptions, Change, Code, Engine, Features, Outcome, Savepoint, Transaction, Workspace,
};
use proptest::prelude::*;
use serde_json::json;

use super::{claim, class, node};

const NODES: usize = 2;
const DEVICES: usize = 3;

/// Place of a device: its node, and its place there.
type Place = (usize, usize);

/// Which device each claim has.
type Books = BTreeMap<String, Place>;

/// A transaction, and what it should be.
struct Open {
    transaction: Transaction,
    base: Books,
    /// How often devices of each node had changed hands.
    moves: [usize; NODES],
    books: Books,
    /// Claims that were written, with the node for those that were allocated.
    written: BTreeMap<String, Option<usize>>,
    savepoints: Vec<(Savepoint, Books, BTreeMap<String, Option<usize>>)>,
}

impl Open {
    /// Asks for a claim as it may be: without devices, or with some already.
    fn allocate(&mut self, node: usize, name: String) {
        let has = self.books.get(&name).copied();
        // What it has is returned where it can be used.
        let expected = match has {
            Some(place) => Some(place).filter(|place| place.0 == node),
            None => free(&self.books, node),
        };
        assert_eq!(allocate(&mut self.transaction, node, &name), Ok(expected));
        if let Some(place) = expected {
            self.books.insert(name.clone(), place);
            if has.is_none() {
                self.written.insert(name, Some(node));
            } else {
                self.written.entry(name).or_insert(None);
            }
        }
    }
}

#[derive(Default)]
struct Model {
    books: Books,
    moves: [usize; NODES],
    /// What the last event said.
    said: Books,
    assumed: BTreeSet<String>,
    version: u32,
}

impl Model {
    fn set(&mut self, claim: &str, place: Option<Place>) {
        let old = self.books.remove(claim);
        if let Some(place) = place {
            self.books.insert(claim.to_owned(), place);
        }
        if old != place {
            for (node, _) in old.into_iter().chain(place) {
                self.moves[node] += 1;
            }
        }
    }
}

fn free(books: &Books, node: usize) -> Option<Place> {
    let mut places = (0..DEVICES).map(|device| (node, device));
    places.find(|place| !books.values().any(|held| held == place))
}

fn event(name: &str, version: u32, place: Option<Place>) -> ResourceClaim {
    let mut claim = claim(name, version, 1);
    if let Some((node, device)) = place {
        let result = json!({"request": "r", "driver": "d", "pool": format!("n{node}"),
            "device": format!("d{device}")});
        claim.status.allocation = serde_json::from_value(json!({"devices": {"results": [result]},
                "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [{
                    "key": "metadata.name", "operator": "In", "values": [format!("n{node}")]}]}]}}))
        .unwrap();
    }
    claim
}

fn allocate(transaction: &mut Transaction, node: usize, name: &str) -> Result<Option<Place>, Code> {
    let claims = [claim(name, 1, 1)];
    let claims = transaction.snapshot().prepare(&claims).unwrap();
    let (options, mut workspace) = (AllocateOptions::new(), Workspace::new());
    let node_name = format!("n{node}");
    match transaction.allocate(&node_name, &claims, &options, &mut workspace) {
        Ok(Outcome::Optimal(allocation)) => {
            let device = allocation.devices().next().unwrap().device;
            assert_eq!(*device.pool, *node_name);
            Ok(Some((node, device.device[1..].parse().unwrap())))
        }
        Ok(Outcome::Infeasible(_)) => Ok(None),
        Ok(other) => panic!("{other:?}"),
        Err(error) => Err(error.code()),
    }
}

fn start() -> Engine {
    let mut engine = Engine::new(Features::all());
    engine.apply(class()).unwrap();
    for index in 0..NODES {
        let name = format!("n{index}");
        engine.apply(node(&name)).unwrap();
        let devices: Vec<_> = (0..DEVICES)
            .map(|device| json!({"name": format!("d{device}")}))
            .collect();
        let slice = json!({"metadata": {"name": name, "uid": name}, "spec": {
            "driver": "d", "nodeName": name, "devices": devices,
            "pool": {"name": name, "generation": 1, "resourceSliceCount": 1}}});
        let slice = serde_json::from_value::<ResourceSlice>(slice).unwrap();
        engine.apply(Change::ResourceSlice(slice)).unwrap();
    }
    engine
}

fn step(engine: &mut Engine, model: &mut Model, open: &mut [Option<Open>], step: (u8, u8, u8, u8)) {
    let (action, which, name, node) = step;
    let (name, node) = (format!("c{name}"), usize::from(node) % NODES);
    let uid = format!("uid-{name}");
    let slot = usize::from(which) % open.len();
    let one = open[slot].get_or_insert_with(|| Open {
        transaction: engine.snapshot().transaction(),
        base: model.books.clone(),
        moves: model.moves,
        books: model.books.clone(),
        written: BTreeMap::new(),
        savepoints: Vec::new(),
    });
    match action {
        0..=3 => {
            one.allocate(node, name);
        }
        4 => {
            let had = one.books.remove(&name).is_some();
            assert_eq!(one.transaction.release(&claim(&name, 1, 1)), had);
            if had {
                one.written.insert(name, None);
            }
        }
        5 => {
            let point = one.transaction.savepoint();
            one.savepoints
                .push((point, one.books.clone(), one.written.clone()));
        }
        6 => {
            if let Some((point, books, written)) = one.savepoints.pop() {
                one.transaction.rollback(&point).unwrap();
                (one.books, one.written) = (books, written);
            }
        }
        7 | 8 => {
            let Some(one) = open[slot].take() else { return };
            let stale = one.written.iter().any(|(name, node)| {
                one.base.get(name) != model.books.get(name)
                    || node.is_some_and(|node| one.moves[node] != model.moves[node])
            });
            let result = one.transaction.commit(engine);
            let result = result.map(|_| ()).map_err(|error| error.code());
            assert_eq!(result, if stale { Err(Code::Conflict) } else { Ok(()) });
            if stale {
                return;
            }
            for name in one.written.keys() {
                let place = one.books.get(name).copied();
                if place.is_none() {
                    model.assumed.remove(name);
                } else if place != model.books.get(name).copied() {
                    model.assumed.insert(name.clone());
                }
                model.set(name, place);
            }
        }
        9 => {
            // The echo of what is so, or an event that was under way.
            model.version += 1;
            let echo = (which % 3 != 0).then(|| model.books.get(&name).copied());
            let place = echo.flatten();
            let change = Change::ResourceClaim(event(&name, model.version, place));
            engine.apply(change).unwrap();
            model.said.remove(&name);
            if let Some(place) = place {
                model.said.insert(name.clone(), place);
                model.assumed.remove(&name);
            } else if !model.assumed.contains(&name) {
                model.set(&name, None);
            }
        }
        _ => {
            let changed = engine.forget(&uid).is_changed();
            if model.assumed.remove(&name) {
                let said = model.said.get(&name).copied();
                assert_eq!(changed, said != model.books.get(&name).copied());
                model.set(&name, said);
            } else {
                assert!(!changed);
            }
        }
    }
    for index in 0..6 {
        let name = format!("c{index}");
        let assumed = model.assumed.contains(&name);
        assert_eq!(engine.is_assumed(&format!("uid-{name}")), assumed);
    }
    for node in 0..NODES {
        let mut probe = engine.snapshot().transaction();
        let expected = Ok(free(&model.books, node));
        assert_eq!(allocate(&mut probe, node, "probe"), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn nothing_is_ever_given_twice(
        steps in prop::collection::vec((0_u8..11, 0_u8..6, 0_u8..6, 0_u8..2), 1..120),
    ) {
        let (mut engine, mut model) = (start(), Model::default());
        let mut open: [Option<Open>; 2] = [None, None];
        for one in steps {
            step(&mut engine, &mut model, &mut open, one);
            let held = model.books.values().collect::<BTreeSet<_>>();
            // Two owners of one device can only come from an event that goes back
            // to what it said before; such books are not the engine's to mend.
            if held.len() != model.books.len() {
                break;
            }
        }
    }
}
