//! What a program tells about itself, and derived attributes.

#![expect(clippy::expect_used, reason = "helpers of tests fail like tests")]

use std::cell::RefCell;
use std::sync::Arc;

use dralloc_cel::{
    Attribute, Device, ErrorKind, EvaluationError, Kind, Options, Program, Row, Scratch, Semver,
    Slot, Value, Verdict,
};
use dralloc_quantity::Quantity;

fn gpu() -> Device {
    let mut device = Device::new("gpu.example.com");
    device.set_attribute("model", Value::String("h100".to_owned()));
    device.set_attribute("index", Value::Int(7));
    device.set_attribute("ready", Value::Bool(true));
    device.set_attribute("other.example.com/numa", Value::Ints(vec![0, 1]));
    device.set_attribute(
        "version",
        Value::Version(Semver::parse("1.10.0").expect("a version")),
    );
    device.set_capacity("memory", Quantity::parse("80Gi").expect("a quantity"));
    device
}

fn selector(expression: &str) -> Program {
    Program::compile(expression, &Options::selector()).expect("a program")
}

fn derive(expression: &str) -> Result<Value, EvaluationError> {
    let program = Program::compile(expression, &Options::derived_attribute()).expect("a program");
    program.evaluate(&gpu(), &mut Scratch::new())
}

#[test]
fn variables_are_untouched_by_what_is_evaluated_late() {
    let late = "[1, 2].exists(y, [1].exists(w, w == y))";
    for expression in [
        format!("cel.bind(x, {late}, [3].all(z, x && z == 3))"),
        format!("[3].all(z, cel.bind(x, {late}, [4].all(v, x && z == 3 && v == 4)))"),
        format!("cel.bind(x, {late}, [3].existsOne(i, z, x && i == 0 && z == 3))"),
    ] {
        let verdict = selector(&expression).matches(&gpu(), &mut Scratch::new());
        assert_eq!(verdict, Verdict::Match, "{expression}");
    }
}

fn slots(expression: &str) -> Vec<String> {
    let program = selector(expression);
    let reads = program.reads();
    let mut found: Vec<String> = reads
        .slots
        .iter()
        .map(|slot| format!("{:?} {}/{}", slot.kind, slot.domain, slot.name))
        .collect();
    found.extend(
        reads
            .domains
            .iter()
            .map(|(kind, domain)| format!("{kind:?} {domain}/*")),
    );
    for (flag, name) in [
        (reads.everything, "everything"),
        (reads.driver, "driver"),
        (reads.allow_multiple_allocations, "allowMultipleAllocations"),
    ] {
        if flag {
            found.push(name.to_owned());
        }
    }
    found
}

#[test]
fn reads_are_known() {
    let table: &[(&str, &[&str])] = &[
        ("true", &[]),
        ("device.driver == 'a'", &["driver"]),
        (
            "device.allowMultipleAllocations",
            &["allowMultipleAllocations"],
        ),
        (
            "device.attributes['a'].b == 1 && device.capacity['a'].c == quantity('1')",
            &["Attribute a/b", "Capacity a/c"],
        ),
        (
            "has(device.attributes.a.b) || 'c' in device.attributes['a']",
            &["Attribute a/b", "Attribute a/c"],
        ),
        (
            "device.attributes['a'].?b.orValue(1) == device.attributes['a'][?'b'].orValue(2)",
            &["Attribute a/b"],
        ),
        (
            "cel.bind(d, device.attributes['a'], has(d.b) && d.b == 1 && 'c' in d)",
            &["Attribute a/b", "Attribute a/c"],
        ),
        ("'a' in device.attributes", &["Attribute a/*"]),
        ("has(device.attributes.a)", &[]),
        ("device.attributes['a'].size() > 1", &["everything"]),
        ("device.attributes['a'].all(k, k != '')", &["everything"]),
        (
            "device.attributes[device.driver].x == 1",
            &["everything", "driver"],
        ),
        (
            "cel.bind(d, device.attributes['a'], d.size() > 1)",
            &["everything"],
        ),
        (
            "(device.allowMultipleAllocations ? device.attributes['a'] : device.attributes['b']).c == 1",
            &["Attribute a/c", "Attribute b/c", "allowMultipleAllocations"],
        ),
        (
            "dyn(device) == dyn(device)",
            &["everything", "driver", "allowMultipleAllocations"],
        ),
    ];
    for (expression, expected) in table {
        assert_eq!(slots(expression), *expected, "{expression}");
    }
}

