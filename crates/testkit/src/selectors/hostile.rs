//! Expressions that are made to hurt.

/// Returns hostile selectors, each with a name.
///
/// The device has an attribute `gpu.example.com/ints` with ten integers.
pub fn hostile() -> Vec<(&'static str, String)> {
    let mut inputs = nested();
    inputs.extend(looped());
    inputs.extend(grown());
    inputs.extend(listed());
    inputs.extend(patterns());
    inputs.extend(worked());
    inputs
}

/// What nests or chains too deeply.
fn nested() -> Vec<(&'static str, String)> {
    let parentheses = |count: usize| format!("{}true{}", "(".repeat(count), ")".repeat(count));
    vec![
        ("125 bytes of `!!(!!(`", "!!(!!(".repeat(20) + "!!(!!"),
        ("90 parentheses", parentheses(90)),
        ("200 parentheses", parentheses(200)),
        ("2 000 parentheses", parentheses(2_000)),
        ("10 000 times `(`", "(".repeat(10_000)),
        ("100 000 parentheses", parentheses(100_000)),
        ("`1+1+..`", format!("1{} > 0", "+1".repeat(5_000))),
        (
            "`a[0][0]..`",
            format!("dyn([]){} == 1", "[0]".repeat(3_300)),
        ),
        (
            "`.trim().trim()..`",
            format!("'a'{} == ''", ".trim()".repeat(1_400)),
        ),
        ("`1<1<..`", "1<".repeat(5_000) + "1"),
        ("`a.b.b..`", format!("dyn(1){} == 1", ".b".repeat(5_000))),
        ("`!!!..`", "!".repeat(10_000) + "true"),
        ("`&& && ..`", format!("true{}", " && true".repeat(1_270))),
        ("`? : ? :`", format!("{}true", "true?true:".repeat(1_000))),
    ]
}

/// Loops in loops.
fn looped() -> Vec<(&'static str, String)> {
    let loops = |depth: usize, function: &str| {
        (0..depth).fold("true".to_owned(), |body, index| {
            format!("device.attributes['gpu.example.com'].ints.{function}(x{index}, {body})")
        })
    };
    let mapped = (0..6).fold("1".to_owned(), |body, index| {
        format!("device.attributes['gpu.example.com'].ints.map(x{index}, {body})")
    });
    vec![
        ("7 nested `all`", loops(7, "all")),
        ("7 nested `exists_one`", loops(7, "exists_one")),
        ("6 nested `map`", format!("{mapped}.size() > 0")),
        (
            "`map` over a long range",
            "lists.range(80000).map(x, [x]).size() > 0".to_owned(),
        ),
        (
            "`transformMap` over a long range",
            "lists.range(200000).transformMap(i, v, v).size() > 0".to_owned(),
        ),
        (
            "`transformMapEntry` with many keys",
            "lists.range(30000).transformMapEntry(i, v, {v: i}).size() > 0".to_owned(),
        ),
    ]
}

/// A value bound again and again, each time to twice of what it was.
fn doubled(count: usize, value: &str, double: &str, last: &str) -> String {
    let mut expression = format!("cel.bind(x0, {value}, ");
    for index in 1..=count {
        let bound = double.replace('$', &format!("x{}", index - 1));
        expression = format!("{expression}cel.bind(x{index}, {bound}, ");
    }
    let last = last.replace('$', &format!("x{count}"));
    format!("{expression}{last}{}", ")".repeat(count + 1))
}

/// The same by loops over lists of one element.
fn doubled_by_loops(count: usize, value: &str, last: &str) -> String {
    let body = (1..=count)
        .rev()
        .fold(last.replace('$', &format!("a{count}")), |body, index| {
            let before = format!("a{}", index - 1);
            format!("[{before} + {before}].all(a{index}, {body})")
        });
    format!("[{value}].all(a0, {body})")
}

