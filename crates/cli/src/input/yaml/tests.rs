use proptest::prelude::*;

use super::*;

/// Returns the JSON texts of all documents, or what is wrong with them.
fn all(yaml: &str) -> Vec<Result<String, String>> {
    let mut documents = Documents::new(yaml);
    let next = || documents.next();
    std::iter::from_fn(next)
        .map(|result| result.map(|next| next.json).map_err(|error| error.message))
        .collect()
}

/// Returns the JSON text of a text with one document.
fn json(yaml: &str) -> Result<String, String> {
    let mut all = all(yaml);
    assert_eq!(all.len(), 1, "{yaml}");
    all.remove(0)
}

/// What `sigs.k8s.io/yaml` v1.6.0 makes of it, but for the digits of floats.
#[test]
fn plain_scalars_mean_what_they_mean_to_kubernetes() {
    let cases = [
        ("~ null Null NULL", "null"),
        ("true True TRUE yes Yes YES y Y on On ON", "true"),
        ("false False FALSE no No NO n N off Off OFF", "false"),
        ("1 +1 01 0x1 0b1 0o1 1_ 0X1 0B1 0O1", "1"),
        ("-15 -017 -0xF -0b1111 -0o17", "-15"),
        ("8 08 +8 0o10 010", "8"),
        (
            "18446744073709551615 0xFFFFFFFFFFFFFFFF",
            "18446744073709551615",
        ),
        ("18446744073709551616", "18446744073709551616"),
        ("12345678901234567890123", "12345678901234567890123"),
        ("1.50 +1.50 01.50 1_.50", "1.50"),
        ("0.5 .5 +.5", "0.5"),
        ("2. 2 +2.", "2"),
        ("1e3", "1e3"),
        ("1E+3", "1E+3"),
        ("-0", "-0"),
    ];
    for (texts, value) in cases {
        for text in texts.split(' ') {
            assert_eq!(
                json(&format!("a: {text}")),
                Ok(format!("{{\"a\":{value}}}")),
                "{text}"
            );
        }
    }
    for text in "nUll tRUE _1 . 1e400 -1e400 0x1p-2 0x1FFFFFFFFFFFFFFFF 1:30 2001-01-01 = 80Gi 1.2.3 + - 1e 0x 0b2 --1 +-1 0x-1 .e3"
        .split(' ')
        .filter(|text| *text != "-")
    {
        assert_eq!(json(&format!("a: {text}")), Ok(format!("{{\"a\":\"{text}\"}}")), "{text}");
    }
    for text in [".inf", "-.Inf", "+.INF", ".nan", ".NaN"] {
        let message = format!("`{text}`, expected a finite number");
        assert_eq!(json(&format!("a: {text}")), Err(message));
    }
}

