//! What is evaluated, how often, and what it costs.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Verdicts;
use super::cache::Selected;
use crate::error::Code;
use crate::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
use crate::outcome::StopCause;
use crate::store::NodeView;
use crate::{
    AllocateOptions, Budget, Change, Deadline, Engine, Features, Outcome, PreparedClaims, Workspace,
};

/// A slice of node `n` with these devices; each has a pool of its own.
fn slice(name: &str, version: u32, devices: &Value) -> Change {
    let slice = json!({
        "metadata": {"name": name, "uid": name, "resourceVersion": version.to_string()},
        "spec": {"driver": "d", "nodeName": "n", "devices": devices,
                 "pool": {"name": name, "generation": 1, "resourceSliceCount": 1}},
    });
    Change::ResourceSlice(serde_json::from_value::<ResourceSlice>(slice).unwrap())
}

/// Devices with an index and a uuid of their own, of two models in turn.
fn devices(prefix: &str, count: usize) -> Value {
    let device = |index: usize| {
        let model = if index.is_multiple_of(2) {
            "A100"
        } else {
            "H100"
        };
        json!({
            "name": format!("{prefix}-{index}"),
            "attributes": {
                "index": {"int": index},
                "model": {"string": model},
                "uuid": {"string": format!("GPU-{prefix}-{index}")},
                "driverVersion": {"version": "550.1.2"},
            },
            "capacity": {"memory": {"value": "40Gi"}},
        })
    };
    (0..count).map(device).collect()
}

fn engine(slices: &[(&str, Value)]) -> Engine {
    let mut engine = Engine::new(Features::all());
    engine.apply(Change::Node(Node::new("n", []))).unwrap();
    let class = json!({"metadata": {"name": "gpu"}});
    let class = serde_json::from_value::<DeviceClass>(class).unwrap();
    engine.apply(Change::DeviceClass(class)).unwrap();
    for (name, devices) in slices {
        engine.apply(slice(name, 1, devices)).unwrap();
    }
    engine
}

/// A claim for one device with these selectors.
fn claims(engine: &Engine, selectors: &[&str]) -> PreparedClaims {
    let selectors: Vec<Value> = selectors
        .iter()
        .map(|source| json!({"cel": {"expression": source}}))
        .collect();
    let claim = json!({
        "metadata": {"name": "c", "namespace": "default", "uid": "c"},
        "spec": {"devices": {"requests": [{"name": "r", "exactly": {
            "deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1,
            "selectors": selectors}}]}},
    });
    let claim = serde_json::from_value::<ResourceClaim>(claim).unwrap();
    engine.snapshot().prepare(&[claim]).unwrap()
}

/// Asks for what selectors say, and says how many evaluations it took.
struct Asking {
    verdicts: Verdicts,
}

impl Asking {
    fn new() -> Self {
        Self {
            verdicts: Verdicts::default(),
        }
    }

    fn ask(&mut self, engine: &Engine, selectors: &[&str]) -> (Selected, u64) {
        let (selected, evaluations, _) = self.ask_with_branches(engine, selectors);
        (selected, evaluations)
    }

    fn ask_with_branches(&mut self, engine: &Engine, selectors: &[&str]) -> (Selected, u64, u64) {
        let view = view(engine);
        let claims = claims(engine, selectors);
        let before = self.verdicts.evaluations();
        let mut sum = 0;
        let selectors = &claims.claims()[0].requests[0].alternatives[0].selectors;
        let selected = self
            .verdicts
            .select(&claims, selectors, &view, &mut |branches| {
                sum += branches;
                Ok(())
            })
            .unwrap();
        (selected, self.verdicts.evaluations() - before, sum)
    }
}

fn view(engine: &Engine) -> Arc<NodeView> {
    Arc::clone(engine.snapshot().inventory.view("n").unwrap())
}

fn places(selected: &Selected) -> Vec<usize> {
    selected.matches.iter().collect()
}

