//! Whatever the order of events, and with a full list after missed ones: the
//! answers are those of an engine that knows the final objects alone.

use std::collections::BTreeMap;

use dralloc::model::ResourceClaim;
use dralloc::{
    AllocateOptions, Applied, Change, Code, Engine, Features, Outcome, Relist, Removed, Workspace,
};
use proptest::prelude::*;
use serde_json::json;

use super::states::{CLAIMS, HOLDS, NODES, OBJECTS, OVERLAYS, RULES, removed, state};
use super::{claim, class, commit, engine, names, slice};

/// Returns all events of a history, and the objects that are there in the end.
pub(crate) fn history(steps: &[(u8, u8)]) -> (Vec<Change>, BTreeMap<u8, Change>) {
    let (mut events, mut there) = (Vec::new(), BTreeMap::new());
    let mut lives = [0; OBJECTS as usize];
    for (version, (object, next)) in steps.iter().enumerate() {
        let life = &mut lives[usize::from(*object)];
        let uid = format!("uid-{object}-{life}");
        if *next == 0 {
            if there.remove(object).is_some() {
                events.push(removed(*object, &uid));
                *life += 1;
            }
            continue;
        }
        let change = state(*object, *next, &uid, version + 1);
        events.push(change.clone());
        there.insert(*object, change);
    }
    (events, there)
}

/// Returns what every node answers, and what is kept as it is.
pub(crate) fn answers(engine: &Engine) -> Vec<String> {
    let snapshot = engine.snapshot();
    let mut all = claim("all", 1, 1);
    let request = all.spec.devices.requests[0].exactly.as_mut().unwrap();
    (request.allocation_mode, request.count) = ("All".into(), 0);
    let asked = [
        claim("one", 1, 1),
        claim("three", 1, 3),
        all,
        red(),
        alike(),
    ];
    let names = snapshot.nodes().map(|node| node.metadata.name.to_string());
    let mut answers = Vec::new();
    for node in names {
        for claim in &asked {
            let claims = snapshot.prepare(std::slice::from_ref(claim)).unwrap();
            let (mut transaction, options) = (snapshot.transaction(), AllocateOptions::new());
            let mut workspace = Workspace::new();
            let explained = transaction.explain(&node, &claims, &options, &mut workspace);
            let answer = match transaction.allocate(&node, &claims, &options, &mut workspace) {
                Ok(Outcome::Optimal(allocation)) => format!("{:?}", allocation.results()),
                other => format!("{other:?}"),
            };
            answers.push(format!("{node}: {answer} {explained:?}"));
        }
    }
    answers.extend(snapshot.topologies().map(|one| format!("{one:?}")));
    answers.extend(snapshot.attribute_overlays().map(|one| format!("{one:?}")));
    answers.extend(snapshot.device_healths().map(|one| format!("{one:?}")));
    answers.extend(snapshot.device_holds().map(|one| format!("{one:?}")));
    answers
}

/// Asks for a device of a colour, which only overlays give.
fn red() -> ResourceClaim {
    let mut claim = claim("red", 1, 1);
    let exactly = claim.spec.devices.requests[0].exactly.as_mut().unwrap();
    let expression = r#"device.attributes["d"].?color.orValue("") == "red""#;
    exactly.selectors =
        serde_json::from_value(json!([{"cel": {"expression": expression}}])).unwrap();
    claim
}

/// Asks for two devices of one colour.
fn alike() -> ResourceClaim {
    let mut claim = claim("alike", 1, 2);
    claim.spec.devices.constraints =
        serde_json::from_value(json!([{"matchAttribute": "d/color"}])).unwrap();
    claim
}