#[test]
fn derived_attributes_have_values() {
    let text = |text: &str| Value::String(text.to_owned());
    let table = [
        ("device.attributes['gpu.example.com'].model", text("h100")),
        (
            "device.attributes['gpu.example.com'].index / 2",
            Value::Int(3),
        ),
        (
            "device.attributes['gpu.example.com'].ready",
            Value::Bool(true),
        ),
        ("[device.driver.size(), 7]", Value::Ints(vec![15, 7])),
        (
            "['a', device.driver]",
            Value::Strings(vec!["a".to_owned(), "gpu.example.com".to_owned()]),
        ),
        ("[true]", Value::Bools(vec![true])),
        (
            "device.attributes['other.example.com'].numa",
            Value::Ints(vec![0, 1]),
        ),
        ("[]", Value::Strings(Vec::new())),
        (
            "semver('1.0.0')",
            Value::Version(Semver::parse("1.0.0").expect("a version")),
        ),
        (
            "[semver('1.10.0'), semver('2.0.0')]",
            Value::Versions(vec![
                Semver::parse("1.10.0").expect("a version"),
                Semver::parse("2.0.0").expect("a version"),
            ]),
        ),
    ];
    for (expression, expected) in table {
        assert_eq!(derive(expression), Ok(expected), "{expression}");
    }
    let failed = derive("dyn(1.5)").map_err(|error| error.kind);
    assert_eq!(failed, Err(ErrorKind::ResultType));
    let failed = derive("dyn(null)").map_err(|error| error.kind);
    assert_eq!(failed, Err(ErrorKind::ResultType));
    for expression in [
        "1.5",
        "quantity('1')",
        "device",
        "[[1]]",
        "{'a': 1}",
        "[device.attributes['a'].b, 7]",
    ] {
        let result = Program::compile(expression, &Options::derived_attribute());
        assert!(result.is_err(), "{expression}");
    }
}

#[test]
fn compile_errors_point_into_the_expression() {
    let source = "true &&\n  device.attributes[\"é\"].x == 1 && device.foo";
    let error = Program::compile(source, &Options::selector()).expect_err("an error");
    assert_eq!(error.message, "undefined field `foo`");
    assert_eq!((error.line, error.column), (2, 43));
    assert_eq!(&source[error.span.clone()], "foo");
    let error = Program::compile("true &&", &Options::selector()).expect_err("an error");
    assert_eq!(
        error.message,
        "expected an expression, found the end of the expression"
    );
    assert_eq!(error.span, 7..7);
    let comparison = "device.capacity['a'].b >= quantity('1')";
    let error = Program::compile(comparison, &Options::selector()).expect_err("an error");
    assert_eq!(
        error.message,
        "no matching overload for `_>=_` applied to `(kubernetes.Quantity, kubernetes.Quantity)`"
    );
    assert_eq!(
        error.hint.as_deref(),
        Some(
            "quantities such as capacity are compared by `compareTo`, `isGreaterThan` and \
             `isLessThan`: `device.capacity['a'].b.compareTo(quantity('1')) >= 0`"
        )
    );
}

#[test]
fn evaluation_errors_say_what_is_wrong() {
    let table = [
        (
            "device.attributes['gpu.example.com'].nope == 1",
            ErrorKind::NoSuchKey,
            "no such key: nope",
        ),
        (
            "device.attributes['other.example.com'].numa[2] == 1",
            ErrorKind::NoSuchKey,
            "index out of bounds: 2",
        ),
        (
            "device.attributes['gpu.example.com'].version == '1.10.0'",
            ErrorKind::NoSuchOverload,
            "no such overload",
        ),
        ("1 / 0 == 1", ErrorKind::InvalidArgument, "division by zero"),
        (
            "device.attributes['gpu.example.com'].model",
            ErrorKind::ResultType,
            "result of type `string` could not be converted to `bool`",
        ),
    ];
    for (expression, kind, message) in table {
        let verdict = selector(expression).matches(&gpu(), &mut Scratch::new());
        let Verdict::Error(error) = verdict else {
            panic!("{expression}: {verdict:?}");
        };
        assert_eq!((error.kind, &*error.message), (kind, message));
    }
    let error = EvaluationError::attribute("version", "unsupported attribute value");
    assert_eq!(
        error.to_string(),
        "attribute `version`: unsupported attribute value"
    );
}