const CHEAP: &str = "device.attributes['d'].index > 2";
const LOOP: &str = "['V100', 'P100', 'A100'].exists(m, device.attributes['d'].model == m)";

/// Costs about 20,000 and differs from device to device.
const COSTLY: &str = "device.attributes['d'].uuid != '' && [1,2,3,4,5,6,7,8,9,10].all(a, \
    [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, a + b + c > 0)))";

#[test]
fn a_verdict_is_found_once() {
    let engine = engine(&[("s", devices("a", 100)), ("t", devices("b", 5))]);
    let mut asking = Asking::new();
    let (selected, evaluations) = asking.ask(&engine, &[CHEAP]);
    let expected: Vec<usize> = (3..100).chain(103..105).collect();
    assert_eq!((places(&selected), evaluations), (expected.clone(), 105));
    let (selected, evaluations) = asking.ask(&engine, &[CHEAP]);
    assert_eq!((places(&selected), evaluations), (expected, 0));
}

#[test]
fn a_selector_is_asked_only_where_those_before_it_match() {
    let engine = engine(&[("s", devices("a", 70))]);
    let mut asking = Asking::new();
    let (selected, evaluations) =
        asking.ask(&engine, &["device.attributes['d'].index >= 65", CHEAP]);
    assert_eq!((places(&selected), evaluations), ((65..70).collect(), 75));
    // The rest is found when it is asked for.
    let (_, evaluations) = asking.ask(&engine, &[CHEAP]);
    assert_eq!(evaluations, 65);
}

#[test]
fn a_changed_slice_is_evaluated_alone() {
    let mut engine = engine(&[("s", devices("a", 64)), ("t", devices("b", 8))]);
    let mut asking = Asking::new();
    asking.ask(&engine, &[CHEAP]);
    engine.apply(slice("t", 2, &devices("c", 9))).unwrap();
    let (selected, evaluations) = asking.ask(&engine, &[CHEAP]);
    assert_eq!(places(&selected), (3..64).chain(67..73).collect::<Vec<_>>());
    assert_eq!(evaluations, 9);
}

#[test]
fn devices_that_read_the_same_share_a_verdict_where_that_pays() {
    let mut engine = engine(&[("s", devices("a", 64)), ("t", devices("b", 8))]);
    let mut asking = Asking::new();
    let (selected, evaluations) = asking.ask(&engine, &[LOOP]);
    assert_eq!(places(&selected), (0..72).step_by(2).collect::<Vec<_>>());
    assert_eq!(evaluations, 2);
    // What is new in the slice is not read.
    engine.apply(slice("t", 2, &devices("c", 9))).unwrap();
    assert_eq!(asking.ask(&engine, &[LOOP]).1, 0);
}

#[test]
fn what_differs_from_device_to_device_is_not_projected_for_long() {
    let engine = engine(&[("s", devices("a", 100))]);
    let mut asking = Asking::new();
    let source = format!("{LOOP} && device.attributes['d'].uuid != ''");
    assert_eq!(asking.ask(&engine, &[&source]).1, 100);
    let (kept, _) = asking.verdicts.size();
    assert_eq!((kept, asking.verdicts.projections()), (1, 0));
}

