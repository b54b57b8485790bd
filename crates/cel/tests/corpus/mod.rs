//! Recorded cases: expressions, and what Kubernetes does with them.

use dralloc_cel::{Device, Options, Program, Scratch, Semver, Value, Verdict};
use dralloc_quantity::Quantity;
use serde_json::Value as Json;

const DEVICE: &str = include_str!("../../../../testdata/cel/device.json");

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

fn is_list(attribute: &Json) -> bool {
    let kinds = ["ints", "bools", "strings", "versions"];
    kinds.iter().any(|kind| attribute.get(kind).is_some())
}

/// Returns the device of a case: its own, or the one that cases share; with or
/// without the attributes that are lists.
pub(crate) fn device(case: &Json, lists: bool) -> Device {
    let shared: Json = serde_json::from_str(DEVICE).expect("device.json");
    let driver = case.get("driver").unwrap_or(&shared["driver"]);
    let json = case.get("device").unwrap_or(&shared["device"]);
    let mut device = Device::new(driver.as_str().expect("a driver"));
    device.set_allow_multiple_allocations(json["allowMultipleAllocations"] == true);
    for (name, value) in json["attributes"].as_object().into_iter().flatten() {
        if lists || !is_list(value) {
            device.set_attribute(name, attribute(value));
        }
    }
    for (name, value) in json["capacity"].as_object().into_iter().flatten() {
        let text = value["value"].as_str().expect("a quantity");
        device.set_capacity(name, Quantity::parse(text).expect("a quantity"));
    }
    device
}

/// What came out of an expression on a device.
pub(crate) struct Found {
    pub(crate) outcome: &'static str,
    pub(crate) cost: Option<u64>,
    pub(crate) message: String,
}

impl Found {
    /// Says how it differs from what was recorded, if it does.
    pub(crate) fn difference(
        &self,
        expression: &str,
        outcome: &str,
        cost: Option<u64>,
    ) -> Option<String> {
        (self.outcome != outcome || self.cost != cost).then(|| {
            format!(
                "{expression}\n    expected {outcome} {cost:?}, found {} {:?} {}",
                self.outcome, self.cost, self.message
            )
        })
    }
}

pub(crate) fn run(expression: &str, device: &Device, options: &Options) -> Found {
    let program = match Program::compile(expression, options) {
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
