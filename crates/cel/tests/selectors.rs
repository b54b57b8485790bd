//! The corpus of selectors: outcomes and costs are those of Kubernetes.

use dralloc_cel::{Device, Options, Program, Scratch, Semver, Value, Verdict};
use dralloc_quantity::Quantity;
use serde_json::Value as Json;

const DEVICE: &str = include_str!("../../../testdata/cel/device.json");
const SELECTORS: &str = include_str!("../../../testdata/cel/selectors.jsonl");

/// Selectors that use functions which are not there yet.
const MISSING: &[&str] = &[
    r#"isURL("http://x")"#,
    r#"isIP("10.0.0.1")"#,
    r#"cidr("10.0.0.0/8").containsIP("10.1.2.3")"#,
    r#"isCIDR("10.0.0.0/8")"#,
    r#"ip.isCanonical("::1")"#,
    r#"cidr("10.0.0.1/8").masked() == cidr("10.0.0.0/8")"#,
    r#"!format.named("dns1123Label").value().validate("ok").hasValue()"#,
    r#"ip("::ffff:1.2.3.4").family() == 4"#,
    r#"string(ip("10.0.0.1")) == "10.0.0.1""#,
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

#[test]
fn outcomes_and_costs_are_those_of_kubernetes() {
    let shared: Json = serde_json::from_str(DEVICE).expect("device.json");
    let (mut differences, mut missing) = (Vec::new(), Vec::new());
    let (mut outcomes, mut costs, mut total) = (0, 0, 0);
    for line in SELECTORS.lines() {
        let case: Json = serde_json::from_str(line).expect("a case");
        let expression = case["expression"].as_str().expect("an expression");
        let driver = case.get("driver").unwrap_or(&shared["driver"]);
        let body = case.get("device").unwrap_or(&shared["device"]);
        let device = device(driver.as_str().expect("a driver"), body);
        let found = run(expression, &device);
        let expected = case["expect"]["outcome"].as_str().expect("an outcome");
        let mut cost = case["expect"]["cost"].as_u64();
        let other = OTHER_COST.iter().find(|(other, _)| *other == expression);
        if let Some((_, other)) = other {
            cost = Some(*other);
        }
        total += 1;
        if found.outcome == expected {
            outcomes += 1;
        } else if MISSING.contains(&expression) {
            missing.push(expression.to_owned());
            continue;
        }
        if found.cost == cost {
            costs += 1;
        }
        if found.outcome != expected || found.cost != cost {
            differences.push(format!(
                "{expression}\n    expected {expected} {cost:?}, found {} {:?} {}",
                found.outcome, found.cost, found.message
            ));
        }
    }
    println!("{total} selectors: {outcomes} outcomes and {costs} costs equal");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert_eq!(missing, MISSING);
    assert_eq!(total, 191);
}
