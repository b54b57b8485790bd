use proptest::prelude::*;

use super::to_yaml;
use crate::input::tests::{any_json, yaml_to_json};

#[test]
fn objects_are_written_in_block_style() {
    let json = r#"{"apiVersion":"resource.k8s.io/v1","metadata":{"name":"a","labels":{},"uid":"0123"},"spec":{"devices":{"requests":[{"name":"gpu","exactly":{"count":2,"selectors":[{"cel":{"expression":"a == 'b' &&\n  c"}}]}},{"name":"1.5"}],"config":[[],[1,[2.50,null]],[{"x":true}]]}},"when":"2008-01-01T01:01:01Z","size":"80Gi","no":"no"}"#;
    let yaml = "\
apiVersion: resource.k8s.io/v1
metadata:
  name: a
  labels: {}
  uid: \"0123\"
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        count: 2
        selectors:
        - cel:
            expression: |-
              a == 'b' &&
                c
    - name: \"1.5\"
    config:
    - []
    - - 1
      - - 2.50
        - null
    - - x: true
when: \"2008-01-01T01:01:01Z\"
size: 80Gi
\"no\": \"no\"
";
    assert_eq!(to_yaml(json).unwrap(), yaml);
    assert_eq!(yaml_to_json(yaml), json);
}

#[test]
fn special_text_comes_back() {
    for text in [
        "",
        " ",
        "a ",
        " a",
        "-",
        "- a",
        "a: b",
        "a:",
        "a #b",
        "#a",
        "a#b",
        "~",
        "null",
        "yes",
        "y",
        "0x10",
        "1e3",
        "1_000",
        ".5",
        "+",
        ".inf",
        "1:30",
        "2001-01-01",
        "---",
        "...",
        "--- a",
        "a\n",
        "a\n\n",
        "a\nb",
        "\na",
        " a\nb",
        "a\n b\n",
        "a\n \nb",
        "a\tb",
        "a\r\nb",
        "\u{85}",
        "\u{2028}",
        "\u{feff}",
        "\0",
        "é",
        "😀",
        "\"",
        "'",
        "\\",
        "<<",
        "=",
        "!a",
        "&a",
        "*a",
        "?",
        "? a",
        "|",
        ">",
        "%a",
        "@a",
        "`a",
        "{a}",
        "[a]",
        "a, b",
        "a]",
        "$(A)",
        "/",
        "a\u{7f}b",
    ] {
        let json = serde_json::to_string(&serde_json::json!({ "k": text, text: [text] })).unwrap();
        let yaml = to_yaml(&json).unwrap();
        let again: serde_json::Value = serde_json::from_str(&yaml_to_json(&yaml)).unwrap();
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(again, value, "{yaml}");
    }
}

#[test]
fn numbers_keep_their_digits() {
    let json = r#"{"a":1.50,"b":12345678901234567890123,"c":-0,"d":1E+2,"e":0.1000}"#;
    assert_eq!(yaml_to_json(&to_yaml(json).unwrap()), json);
}

#[test]
fn deep_and_long_input_comes_back() {
    let depth = 120;
    let json = format!(
        "{{\"{}\":{}1{}}}",
        "k".repeat(2000),
        "[".repeat(depth),
        "]".repeat(depth)
    );
    assert_eq!(yaml_to_json(&to_yaml(&json).unwrap()), json);
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(value in any_json()) {
        let yaml = to_yaml(&value.to_string()).unwrap();
        let again: serde_json::Value = serde_json::from_str(&yaml_to_json(&yaml)).unwrap();
        prop_assert_eq!(again, value, "{}", yaml);
    }
}
