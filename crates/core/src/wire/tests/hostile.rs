use proptest::prelude::*;

use super::*;
use crate::wire::json::Cursor;

#[test]
fn deep_input_needs_no_stack() {
    let deep = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    let claim_text = |value: &str| {
        format!(
            r#"{{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","x":{value},"spec":{{"devices":{{"config":[{{"opaque":{{"parameters":{value}}}}}]}}}}}}"#
        )
    };
    let inner = deep(9_000);
    let claim = claim(&claim_text(&inner));
    let opaque = claim.spec.devices.config[0].opaque.clone().unwrap();
    assert_eq!(opaque.parameters.unwrap().as_str(), inner);
    assert_eq!(
        fault(&claim_text(&deep(1_000_000))).0,
        "more than 10000 brackets open"
    );
    assert_eq!(
        fault(&"[".repeat(1_000_000)).0,
        "expected an object, found a list"
    );
    assert_eq!(
        fault(&"{\"a\":".repeat(1_000_000)).0,
        "more than 10000 brackets open"
    );
}

#[test]
fn what_takes_anything_needs_little_stack() {
    // A policy is a name or a list: serde keeps whatever it is until it knows.
    let policy = |depth: usize| {
        let terms = format!("{}1{}", "{\"term\":".repeat(depth), "}".repeat(depth));
        crate::wire::from_json::<crate::objective::Policy>(&format!("[{terms}]")).unwrap_err()
    };
    let message = |depth| policy(depth).error.message().to_owned();
    assert_eq!(
        message(31),
        "expected kubernetes, pack, spread, affinity or a list of terms"
    );
    assert_eq!(message(32), "more than 32 brackets open");
    assert_eq!(message(1_000_000), "more than 32 brackets open");
}

#[test]
fn broken_text_never_panics() {
    let json = r#"{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceSlice","spec":{"devices":[{"name":"a\u00e9\n","basic":{"capacity":{"é":{"value":1.5e3}}}}]}}]}"#;
    for end in (0..json.len()).filter(|end| json.is_char_boundary(*end)) {
        assert!(
            !faults(Decoder::new(), &json[..end]).is_empty() || end == 0,
            "{end}"
        );
        for mark in [
            "{", "}", "[", "]", "\"", "\\", ",", ":", "1", "null", "é", "\0",
        ] {
            faults(
                Decoder::new(),
                &format!("{}{mark}{}", &json[..end], &json[end..]),
            );
        }
    }
}

proptest! {
    /// `serde_json` and the cursor agree on what is JSON.
    #[test]
    fn syntax_is_that_of_json(text in r#"([\[\]{},:"a\\ 0-9.eE+\-]|null|true|"a":|"b"|\\u00e9|é){0,24}"#) {
        let mut cursor = Cursor::new(&text, 0);
        let is_json = cursor.skip().is_ok() && cursor.peek().is_none();
        prop_assert_eq!(is_json, serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok());
    }

    #[test]
    fn strings_are_those_of_json(text in "\\PC{0,20}|[\\x00-\\x7f]{0,20}") {
        let json = serde_json::to_string(&text).unwrap();
        prop_assert_eq!(&*Cursor::new(&json, 0).string().unwrap(), text.as_str());
        let escaped: String = text.encode_utf16().fold(String::new(), |all, unit| {
            format!("{all}\\u{unit:04x}")
        });
        let json = format!("\"{escaped}\"");
        prop_assert_eq!(&*Cursor::new(&json, 0).string().unwrap(), text.as_str());
    }
}
