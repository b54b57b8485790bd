//! Selectors, drawn from a pool of expressions.

use serde_json::{Value, json};

use super::{Random, Weights};

/// Expressions that are false or true on most devices. `$` is the name of the
/// driver that the class stands for.
pub(super) const PLAIN: [&str; 40] = [
    "true",
    r#"device.driver == "$""#,
    r#"device.driver != "nic.example.com""#,
    r#"device.driver.startsWith("gpu")"#,
    r#"device.attributes["$"].?model.orValue("") == "a100""#,
    r#"device.attributes["$"].?model.orValue("") != "l4""#,
    r#"device.attributes["$"].?model.orValue("x") in ["a100", "h100"]"#,
    r#"has(device.attributes["$"].model) && device.attributes["$"].model == "h100""#,
    r#""model" in device.attributes["$"]"#,
    r#"device.attributes["$"].?index.orValue(0) < 3"#,
    r#"device.attributes["$"].?index.orValue(0) % 2 == 0"#,
    r#"device.attributes["$"].?index.orValue(0) >= 2.0"#,
    r#"device.attributes["$"].?index.orValue(0) != 1"#,
    r#"device.attributes["$"].?numa.orValue(0) == 0"#,
    r#"device.attributes["$"].?ready.orValue(true)"#,
    r#"!device.attributes["$"].?ready.orValue(false)"#,
    r#"device.attributes["$"].?ver.orValue(semver("1.0.0")).isLessThan(semver("2.0.0"))"#,
    r#"device.attributes["$"].?ver.orValue(semver("1.2.0")) == semver("1.2.0+b2")"#,
    r#"device.attributes["$"].?ver.orValue(semver("0.1.0")).major() == 1"#,
    r#"device.attributes["resource.kubernetes.io"].?pcieRoot.orValue("") != "pci1""#,
    r#"device.attributes["resource.kubernetes.io"].?pcieRoot.orValue("").matches("^pci[01]$")"#,
    r#"device.attributes["resource.kubernetes.io"].?numaNode.orValue(0) == 0"#,
    r#"has(device.capacity["$"].memory) && device.capacity["$"].memory.compareTo(quantity("2Gi")) >= 0"#,
    r#"device.capacity["$"].?memory.orValue(quantity("1Gi")).isLessThan(quantity("3Gi"))"#,
    r#"device.capacity["$"].?memory.orValue(quantity("1Gi")) == quantity("1024Mi")"#,
    r#"!("bw" in device.capacity["$"]) || device.capacity["$"].bw.isGreaterThan(quantity("1"))"#,
    "device.allowMultipleAllocations",
    "!device.allowMultipleAllocations",
    r#"device.attributes["$"].?profile.orValue("") == "1g""#,
    r#"device.attributes["$"].?profile.orValue("") in ["1g", "2g"]"#,
    r#"device.attributes["$"].?profile.orValue("7g") != "1g""#,
    r#"device.attributes["$"].?parent.orValue(0) == 0"#,
    r#"device.attributes["$"].exists(k, k == "model")"#,
    "size(device.attributes) >= 1",
    r#"cel.bind(a, device.attributes["$"], has(a.numa) && a.numa == 1)"#,
    r#"[0, 1, 2].exists(i, device.attributes["$"].?index.orValue(0) == i)"#,
    r#"device.attributes["zzz"] == {}"#,
    r#"device.attributes["$"].?index.orValue(0) == 0 || device.attributes["$"].?numa.orValue(0) == 1"#,
    r#"(device.attributes["$"].?index.orValue(0) > 1 ? "b" : "a") == "b""#,
    r#"device.attributes[?"$"].?model.hasValue()"#,
];

/// Expressions that read list attributes.
const LISTS: [&str; 6] = [
    r#"device.attributes["$"].?links.orValue([0]).includes(1)"#,
    r#"device.attributes["$"].?peers.orValue(["a"]).exists(p, p == "a")"#,
    r#"!has(device.attributes["$"].links) || size(device.attributes["$"].links) > 0"#,
    r#"has(device.attributes["$"].links) && device.attributes["$"].links.includes(2)"#,
    r#"has(device.attributes["$"].vers) && device.attributes["$"].vers.includes(semver("1.0.0"))"#,
    r#"device.attributes["$"].?peers.orValue([]).all(p, p != "c")"#,
];

