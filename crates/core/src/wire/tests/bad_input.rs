use super::*;

#[test]
fn wrong_types_are_named_with_path_and_place() {
    let cases = [
        (
            r#"{"name":5}"#,
            "name: expected a string, found `5`",
            "5}]}}",
        ),
        (
            r#"{"name":["a"]}"#,
            "name: expected a string, found a list",
            "[\"a\"]}",
        ),
        (
            r#"{"attributes":[]}"#,
            "attributes: expected an object, found a list",
            "[]}]}}",
        ),
        (
            r#"{"attributes":{"a":{"int":"1"}}}"#,
            "attributes.a.int: expected a whole number, found `\"1\"`",
            "\"1\"}}}",
        ),
        (
            r#"{"attributes":{"a":{"bool":1}}}"#,
            "attributes.a.bool: expected `true` or `false`, found `1`",
            "1}}}]}",
        ),
        (
            r#"{"attributes":{"a":"x"}}"#,
            "attributes.a: expected an object, found `\"x\"`",
            "\"x\"}}]",
        ),
        (
            r#"{"capacity":{"m":{"value":"80Gib"}}}"#,
            "capacity.m.value: ",
            "\"80Gib",
        ),
        (
            r#"{"capacity":{"m":{"value":true}}}"#,
            "capacity.m.value: expected a quantity as a string or a number, found `true`",
            "true}}",
        ),
        (
            r#"{"taints":[{"key":{}}]}"#,
            "taints[0].key: expected a string, found an object",
            "{}}]}]",
        ),
        (
            r#"{"name":"a","name":"b"}"#,
            "name: duplicate field `name`, expected each field once",
            "\"name\"",
        ),
        (
            r#"{"attributes":{"a":{},"b":{},"a":{}}}"#,
            "attributes: duplicate key `a`, expected each key once",
            "{\"a\":{",
        ),
    ];
    for (device, message, place) in cases {
        let (found, at) = fault(&device_text("v1", device));
        let message = format!("spec.devices[0].{message}");
        assert!(
            found == message || (message.ends_with(": ") && found.starts_with(&message)),
            "{found}"
        );
        assert_eq!(at, place.chars().take(6).collect::<String>(), "{device}");
    }
}

#[test]
fn absurd_quantities_are_errors() {
    for quantity in ["1e999999999", "--1", "1.2.3", "", "1 Gi", "٣"] {
        let json = device_text(
            "v1",
            &format!(r#"{{"capacity":{{"m":{{"value":"{quantity}"}}}}}}"#),
        );
        let (message, _) = fault(&json);
        assert!(
            message.starts_with("spec.devices[0].capacity.m.value: "),
            "{quantity}: {message}"
        );
        assert!(!message.contains('\n'));
    }
}

#[test]
fn broken_json_is_named_with_its_place() {
    let cases = [
        (
            "{",
            "expected a name in double quotes, found the end of the text",
            "",
        ),
        ("[1", "expected an object, found a list", "[1"),
        ("{\"a\"}", "expected `:` after a name, found `}`", "}"),
        ("{\"a\":}", "expected a value, found `}`", "}"),
        ("{\"a\":1,}", "expected a value after `,`, found `}`", "}"),
        (
            "{\"a\":1 \"b\":2}",
            "expected `,` or `}`, found `\"b\"`",
            "\"b\":2}",
        ),
        (
            "{a:1}",
            "expected a name in double quotes, found `a`",
            "a:1}",
        ),
        ("{\"a\":01}", "expected a value, found `01`", "01}"),
        ("{\"a\":1.}", "expected a value, found `1.`", "1.}"),
        ("{\"a\":.5}", "expected a value, found `.5`", ".5}"),
        ("{\"a\":nul}", "expected a value, found `nul`", "nul}"),
        ("{\"a\":NaN}", "expected a value, found `NaN`", "NaN}"),
        ("{\"a\":\"x}", "string without closing double quote", "\"x}"),
        ("{\"a\":\"\\x\"}", "unknown escape in a string", "\\x\"}"),
        (
            "{\"a\":\"\\u12\"}",
            "unknown escape in a string",
            "\\u12\"}",
        ),
        ("{\"a\":\"\n\"}", "control character in a string", "\n\"}"),
        (
            "{\"kind\":\"\\ud800\"}",
            "escape in a string that is half of a surrogate pair",
            "\\ud800",
        ),
        (
            "{\"a\":[1,]}",
            "expected a value after `,`, found `]`",
            "]}",
        ),
        ("{\"kind\":1}", "expected a string, found `1`", "1}"),
        (
            "{\"kind\":\"a\",\"kind\":\"a\"}",
            "duplicate field `kind`, expected each field once",
            "\"kind\"",
        ),
        (
            "{\"a\":1}}",
            "object without `apiVersion`, expected `apiVersion` and `kind`",
            "{\"a\":1",
        ),
        ("é", "expected an object, found `é`", "é"),
    ];
    for (json, message, place) in cases {
        let found = faults(Decoder::new(), json);
        assert_eq!(found[0], (message.to_owned(), place.to_owned()), "{json}");
    }
}

#[test]
fn long_values_are_cut_in_messages() {
    let json = device_text(
        "v1",
        &format!(r#"{{"name":["{}"],"taints":"{}"}}"#, "x", "é".repeat(100)),
    );
    assert_eq!(
        fault(&json).0,
        "spec.devices[0].name: expected a string, found a list"
    );
    let json = device_text("v1", &format!(r#"{{"taints":"{}"}}"#, "é".repeat(100)));
    let message = format!(
        "spec.devices[0].taints: expected a list, found `\"{}…`",
        "é".repeat(29)
    );
    assert_eq!(fault(&json).0, message);
}