/// Values that grow out of proportion.
fn grown() -> Vec<(&'static str, String)> {
    let text = "'0123456789abcdef'";
    vec![
        (
            "26 list doublings",
            doubled_by_loops(26, "[1]", "$.size() > 0"),
        ),
        (
            "26 string doublings",
            doubled_by_loops(26, "'a'", "$.size() > 0"),
        ),
        (
            "30 string doublings",
            doubled_by_loops(30, "'a'", "$.size() > 0"),
        ),
        (
            "`lastIndexOf` of a long text",
            doubled(
                17,
                "'aaaaaaaa'",
                "$ + $",
                "$.lastIndexOf(x16 + 'b', 500000) > 0",
            ),
        ),
        (
            "26 bound lists",
            doubled(26, "[1]", "$ + $", "$.size() > 0"),
        ),
        (
            "26 bound strings",
            doubled(26, text, "$ + $", "$.size() > 0"),
        ),
        (
            "26 bound bytes",
            doubled(26, "b'0123456789'", "$ + $", "$.size() > 0"),
        ),
        (
            "`replace` in `replace`",
            doubled(20, "'aaaaaaaaaa'", "$.replace('a', 'aaaa')", "$.size() > 0"),
        ),
        (
            "`replace` of nothing",
            doubled(20, text, "$.replace('', $)", "$.size() > 0"),
        ),
        (
            "`join` in `join`",
            doubled(20, text, "[$, $, $].join($)", "$.size() > 0"),
        ),
        (
            "`split` of a long text",
            doubled(16, text, "$ + $", "$.split('').size() > 0"),
        ),
        (
            "`upperAscii` in `upperAscii`",
            doubled(18, text, "($ + $).upperAscii()", "$.size() > 0"),
        ),
        (
            "shared parts, compared",
            doubled(60, "[1, 2]", "[$, $]", "$ == $"),
        ),
        (
            "shared parts, flattened",
            doubled(40, "[1, 2]", "[$, $]", "$.flatten(40).size() > 0"),
        ),
        (
            "shared parts, `includes`",
            doubled(60, "[1, 2]", "[$, $]", "[$].includes($)"),
        ),
        (
            "types of exponential size",
            doubled(60, "{1: 2}", "{$: $}", "$ == $"),
        ),
        (
            "maps in maps",
            doubled(30, "{'a': 1}", "{'a': $, 'b': $}", "dyn($) == dyn($)"),
        ),
    ]
}

/// What takes long behind a small cost, in loops.
fn worked() -> Vec<(&'static str, String)> {
    let over = |text: &str, last: &str| {
        let last = format!("lists.range(20000).all(i, {last})");
        doubled(15, text, "$ + $", &last)
    };
    let text = |last: &str| over("'0123456789abcdef'", last);
    let bound = |value: &str, last: &str| {
        let last = format!("cel.bind(u, {value}, lists.range(20000).all(i, {last}))");
        doubled(15, "'0123456789abcdef'", "$ + $", &last)
    };
    let constants = |count: u32| {
        let constants: Vec<String> = (0..count).map(|index| index.to_string()).collect();
        constants.join(",")
    };
    let many = |pattern: &str| {
        let terms: Vec<String> = (0..252)
            .map(|index| format!("'a'.matches(r'{pattern}{index}')"))
            .collect();
        terms.join("||")
    };
    vec![
        (
            "nested empty lists, flattened",
            doubled(40, "[]", "[$, $]", "$.flatten(41).size() >= 0"),
        ),
        (r"252 x `(\PN|\pL|\w){90}`", many(r"(\PN|\pL|\w){90}")),
        (
            r"3000 x `\pL`",
            format!("'a'.matches(r'{}')", r"\pL".repeat(3_000)),
        ),
        (
            r"400 x `\pL`",
            format!("'a'.matches(r'{}')", r"\pL".repeat(400)),
        ),
        ("252 x `a.*[0-9]`", many("a.*[0-9]")),
        (
            r"`(\pL{9}){50}` in a loop",
            r"lists.range(20).all(i, !'b'.matches('(\\pL{9}){50}' + string(i)))".to_owned(),
        ),
        ("`double` of digits", over("'0000000000000000'", "double($) == 0.0")),
        ("`uint` of digits", over("'0000000000000000'", "uint($) == 0u")),
        ("`charAt` far away", text("$.charAt(500000) != ''")),
        ("`size` of a text", over("'0123456789abcdeé'", "size($) > 0")),
        ("`!=` of texts", text("!($ != x15)")),
        ("`!=` of a long and a short text", over("'0123456789abcdeé'", "$ != 'abcdefghijkl'")),
        ("`>` of texts", text("dyn($) >= dyn(x15)")),
        ("a long key", text("{$: 1}[$] == 1")),
        ("a long key, `in`", text("$ in {$: 1}")),
        ("texts in lists", text("[$] == [$] && $ in [$]")),
        ("long texts, sorted", text("[$, $, $].sort().size() == 3")),
        (
            "long texts, `max`",
            doubled(15, "'0123456789abcdef'", "$ + $", "lists.range(9000).map(i, $).max() == $"),
        ),
        (
            "long URLs",
            bound("url('https://a.example/' + $)", "u == u"),
        ),
        (
            "long versions",
            bound("semver('1.2.3-' + $)", "u.compareTo(u) == 0"),
        ),
        (
            "equal maps",
            "cel.bind(m, lists.range(9000).transformMap(i, v, v), lists.range(900).all(i, m == m))"
                .to_owned(),
        ),
        (
            "keys of maps",
            "cel.bind(m, lists.range(9000).transformMap(i, v, v), lists.range(20000).all(i, m.exists(k, true)))"
                .to_owned(),
        ),
        (
            "many digits",
            "lists.range(50000).all(i, '%.1000f'.format([1e308]).size() > 0)".to_owned(),
        ),
        (
            "`in` many constants",
            format!("lists.range(100000).all(i, !(-1 in [{}]))", constants(1100)),
        ),
    ]
}

