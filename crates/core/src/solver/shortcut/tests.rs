use std::sync::Arc;

use super::{Holdings, Short, Shortcuts, Walk};
use crate::budget::Budget;
use crate::claims::PreparedClaims;
use crate::eligible::Verdicts;
use crate::features::Features;
use crate::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
use crate::outcome::Reason;
use crate::state::Draft;
use crate::store::NodeView;
use crate::wire::from_json;
use crate::{Change, Engine};

/// Eight devices on four roots; those of the last root have no `model`.
fn slice(node: &str) -> ResourceSlice {
    let devices: Vec<String> = (0..8)
        .map(|index| {
            let model = if index < 6 {
                r#","model":{"string":"a"}"#
            } else {
                ""
            };
            format!(
                r#"{{"name":"gpu-{index}","attributes":{{"index":{{"int":{index}}},
                "root":{{"int":{}}}{model}}}}}"#,
                index / 2
            )
        })
        .collect();
    from_json(&format!(
        r#"{{"metadata":{{"name":"{node}"}},"spec":{{"driver":"gpu.example.com","nodeName":"{node}",
        "pool":{{"name":"{node}","generation":1,"resourceSliceCount":1}},"devices":[{}]}}}}"#,
        devices.join(",")
    ))
    .unwrap()
}

fn engine(nodes: usize) -> Engine {
    let mut engine = Engine::new(Features::all());
    let mut class = DeviceClass::default();
    class.metadata.name = "gpu".into();
    engine.apply(Change::DeviceClass(class)).unwrap();
    for number in 0..nodes {
        let name = format!("node-{number}");
        engine
            .apply(Change::Node(Node::new(name.as_str(), [])))
            .unwrap();
        engine.apply(Change::ResourceSlice(slice(&name))).unwrap();
    }
    engine
}

fn claim(name: &str, requests: &str, constraints: &str) -> ResourceClaim {
    from_json(&format!(
        r#"{{"metadata":{{"name":"{name}","namespace":"n"}},
        "spec":{{"devices":{{"requests":[{requests}],"constraints":[{constraints}]}}}}}}"#
    ))
    .unwrap()
}

/// Claims that share nothing with others.
fn claims(engine: &Engine, requests: &str, constraints: &str) -> PreparedClaims {
    let snapshot = engine.snapshot();
    let claims = [claim("c", requests, constraints)];
    let class = |name: &str| snapshot.inventory.class(name);
    PreparedClaims::new(&claims, class, *snapshot.features()).unwrap()
}

fn request(name: &str, rest: &str) -> String {
    format!(
        r#"{{"name":"{name}","exactly":{{"deviceClassName":"gpu",
        "allocationMode":"ExactCount",{rest}}}}}"#
    )
}

fn view(engine: &Engine, node: &str) -> Arc<NodeView> {
    Arc::clone(engine.snapshot().inventory.view(node).unwrap())
}

/// The devices that are picked, a reason, or what else became of it.
fn answer(claims: &PreparedClaims, view: &Arc<NodeView>) -> Result<Vec<usize>, String> {
    let (mut shortcuts, mut verdicts) = (Shortcuts::default(), Verdicts::default());
    let mut meter = Budget::new().meter();
    let shortcut = shortcuts
        .get(claims, view, &mut verdicts, &mut meter)
        .unwrap()
        .ok_or("not usual")?;
    let mut walk = Walk::default();
    let held = Draft::new(Arc::default());
    match walk.answer(shortcut, Holdings::Draft(&held), &mut meter) {
        Short::First => Ok(walk.picks().iter().map(|(_, device)| *device).collect()),
        Short::Infeasible(reason) => Err(format!("{reason:?}")),
        Short::Stopped(_) => Err("stopped".to_owned()),
        Short::Unsure => Err("unsure".to_owned()),
    }
}

const ROOT: &str = r#"{"matchAttribute":"gpu.example.com/root"}"#;
const LATER: &str = r#""count":2,"selectors":[{"cel":{"expression":
    "device.attributes['gpu.example.com'].index > 0"}}]"#;