/// A row that answers for slots only, and notes which.
struct Resolved(RefCell<Vec<usize>>);

impl Row for Resolved {
    fn driver(&self) -> &'static str {
        "gpu.example.com"
    }

    fn allow_multiple_allocations(&self) -> bool {
        false
    }

    fn attribute(&self, _: &str, _: &str) -> Option<Attribute<'_>> {
        None
    }

    fn capacity(&self, _: &str, _: &str) -> Option<&Quantity> {
        None
    }

    fn domains(&self, _: Kind) -> Vec<&str> {
        Vec::new()
    }

    fn names(&self, _: Kind, _: &str) -> Vec<&str> {
        Vec::new()
    }

    fn attribute_slot(&self, index: usize, slot: &Slot) -> Option<Attribute<'_>> {
        assert_eq!(slot.name, ["b", "c"][index]);
        self.0.borrow_mut().push(index);
        Some(Attribute::Bool(true))
    }
}

#[test]
fn hosts_may_resolve_slots() {
    let program = selector("cel.bind(d, device.attributes['a'], d.b) && device.attributes['a'].c");
    let row = Resolved(RefCell::new(Vec::new()));
    assert_eq!(program.matches(&row, &mut Scratch::new()), Verdict::Match);
    assert_eq!(*row.0.borrow(), [0, 1]);
}

#[test]
fn programs_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Program>();
}

#[test]
fn the_cost_limit_can_be_set() {
    let options = Options::selector().cost_limit(2);
    let program = Program::compile("device.driver == 'a' || true", &options).expect("a program");
    let mut scratch = Scratch::new();
    let verdict = program.matches(&gpu(), &mut scratch);
    assert!(
        matches!(&verdict, Verdict::Error(error) if error.kind == ErrorKind::CostLimit),
        "{verdict:?}"
    );
}

#[test]
fn versions_are_parsed_strictly() {
    for text in [
        "",
        "1",
        "1.2",
        "1.2.3.4",
        "01.2.3",
        "1.2.3-01",
        "v1.2.3",
        "1.2.3-",
        "1.2.3+",
        "1.2.3-a..b",
        "1.2.3-é",
        " 1.2.3",
        "18446744073709551616.0.0",
    ] {
        assert!(Semver::parse(text).is_err(), "{text}");
    }
    let version = |text| Semver::parse(text).expect("a version");
    assert_eq!(version("1.2.3+a"), version("1.2.3+b"));
    let ordered = [
        "1.0.0-1",
        "1.0.0-2",
        "1.0.0-a",
        "1.0.0-a.1",
        "1.0.0-a.b",
        "1.0.0",
        "1.0.1",
        "1.1.0",
        "2.0.0",
    ];
    for pair in ordered.windows(2) {
        assert!(version(pair[0]) < version(pair[1]), "{pair:?}");
    }
    assert_eq!(version("1.2.3-rc.1+b.2").as_str(), "1.2.3-rc.1+b.2");
    assert_eq!(
        Semver::parse_tolerant("v01.2").map(|v| v.to_string()),
        Ok("1.2.0".to_owned())
    );
}

#[test]
fn comparisons_of_lists_are_work_beyond_their_cost() {
    let mut device = gpu();
    device.set_attribute("ints", Value::Ints((0..160).collect()));
    let list = "device.attributes['gpu.example.com'].ints";
    let mut scratch = Scratch::new();
    let verdict = selector(&format!("{list} == {list}")).matches(&device, &mut scratch);
    assert_eq!((verdict, scratch.cost()), (Verdict::Match, 24));
    // The list itself and its 160 elements.
    assert_eq!(scratch.work(), 24 + 161 / 16);
}

/// A device with one attribute: strings that are shared.
struct Shared(Vec<Arc<str>>);

impl Row for Shared {
    fn driver(&self) -> &'static str {
        "gpu.example.com"
    }

    fn allow_multiple_allocations(&self) -> bool {
        false
    }

    fn attribute(&self, _: &str, _: &str) -> Option<Attribute<'_>> {
        Some(Attribute::SharedStrings(&self.0))
    }

    fn capacity(&self, _: &str, _: &str) -> Option<&Quantity> {
        None
    }

    fn domains(&self, _: Kind) -> Vec<&str> {
        Vec::new()
    }

    fn names(&self, _: Kind, _: &str) -> Vec<&str> {
        Vec::new()
    }
}