/// Expressions that fail: on some devices, on all, or before they run.
const ODD: [&str; 20] = [
    r#"device.attributes["$"].model == "a100""#,
    r#"device.attributes["$"].index == 0"#,
    r#"device.attributes["$"].ready"#,
    r#"device.attributes["$"].model"#,
    r#"device.attributes["$"].index"#,
    r#"device.attributes["$"].ver == "1.0.0""#,
    r#""1.0.0" == device.attributes["$"].?ver.orValue(semver("1.0.0"))"#,
    r#"device.attributes["$"].ver.isGreaterThan(semver("1.10.0"))"#,
    r#"device.capacity["$"].memory.isGreaterThan(quantity("1Gi"))"#,
    r#"device.attributes["$"].nothing == 1 || true"#,
    r#"device.attributes["$"].nothing == 1 && false"#,
    r#"1 / device.attributes["$"].?index.orValue(0) == 1"#,
    r#"device.attributes["$"].?model.orValue("").index == 1"#,
    r#"[1, 2][device.attributes["$"].?index.orValue(0)] == 1"#,
    r#"device.attributes["$"].links[1] == 1"#,
    r#"device.capacity["$"].memory > 5"#,
    r#"device.name == "d0""#,
    "device.attributes[",
    "1 + 1",
    r#""a" == 1"#,
];

/// Expressions that make an attribute of a request's own.
const DERIVED: [&str; 10] = [
    r#"device.attributes["$"].?index.orValue(0) % 2"#,
    r#"device.attributes["$"].?index.orValue(1) / 2"#,
    r#"device.attributes["$"].?model.orValue("none")"#,
    r#"device.attributes["resource.kubernetes.io"].?pcieRoot.orValue("pci0")"#,
    r#"[device.attributes["$"].?numa.orValue(0), 7]"#,
    r#"device.attributes["$"].model"#,
    r#"device.attributes["$"].?ready.orValue(false)"#,
    r#"device.attributes["$"].?ver.orValue(semver("1.0.0"))"#,
    r#"["a", "b"].filter(x, x != device.attributes["$"].?model.orValue("a"))"#,
    r#"device.attributes["$"].?links.orValue([1])"#,
];

/// Expressions for derived attributes that fail, or that make no attribute.
const ODD_DERIVED: [&str; 5] = [
    r#"1 / device.attributes["$"].?index.orValue(0)"#,
    r#"{"a": 1}"#,
    "1.5",
    r#"device.attributes["$"]["#,
    r#"quantity("1")"#,
];

/// Returns one expression for devices of a driver.
fn expression(driver: &str, weights: &Weights, random: &mut Random) -> String {
    let text = if random.chance(weights.odd_selectors) {
        random.pick(&ODD)
    } else if random.chance(weights.lists / 2) {
        random.pick(&LISTS)
    } else {
        random.pick(&PLAIN)
    };
    text.replace('$', driver)
}

/// Returns the selectors of a request or class.
pub(super) fn selectors(driver: &str, weights: &Weights, random: &mut Random) -> Vec<Value> {
    let count = if random.chance(weights.selectors) {
        random.between(1, 2)
    } else {
        0
    };
    (0..count)
        .map(|_| {
            if random.chance(weights.malformed) {
                json!({})
            } else {
                json!({"cel": {"expression": expression(driver, weights, random)}})
            }
        })
        .collect()
}

/// Returns the expression of a derived attribute.
pub(super) fn derived(driver: &str, weights: &Weights, random: &mut Random) -> String {
    let odd = random.chance(weights.odd_selectors.max(5));
    let text = if odd {
        random.pick(&ODD_DERIVED)
    } else {
        random.pick(&DERIVED)
    };
    text.replace('$', driver)
}