#[test]
fn names_are_found_whatever_the_layout() {
    // The qualified name counts before the bare one, other domains never.
    let sorts = [
        (json!({"x": {"int": 1}}), true),
        (json!({"a": {"int": 0}, "x": {"int": 1}}), true),
        (json!({"x": {"int": 0}, "d/x": {"int": 1}}), true),
        (json!({"x": {"int": 1}, "d/x": {"int": 0}}), false),
        (json!({"e/x": {"int": 1}}), false),
        (json!({"e/x": {"int": 0}, "x": {"int": 1}}), true),
        (json!({}), false),
    ];
    let device = |index: usize| {
        // More layouts than are looked through.
        let mut attributes = sorts[index % 7].0.clone();
        attributes[format!("z{}", index % 13)] = json!({"version": format!("1.0.{}", index % 3)});
        json!({"name": format!("d{index}"), "attributes": attributes})
    };
    let all: Vec<Value> = (0..182).map(device).collect();
    let expected: Vec<usize> = (0..182).filter(|index| sorts[index % 7].1).collect();
    let engine = engine(&[("s", json!(all))]);
    let own = "device.attributes['d'].?x.orValue(0) == 1";
    let (selected, evaluations) = Asking::new().ask(&engine, &[own]);
    assert_eq!((places(&selected), evaluations), (expected, 182));
    let (selected, _) = Asking::new().ask(&engine, &["has(device.attributes['e'].x)"]);
    let others = |index: &usize| [4, 5].contains(&(index % 7));
    assert_eq!(
        places(&selected),
        (0..182).filter(others).collect::<Vec<_>>()
    );
    let (selected, _) = Asking::new().ask(&engine, &["'e' in device.attributes"]);
    assert_eq!(
        places(&selected),
        (0..182).filter(others).collect::<Vec<_>>()
    );
    let version = "device.attributes['d'].?z1.optMap(z, z == semver('1.0.1')).orValue(false)";
    let (selected, _) = Asking::new().ask(&engine, &[version]);
    let matching = |index: &usize| index % 13 == 1 && index % 3 == 1;
    assert_eq!(
        places(&selected),
        (0..182).filter(matching).collect::<Vec<_>>()
    );
}

#[test]
fn projections_keep_apart_what_expressions_can_tell_apart() {
    let base = json!({"model": {"string": "1.0.0"}});
    let device = |name: &str, attributes: &Value, capacity: &str, multiple: bool| {
        json!({"name": name, "attributes": attributes, "allowMultipleAllocations": multiple,
               "capacity": {"memory": {"value": capacity}}})
    };
    let all = json!([
        device("a", &base, "1Gi", false),
        device("b", &json!({"model": {"version": "1.0.0"}}), "1Gi", false),
        device("c", &json!({"model": {"version": "1.0.0+x"}}), "1Gi", false),
        device("d", &json!({"model": {"strings": ["1.0.0"]}}), "1Gi", false),
        device("e", &json!({}), "1Gi", false),
        device(
            "f",
            &json!({"d/model": {"string": "1.0.0"}, "model": {"int": 1}}),
            "1Gi",
            false
        ),
        device("g", &base, "1024Mi", false),
        device("h", &base, "2Gi", false),
        device("i", &base, "1Gi", true),
        device(
            "j",
            &json!({"model": {"string": "1.0.0"}, "x.org/y": {"int": 1}}),
            "1Gi",
            false
        ),
    ]);
    let engine = engine(&[("s", all)]);
    let source = "[1, 2, 3, 4, 5].all(i, i > 0) && \
        ('x.org' in device.attributes || device.allowMultipleAllocations || \
        (has(device.attributes['d'].model) && type(device.attributes['d'].model) == string && \
        device.capacity['d'].memory.compareTo(quantity('1Gi')) == 0))";
    let (selected, evaluations) = Asking::new().ask(&engine, &[source]);
    assert_eq!(places(&selected), [0, 5, 6, 8, 9]);
    assert_eq!(selected.errors, []);
    // Only `f` reads what `a` reads: the text of a quantity may be shown.
    assert_eq!(evaluations, 9);
}