#[test]
fn hosts_may_share_strings() {
    let row = Shared(vec!["a".into(), "b".into()]);
    let mut scratch = Scratch::new();
    let list = "device.attributes['gpu.example.com'].x";
    let expression = format!("{list} == ['a', 'b'] && 'b' in {list} && {list}[1] == 'b'");
    assert_eq!(
        selector(&expression).matches(&row, &mut scratch),
        Verdict::Match
    );
    assert_eq!(
        selector(&format!("{list}.size() == 3")).matches(&row, &mut scratch),
        Verdict::NoMatch
    );
}

#[test]
fn the_cost_limit_strikes_at_its_unit() {
    for (expression, cost) in [
        ("device.attributes['gpu.example.com'].model == 'h100'", 5),
        (
            "device.driver != 'a' && device.attributes['gpu.example.com'].index > 2",
            8,
        ),
        (
            "cel.bind(g, device.attributes['gpu.example.com'], has(g.model) && g.index in [7])",
            6,
        ),
        ("has(device.attributes['gpu.example.com'].ready)", 3),
    ] {
        let mut scratch = Scratch::new();
        let verdict = selector(expression).matches(&gpu(), &mut scratch);
        assert_eq!(
            (verdict, scratch.cost()),
            (Verdict::Match, cost),
            "{expression}"
        );
        for limit in 0..cost {
            let options = Options::selector().cost_limit(limit);
            let program = Program::compile(expression, &options).expect("a program");
            let Verdict::Error(error) = program.matches(&gpu(), &mut scratch) else {
                unreachable!("{expression} within {limit}");
            };
            let found = (error.kind, scratch.cost());
            assert_eq!(found, (ErrorKind::CostLimit, limit + 1), "{expression}");
        }
    }
}

#[test]
fn what_ended_over_the_limit_is_not_paid_back() {
    let gpu_attributes = "device.attributes['gpu.example.com']";
    let expression =
        format!("has((device.driver == 'a' ? {gpu_attributes} : {gpu_attributes}).model)");
    for limit in 0..3 {
        let options = Options::selector().cost_limit(limit);
        let program = Program::compile(&expression, &options).expect("a program");
        let mut scratch = Scratch::new();
        let Verdict::Error(error) = program.matches(&gpu(), &mut scratch) else {
            unreachable!("it costs more than {limit}");
        };
        let found = (error.kind, scratch.cost());
        assert_eq!(found, (ErrorKind::CostLimit, limit + 1));
    }
}

#[test]
fn versions_that_are_not_known_count_as_the_nearest() {
    let includes = "device.attributes.d.a.includes(1)";
    let compiles = |minor| {
        let options = Options::selector().kubernetes_minor(minor);
        Program::compile(includes, &options).is_ok()
            && Program::compile("nonsense()", &options).is_err()
    };
    let found = [0, 33, 34, 35, 36, 37, 38, u32::MAX].map(compiles);
    assert_eq!(found, [false, false, false, false, true, true, true, true]);
}

#[test]
fn lists_with_what_is_no_number_can_be_sorted() {
    let sorted = |list: &str, expected: &str| {
        let source = format!("{list}.sort().map(x, string(x)).join(' ') == '{expected}'");
        let program = Program::compile(&source, &Options::selector()).expect("an expression");
        let verdict = program.matches(&Device::new("d"), &mut Scratch::new());
        assert_eq!(verdict, Verdict::Match, "{source}");
    };
    sorted("[3.0, 2.0, double('NaN'), 1.0, 0.5]", "2 3 NaN 0.5 1");
    sorted("[double('NaN'), 1.0]", "NaN 1");
    let long = "lists.range(100).map(x, x % 3 == 0 ? double('NaN') : double(100 - x))";
    let source = format!("{long}.sort()[0] == 2.0 && {long}.sort().size() == 100");
    let program = Program::compile(&source, &Options::selector()).expect("an expression");
    let verdict = program.matches(&Device::new("d"), &mut Scratch::new());
    assert_eq!(verdict, Verdict::Match);
}
