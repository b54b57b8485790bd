//! How many sets of instances can be on a card at once, and how many of them leave
//! no place for another: asked of the engine, and counted from the tables alone.

use dralloc::model::Node;
use dralloc::{
    AllocateOptions, Change, Engine, Features, Outcome, PreparedClaims, Transaction, Workspace,
};
use dralloc_testkit::partitions::{self, Model, NODE};

use serde_json::{Value, json};

use super::ask;

/// Sets that are possible, and those of them to which nothing can be added.
#[derive(Debug, PartialEq, Eq)]
struct Counts {
    feasible: u64,
    maximal: u64,
}

const ALL: Counts = Counts {
    feasible: 2_319,
    maximal: 239,
};
const WITHOUT_MEDIA: Counts = Counts {
    feasible: 723,
    maximal: 78,
};
/// Nor the profile of one compute slice with twice the memory.
const PLAIN: Counts = Counts {
    feasible: 298,
    maximal: 19,
};

/// Profiles that are left out of a count.
fn leaves_out(model: Model) -> [Vec<&'static str>; 3] {
    let profiles = || model.card().instances.iter();
    let media: Vec<_> = profiles()
        .filter(|instance| instance.profile.ends_with("+me"))
        .map(|instance| instance.profile)
        .collect();
    let wide = profiles()
        .filter(|instance| instance.profile.starts_with("1g") && instance.width == 2)
        .map(|instance| instance.profile);
    let both = media.iter().copied().chain(wide).collect();
    [Vec::new(), media, both]
}

/// Asks for single devices of a card, one after another, in all ways.
struct Asking {
    transaction: Transaction,
    workspace: Workspace,
    claims: Vec<PreparedClaims>,
    found: Counts,
}

impl Asking {
    fn new(model: Model, left_out: &[&str]) -> Self {
        let mut list: Value = serde_json::from_str(&partitions::text(model, 1)).unwrap();
        let places = number(&mut list, left_out);
        let mut engine = Engine::new(Features::all());
        engine.apply(Change::Node(Node::new(NODE, []))).unwrap();
        engine.apply(Change::DeviceClass(ask::class())).unwrap();
        for slice in list["items"].as_array().unwrap() {
            let slice = serde_json::from_value(slice.clone()).unwrap();
            engine.apply(Change::ResourceSlice(slice)).unwrap();
        }
        let snapshot = engine.snapshot();
        let claims = (0..places)
            .map(|place| {
                let asked =
                    ask::selected(1, &format!("device.attributes['test'].place == {place}"));
                let claim = ask::claim(&format!("place-{place}"), &[asked], &[]);
                snapshot.prepare(&[claim]).unwrap()
            })
            .collect();
        Self {
            transaction: snapshot.transaction(),
            workspace: Workspace::new(),
            claims,
            found: Counts {
                feasible: 0,
                maximal: 0,
            },
        }
    }

    fn fits(&mut self, place: usize) -> bool {
        let options = AllocateOptions::new();
        let claims = &self.claims[place];
        let answer = self
            .transaction
            .consider(NODE, claims, &options, &mut self.workspace);
        match answer {
            Ok(Outcome::Optimal(_)) => true,
            Ok(Outcome::Infeasible(_)) => false,
            other => panic!("{other:?}"),
        }
    }

    /// Counts the sets that add devices from a place on to those that are held.
    fn extend(&mut self, held: &mut Vec<usize>, from: usize) {
        self.found.feasible += 1;
        let mut is_maximal = true;
        for place in 0..self.claims.len() {
            if held.contains(&place) || !self.fits(place) {
                continue;
            }
            is_maximal = false;
            if place < from {
                continue;
            }
            let before = self.transaction.savepoint();
            let options = AllocateOptions::new();
            self.transaction
                .allocate(NODE, &self.claims[place], &options, &mut self.workspace)
                .unwrap();
            held.push(place);
            self.extend(held, place + 1);
            held.pop();
            self.transaction.rollback(&before).unwrap();
        }
        self.found.maximal += u64::from(is_maximal);
    }
}

/// Numbers the MIG devices that are not left out in an attribute of the tests;
/// returns how many there are. The driver says nothing by which one placement
/// could be selected.
fn number(list: &mut Value, left_out: &[&str]) -> usize {
    let slices = list["items"].as_array_mut().unwrap();
    let devices = slices
        .iter_mut()
        .filter_map(|slice| slice.pointer_mut("/spec/devices")?.as_array_mut());
    let mut places = 0;
    for device in devices.flatten() {
        let profile = device["attributes"]["profile"]["string"].as_str();
        if profile.is_some_and(|profile| !left_out.contains(&profile)) {
            device["attributes"]["test/place"] = json!({"int": places});
            places += 1;
        } else {
            device["attributes"]["test/place"] = json!({"int": -1});
        }
    }
    places
}

fn by_asking(model: Model, left_out: &[&str]) -> Counts {
    let mut asking = Asking::new(model, left_out);
    asking.extend(&mut Vec::new(), 0);
    asking.found
}

/// Counts cliques of what goes together by pairs: two instances exclude each other
/// where they share a memory slice, or both have the one optical flow accelerator.
fn by_pairs(model: Model, left_out: &[&str]) -> Counts {
    let mut instances = Vec::new();
    for instance in model.card().instances {
        for &start in instance.starts {
            if !left_out.contains(&instance.profile) {
                let slices = ((1_u32 << instance.width) - 1) << start;
                instances.push(slices | instance.engines.ofa << 8);
            }
        }
    }
    let together: Vec<u64> = instances
        .iter()
        .map(|one| {
            let others = instances.iter().enumerate();
            others
                .filter(|(_, other)| one & **other == 0)
                .fold(0, |all, (place, _)| all | 1 << place)
        })
        .collect();
    let mut counts = Counts {
        feasible: 0,
        maximal: 0,
    };
    let mut open = vec![((1_u64 << instances.len()) - 1, u64::MAX)];
    while let Some((candidates, later)) = open.pop() {
        counts.feasible += 1;
        counts.maximal += u64::from(candidates == 0);
        for (place, others) in together.iter().enumerate() {
            if (candidates & later) >> place & 1 != 0 {
                open.push((candidates & others, u64::MAX << place << 1));
            }
        }
    }
    counts
}

#[test]
fn as_many_sets_fit_on_a_card_as_its_tables_say() {
    for model in Model::EVERY {
        for (left_out, expected) in leaves_out(model).iter().zip([ALL, WITHOUT_MEDIA, PLAIN]) {
            assert_eq!(by_pairs(model, left_out), expected, "{model:?}");
        }
    }
}

#[test]
fn the_engine_fills_a_card_in_as_many_ways() {
    for model in Model::EVERY {
        for (left_out, expected) in leaves_out(model).iter().zip([ALL, WITHOUT_MEDIA, PLAIN]) {
            assert_eq!(by_asking(model, left_out), expected, "{model:?}");
        }
    }
}