fn lists(there: &BTreeMap<u8, Change>) -> [Relist; 8] {
    let (mut nodes, mut slices, mut rules, mut claims) = (vec![], vec![], vec![], vec![]);
    let (mut overlays, mut holds, mut healths, mut topologies) = (vec![], vec![], vec![], vec![]);
    for change in there.values().cloned() {
        match change {
            Change::Node(node) => nodes.push(node),
            Change::ResourceSlice(slice) => slices.push(slice),
            Change::DeviceTaintRule(rule) => rules.push(rule),
            Change::ResourceClaim(claim) => claims.push(claim),
            Change::AttributeOverlay(overlay) => overlays.push(overlay),
            Change::DeviceHold(hold) => holds.push(hold),
            Change::DeviceHealth(health) => healths.push(health),
            Change::Topology(topology) => topologies.push(topology),
            other => panic!("{other:?}"),
        }
    }
    [
        Relist::DeviceHolds(holds),
        Relist::ResourceClaims(claims),
        Relist::ResourceSlices(slices),
        Relist::AttributeOverlays(overlays),
        Relist::Nodes(nodes),
        Relist::DeviceTaintRules(rules),
        Relist::DeviceHealths(healths),
        Relist::Topologies(topologies),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_order_of_events_does_not_matter(
        steps in prop::collection::vec((0..OBJECTS, 0_u8..12), 1..60),
        order in prop::collection::vec((any::<u16>(), any::<bool>(), 0_u8..4), 60),
        heard in 0_usize..60,
    ) {
        let (events, there) = history(&steps);
        let mut expected = Engine::new(Features::all());
        expected.apply(class()).unwrap();
        for change in there.values() {
            expected.apply(change.clone()).unwrap();
        }
        let expected = answers(&expected);

        // In another order, some of them twice, and with questions in between.
        let mut places: Vec<usize> = (0..events.len()).collect();
        places.sort_by_key(|place| order[*place].0);
        let mut shuffled = Engine::new(Features::all());
        shuffled.apply(class()).unwrap();
        for place in places {
            let (_, twice, ask) = order[place];
            shuffled.apply(events[place].clone()).unwrap();
            if twice {
                let again = shuffled.apply(events[place].clone()).unwrap();
                prop_assert_eq!(again, Applied::default());
            }
            if ask == 0 {
                answers(&shuffled);
            }
        }
        prop_assert_eq!(&answers(&shuffled), &expected);

        // Only the first are heard, then everything is listed.
        let mut listed = Engine::new(Features::all());
        listed.apply(class()).unwrap();
        for (place, event) in events.iter().take(heard).enumerate() {
            listed.apply(event.clone()).unwrap();
            if order[place].2 == 0 {
                answers(&listed);
            }
        }
        for list in lists(&there) {
            listed.replace(list).unwrap();
        }
        prop_assert_eq!(&answers(&listed), &expected);
        for list in lists(&there) {
            prop_assert_eq!(listed.replace(list).unwrap(), Applied::default());
        }
    }
}

/// Returns what each node answers.
fn by_node(engine: &Engine) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for answer in answers(engine) {
        if let Some((node, answer)) = answer.split_once(": ")
            && node.len() == 2
        {
            all.entry(node.to_owned())
                .or_default()
                .push(answer.to_owned());
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn who_answers_otherwise_is_named(
        steps in prop::collection::vec((0..OBJECTS, 0_u8..12), 1..40),
    ) {
        // What claims and holds have shows at other nodes, too, by their pools.
        let has_devices = |object| (RULES..CLAIMS).contains(&object) || (OVERLAYS..HOLDS).contains(&object);
        let steps: Vec<_> = steps.into_iter().filter(|(object, _)| !has_devices(*object)).collect();
        let mut engine = Engine::new(Features::all());
        engine.apply(class()).unwrap();
        let mut before = by_node(&engine);
        for event in history(&steps).0 {
            let applied = engine.apply(event.clone()).unwrap();
            let after = by_node(&engine);
            for (node, answers) in &after {
                let named = applied.nodes().iter().any(|name| **name == **node);
                let same = before.get(node) == Some(answers);
                prop_assert!(named || same, "{}: {:?}", node, event);
            }
            before = after;
        }
    }
}

#[test]
fn a_removal_that_overtakes_an_update_is_final() {
    let mut engine = engine(json!([{"name": "d0"}]));
    let removed = Change::Removed(Removed::ResourceSlice("u".into()));
    let applied = engine.apply(removed.clone()).unwrap();
    assert_eq!(applied.nodes(), ["n".into()]);
    assert_eq!(engine.apply(removed).unwrap(), Applied::default());
    let late = slice("u", 9, json!([{"name": "d1"}]));
    assert_eq!(engine.apply(late.clone()).unwrap(), Applied::default());
    assert_eq!(commit(&mut engine, &claim("a", 1, 1)), None);
    // A full list knows better.
    let Change::ResourceSlice(slice) = late else {
        panic!("a slice")
    };
    engine.replace(Relist::ResourceSlices(vec![slice])).unwrap();
    assert_eq!(commit(&mut engine, &claim("a", 1, 1)), names(&["d1"]));
}

#[test]
fn what_cannot_be_true_is_refused_whole() {
    let mut engine = engine(json!([{"name": "d0"}]));
    let Change::ResourceSlice(known) = slice("u", 2, json!([])) else {
        panic!("a slice")
    };
    let mut other = known.clone();
    other.metadata.name = "other".into();
    let refused = engine.apply(Change::ResourceSlice(other.clone()));
    assert_eq!(refused.unwrap_err().code(), Code::Invalid);
    let refused = engine.replace(Relist::ResourceSlices(vec![other]));
    assert_eq!(refused.unwrap_err().path(), "[0].metadata.uid");
    let refused = engine.replace(Relist::ResourceSlices(vec![known.clone(), known]));
    let refused = refused.unwrap_err();
    assert_eq!(
        (refused.code(), refused.path()),
        (Code::Duplicate, "[1].metadata")
    );
    assert_eq!(commit(&mut engine, &claim("a", 1, 1)), names(&["d0"]));
}

#[test]
fn a_change_touches_the_nodes_that_it_concerns() {
    let mut engine = Engine::new(Features::all());
    for object in 0..NODES {
        engine
            .apply(state(object, object, &format!("n{object}"), 1))
            .unwrap();
    }
    // Nobody has looked yet: it does not matter which.
    let applied = engine.apply(state(3, 3, "a", 1)).unwrap();
    assert_eq!((applied.nodes().len(), applied.is_any_node()), (0, true));
    engine.snapshot();
    for (object, next, nodes) in [
        // On node `o0` alone, and on `o1`.
        (4, 1, vec!["o0"]),
        (5, 2, vec!["o1"]),
        // From one to the other; `o0` loses what `o1` gets.
        (4, 2, vec!["o0", "o1"]),
        // Zone 1 has `o1`, zone 0 the others; slice 7 joins the pool of slice 4.
        (7, 4, vec!["o0", "o1", "o2"]),
        (5, 5, vec!["o1"]),
        (8, 3, vec![]),
        (8, 1, vec!["o0", "o1", "o2"]),
    ] {
        let version = 10 + usize::from(object) * 10 + usize::from(next);
        let uid = format!("s{object}");
        let version = if next == 1 && object == 8 {
            200
        } else {
            version
        };
        let applied = engine.apply(state(object, next, &uid, version)).unwrap();
        assert_eq!(
            applied.nodes(),
            nodes
                .iter()
                .map(|name| (*name).into())
                .collect::<Vec<dralloc::model::Str>>()
        );
        assert!(!applied.is_any_node());
    }
}
