//! Whatever the order of events, and with a full list after missed ones: the
//! answers are those of an engine that knows the final objects alone.

use std::collections::BTreeMap;

use dralloc::model::{DeviceTaintRule, Node, ResourceClaim, ResourceSlice};
use dralloc::{
    AllocateOptions, Applied, Change, Code, Engine, Features, Outcome, Relist, Removed, Workspace,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{claim, class, commit, engine, names, slice};

const NODES: u8 = 3;
const SLICES: u8 = 8;
const RULES: u8 = 10;
pub(crate) const OBJECTS: u8 = 13;

/// Returns a state of an object; nodes, slices, rules and claims by number.
pub(crate) fn state(object: u8, state: u8, uid: &str, version: usize) -> Change {
    let metadata = |extra: Value| {
        let mut metadata = json!({"name": format!("o{object}"), "uid": uid,
            "resourceVersion": version.to_string()});
        for (name, value) in extra.as_object().unwrap() {
            metadata[name] = value.clone();
        }
        metadata
    };
    if object < NODES {
        let zone = json!({"labels": {"zone": (state % 2).to_string()}});
        let node = json!({"metadata": metadata(zone)});
        return Change::Node(serde_json::from_value::<Node>(node).unwrap());
    }
    if object < SLICES {
        let zone = |zone: u8| {
            json!({"nodeSelectorTerms": [{"matchExpressions": [
                {"key": "zone", "operator": "In", "values": [zone.to_string()]}]}]})
        };
        let device = |name: u8| json!({"name": format!("d{object}-{name}")});
        let mut spec = json!({"driver": "d", "devices": [device(0), device(1)], "pool": {
            "name": format!("p{}", object % 3),
            "generation": 1 + state / 6, "resourceSliceCount": 1 + state % 2}});
        match state % 6 {
            1 => spec["nodeName"] = json!("o0"),
            2 => spec["nodeName"] = json!("o1"),
            3 => spec["allNodes"] = json!(true),
            4 => spec["nodeSelector"] = zone(0),
            5 => spec["nodeSelector"] = zone(1),
            _ => {
                spec["perDeviceNodeSelection"] = json!(true);
                spec["devices"][0]["nodeName"] = json!("o2");
                spec["devices"][1]["nodeSelector"] = zone(1);
            }
        }
        let slice = json!({"metadata": metadata(json!({})), "spec": spec});
        return Change::ResourceSlice(serde_json::from_value::<ResourceSlice>(slice).unwrap());
    }
    if object < RULES {
        let selector = match state % 4 {
            0 => json!({"driver": "d"}),
            1 => json!({"pool": "p1"}),
            2 => json!({"device": "d3-0"}),
            _ => json!({"driver": "other"}),
        };
        let rule = json!({"metadata": metadata(json!({})), "spec": {"deviceSelector": selector,
            "taint": {"key": format!("k{object}"), "effect": "NoSchedule"}}});
        return Change::DeviceTaintRule(serde_json::from_value::<DeviceTaintRule>(rule).unwrap());
    }
    let slice = 3 + state % 5;
    let result = json!({"request": "r", "driver": "d", "pool": format!("p{}", slice % 3),
        "device": format!("d{slice}-0")});
    let status = if state.is_multiple_of(3) {
        json!({})
    } else {
        json!({"allocation": {"devices": {"results": [result]}}})
    };
    let claim = json!({"metadata": metadata(json!({"namespace": "x"})), "status": status});
    Change::ResourceClaim(serde_json::from_value::<ResourceClaim>(claim).unwrap())
}

fn removed(object: u8, uid: &str) -> Change {
    let uid = uid.into();
    Change::Removed(match object {
        0..NODES => Removed::NodeUid(uid),
        NODES..SLICES => Removed::ResourceSlice(uid),
        SLICES..RULES => Removed::DeviceTaintRule(uid),
        _ => Removed::ResourceClaim(uid),
    })
}

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

/// Returns what every node answers.
pub(crate) fn answers(engine: &Engine) -> Vec<String> {
    let snapshot = engine.snapshot();
    let mut all = claim("all", 1, 1);
    let request = all.spec.devices.requests[0].exactly.as_mut().unwrap();
    (request.allocation_mode, request.count) = ("All".into(), 0);
    let asked = [claim("one", 1, 1), claim("three", 1, 3), all];
    let names = snapshot.nodes().map(|node| node.metadata.name.to_string());
    let mut answers = Vec::new();
    for node in names {
        for claim in &asked {
            let claims = snapshot.prepare(std::slice::from_ref(claim)).unwrap();
            let (mut transaction, options) = (snapshot.transaction(), AllocateOptions::new());
            let mut workspace = Workspace::new();
            let explained = transaction.explain(&node, &claims, &mut workspace);
            let answer = match transaction.allocate(&node, &claims, &options, &mut workspace) {
                Ok(Outcome::Optimal(allocation)) => format!("{:?}", allocation.results()),
                other => format!("{other:?}"),
            };
            answers.push(format!("{node}: {answer} {explained:?}"));
        }
    }
    answers
}

fn lists(there: &BTreeMap<u8, Change>) -> [Relist; 4] {
    let (mut nodes, mut slices, mut rules, mut claims) = (vec![], vec![], vec![], vec![]);
    for change in there.values().cloned() {
        match change {
            Change::Node(node) => nodes.push(node),
            Change::ResourceSlice(slice) => slices.push(slice),
            Change::DeviceTaintRule(rule) => rules.push(rule),
            Change::ResourceClaim(claim) => claims.push(claim),
            other => panic!("{other:?}"),
        }
    }
    [
        Relist::ResourceClaims(claims),
        Relist::ResourceSlices(slices),
        Relist::Nodes(nodes),
        Relist::DeviceTaintRules(rules),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_order_of_events_does_not_matter(
        steps in prop::collection::vec((0..OBJECTS, 0_u8..12), 1..40),
        order in prop::collection::vec((any::<u16>(), any::<bool>(), 0_u8..4), 40),
        heard in 0_usize..40,
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
