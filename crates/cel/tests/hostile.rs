//! Hostile expressions end in an error or an answer, on a small stack.

#![expect(clippy::expect_used, reason = "helpers of tests fail like tests")]

use dralloc_cel::{Device, ErrorKind, Options, Program, Scratch, Value, Verdict, outline};
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

fn with_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(run)
        .expect("a thread")
        .join()
        .expect("no panic")
}

fn on_small_stack(expression: String) -> Ending {
    with_small_stack(move || evaluate(&expression))
}

/// Why an expression does not parse.
fn syntax_error(expression: String) -> Option<String> {
    with_small_stack(move || outline(&expression).err().map(|error| error.message))
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

/// How much nesting is legal, as cel-go 0.29 has it: the repeated parts around
/// the innermost one, and how many of them are accepted.
#[test]
fn nesting_is_limited_as_upstream() {
    let table = [
        ("(", "1", ")", 249),
        ("[", "1", "]", 249),
        ("f(", "1", ")", 249),
        ("!(", "a", ")", 249),
        ("-(", "1", ")", 249),
        ("{1:", "1", "}", 249),
        ("{", "1", ":1}", 249),
        ("a{b:", "1", "}", 249),
        ("a?b:", "c", "", 249),
        ("a?(", "c", "):b", 249),
        ("(", "c", ")?a:b", 249),
        ("", "1", "+1", 250),
        ("", "1", "*2+1", 249),
        ("1+(", "1", ")", 124),
        ("1+2*(", "1", ")", 83),
        ("", "1", "<1", 250),
        ("1<(", "1", ")", 124),
        ("1<1+(", "1", ")", 124),
        ("1<1+1*(", "1", ")", 83),
        ("a in [", "1", "]", 124),
        ("a&&(", "a", ")", 249),
        ("", "a", ".b", 250),
        ("", "a", ".?b", 250),
        ("", "a", "[0]", 250),
        ("", "a", "[?0]", 250),
        ("a[", "0", "]", 249),
        ("a[1+", "0", "]", 124),
        ("a[b.c.d[", "0", "]]", 124),
        ("", "a", ".f()", 250),
        ("a.f(", "1", ")", 249),
        ("a.f(", "1", ").g", 125),
        ("a.all(x,", "true", ")", 249),
        ("", "a", ".map(x,x)", 250),
        ("", "a", ".sortBy(x,x)", 250),
        ("cel.bind(x,1,", "true", ")", 249),
        ("has(", "a.b", ")", 249),
    ];
    for (open, inner, close, most) in table {
        let legal = nested(most, open, inner, close);
        assert_eq!(syntax_error(legal), None, "{open}{inner}{close}");
        let deeper = nested(most + 1, open, inner, close);
        let message = "expected at most 250 levels of nesting, found more";
        assert_eq!(
            syntax_error(deeper).as_deref(),
            Some(message),
            "{open}{inner}{close}"
        );
    }
    // These do not nest, however long they are.
    for wide in [
        "-".repeat(10_000) + "a",
        "!".repeat(10_000) + "a",
        "a&&".repeat(3_000) + "a",
        "a||".repeat(3_000) + "a",
        format!("a{}{{}}", ".b".repeat(5_000)),
        format!("[{}]", "a,".repeat(5_000)),
        format!("{{{}}}", "a:b,".repeat(2_500)),
        format!("f({}a)", "a,".repeat(5_000)),
    ] {
        let shown: String = wide.chars().take(20).collect();
        assert_eq!(syntax_error(wide), None, "{shown}");
    }
}

#[test]
fn hostile_syntax_is_refused() {
    let deep = "expected at most 250 levels of nesting, found more";
    let long = "expected an expression of at most 10240 bytes, not ";
    let table = [
        ("(".repeat(100_000), long),
        (nested(100_000, "(", "1", ")"), long),
        ("(".repeat(10_240), deep),
        ("[".repeat(10_240), deep),
        ("{".repeat(10_240), deep),
        ("a{b:".repeat(2_500), deep),
        ("{1:".repeat(3_000), deep),
        ("f(".repeat(5_000), deep),
        ("a[".repeat(5_000), deep),
        ("!!(!!!(".repeat(1_400), deep),
        ("-(--(".repeat(2_000), deep),
        (format!("1{}", "+1".repeat(5_000)), deep),
        (format!("1{}", "<1".repeat(5_000)), deep),
        (format!("a{}", "[0]".repeat(3_400)), deep),
        (format!("a{}", ".b".repeat(5_000)), deep),
        (format!("a{}", ".?b".repeat(3_400)), deep),
        (format!("'a'{}", ".trim()".repeat(1_400)), deep),
        ("a?b:".repeat(2_500), deep),
        ("a?(".repeat(3_400), deep),
        ("cel.bind(x,1,".repeat(700), deep),
        (format!("a{}", ".sortBy(x,x)".repeat(800)), deep),
        (
            "!!(!!(".repeat(4) + "!!(((!!(",
            "expected an expression, found the end of the expression",
        ),
        (
            "a?".repeat(5_000),
            "expected an operator or the `:` of a conditional, found `?`",
        ),
        (
            "-".repeat(10_240),
            "expected an expression, found the end of the expression",
        ),
        (
            "a.".repeat(200),
            "expected a field name, found the end of the expression",
        ),
        (
            "\"".to_owned() + &"a".repeat(10_000),
            "expected a closing `\"`, found the end of the expression",
        ),
        (
            "\"\"\"".to_owned() + &"a\"\"".repeat(3_000),
            "expected a closing `\"\"\"`, found the end of the expression",
        ),
        (
            format!("1{}", "0".repeat(10_000)),
            "expected an integer of 64 bits, found `1000000000000000000000000000000000000000`",
        ),
    ];
    for (expression, expected) in table {
        let shown: String = expression.chars().take(60).collect();
        let message = syntax_error(expression).unwrap_or_default();
        assert!(message.starts_with(expected), "{shown}: {message}");
    }
}

/// What cel-go does not count makes trees far deeper than its limit.
#[test]
fn deepest_trees_are_walked() {
    let level = "a||".repeat(6) + &"a&&".repeat(6) + "!(";
    let deepest = |levels: usize| {
        format!(
            "cel.bind(a, 'x' != 'x', {})",
            nested(levels, &level, "a", ")")
        )
    };
    // An even number of negations of what is false, joined with what is false.
    assert_eq!(on_small_stack(deepest(248)), Ending::Answer(false));
    assert_eq!(on_small_stack(deepest(249)), Ending::Rejected);
    // Trees that fit the caller's stack, at any depth, whole and broken.
    for levels in 0..40 {
        let level = "a||".repeat(8) + &"a&&".repeat(60 / (levels + 1)) + "!(";
        let legal = nested(levels, &level, "a", ")");
        assert_eq!(syntax_error(legal.clone()), None, "{levels} levels");
        assert_eq!(
            syntax_error(legal + ")").as_deref(),
            Some("expected an operator or the end of the expression, found `)`"),
            "{levels} levels"
        );
        let loops = nested(levels, "[[1]].exists(x, ", "true", ")");
        assert_eq!(
            on_small_stack(loops),
            Ending::Answer(true),
            "{levels} loops"
        );
        let lists = format!("size({}) == 1", nested(levels + 1, "[", "1", "]"));
        assert_eq!(
            on_small_stack(lists),
            Ending::Answer(true),
            "{levels} lists"
        );
    }
    let broken = format!(
        "{}]",
        nested(
            16,
            &("a||".repeat(100) + &"a&&".repeat(100) + "!["),
            "a",
            "]"
        )
    );
    assert_eq!(
        syntax_error(broken).as_deref(),
        Some("expected an operator or the end of the expression, found `]`")
    );
    let broken = format!("{}]", nested(249, "a||a||a||a&&a&&a&&![", "a", "]"));
    assert_eq!(
        syntax_error(broken).as_deref(),
        Some("expected an operator or the end of the expression, found `]`")
    );
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
            Ending::Failed(ErrorKind::MemoryLimit),
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