#[test]
fn quotes_blocks_and_tags_make_text() {
    for (yaml, value) in [
        ("'1'", r#""1""#),
        ("\"yes\"", r#""yes""#),
        ("!!str 1", r#""1""#),
        ("! 1", r#""1""#),
        ("!foo 1", r#""1""#),
        ("!!timestamp 2001-01-01", r#""2001-01-01""#),
        ("!!int '1'", "1"),
        ("!!float '1.50'", "1.50"),
        ("!!bool 'on'", "true"),
        ("!!null ''", "null"),
        ("|\n  x\n  y\n", r#""x\ny\n""#),
        ("|-\n  x\n", r#""x""#),
        (">\n  x\n  y\n", r#""x y\n""#),
        ("|\n  x", r#""x""#),
        (
            "\"\\x41\\u00e9\\U0001F600\\0\\t\\\"\\\\\"",
            r#""Aé😀\u0000\t\"\\""#,
        ),
    ] {
        assert_eq!(
            json(&format!("a: {yaml}")),
            Ok(format!("{{\"a\":{value}}}")),
            "{yaml}"
        );
    }
    for (yaml, message) in [
        ("!!int 1.5", "`1.5` is no `!!int`"),
        ("!!null x", "`x` is no `!!null`"),
        (
            "!!binary aGk=",
            "tag `!!binary` is not supported, expected plain text",
        ),
    ] {
        assert_eq!(json(&format!("a: {yaml}")), Err(message.to_owned()));
    }
}

#[test]
fn keys_become_strings() {
    for (key, name) in [
        ("1", "1"),
        ("0x10", "16"),
        ("1.50", "1.50"),
        ("yes", "true"),
        ("2001-01-01", "2001-01-01"),
        (".inf", ".inf"),
        ("? a\n", "a"),
    ] {
        assert_eq!(
            json(&format!("{key}: b")),
            Ok(format!("{{\"{name}\":\"b\"}}")),
            "{key}"
        );
    }
    for (yaml, message) in [
        ("~: a", "null as a key, expected a string"),
        ("[1]: a", "list or mapping as a key, expected a string"),
        ("{a: 1}: b", "list or mapping as a key, expected a string"),
        (
            "{a: 1, b: 2, a: 3}",
            "duplicate key `a`, expected each key once",
        ),
        (
            "{1: a, '1': b}",
            "duplicate key `1`, expected each key once",
        ),
    ] {
        assert_eq!(json(yaml), Err(message.to_owned()));
    }
}

#[test]
fn aliases_and_merges_are_written_out() {
    for (yaml, value) in [
        (
            "{x: &x {b: [1, 2]}, a: *x}",
            r#"{"x":{"b":[1,2]},"a":{"b":[1,2]}}"#,
        ),
        ("{x: &x 1, *x : 2}", r#"{"x":1,"1":2}"#),
        ("{x: &x yes, *x : 2}", r#"{"x":true,"true":2}"#),
        ("{&x a: *x}", r#"{"a":"a"}"#),
        ("{a: {<<: {b: 1, c: 3}, b: 2}}", r#"{"a":{"b":2,"c":3}}"#),
        (
            "{a: {b: 2, <<: {b: 1, d: 1}, e: 5}}",
            r#"{"a":{"b":2,"e":5,"d":1}}"#,
        ),
        (
            "{a: {<<: [{b: 1}, {b: 2, c: 3}]}}",
            r#"{"a":{"b":1,"c":3}}"#,
        ),
        (
            "{x: &x {b: 1}, a: {<<: *x}}",
            r#"{"x":{"b":1},"a":{"b":1}}"#,
        ),
        (
            "{a: {<<: &x {b: &y [1]}}, c: *x, d: *y}",
            r#"{"a":{"b":[1]},"c":{"b":[1]},"d":[1]}"#,
        ),
        (
            "{a: {<<: {<<: {b: 1}, c: &z 2}, d: *z}}",
            r#"{"a":{"d":2,"b":1,"c":2}}"#,
        ),
        ("{a: {'<<': 1}}", r#"{"a":{"<<":1}}"#),
        ("{a: &x 1, b: &x 2, c: *x}", r#"{"a":1,"b":2,"c":2}"#),
    ] {
        assert_eq!(json(yaml), Ok(value.to_owned()), "{yaml}");
    }
    for (yaml, message) in [
        ("a: &x [*x]", "alias inside of what it stands for"),
        (
            "a: *x",
            "not valid YAML: while parsing node, found unknown anchor",
        ),
        (
            "{a: {<<: 1}}",
            "value of `<<`, expected a mapping or a list of mappings",
        ),
        (
            "{x: &x [], *x : 1}",
            "alias as a key, expected one of a string",
        ),
    ] {
        assert_eq!(json(yaml), Err(message.to_owned()), "{yaml}");
    }
}

#[test]
fn billions_of_laughs_end_early() {
    let mut yaml = "a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n".to_owned();
    for level in 1..30 {
        let inner = vec![format!("*a{}", level - 1); 9].join(", ");
        yaml = format!("{yaml}a{level}: &a{level} [{inner}]\n");
    }
    assert_eq!(
        json(&yaml),
        Err("aliases stand for more than 16 MiB".to_owned())
    );
    let merges = yaml.replace('[', "[{<<: [{b: ").replace(']', "}]}]");
    assert!(json(&merges).is_err());
}

#[test]
fn depth_is_limited() {
    for yaml in [
        "[".repeat(100_000),
        "{a: ".repeat(100_000),
        "- ".repeat(100_000),
    ] {
        assert!(json(&yaml).unwrap_err().starts_with("not valid YAML: "));
    }
    let deep = format!("a: {}{}", "[".repeat(200), "]".repeat(200));
    assert!(json(&deep).is_ok());
}

#[test]
fn an_error_does_not_hide_the_documents_after_it() {
    let yaml =
        "a: 1\n---\na: {\n---\nb: 2\n--- # none\n---\n[1]: c\nd: e\n---\nf: .inf\n...\n---\n3\n";
    assert_eq!(
        all(yaml).into_iter().map(Result::ok).collect::<Vec<_>>(),
        [
            Some("{\"a\":1}".to_owned()),
            None,
            Some("{\"b\":2}".to_owned()),
            Some("null".to_owned()),
            None,
            None,
            Some("3".to_owned()),
        ],
    );
}

#[test]
fn places_lead_back_to_the_yaml_text() {
    let yaml = "# c\na:\n- é: [1, x y]\n  b: {<<: {c: 1}, d: \"q\"}\ne: |\n  t\n";
    let document = Documents::new(yaml).next().unwrap().unwrap();
    assert_eq!(
        document.json,
        "{\"a\":[{\"é\":[1,\"x y\"],\"b\":{\"d\":\"q\",\"c\":1}}],\"e\":\"t\\n\"}"
    );
    let mut locator = Locator::new(&document.marks);
    for (json, yaml_text) in [
        ("{\"a\"", "a:"),
        ("[{", "é: ["),
        ("\"é\"", "é: ["),
        ("1,\"x", "1, x y"),
        ("\"x y\"", "x y"),
        ("\"b\"", "b: {"),
        ("{\"d\"", "{<<"),
        ("\"q\"", "\"q\""),
        ("\"c\":1", "<<: {c"),
        ("\"e\"", "e: |"),
        ("\"a\"", "a:"),
    ] {
        let place = locator.yaml(document.json.find(json).unwrap());
        assert!(
            yaml[place..].starts_with(yaml_text),
            "{json}: {}",
            &yaml[place..]
        );
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in "[\\[\\]{}&*!|>'\":,\\-?#%@`<~ \\n\\tabc0-9.é]{0,60}") {
        for result in all(&text).into_iter().flatten() {
            prop_assert!(serde_json::from_str::<Box<serde_json::value::RawValue>>(&result).is_ok());
        }
    }

    #[test]
    fn json_is_yaml(value in crate::input::tests::any_json()) {
        let text = value.to_string();
        let again: serde_json::Value = serde_json::from_str(&json(&text).unwrap()).unwrap();
        prop_assert_eq!(again, value);
    }
}