#[test]
fn usual_questions_are_answered() {
    let engine = engine(1);
    let view = view(&engine, "node-0");
    let one = |rest: &str, constraint: &str| {
        answer(&claims(&engine, &request("r", rest), constraint), &view)
    };
    assert_eq!(one(r#""count":1"#, ""), Ok(vec![0]));
    assert_eq!(one(r#""count":8"#, ""), Ok((0..8).collect()));
    let short = Reason::Request {
        claim: 0,
        request: 0,
    };
    assert_eq!(one(r#""count":9"#, ""), Err(format!("{short:?}")));
    // Device 1 is alone on its root: the search goes back over it.
    assert_eq!(one(LATER, ROOT), Ok(vec![2, 3]));
    assert_eq!(one(r#""count":3"#, ROOT), Err("Exhausted".to_owned()));
    let model = r#"{"matchAttribute":"gpu.example.com/model"}"#;
    assert_eq!(one(r#""count":6"#, model), Ok((0..6).collect()));
    assert_eq!(one(r#""count":7"#, model), Err(format!("{short:?}")));
}

#[test]
fn several_requests_are_answered() {
    let engine = engine(1);
    let view = view(&engine, "node-0");
    let both = |a: &str, b: &str, constraint: &str| {
        let requests = format!("{},{}", request("a", a), request("b", b));
        answer(&claims(&engine, &requests, constraint), &view)
    };
    let two = r#""count":2"#;
    assert_eq!(both(two, two, ""), Ok(vec![0, 1, 2, 3]));
    assert_eq!(both(LATER, two, ""), Ok(vec![1, 2, 0, 3]));
    let of_b = r#"{"matchAttribute":"gpu.example.com/root","requests":["b"]}"#;
    assert_eq!(both(two, two, of_b), Ok(vec![0, 1, 2, 3]));
    assert_eq!(both(two, two, ROOT), Err("Exhausted".to_owned()));
    let one = r#""count":1"#;
    assert_eq!(both(one, one, ROOT), Ok(vec![0, 1]));
    // Device 1 is alone on its root, so that the search goes back over it.
    assert_eq!(both(LATER, one, ""), Ok(vec![1, 2, 0]));
    let of_a = r#"{"matchAttribute":"gpu.example.com/root","requests":["a"]}"#;
    assert_eq!(both(LATER, two, of_a), Ok(vec![2, 3, 0, 1]));
    let each = format!("{of_a},{of_b}");
    assert_eq!(both(two, two, &each), Ok(vec![0, 1, 2, 3]));
    assert_eq!(
        both(r#""count":5"#, r#""count":4"#, ""),
        Err("Count".to_owned())
    );
}

/// A request whose alternatives are given, each by what is asked of its devices.
fn first_available(name: &str, alternatives: &[&str]) -> String {
    let alternatives: Vec<String> = alternatives
        .iter()
        .enumerate()
        .map(|(place, rest)| {
            format!(
                r#"{{"name":"s{place}","deviceClassName":"gpu","allocationMode":"ExactCount",{rest}}}"#
            )
        })
        .collect();
    format!(
        r#"{{"name":"{name}","firstAvailable":[{}]}}"#,
        alternatives.join(",")
    )
}

#[test]
fn the_first_alternative_with_enough_devices_is_taken() {
    let engine = engine(1);
    let view = view(&engine, "node-0");
    let ask = |requests: &[String], constraint: &str| {
        answer(&claims(&engine, &requests.join(","), constraint), &view)
    };
    let (nine, two, five) = (r#""count":9"#, r#""count":2"#, r#""count":5"#);
    let one = |alternatives: &[&str]| ask(&[first_available("a", alternatives)], "");
    assert_eq!(one(&[two, LATER]), Ok(vec![0, 1]));
    assert_eq!(one(&[nine, LATER, two]), Ok(vec![1, 2]));
    let short = Reason::Request {
        claim: 0,
        request: 0,
    };
    assert_eq!(one(&[nine, nine]), Err(format!("{short:?}")));

    // What an earlier request took is not there for an alternative.
    let both = [request("a", five), first_available("b", &[five, two])];
    assert_eq!(ask(&both, ""), Ok(vec![0, 1, 2, 3, 4, 5, 6]));
    let both = [first_available("a", &[five, two]), request("b", five)];
    assert_eq!(ask(&both, ""), Ok(vec![0, 1, 2, 3, 4, 5, 6]));
    let both = [
        first_available("a", &[five, r#""count":4"#]),
        request("b", five),
    ];
    assert_eq!(ask(&both, ""), Err("Count".to_owned()));

    // A constraint may be for one alternative alone.
    let of_first = r#"{"matchAttribute":"gpu.example.com/root","requests":["a/s0"]}"#;
    let choice = [first_available("a", &[nine, LATER])];
    assert_eq!(ask(&choice, of_first), Ok(vec![1, 2]));
    let choice = [first_available("a", &[LATER, two])];
    // Device 1 is alone on its root, so that the search goes back over it.
    assert_eq!(ask(&choice, of_first), Ok(vec![2, 3]));
}

#[test]
fn other_questions_are_left_to_the_search() {
    let engine = engine(1);
    let view = view(&engine, "node-0");
    let one = |rest: &str, constraint: &str| {
        answer(&claims(&engine, &request("r", rest), constraint), &view)
    };
    let not_usual = Err("not usual".to_owned());
    let distinct = r#"{"distinctAttribute":"gpu.example.com/root"}"#;
    assert_eq!(one(r#""count":2"#, distinct), not_usual);
    assert_eq!(one(r#""count":1,"adminAccess":true"#, ""), not_usual);
    let failing = r#""count":1,"selectors":[{"cel":{"expression":
        "device.attributes['gpu.example.com'].missing"}}]"#;
    assert_eq!(one(failing, ""), not_usual);
}

#[test]
fn memory_is_bounded_and_what_is_gone_is_forgotten() {
    let engine = engine(300);
    let mut verdicts = Verdicts::default();
    let mut shortcuts = Shortcuts::default();
    let snapshot = engine.snapshot();
    let mut heaviest = 0;
    for _ in 0..20 {
        let claims = claims(&engine, &request("r", r#""count":1"#), "");
        for number in 0..300 {
            let view = snapshot.inventory.view(&format!("node-{number}")).unwrap();
            let mut meter = Budget::new().meter();
            let found = shortcuts.get(&claims, view, &mut verdicts, &mut meter);
            assert!(found.unwrap().is_some());
            heaviest = heaviest.max(shortcuts.size().1);
        }
    }
    assert!(heaviest > 1 << 13 && heaviest <= 1 << 14, "{heaviest}");
    assert!(shortcuts.size().0 > 0);

    // Claims that are gone leave their room to others.
    let mut shortcuts = Shortcuts::default();
    let mut most = 0;
    for _ in 0..1000 {
        let claims = claims(&engine, &request("r", r#""count":1"#), "");
        let view = snapshot.inventory.view("node-0").unwrap();
        let mut meter = Budget::new().meter();
        let first = shortcuts.get(&claims, view, &mut verdicts, &mut meter);
        assert!(first.unwrap().is_some());
        most = most.max(shortcuts.size().0);
    }
    assert_eq!(most, 32);
}

#[test]
fn claims_of_one_template_have_one_shortcut() {
    let snapshot = engine(1).snapshot();
    let view = snapshot.inventory.view("node-0").unwrap();
    let (mut verdicts, mut shortcuts) = (Verdicts::default(), Shortcuts::default());
    for (name, count, size) in [("a", 1, 1), ("b", 1, 1), ("c", 2, 2), ("d", 1, 2)] {
        let claim = claim(name, &request("r", &format!(r#""count":{count}"#)), "");
        let claims = snapshot.prepare(&[claim]).unwrap();
        let mut meter = Budget::new().meter();
        let found = shortcuts.get(&claims, view, &mut verdicts, &mut meter);
        assert!(found.unwrap().is_some());
        assert_eq!(shortcuts.size().0, size, "{name}");
    }
}
