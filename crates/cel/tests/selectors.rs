//! The corpus of selectors: outcomes and costs are those of Kubernetes.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

use dralloc_cel::{Device, Options, Program, Scratch, Semver, Value, Verdict};
use dralloc_quantity::Quantity;
use serde_json::Value as Json;

const DEVICE: &str = include_str!("../../../testdata/cel/device.json");
const SELECTORS: &str = include_str!("../../../testdata/cel/selectors.jsonl");
const LANGUAGE: &str = include_str!("../../../testdata/cel/language.jsonl");

/// Selectors that use functions which are not there yet.
const MISSING: &[&str] = &[
    r#"isURL("http://x")"#,
    r#"!format.named("dns1123Label").value().validate("ok").hasValue()"#,
];

/// Selectors whose cost is another one here, with that cost.
const OTHER_COST: &[(&str, u64)] = &[
    // Kubernetes visits the keys in random order until one is found, so its
    // cost is one of many.
    (
        r#"device.attributes["gpu.nvidia.com"].exists(k, k == "type")"#,
        61,
    ),
    // The corpus has the cost of Kubernetes 1.36.
    (r#"device.attributes["example.com"].strs.includes("b")"#, 4),
];

fn list<T>(json: &Json, convert: impl Fn(&Json) -> Option<T>) -> Vec<T> {
    json.as_array()
        .expect("a list")
        .iter()
        .map(|element| convert(element).expect("an element"))
        .collect()
}

fn attribute(json: &Json) -> Value {
    let (kind, value) = json
        .as_object()
        .and_then(|object| object.iter().next())
        .expect("an attribute");
    let text = |value: &Json| value.as_str().map(str::to_owned);
    let version = |value: &Json| Semver::parse(value.as_str()?).ok();
    match kind.as_str() {
        "int" => Value::Int(value.as_i64().expect("an integer")),
        "bool" => Value::Bool(value.as_bool().expect("a boolean")),
        "string" => Value::String(text(value).expect("a string")),
        "version" => Value::Version(version(value).expect("a version")),
        "ints" => Value::Ints(list(value, Json::as_i64)),
        "bools" => Value::Bools(list(value, Json::as_bool)),
        "strings" => Value::Strings(list(value, text)),
        "versions" => Value::Versions(list(value, version)),
        other => panic!("unknown kind of attribute `{other}`"),
    }
}

fn device(driver: &str, json: &Json) -> Device {
    let mut device = Device::new(driver);
    device.set_allow_multiple_allocations(json["allowMultipleAllocations"] == true);
    for (name, value) in json["attributes"].as_object().into_iter().flatten() {
        device.set_attribute(name, attribute(value));
    }
    for (name, value) in json["capacity"].as_object().into_iter().flatten() {
        let text = value["value"].as_str().expect("a quantity");
        device.set_capacity(name, Quantity::parse(text).expect("a quantity"));
    }
    device
}

struct Found {
    outcome: &'static str,
    cost: Option<u64>,
    message: String,
}

fn run(expression: &str, device: &Device) -> Found {
    let program = match Program::compile(expression, &Options::selector()) {
        Ok(program) => program,
        Err(error) => {
            return Found {
                outcome: "compileError",
                cost: None,
                message: error.to_string(),
            };
        }
    };
    let mut scratch = Scratch::new();
    let (outcome, message) = match program.matches(device, &mut scratch) {
        Verdict::Match => ("match", String::new()),
        Verdict::NoMatch => ("noMatch", String::new()),
        Verdict::Error(error) => ("evaluationError", error.to_string()),
    };
    Found {
        outcome,
        cost: Some(scratch.cost()),
        message,
    }
}

/// Compares every case with what Kubernetes does; returns how many there are.
fn compare(cases: &str) -> usize {
    let shared: Json = serde_json::from_str(DEVICE).expect("device.json");
    let (mut differences, mut missing) = (Vec::new(), Vec::new());
    let mut total = 0;
    for line in cases.lines() {
        total += 1;
        let case: Json = serde_json::from_str(line).expect("a case");
        let expression = case["expression"].as_str().expect("an expression");
        let driver = case.get("driver").unwrap_or(&shared["driver"]);
        let body = case.get("device").unwrap_or(&shared["device"]);
        let device = device(driver.as_str().expect("a driver"), body);
        let found = run(expression, &device);
        let expected = case["expect"]["outcome"].as_str().expect("an outcome");
        let mut cost = case["expect"]["cost"].as_u64();
        if let Some((_, other)) = OTHER_COST.iter().find(|(other, _)| *other == expression) {
            cost = Some(*other);
        }
        if found.outcome == "compileError" && MISSING.contains(&expression) {
            missing.push(expression.to_owned());
        } else if found.outcome != expected || found.cost != cost {
            differences.push(format!(
                "{expression}\n    expected {expected} {cost:?}, found {} {:?} {}",
                found.outcome, found.cost, found.message
            ));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    let expected: Vec<&str> = MISSING
        .iter()
        .copied()
        .filter(|expression| {
            let quoted = serde_json::to_string(expression).expect("a string");
            cases.contains(&quoted)
        })
        .collect();
    assert_eq!(missing, expected);
    total
}

#[test]
fn outcomes_and_costs_are_those_of_kubernetes() {
    assert_eq!(compare(SELECTORS), 191);
}

#[test]
fn the_language_is_that_of_kubernetes() {
    assert_eq!(compare(LANGUAGE), 2306);
}

#[test]
fn older_versions_have_their_own_costs() {
    let expression = r#"device.attributes["example.com"].strs.includes("b")"#;
    let shared: Json = serde_json::from_str(DEVICE).expect("device.json");
    let device = device("gpu.nvidia.com", &shared["device"]);
    let options = Options::selector().kubernetes_minor(36);
    let program = Program::compile(expression, &options).expect("a program");
    let mut scratch = Scratch::new();
    assert_eq!(program.matches(&device, &mut scratch), Verdict::Match);
    assert_eq!(scratch.cost(), 5);
    assert!(Program::compile(expression, &Options::selector().kubernetes_minor(35)).is_err());
}