#[test]
fn errors_are_kept_with_their_devices() {
    let mut list = devices("a", 130);
    list[1]["attributes"] = json!({"index": {"int": 1}, "bad": {"version": "1"}});
    list[64]["attributes"] = json!({"index": {"string": "x"}});
    list[129]["attributes"] = json!({"index": {"string": "y"}});
    let engine = engine(&[("s", devices("b", 3)), ("t", list)]);
    let mut asking = Asking::new();
    for _ in 0..2 {
        let (selected, _) = asking.ask(&engine, &["device.driver == 'd'", CHEAP]);
        let errors: Vec<(usize, usize, &str)> = selected
            .errors
            .iter()
            .map(|(device, place, error)| (*device, *place, error.message()))
            .collect();
        assert_eq!(
            errors,
            [
                (
                    4,
                    0,
                    "attribute `bad`: expected major, minor and patch in version `1`"
                ),
                (67, 1, "no such overload"),
                (132, 1, "no such overload"),
            ]
        );
        assert_eq!(selected.failing.iter().collect::<Vec<_>>(), [4, 67, 132]);
        assert!(Arc::ptr_eq(&selected.errors[1].2, &selected.errors[2].2));
        assert_eq!(selected.matches.len(), 125);
    }
}

#[test]
fn what_is_known_counts_as_if_it_were_evaluated() {
    let engine = engine(&[("s", devices("a", 10)), ("t", devices("b", 4))]);
    let mut asking = Asking::new();
    let (_, evaluations, cold) = asking.ask_with_branches(&engine, &[COSTLY]);
    assert_eq!((evaluations, cold), (14, 14 * (cold / 14)));
    assert!(cold >= 14, "{cold}");
    let (_, evaluations, warm) = asking.ask_with_branches(&engine, &[COSTLY]);
    assert_eq!((evaluations, warm), (0, cold));
    // Verdicts of others count as well.
    let shared = COSTLY.replace("uuid != ''", "index >= 0");
    let first = asking.ask_with_branches(&engine, &[&shared]).2;
    let second = Asking::new().ask_with_branches(&engine, &[&shared]).2;
    assert_eq!(first, second);
}

#[test]
fn a_stopped_question_goes_on_where_it_was() {
    let engine = engine(&[("s", devices("a", 10)), ("t", devices("b", 4))]);
    let (view, claims) = (view(&engine), claims(&engine, &[COSTLY]));
    let selectors = &claims.claims()[0].requests[0].alternatives[0].selectors;
    let mut verdicts = Verdicts::default();
    let mut left = 3;
    let stopped = verdicts.select(&claims, selectors, &view, &mut |_| {
        left -= 1;
        if left == 0 {
            Err(StopCause::Deadline)
        } else {
            Ok(())
        }
    });
    assert_eq!(stopped.map(|_| ()), Err(StopCause::Deadline));
    assert_eq!(verdicts.evaluations(), 3);
    let selected = verdicts.select(&claims, selectors, &view, &mut |_| Ok(()));
    assert_eq!(selected.unwrap().matches.len(), 14);
    assert_eq!(verdicts.evaluations(), 14);
}

#[test]
fn slices_that_are_gone_are_forgotten() {
    let mut engine = engine(&[("s", devices("a", 2)), ("t", devices("b", 2))]);
    let mut asking = Asking::new();
    let mut most = (0, 0);
    for version in 2..1000 {
        let prefix = ["c", "d"][version as usize % 2];
        engine
            .apply(slice("t", version, &devices(prefix, 2)))
            .unwrap();
        asking.ask(&engine, &[CHEAP]);
        let (slices, weight) = asking.verdicts.size();
        most = (most.0.max(slices), most.1.max(weight));
    }
    assert_eq!(most, (65, 65 * 11));
    assert_eq!(asking.ask(&engine, &[CHEAP]).1, 0);
}

#[test]
fn selectors_without_end_are_forgotten() {
    let engine = engine(&[("s", devices("a", 1))]);
    let mut asking = Asking::new();
    for number in 0..5000 {
        let source = format!("device.attributes['d'].index == {number}");
        let (selected, evaluations) = asking.ask(&engine, &[&source]);
        assert_eq!(
            (selected.matches.len(), evaluations),
            (usize::from(number == 0), 1)
        );
        assert!(asking.verdicts.selectors() <= 4097);
    }
}

