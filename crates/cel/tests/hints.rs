//! What is said to people whose selector does not compile.

#![expect(clippy::expect_used, reason = "helpers of tests fail like tests")]

use dralloc_cel::{Options, Program};

fn hint(source: &str) -> Option<String> {
    Program::compile(source, &Options::selector().kubernetes_minor(35))
        .expect_err("an error")
        .hint
}

#[test]
fn usual_slips_get_a_hint() {
    let methods = "compared by `compareTo`, `isGreaterThan` and `isLessThan`";
    let table = [
        (
            r#"device.capacity["d"].memory >= quantity("120Gi")"#,
            format!("quantities such as capacity are {methods}: `device.capacity[\"d\"].memory.compareTo(quantity(\"120Gi\")) >= 0`"),
        ),
        (
            r#"device.capacity["d"].memory > "120Gi""#,
            format!("quantities such as capacity are {methods}: `device.capacity[\"d\"].memory.compareTo(quantity(\"120Gi\")) > 0`"),
        ),
        (
            r#"40 <= device.capacity["d"].memory"#,
            format!("quantities such as capacity are {methods}: `quantity(\"40\").compareTo(device.capacity[\"d\"].memory) <= 0`"),
        ),
        (
            r#"device.attributes["d"].memory >= quantity("120Gi")"#,
            "quantities are published as capacity, compared by `compareTo`: `device.capacity[\"d\"].memory.compareTo(…) >= 0`".to_owned(),
        ),
        (
            r#"device.attributes["d"].driverVersion >= semver("1.0.0")"#,
            format!("versions are {methods}: `device.attributes[\"d\"].driverVersion.compareTo(semver(\"1.0.0\")) >= 0`"),
        ),
        (
            r#"device.capacity["d"].memory == "40Gi""#,
            "write `device.capacity[\"d\"].memory == quantity(\"40Gi\")`".to_owned(),
        ),
        (
            r#"device.capacity["d"].memory.isGreaterThan("40Gi")"#,
            "write `device.capacity[\"d\"].memory.isGreaterThan(quantity(\"40Gi\"))`".to_owned(),
        ),
        (
            r#"semver("1.0.0").isLessThan("2.0.0")"#,
            "write `semver(\"1.0.0\").isLessThan(semver(\"2.0.0\"))`".to_owned(),
        ),
        (
            "size(device.driver) == 1.5",
            "numbers of different types are equal to nothing: convert one, such as by `double(size(device.driver))`".to_owned(),
        ),
        (
            r#"(true ? device.capacity["d"].m : quantity("1")) >= quantity("2")"#,
            format!("quantities such as capacity are {methods}: `(true ? device.capacity[\"d\"].m : quantity(\"1\")).compareTo(quantity(\"2\")) >= 0`"),
        ),
        (
            r#"device.attributes.model == "a100""#,
            "names are in the domain of their driver, unless they have one of their own: `device.attributes[\"<driver>\"][\"model\"]`".to_owned(),
        ),
        (
            r#"device.capacity["a.b/memory"].compareTo(quantity("1")) > 0"#,
            "the domain and the name are two keys: `device.capacity[\"a.b\"][\"memory\"]`".to_owned(),
        ),
        ("device.driver == “a”", "write plain quotes, such as `\"a\"`".to_owned()),
        (r#"device["driver"] == "a""#, "write `device.driver`".to_owned()),
        (
            "device.name == 'a'",
            "`device` has `driver`, `attributes`, `capacity` and `allowMultipleAllocations`; selectors cannot ask for the name".to_owned(),
        ),
        ("device.drivers == 'a'", "did you mean `device.driver`?".to_owned()),
        ("driver == 'a'", "did you mean `device.driver`?".to_owned()),
        ("True", "did you mean `true`?".to_owned()),
        ("device.driver.startWith('a')", "did you mean `startsWith`?".to_owned()),
        ("quantity('1').sign() == 1", "it is called as `sign(x)`".to_owned()),
        ("startsWith(device.driver, 'a')", "it is called as `x.startsWith()`".to_owned()),
        ("true and false", "write `&&`".to_owned()),
        ("(true or false)", "write `||`".to_owned()),
        ("not true", "write `!`".to_owned()),
        ("true && not device.driver == 'a'", "write `!`".to_owned()),
        ("not(true)", "write `!`".to_owned()),
        (
            "has(device.attributes['d'][\"a\"])",
            "write `\"a\" in device.attributes['d']`".to_owned(),
        ),
        ("device.driver.includes('a')", "Kubernetes knows it since 1.36".to_owned()),
    ];
    for (source, expected) in table {
        assert_eq!(hint(source), Some(expected), "{source}");
    }
}

#[test]
fn what_is_no_usual_slip_gets_none() {
    for source in [
        "frobnicate(1)",
        "true true",
        "(and",
        "has(1)",
        "has(optional.of(1))",
        "1 + 'a' == 2",
        "device.driver - 1 == 2",
        "device.capacity.d.m > 'lots'",
    ] {
        assert_eq!(hint(source), None, "{source}");
    }
}
