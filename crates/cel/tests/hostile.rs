//! Hostile expressions end in an error or an answer, on a small stack.

#![expect(clippy::expect_used, reason = "helpers of tests fail like tests")]

use dralloc_cel::{Device, ErrorKind, Options, Program, Scratch, Value, Verdict};
use proptest::prelude::*;

/// As little stack as hosts call with.
const STACK: usize = 512 * 1024;

#[derive(Debug, PartialEq, Eq)]
enum Ending {
    Rejected,
    Answer(bool),
    Failed(ErrorKind),
}

fn evaluate(expression: &str) -> Ending {
    let Ok(program) = Program::compile(expression, &Options::selector()) else {
        return Ending::Rejected;
    };
    let mut device = Device::new("gpu.example.com");
    device.set_attribute("ints", Value::Ints((0..10).collect()));
    device.set_attribute("type", Value::String("gpu".to_owned()));
    match program.matches(&device, &mut Scratch::new()) {
        Verdict::Match => Ending::Answer(true),
        Verdict::NoMatch => Ending::Answer(false),
        Verdict::Error(error) => Ending::Failed(error.kind),
    }
}

fn on_small_stack(expression: String) -> Ending {
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || evaluate(&expression))
        .expect("a thread")
        .join()
        .expect("no panic")
}

fn nested(count: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(count), close.repeat(count))
}

/// A value that doubles by being bound again and again.
fn doubled(count: usize, value: &str, double: &str, last: &str) -> String {
    let mut expression = format!("cel.bind(x0, {value}, ");
    for index in 1..=count {
        let before = format!("x{}", index - 1);
        let bound = double.replace('$', &before);
        expression = format!("{expression}cel.bind(x{index}, {bound}, ");
    }
    let last = last.replace('$', &format!("x{count}"));
    format!("{expression}{last}{}", ")".repeat(count + 1))
}

#[test]
fn nesting_is_limited() {
    let loops = |count: usize| {
        (0..count).fold("true".to_owned(), |inner, index| {
            format!("device.attributes['gpu.example.com'].ints.all(x{index}, {inner})")
        })
    };
    let table = [
        (nested(249, "(", "true", ")"), Ending::Answer(true)),
        (nested(250, "(", "true", ")"), Ending::Rejected),
        (nested(2_000, "(", "true", ")"), Ending::Rejected),
        (nested(5_000, "(", "true", ")"), Ending::Rejected),
        ("(".repeat(10_000), Ending::Rejected),
        ("(".repeat(100_000), Ending::Rejected),
        ("[".repeat(10_000), Ending::Rejected),
        ("{".repeat(10_000), Ending::Rejected),
        (
            nested(240, "[", "", "]") + ".size() == 1",
            Ending::Answer(true),
        ),
        (format!("1{} > 0", "+1".repeat(240)), Ending::Answer(true)),
        (format!("1{} > 0", "+1".repeat(5_000)), Ending::Rejected),
        (
            format!("true{}", " && true".repeat(1_200)),
            Ending::Answer(true),
        ),
        (
            format!("false{}", " || false".repeat(1_100)),
            Ending::Answer(false),
        ),
        ("!".repeat(5_000) + "true", Ending::Answer(true)),
        (format!("{}1 > 0", "-".repeat(5_000)), Ending::Answer(true)),
        (
            format!("dyn(1){} == 1", ".b".repeat(240)),
            Ending::Failed(ErrorKind::NoSuchKey),
        ),
        (
            format!("dyn(1){} == 1", ".b".repeat(5_000)),
            Ending::Rejected,
        ),
        (
            format!("dyn(1){} == 1", "[0]".repeat(3_000)),
            Ending::Rejected,
        ),
        (
            format!("'a'{} == 'a'", ".trim()".repeat(240)),
            Ending::Answer(true),
        ),
        (
            format!("'a'{} == 'a'", ".trim()".repeat(1_400)),
            Ending::Rejected,
        ),
        (format!("true{}", " ? true".repeat(1_000)), Ending::Rejected),
        (
            format!("{}false", "true ? true : ".repeat(200)),
            Ending::Answer(true),
        ),
        ("!!(!!(".repeat(4) + "!!(((!!(", Ending::Rejected),
        ("1 < ".repeat(2_500) + "1", Ending::Rejected),
        ("x".repeat(10_241), Ending::Rejected),
        (
            "\"".to_owned() + &"a".repeat(10_000) + "\" == ''",
            Ending::Answer(false),
        ),
        (loops(5), Ending::Answer(true)),
        (loops(7), Ending::Failed(ErrorKind::CostLimit)),
        (
            (0..200).fold("optional.of(1)".to_owned(), |target, _| {
                target + ".optMap(i, i)"
            }) + ".hasValue()",
            Ending::Failed(ErrorKind::CostLimit),
        ),
    ];
    for (expression, expected) in table {
        let shown: String = expression.chars().take(60).collect();
        assert_eq!(on_small_stack(expression), expected, "{shown}");
    }
}

