//! An engine that was loaded from a dump, and transactions, step by step.

use dralloc::model::ResourceClaim;
use dralloc::{
    AllocateOptions, Applied, Change, Engine, Features, NodeUse, Outcome, Relist, Removed,
    Transaction, Workspace,
};
use proptest::prelude::*;

use super::{amounts, loaded};
use crate::order::{answers, history};
use crate::states::{OBJECTS, state};
use crate::{claim, class};

/// Is something that is done to an engine.
#[derive(Clone, Debug)]
enum Step {
    Object(u8, u8),
    Commit(u8, u8),
    Forget(u8),
    Use(u8, u8),
    Dump,
}

/// Asks for one device or two on a node, on a transaction.
fn ask(transaction: &mut Transaction, claim: &ResourceClaim, node: u8) -> String {
    let claims = transaction
        .snapshot()
        .prepare(std::slice::from_ref(claim))
        .unwrap();
    let (options, mut workspace) = (AllocateOptions::new(), Workspace::new());
    match transaction.allocate(&format!("o{}", node % 3), &claims, &options, &mut workspace) {
        Ok(Outcome::Optimal(allocation)) => format!("{:?}", allocation.results()),
        other => format!("{other:?}"),
    }
}

/// Returns all that a change says of itself.
fn told(applied: &Applied) -> String {
    let changed = (applied.is_changed(), applied.is_any_node());
    let (nodes, pools) = (applied.nodes(), applied.pools());
    format!("{changed:?} {nodes:?} {pools:?} {:?}", applied.claims())
}

fn step(engine: &mut Engine, event: Option<&Change>, step: &Step) -> String {
    let applied = match (event, step) {
        (Some(event), _) => engine.apply(event.clone()),
        (None, Step::Commit(name, node)) => {
            let mut transaction = engine.snapshot().transaction();
            let claim = claim(&format!("c{}", name % 4), 1, 1 + u32::from(name % 2));
            let answer = ask(&mut transaction, &claim, *node);
            let user = format!("user-{}", node % 3);
            if node % 2 == 0 {
                transaction
                    .take_amounts("o1", &user, &amounts(*name))
                    .unwrap();
            } else {
                transaction.release_amounts(&user);
            }
            let applied = transaction.commit(engine).map(|applied| told(&applied));
            return format!("{answer} {applied:?}");
        }
        (None, Step::Forget(name)) if name % 2 == 0 => {
            Ok(engine.forget(&format!("user-{}", name % 3)))
        }
        (None, Step::Forget(name)) => Ok(engine.forget(&format!("uid-c{}", name % 4))),
        (None, Step::Use(user, cpu)) if *cpu == 0 => {
            let owner = format!("user-{}", user % 3).into();
            engine.apply(Change::Removed(Removed::NodeUse(owner)))
        }
        (None, Step::Use(user, cpu)) => engine.apply(Change::NodeUse(NodeUse {
            owner: format!("user-{}", user % 3).into(),
            node: format!("o{}", cpu % 2).into(),
            amounts: amounts(*cpu),
        })),
        (None, _) => return String::new(),
    };
    format!("{:?}", applied.map(|applied| told(&applied)))
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0..OBJECTS, 0_u8..12).prop_map(|(object, state)| Step::Object(object, state)),
        3 => (any::<u8>(), any::<u8>()).prop_map(|(name, node)| Step::Commit(name, node)),
        1 => any::<u8>().prop_map(Step::Forget),
        1 => (any::<u8>(), 0_u8..4).prop_map(|(user, cpu)| Step::Use(user, cpu)),
        1 => Just(Step::Dump),
    ];
    prop::collection::vec(step, 1..40)
}

