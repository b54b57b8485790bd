//! The relaxed dialect: what it adds, and that it adds nothing else.

#![expect(clippy::expect_used, reason = "helpers of tests fail like tests")]

use dralloc_cel::{Device, Dialect, Options, Program, Scratch, Semver, Value, Verdict};
use dralloc_quantity::Quantity;

fn verdict(source: &str) -> (Verdict, u64) {
    let mut device = Device::new("d");
    device.set_capacity("memory", Quantity::parse("40Gi").expect("a quantity"));
    device.set_attribute("index", Value::Int(3));
    device.set_attribute("text", Value::String("b".to_owned()));
    let version = Semver::parse("1.10.0").expect("a version");
    device.set_attribute("version", Value::Version(version));
    let options = Options::selector().dialect(Dialect::Relaxed);
    let program = Program::compile(source, &options).expect("an expression of the dialect");
    let mut scratch = Scratch::new();
    let verdict = program.matches(&device, &mut scratch);
    (verdict, scratch.cost())
}

#[test]
fn quantities_and_versions_have_an_order() {
    for (source, expected) in [
        ("device.capacity['d'].memory >= quantity('40Gi')", true),
        ("device.capacity['d'].memory > quantity('40Gi')", false),
        ("device.capacity['d'].memory < quantity('40.5Gi')", true),
        ("quantity('1') <= quantity('1000m')", true),
        ("device.attributes['d'].version > semver('1.9.0')", true),
        ("semver('1.0.0-rc.1') < semver('1.0.0')", true),
        ("device.attributes['d'].index >= 3", true),
        (
            "device.attributes['d'].index < device.attributes['d'].index",
            false,
        ),
        ("device.attributes['d'].text < dyn('c')", true),
        ("1 < 2 && 'a' < 'b'", true),
    ] {
        let expected = if expected {
            Verdict::Match
        } else {
            Verdict::NoMatch
        };
        assert_eq!(verdict(source).0, expected, "{source}");
    }
    assert_eq!(
        verdict("device.capacity['d'].memory >= quantity('40Gi')").1,
        6
    );
}

#[test]
fn nothing_else_is_added() {
    let (mixed, _) = verdict("device.attributes['d'].version > dyn('1.9.0')");
    let Verdict::Error(error) = &mixed else {
        panic!("a version and a text have no order");
    };
    assert_eq!(&*error.message, "no such overload");
    for source in [
        "device.capacity['d'].memory >= 40",
        "device.capacity['d'].memory >= '40Gi'",
        "semver('1.0.0') < quantity('1')",
        "url('http://a') < url('http://b')",
        "true < 1",
    ] {
        let relaxed = Options::selector().dialect(Dialect::Relaxed);
        assert!(Program::compile(source, &relaxed).is_err(), "{source}");
    }
    let order = "device.capacity['d'].memory >= quantity('40Gi')";
    assert!(Program::compile(order, &Options::selector()).is_err());
}