#[test]
fn growth_is_limited() {
    let table = [
        (
            doubled(26, "[1]", "$ + $", "size($) > 0"),
            Ending::Failed(ErrorKind::MemoryLimit),
        ),
        (
            doubled(26, "'0123456789'", "$ + $", "size($) > 0"),
            Ending::Failed(ErrorKind::CostLimit),
        ),
        // Shared parts make a small list that takes for ever to compare.
        (
            doubled(60, "[1, 2]", "[$, $]", "$ == $"),
            Ending::Failed(ErrorKind::MemoryLimit),
        ),
        (
            doubled(60, "[1, 2]", "[$, $]", "[$].includes($)"),
            Ending::Failed(ErrorKind::MemoryLimit),
        ),
        // Types that are exponentially large as trees.
        (doubled(60, "{1: 2}", "{$: $}", "$ == $"), Ending::Rejected),
        (
            "lists.range(1000000).map(x, [x]).size() > 0".to_owned(),
            Ending::Failed(ErrorKind::CostLimit),
        ),
        (
            "lists.range(9000000000).size() > 0".to_owned(),
            Ending::Failed(ErrorKind::InvalidArgument),
        ),
        (
            "lists.range(900000).distinct().size() > 0".to_owned(),
            Ending::Failed(ErrorKind::MemoryLimit),
        ),
        (
            "sets.contains(lists.range(100000), lists.range(100000))".to_owned(),
            Ending::Failed(ErrorKind::MemoryLimit),
        ),
        (
            doubled(20, "'aaaaaaaaaa'", "$.replace('a', 'aaaa')", "size($) > 0"),
            Ending::Failed(ErrorKind::MemoryLimit),
        ),
    ];
    for (expression, expected) in table {
        let shown: String = expression.chars().take(60).collect();
        assert_eq!(on_small_stack(expression), expected, "{shown}");
    }
}

#[test]
fn patterns_are_limited() {
    let table = [
        (r"(a+)+$", Ending::Answer(true)),
        (r"((a{100}){100}){10}", Ending::Rejected),
        (r"(\\w{200}){4}", Ending::Answer(false)),
        (r"(a{1000}|b){1000}", Ending::Rejected),
        (r"a{1001}", Ending::Rejected),
    ];
    for (pattern, expected) in table {
        let expression = format!("'aaaa'.matches('{pattern}')");
        assert_eq!(on_small_stack(expression), expected, "{pattern}");
    }
    let deep = format!("'a'.matches('{}')", nested(900, "(", "a", ")"));
    assert_eq!(on_small_stack(deep), Ending::Answer(true));
    let deeper = format!("'a'.matches('{}')", nested(2_000, "(", "a", ")"));
    assert_eq!(on_small_stack(deeper), Ending::Rejected);
}

/// Pieces that random text seldom hits.
const PIECES: &[&str] = &[
    "device",
    ".attributes",
    "[\"a\"]",
    "[?",
    ".?",
    "has(",
    "cel.bind(",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "?",
    "&&",
    "||",
    "!",
    "==",
    "<",
    "in",
    "+",
    "-",
    "*",
    "/",
    "%",
    "1",
    "1u",
    "1.5",
    "\"x\"",
    "'",
    "b\"",
    "true",
    "null",
    ".all(x,",
    ".map(x,",
    ".exists(",
    "x",
    "`a`",
    ".matches(",
    "quantity(",
    "semver(",
    "optional.of(",
    "\\",
    "\n",
    "//",
    "é",
    "duration(",
    "timestamp(",
    "type(",
    "dyn(",
    "int(",
    ".optMap(x,",
    ".sortBy(x,",
    "0x",
    "e9",
    "\"\"\"",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..Default::default() })]

    #[test]
    fn any_text_is_survived(text in any::<String>()) {
        let _ = evaluate(&text);
    }

    #[test]
    fn any_pieces_are_survived(picks in prop::collection::vec(0..PIECES.len(), 0..40)) {
        let text: String = picks.into_iter().map(|pick| PIECES[pick]).collect();
        let _ = evaluate(&text);
    }

    #[test]
    fn any_pattern_is_survived(pattern in "[a-z()\\[\\]{}*+?|^$.\\\\0-9:<>P,-]{0,30}") {
        let text = serde_json::to_string(&pattern).expect("a string");
        let _ = evaluate(&format!("'abc'.matches({text})"));
    }

    #[test]
    fn any_argument_of_a_library_is_survived(
        argument in "[a-zA-Z0-9:/?#@%&=.;,+\\[\\]<> é\u{1F600}*-]{0,40}",
        format in "([a-z% ]|%[.]?[0-9]{0,8}[sdfebxXo]){0,8}",
    ) {
        let argument = serde_json::to_string(&argument).expect("a string");
        let format = serde_json::to_string(&format).expect("a string");
        for expression in [
            format!("url({argument}).getHost() + url({argument}).getPort() == ''"),
            format!("url({argument}) == url({argument}) && url({argument}).getQuery() == {{}}"),
            format!("format.named({argument}).hasValue() || timestamp(0).getHours({argument}) == 0"),
            format!(
                "['uri', 'uuid', 'byte', 'date', 'datetime', 'qualifiedName', 'dns1123LabelPrefix']\
                 .exists(n, format.named(n).value().validate({argument}).hasValue())"
            ),
            format!("cel.bind(f, {format}, f.format([1, 2.5, {argument}, [{argument}]])) == ''"),
            format!("{format}.format([1, -2.5, {argument}]) == ''"),
        ] {
            let _ = evaluate(&expression);
        }
    }
}