#[test]
fn verdicts_without_end_are_forgotten() {
    let engine = engine(&[("s", devices("a", 5000))]);
    let mut asking = Asking::new();
    let mut most = 0;
    for number in 0..600 {
        let source = format!("device.attributes['d'].index == {number}");
        assert_eq!(asking.ask(&engine, &[&source]).1, 5000);
        most = most.max(asking.verdicts.size().1);
    }
    // Each takes 8 + 3 * 79 words; the first that is too much is the last.
    assert_eq!(most, 535 * 245);
}

/// Is over when it was asked a number of times.
#[derive(Debug)]
struct Asked(std::sync::atomic::AtomicU64);

impl Deadline for Asked {
    fn is_over(&self) -> bool {
        self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 0
    }
}

#[test]
fn budgets_end_evaluations() {
    let engine = engine(&[("s", devices("a", 100))]);
    let claims = claims(&engine, &[COSTLY]);
    let worth = Asking::new().ask_with_branches(&engine, &[COSTLY]).2;
    let mut workspace = Workspace::new();
    let mut allocate = |budget: Budget<'_>| {
        let options = AllocateOptions::new().budget(budget);
        let mut transaction = engine.snapshot().transaction();
        transaction
            .allocate("n", &claims, &options, &mut workspace)
            .unwrap()
    };
    // Cold and warm end in the same way; the pick is the last branch.
    for _ in 0..2 {
        for branches in [0, 1, worth - 1, worth] {
            let outcome = allocate(Budget::new().branches(branches));
            assert!(
                matches!(outcome, Outcome::Unknown(StopCause::Branches)),
                "{branches}: {outcome:?}"
            );
        }
        let outcome = allocate(Budget::new().branches(worth + 1));
        assert!(matches!(outcome, Outcome::Optimal(_)), "{outcome:?}");
    }
    let cold = |budget: Budget<'_>| {
        let options = AllocateOptions::new().budget(budget);
        let mut workspace = Workspace::new();
        let outcome = engine
            .snapshot()
            .transaction()
            .allocate("n", &claims, &options, &mut workspace)
            .unwrap();
        (outcome, workspace.verdicts().evaluations())
    };
    let deadline = Asked(2.into());
    let (outcome, evaluations) = cold(Budget::new().deadline(&deadline));
    assert!(matches!(outcome, Outcome::Unknown(StopCause::Deadline)));
    assert_eq!(evaluations, 3);
    let cancel = true.into();
    let (outcome, evaluations) = cold(Budget::new().cancel(&cancel));
    assert!(matches!(outcome, Outcome::Unknown(StopCause::Cancelled)));
    assert_eq!(evaluations, 0);
}

#[test]
fn one_text_in_two_languages_is_two_selectors() {
    let slices = [("s", devices("a", 2))];
    let strict = engine(&slices);
    let mut relaxed = Engine::new(Features {
        relaxed_selectors: true,
        ..Features::all()
    });
    for change in [
        Change::Node(Node::new("n", [])),
        Change::DeviceClass(serde_json::from_value(json!({"metadata": {"name": "gpu"}})).unwrap()),
        slice("s", 1, &slices[0].1),
    ] {
        relaxed.apply(change).unwrap();
    }
    let selector = "device.capacity['d'].memory >= quantity('40Gi')";
    let mut workspace = Workspace::new();
    let mut allocate = |engine: &Engine| {
        let claims = claims(engine, &[selector]);
        let mut transaction = engine.snapshot().transaction();
        transaction.allocate("n", &claims, &AllocateOptions::new(), &mut workspace)
    };
    let outcome = allocate(&relaxed);
    assert!(matches!(outcome, Ok(Outcome::Optimal(_))), "{outcome:?}");
    let error = allocate(&strict).unwrap_err();
    assert_eq!(error.code(), Code::CelCompile, "{error}");
    assert!(matches!(allocate(&relaxed), Ok(Outcome::Optimal(_))));
}
