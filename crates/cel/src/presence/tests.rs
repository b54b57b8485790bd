use super::unguarded_reads;
use crate::{Options, Program};

/// The source of each unguarded read.
fn reads(source: &str) -> Vec<&str> {
    let reads = unguarded_reads(source, &Options::selector()).unwrap();
    reads.into_iter().map(|read| &source[read.span]).collect()
}

#[test]
fn a_read_without_a_test_is_found_where_it_is() {
    let source = r#"device.attributes["d"].a == 1 && device.capacity["d"]["m"].isInteger()"#;
    assert_eq!(
        reads(source),
        [
            r#"device.attributes["d"].a"#,
            r#"device.capacity["d"]["m"]"#
        ]
    );
    assert_eq!(reads("device.driver == 'd'"), [""; 0]);
    let inside =
        "google.protobuf.BoolValue{value: [{1: -device.attributes.d.a}][0][1] > 0} == true";
    assert_eq!(reads(inside), ["device.attributes.d.a"]);
}

#[test]
fn what_does_not_compile_is_an_error() {
    for source in ["", "device.name", "'a'.matches('(')"] {
        let options = Options::selector();
        let expected = Program::compile(source, &options).unwrap_err();
        assert_eq!(unguarded_reads(source, &options), Err(expected), "{source}");
    }
}

#[test]
fn a_test_on_either_side_guards() {
    for guarded in [
        r#"has(device.attributes["d"].a) && device.attributes["d"].a"#,
        r#"device.attributes["d"].a && has(device.attributes["d"].a)"#,
        r#""a" in device.attributes["d"] && device.attributes["d"].a"#,
        r#"!has(device.attributes["d"].a) || device.attributes["d"]["a"]"#,
        r#"!(!has(device.attributes.d.a) || true) && device.attributes["d"]["a"]"#,
        r#"has(device.attributes["d"].a) ? device.attributes["d"].a : false"#,
        r#"!has(device.attributes["d"].a) ? false : device.attributes["d"].a"#,
        r#"device.driver == "d" && (device.driver == "e" && has(device.attributes["d"].a)) && device.attributes["d"].a"#,
        r#"cel.bind(x, device.attributes["d"], has(x.a) && x.a)"#,
        r#"device.attributes["d"][?"a"].orValue(false)"#,
        r#"device.attributes["d"].?a.orValue(false)"#,
        r#"device.attributes["d"].exists(a, a == "a")"#,
    ] {
        assert_eq!(reads(guarded), [""; 0], "{guarded}");
    }
}

#[test]
fn a_test_that_says_nothing_does_not_guard() {
    let read = r#"device.attributes["d"].a"#;
    for unguarded in [
        r#"has(device.attributes["d"].b) && device.attributes["d"].a"#,
        r#"has(device.attributes["e"].a) && device.attributes["d"].a"#,
        r#"has(device.capacity["d"].a) && device.attributes["d"].a"#,
        r#"has(device.attributes["d"].a) || device.attributes["d"].a"#,
        r#"(has(device.attributes["d"].a) || true) && device.attributes["d"].a"#,
        r#"!has(device.attributes["d"].a) && device.attributes["d"].a"#,
        r#""d" in device.attributes && device.attributes["d"].a"#,
        r#"has(device.attributes["d"].a) ? true : device.attributes["d"].a"#,
    ] {
        assert_eq!(reads(unguarded), [read], "{unguarded}");
    }
    let bound = r#"cel.bind(x, device.attributes["d"], x.a)"#;
    assert_eq!(reads(bound), ["x.a"]);
}

#[test]
fn many_guards_are_looked_at_once() {
    let guards: Vec<String> = (0..150)
        .map(|index| format!("has(x.a{index}) && x.a{index} == {index}"))
        .collect();
    let bound = format!(
        r#"cel.bind(x, device.attributes["d"], {})"#,
        guards.join(" && ")
    );
    assert_eq!(reads(&bound), [""; 0]);
    let nested = (0..60).fold("true".to_owned(), |inner, index| {
        format!("(has(x.a{index}) && {inner} && x.a{index} && !x.b{index})")
    });
    let nested = format!("cel.bind(x, device.attributes.d, {nested})");
    assert_eq!(reads(&nested).len(), 60);
    assert!(reads(&nested).iter().all(|read| read.starts_with("x.b")));
}