/// Long lists, and what takes long on them.
fn listed() -> Vec<(&'static str, String)> {
    let range = |count: u64, rest: &str| format!("lists.range({count}){rest}");
    vec![
        ("a huge range", range(9_000_000_000, ".size() > 0")),
        ("a range of 900 000", range(900_000, ".size() > 0")),
        (
            "a range, doubled",
            doubled(10, "lists.range(60000)", "$ + $", "$.size() > 0"),
        ),
        ("`distinct`", range(400_000, ".distinct().size() > 0")),
        ("`sort`", range(60_000, ".reverse().sort().size() > 0")),
        ("`sortBy`", range(60_000, ".sortBy(x, -x).size() > 0")),
        (
            "`sortBy` in `sortBy`",
            range(
                300,
                ".sortBy(x, lists.range(300).sortBy(y, -y)[0]).size() > 0",
            ),
        ),
        (
            "`flatten` of many",
            range(30_000, ".map(x, [x, x]).flatten().size() > 0"),
        ),
        (
            "`slice` in a loop",
            range(3_000, ".all(x, lists.range(3000).slice(0, x).size() == x)"),
        ),
        ("`sum`", range(800_000, ".sum() > 0")),
        ("`indexOf`", range(400_000, ".indexOf(-1) > 0")),
        (
            "`sets.contains`",
            "sets.contains(lists.range(100000), lists.range(100000))".to_owned(),
        ),
        (
            "`sets.equivalent`",
            "sets.equivalent(lists.range(700), lists.range(700))".to_owned(),
        ),
        (
            "`sets.intersects`",
            "sets.intersects(lists.range(50000), lists.range(50000).map(x, -x - 1))".to_owned(),
        ),
        (
            "`in` a long list, in a loop",
            range(900, ".all(x, !(-1 in lists.range(900)))"),
        ),
    ]
}

/// Regular expressions.
fn patterns() -> Vec<(&'static str, String)> {
    let matches =
        |pattern: &str| format!("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'.matches(r'{pattern}')");
    vec![
        ("`(a+)+$`", matches(r"(a+)+$")),
        ("`((a{100}){100}){10}`", matches(r"((a{100}){100}){10}")),
        (r"`(\w{200}){4}`", matches(r"(\w{200}){4}")),
        (r"`(\pL{100}){10}`", matches(r"(\pL{100}){10}")),
        (r"`(?i)(\PN{1000})`", matches(r"(?i)(\PN{1000})")),
        ("`.{1000}`", matches(".{1000}")),
        ("alternatives", matches(&["[a-z]{300}"; 300].join("|"))),
        (
            "a pattern built anew in a loop",
            r"lists.range(1000).all(x, !'b'.matches('(\\pL{30}){30}' + string(x)))".to_owned(),
        ),
        (
            "many matches of nothing",
            doubled(
                15,
                "'0123456789abcdef'",
                "$ + $",
                "$.findAll('').size() > 0",
            ),
        ),
    ]
}
