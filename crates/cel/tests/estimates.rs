//! The estimated cost of selectors, as Kubernetes 1.37 estimates it.

#![expect(clippy::expect_used, reason = "helpers of tests fail like tests")]

use dralloc_cel::{Options, estimate_cost};
use serde_json::Value;

/// Expressions and what `k8s.io/dynamic-resource-allocation` estimates for them.
const ESTIMATES: &str = include_str!("../../../testdata/cel/estimates.jsonl");

fn selector(source: &str) -> u64 {
    estimate_cost(source, &Options::selector()).expect("expression compiles")
}

#[test]
fn estimates_are_those_of_kubernetes() {
    let mut checked = 0;
    let mut failures = Vec::new();
    for line in ESTIMATES.lines() {
        let case: Value = serde_json::from_str(line).expect("line is JSON");
        let source = case["expression"].as_str().expect("has an expression");
        let options = match case["derived"].as_bool() {
            Some(true) => Options::derived_attribute(),
            _ => Options::selector(),
        };
        let expected = case["maxCost"].as_u64().expect("has a cost");
        match estimate_cost(source, &options) {
            Ok(cost) if cost == expected => {}
            other => failures.push(format!("{source}\n  {expected} expected, {other:?} found")),
        }
        checked += 1;
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(checked, COUNT);
}

/// Lines of the file: none may get lost.
const COUNT: usize = 5469;

#[test]
fn two_rules_came_with_1_37() {
    let before = |source| estimate_cost(source, &Options::selector().kubernetes_minor(36));
    let source = "device.attributes['a'].b.includes('c')";
    assert_eq!(selector(source), 68);
    assert_eq!(before(source), Ok(52));
    let source = "matches(device.driver, 'abcdefghi')";
    assert_eq!(selector(source), 23);
    assert_eq!(before(source), Ok(3));
}

#[test]
fn what_does_not_compile_has_no_estimate() {
    let error = |source| {
        estimate_cost(source, &Options::selector())
            .expect_err("expression does not compile")
            .to_string()
    };
    assert_eq!(
        error("device.name"),
        "undefined field `name` at line 1, column 8; `device` has `driver`, `attributes`, \
         `capacity` and `allowMultipleAllocations`; selectors cannot ask for the name"
    );
    assert_eq!(
        error("'a'.matches('[')"),
        dralloc_cel::Program::compile("'a'.matches('[')", &Options::selector())
            .expect_err("pattern is invalid")
            .to_string()
    );
    assert_eq!(
        error("1"),
        "a selector must evaluate to `bool`, not `int` at line 1, column 1"
    );
}

/// Estimates on as little stack as hosts call with.
fn on_small_stack(source: String) -> Option<u64> {
    std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(move || estimate_cost(&source, &Options::selector()).ok())
        .expect("a thread")
        .join()
        .expect("no panic")
}

#[test]
fn hostile_expressions_are_estimated_on_a_small_stack() {
    let loops = |count: usize| {
        (0..count).fold("true".to_owned(), |inner, index| {
            format!("device.attributes.all(x{index}, {inner})")
        })
    };
    // cel-go copies the target of every link: 2^240 expressions.
    let links = |count: usize| {
        let link = ".optMap(x, x)";
        format!("optional.of(1){}.hasValue()", link.repeat(count))
    };
    let binds = |count: usize| {
        let open = (1..=count).fold(String::new(), |open, index| {
            format!("{open}cel.bind(x{index}, x{} + x{}, ", index - 1, index - 1)
        });
        let close = ")".repeat(count + 1);
        format!("cel.bind(x0, 'ab', {open}x{count} == ''{close}")
    };
    let paths = |count: usize| {
        let open = (1..=count).fold(String::new(), |open, index| {
            format!("{open}cel.bind(x{index}, x{}.a, ", index - 1)
        });
        let close = ")".repeat(count + 1);
        format!("cel.bind(x0, device.attributes, {open}true{close}")
    };
    let table = [
        (loops(1), Some(99)),
        (loops(2), Some(3_267)),
        (loops(60), Some(u64::MAX)),
        (links(1), Some(17)),
        (links(2), Some(47)),
        (links(10), Some(15_347)),
        (links(200), Some(u64::MAX)),
        (binds(1), Some(24)),
        (binds(40), Some(439_804_651_621)),
        (paths(40), Some(454)),
        ("!".repeat(5_000) + "true", Some(0)),
        (format!("true{}", " && true".repeat(1_200)), Some(0)),
        (format!("1{} > 0", "+1".repeat(240)), Some(241)),
        (format!("[{}1] == [1]", "1,".repeat(4_000)), Some(21)),
        ("(".repeat(10_000), None),
        ("x".repeat(10_241), None),
    ];
    for (source, expected) in table {
        let start = source.get(..60).unwrap_or(&source).to_owned();
        assert_eq!(on_small_stack(source), expected, "{start}");
    }
}