/// Turns changes of objects into the events that tell of them.
fn events(steps: &[Step]) -> Vec<Option<Change>> {
    let mut objects = Vec::new();
    steps
        .iter()
        .map(|step| {
            let Step::Object(object, next) = step else {
                return None;
            };
            let before = history(&objects).0.len();
            objects.push((*object, *next));
            history(&objects).0.get(before).cloned()
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_loaded_engine_goes_on_as_the_one_that_was_dumped(steps in steps(), late in any::<u64>()) {
        let mut events = events(&steps);
        // Some come late.
        for place in 1..events.len() {
            if late >> (place % 64) & 1 == 1 {
                events.swap(place - 1, place);
            }
        }
        let (mut original, mut other) = (Engine::new(Features::all()), Engine::new(Features::all()));
        original.apply(class()).unwrap();
        other.apply(class()).unwrap();
        for (event, done) in events.iter().zip(&steps) {
            if matches!(done, Step::Dump) {
                other = loaded(&original);
            }
            let answer = step(&mut original, event.as_ref(), done);
            prop_assert_eq!(step(&mut other, event.as_ref(), done), answer);
            prop_assert_eq!(other.dump(), original.dump());
        }
        let mut other = loaded(&original);
        prop_assert_eq!(answers(&other), answers(&original));
        let list = Relist::ResourceClaims(Vec::new());
        let (one, two) = (original.replace(list.clone()), other.replace(list));
        prop_assert_eq!(told(&one.unwrap()), told(&two.unwrap()));
        prop_assert_eq!(other.dump(), original.dump());
        // What a snapshot shows can be loaded as well.
        let snapshot = original.snapshot().dump();
        prop_assert_eq!(Engine::load(&snapshot).unwrap().dump(), snapshot);
    }

    #[test]
    fn a_rollback_restores_the_bytes_of_the_dump(
        objects in prop::collection::vec((0..OBJECTS, 1_u8..12), 1..20),
        steps in prop::collection::vec((0_u8..9, any::<u8>(), any::<u8>()), 1..30),
    ) {
        let mut engine = Engine::new(Features::all());
        engine.apply(class()).unwrap();
        for change in history(&objects).1.into_values() {
            engine.apply(change).unwrap();
        }
        for node in 0..3 {
            engine.apply(state(node, 1, &format!("node-{node}"), 99)).ok();
        }
        engine.apply(Change::NodeUse(NodeUse {
            owner: "user-0".into(),
            node: "o0".into(),
            amounts: amounts(1),
        })).unwrap();
        let mut transaction = engine.snapshot().transaction();
        let mut savepoints = vec![(transaction.savepoint(), transaction.dump())];
        for (kind, one, other) in steps {
            let claim = claim(&format!("c{}", one % 4), 1, 1);
            match kind {
                0 | 1 => drop(ask(&mut transaction, &claim, other)),
                2 => _ = transaction.release(&claim),
                3 => drop(transaction.reserve(&claim, &format!("user-{}", other % 3))),
                4 => _ = transaction.mark_releasing(&claim, other % 2 == 0),
                5 => drop(transaction.add_node(&format!("h{}", one % 2), &format!("o{}", other % 3))),
                6 => {
                    transaction.unreserve(&claim, &format!("user-{}", other % 3));
                    drop(transaction.remove_node(&format!("h{}", one % 2)));
                }
                7 => {
                    let user = format!("user-{}", one % 3);
                    transaction.take_amounts("o0", &user, &amounts(other)).unwrap();
                    transaction.release_amounts(&format!("user-{}", other % 3));
                }
                _ if one % 2 == 0 => savepoints.push((transaction.savepoint(), transaction.dump())),
                _ => {
                    let place = usize::from(other) % savepoints.len();
                    savepoints.truncate(place + 1);
                    let (savepoint, dump) = &savepoints[place];
                    transaction.rollback(savepoint).unwrap();
                    prop_assert_eq!(&transaction.dump(), dump);
                }
            }
        }
        let (start, dump) = &savepoints[0];
        transaction.rollback(start).unwrap();
        prop_assert_eq!(&transaction.dump(), dump);
        prop_assert_eq!(dump, &engine.snapshot().dump());
    }
}
