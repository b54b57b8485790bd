//! What the parser makes of expressions, and how it refuses others. All that is
//! accepted, with what value, and all that is refused is so in cel-go 0.29.

#![expect(clippy::expect_used, reason = "helpers of tests fail like tests")]

use dralloc_cel::outline;

/// The tree of an expression that parses.
fn tree(source: &str) -> String {
    outline(source).expect(source).text
}

/// The message of an expression that does not, and the text it is about.
fn refusal(source: &str) -> (String, String) {
    let error = outline(source).expect_err(source);
    (error.message, source[error.span].to_owned())
}

fn assert_trees(table: &[(&str, &str)]) {
    for (source, expected) in table {
        assert_eq!(tree(source), *expected, "{source}");
    }
}

fn assert_refusals(table: &[(&str, &str, &str)]) {
    for (source, message, place) in table {
        let expected = ((*message).to_owned(), (*place).to_owned());
        assert_eq!(refusal(source), expected, "{source:?}");
    }
}

#[test]
fn numbers_have_values() {
    assert_trees(&[
        ("0", "0"),
        ("007", "7"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("- // c\n 1", "-1"),
        ("0xfF", "255"),
        ("-0x8000000000000000", "-9223372036854775808"),
        ("0u", "0u"),
        ("18446744073709551615U", "18446744073709551615u"),
        ("0xFFu", "255u"),
        ("-1u", "(-_ 1u)"),
        ("1.5", "1.5"),
        (".5", "0.5"),
        ("-.5", "-0.5"),
        ("-0.0", "-0.0"),
        ("1e3", "1000.0"),
        ("1E+3", "1000.0"),
        ("12.5e-1", "1.25"),
        ("1.7976931348623157e308", "1.7976931348623157e308"),
        ("5e-324", "5e-324"),
        ("1e-400", "0.0"),
        ("0.1", "0.1"),
        // The longest number is taken, and what follows may touch it.
        ("1in[1]", "(@in 1 [1])"),
        ("1.e5", "(select 1 e5)"),
        ("1-1", "(_-_ 1 1)"),
        ("1--1", "(_-_ 1 -1)"),
        ("1 -1", "(_-_ 1 1)"),
    ]);
    assert_refusals(&[
        (
            "9223372036854775808",
            "expected an integer of 64 bits, found `9223372036854775808`",
            "9223372036854775808",
        ),
        (
            "1 + -9223372036854775809",
            "expected an integer of 64 bits, found `-9223372036854775809`",
            "-9223372036854775809",
        ),
        (
            "- // c\n 0x8000000000000001",
            "expected an integer of 64 bits, found `-0x8000000000000001`",
            "- // c\n 0x8000000000000001",
        ),
        // Two signs cancel out before the number is read.
        (
            "--9223372036854775808",
            "expected an integer of 64 bits, found `9223372036854775808`",
            "9223372036854775808",
        ),
        (
            "18446744073709551616u",
            "expected an unsigned integer of 64 bits, found `18446744073709551616u`",
            "18446744073709551616u",
        ),
        (
            "1e309",
            "expected a double of 64 bits, found `1e309`",
            "1e309",
        ),
        (
            "1.",
            "expected a field name, found the end of the expression",
            "",
        ),
        (
            "0X1",
            "expected an operator or the end of the expression, found `X1`",
            "X1",
        ),
        (
            "1.5u",
            "expected an operator or the end of the expression, found `u`",
            "u",
        ),
        (
            "1_000",
            "expected an operator or the end of the expression, found `_000`",
            "_000",
        ),
        (
            "a.5",
            "expected an operator or the end of the expression, found `.5`",
            ".5",
        ),
    ]);
}

#[test]
fn strings_have_values() {
    assert_trees(&[
        ("''", r#""""#),
        (r#""a'b""#, r#""a'b""#),
        ("'a\"b'", r#""a\"b""#),
        ("''''''", r#""""#),
        ("'''a'b''c'''", r#""a'b''c""#),
        (r#""""a"b""c""""#, r#""a\"b\"\"c""#),
        (
            r#"'\a\b\f\n\r\t\v\\\'\"\`\?'"#,
            r#""\u{7}\u{8}\u{c}\n\r\t\u{b}\\'\"`?""#,
        ),
        (r"'\x41\X4a\101\377\xff'", r#""AJAÿÿ""#),
        (r"'\u00e9\U0001F600'", r#""é😀""#),
        // All ends of lines are one line feed, but not where they are escaped.
        ("'''a\r\nb\rc\nd\\r'''", r#""a\nb\nc\nd\r""#),
        ("r'''a\\\r\nb'''", r#""a\\\nb""#),
        (r"r'\d+\'", r#""\\d+\\""#),
        (r#"R"""\"a""""#, r#""\\\"a""#),
        ("'\u{10ffff}\0'", r#""\u{10ffff}\0""#),
        ("b'a'", r#"b"a""#),
        (r"b'\x00\377\X7f\n'", r#"b"\x00\xff\x7f\n""#),
        ("B'é'", r#"b"\xc3\xa9""#),
        (r"br'\x00'", r#"b"\\x00""#),
        ("bR'''a\r\nb'''", r#"b"a\nb""#),
        // Other letters before a quote are a name.
        ("b.rb", "(select b rb)"),
    ]);
    let escape = r"expected an escape sequence like `\n` or `\x41`, found ";
    let found = |text: &str| format!("{escape}`{text}`");
    assert_refusals(&[
        (r"a.matches('x\d+')", &found(r"\d"), r"\d"),
        (r"'\8'", &found(r"\8"), r"\8"),
        (r"'\é'", &found(r"\é"), r"\é"),
        ("'\\\n'", &format!("{escape}the end of the line"), "\\\n"),
        (r"'\400'", &found(r"\4"), r"\4"),
        (
            r"'\18'",
            r"expected 3 octal digits after `\`, found `\1`",
            r"\1",
        ),
        (
            r"'\x4'",
            r"expected 2 hexadecimal digits after `\x`, found `\x4`",
            r"\x4",
        ),
        (
            r"'\u00e'",
            r"expected 4 hexadecimal digits after `\u`, found `\u00e`",
            r"\u00e",
        ),
        (
            r"'\ud800'",
            r"expected a character of Unicode, found `\ud800`",
            r"\ud800",
        ),
        (
            r"'\U00110000'",
            r"expected a character of Unicode, found `\U00110000`",
            r"\U00110000",
        ),
        (
            r"b'\u0041'",
            r"expected an escape sequence of one byte, found `\u`",
            r"\u",
        ),
        (
            "a == 'b",
            "expected a closing `'`, found the end of the expression",
            "'b",
        ),
        (
            "'a\nb'",
            "expected a closing `'`, found the end of the line",
            "'a",
        ),
        (
            "r\"a\rb\"",
            "expected a closing `\"`, found the end of the line",
            "r\"a",
        ),
        (
            "'''a''",
            "expected a closing `'''`, found the end of the expression",
            "'''a''",
        ),
        (
            "'a' 'b'",
            "expected an operator or the end of the expression, found a string",
            "'b'",
        ),
        (
            "rb'a'",
            "expected an operator or the end of the expression, found a string",
            "'a'",
        ),
    ]);
    let hint = outline(r"'\d'").err().and_then(|error| error.hint);
    assert_eq!(
        hint.as_deref(),
        Some(r"write `\\` for a backslash, or a raw string like `r'\d'`")
    );
}

#[test]
fn names_and_blanks_are_those_of_cel() {
    assert_trees(&[
        ("_a1", "_a1"),
        (".a", ".a"),
        (". // c\n a", ".a"),
        ("a.`b-c/d e.f_1`", "(select a b-c/d e.f_1)"),
        ("a.`in`", "(select a in)"),
        ("truex + inx", "(_+_ truex inx)"),
        // Reserved words are fields, methods and messages.
        ("a.for.as(1)", "(.as (select a for) 1)"),
        ("package.b{}", "package.b{}"),
        ("\t\r\n\u{c}a // b \r c\n+ b//", "(_+_ a b)"),
        ("true ? false : null", "(_?_:_ true false null)"),
    ]);
    assert_refusals(&[
        (
            "x == for",
            "expected a name, found the reserved word `for`",
            "for",
        ),
        (
            "while(1)",
            "expected a name, found the reserved word `while`",
            "while",
        ),
        ("a.in", "expected a field name, found `in`", "in"),
        ("a.true", "expected a field name, found `true`", "true"),
        (
            "`a`",
            "expected an expression, found a name in backticks",
            "`a`",
        ),
        (
            "a.`b`()",
            "expected an operator or the end of the expression, found `(`",
            "(",
        ),
        (
            "a.``",
            "expected letters, digits, spaces or any of `_.-/` and a closing backtick",
            "`",
        ),
        (
            "a.`b$`",
            "expected letters, digits, spaces or any of `_.-/` and a closing backtick",
            "`b",
        ),
        ("a = b", "expected `==`, found `=`", "="),
        ("a & b", "expected `&&`, found `&`", "&"),
        ("a | b", "expected `||`, found `|`", "|"),
        ("a + é", "expected a symbol of CEL, found `é`", "é"),
        (
            "a\u{b}",
            "expected a symbol of CEL, found `\\u{b}`",
            "\u{b}",
        ),
        (
            "a\u{a0}",
            "expected a symbol of CEL, found `\\u{a0}`",
            "\u{a0}",
        ),
        // The first fault counts, not the first bad character.
        (
            "a b #",
            "expected an operator or the end of the expression, found `b`",
            "b",
        ),
    ]);
}

#[test]
fn operators_bind_as_in_cel() {
    assert_trees(&[
        ("a + b * c - d", "(_-_ (_+_ a (_*_ b c)) d)"),
        ("a * b / c % d", "(_%_ (_/_ (_*_ a b) c) d)"),
        ("a - b - c", "(_-_ (_-_ a b) c)"),
        ("a < b == c", "(_==_ (_<_ a b) c)"),
        ("a + 1 in b", "(@in (_+_ a 1) b)"),
        ("a || b && c", "(_||_ a (_&&_ b c))"),
        ("!a.b", "(!_ (select a b))"),
        ("-a.b()", "(-_ (.b a))"),
        ("-1.b()", "(.b -1)"),
        // Pairs of one operator cancel out.
        ("!!a", "a"),
        ("!!!a", "(!_ a)"),
        ("--a", "a"),
        ("---a", "(-_ a)"),
        ("--1", "1"),
        ("---1", "(-_ 1)"),
        ("- - -1", "(-_ 1)"),
        ("-(-1)", "(-_ -1)"),
        ("!(!a)", "(!_ (!_ a))"),
        ("!-1", "(!_ -1)"),
        ("!!-1", "-1"),
        ("a ? b : c ? d : e", "(_?_:_ a b (_?_:_ c d e))"),
        ("a || b ? c && d : e", "(_?_:_ (_||_ a b) (_&&_ c d) e)"),
        // Chains are balanced; parentheses end them.
        ("a || b || c", "(_||_ (_||_ a b) c)"),
        ("a && b && c && d", "(_&&_ (_&&_ a b) (_&&_ c d))"),
        (
            "a || b || c || d || e",
            "(_||_ (_||_ (_||_ a b) c) (_||_ d e))",
        ),
        ("a && (b && c) && d", "(_&&_ (_&&_ a (_&&_ b c)) d)"),
    ]);
    assert_refusals(&[
        (
            "a ? b",
            "expected an operator or the `:` of a conditional, found the end of the expression",
            "",
        ),
        (
            "a ? b ? c : d : e",
            "expected an operator or the `:` of a conditional, found `?`",
            "?",
        ),
        ("-!a", "expected an expression, found `!`", "!"),
        ("!-a", "expected an expression, found `-`", "-"),
        ("a + + b", "expected an expression, found `+`", "+"),
        (
            "a &&",
            "expected an expression, found the end of the expression",
            "",
        ),
        (
            "",
            "expected an expression, found the end of the expression",
            "",
        ),
        (
            "(a + b",
            "expected an operator or `)`, found the end of the expression",
            "",
        ),
        (
            "a)",
            "expected an operator or the end of the expression, found `)`",
            ")",
        ),
    ]);
}

#[test]
fn members_and_literals_are_built() {
    assert_trees(&[
        ("a.b.c(d, e)", "(.c (select a b) d e)"),
        (".f(a)", "(.f a)"),
        ("f()", "(f)"),
        ("a[b].c[0]", "(_[_] (select (_[_] a b) c) 0)"),
        ("a.?b[?c]. ? d", "(select? (_[?_] (select? a b) c) d)"),
        ("(a).b", "(select a b)"),
        ("[]", "[]"),
        ("[,]", "[]"),
        ("[a, ?b,]", "[a, ?b]"),
        ("{}", "{}"),
        ("{,}", "{}"),
        ("{a: b, ?c: d,}", "{a: b, ?c: d}"),
        ("{a ? b : c: d}", "{(_?_:_ a b c): d}"),
        ("a.B{}", "a.B{}"),
        ("a . B {,}", "a.B{}"),
        (
            ".a.B{c: 1, ?`d-e`: 2, for: 3,}",
            ".a.B{c: 1, ?d-e: 2, for: 3}",
        ),
        ("a.B{}.c", "(select a.B{} c)"),
        ("[a.b{}, a.b]", "[a.b{}, (select a b)]"),
    ]);
    assert_refusals(&[
        ("f(a,)", "expected an expression, found `)`", ")"),
        ("f(,)", "expected an expression, found `,`", ","),
        ("f(a b)", "expected an operator, `,` or `)`, found `b`", "b"),
        ("[a,,]", "expected an expression, found `,`", ","),
        ("[a;b]", "expected a symbol of CEL, found `;`", ";"),
        ("[a}", "expected an operator, `,` or `]`, found `}`", "}"),
        ("{a}", "expected an operator or `:`, found `}`", "}"),
        (
            "{a: b c}",
            "expected an operator, `,` or `}`, found `c`",
            "c",
        ),
        ("a{1: b}", "expected a field name or `}`, found `1`", "1"),
        ("a{b c}", "expected `:`, found `c`", "c"),
        (
            "a.b().c{}",
            "expected an operator or the end of the expression, found `{`",
            "{",
        ),
        (
            "a.?b(c)",
            "expected an operator or the end of the expression, found `(`",
            "(",
        ),
        (
            "(a)(b)",
            "expected an operator or the end of the expression, found `(`",
            "(",
        ),
        ("a[]", "expected an expression, found `]`", "]"),
        (
            "a[1",
            "expected an operator or `]`, found the end of the expression",
            "",
        ),
        (
            ".1a",
            "expected an operator or the end of the expression, found `a`",
            "a",
        ),
        (".(a)", "expected a name, found `(`", "("),
        ("a..b", "expected a field name, found `.`", "."),
    ]);
}

#[test]
fn macros_are_expanded() {
    assert_trees(&[
        ("has(a.b)", "(has a b)"),
        ("has((a.b))", "(has a b)"),
        ("has(has(a.b))", "(has a b)"),
        ("has(a.`b-c`)", "(has a b-c)"),
        ("a.all(x, b)", "(loop All x a b)"),
        ("a.exists(x, b)", "(loop Exists x a b)"),
        ("a.exists_one(x, b)", "(loop ExistsOne x a b)"),
        ("a.map(x, b)", "(loop List x a b)"),
        ("a.map(x, b, c)", "(loop List x a b c)"),
        ("a.filter(x, b)", "(loop List x a b x)"),
        ("a.all(x, y, b)", "(loop All x y a b)"),
        ("a.exists(x, y, b)", "(loop Exists x y a b)"),
        ("a.existsOne(x, y, b)", "(loop ExistsOne x y a b)"),
        ("a.exists_one(x, y, b)", "(loop ExistsOne x y a b)"),
        ("a.transformList(x, y, b)", "(loop List x y a b)"),
        ("a.transformList(x, y, b, c)", "(loop List x y a b c)"),
        ("a.transformMap(x, y, b)", "(loop Map x y a b)"),
        ("a.transformMap(x, y, b, c)", "(loop Map x y a b c)"),
        ("a.transformMapEntry(x, y, b)", "(loop Entries x y a b)"),
        (
            "a.transformMapEntry(x, y, b, c)",
            "(loop Entries x y a b c)",
        ),
        ("cel.bind(x, a, b)", "(bind x a b)"),
        ("(cel).bind(x, a, b)", "(bind x a b)"),
        ("cel.bind(__result__, a, b)", "(bind __result__ a b)"),
        ("a.optMap(x, b)", "(optMap x a b)"),
        ("a.optFlatMap(x, b)", "(optFlatMap x a b)"),
        (
            "a.sortBy(x, b)",
            "(bind @sort_input a (.@sortByAssociatedKeys @sort_input (loop List x @sort_input b)))",
        ),
        ("a.all(.x, b)", "(loop All .x a b)"),
        ("a.all((x), b)", "(loop All x a b)"),
        (
            "[1].map(x, [x].map(y, y))",
            "(loop List x [1] (loop List y [x] y))",
        ),
        // Other names, styles and numbers of arguments are calls.
        ("has(a, b)", "(has a b)"),
        (".has(a.b)", "(.has (select a b))"),
        ("all(x, y)", "(all x y)"),
        ("a.all(x)", "(.all a x)"),
        ("a.existsOne(x, b)", "(.existsOne a x b)"),
        ("a.filter(x, y, b)", "(.filter a x y b)"),
        ("b.bind(x, a, b)", "(.bind b x a b)"),
        (".cel.bind(x, a, b)", "(.bind .cel x a b)"),
        ("a.has(b.c)", "(.has a (select b c))"),
    ]);
    let name = "expected the name of a variable";
    let reserved = "expected the name of a variable, found the reserved name `__result__`";
    let selection = "expected a selection of a field like `has(a.b)`";
    let list = "expected a list before `sortBy`";
    assert_refusals(&[
        ("has(a)", selection, "a"),
        ("has(a[0])", selection, "a[0]"),
        ("has(a.?b)", selection, "a.?b"),
        ("1 + has(a.b())", selection, "a.b()"),
        ("a.all(1, b)", name, "1"),
        ("a.all(x.y, b)", name, "x.y"),
        ("a.map([x], b, c)", name, "[x]"),
        ("a.filter(f(), b)", name, "f()"),
        ("cel.bind(x.y, a, b)", name, "x.y"),
        ("a.optMap(1, b)", name, "1"),
        ("a.optFlatMap('x', b)", name, "'x'"),
        ("a.sortBy(1, b)", name, "1"),
        ("a.all(x, 1, b)", name, "1"),
        ("a.all(__result__, b)", reserved, "__result__"),
        ("a.map(__result__, b)", reserved, "__result__"),
        ("a.filter(__result__, b)", reserved, "__result__"),
        ("a.sortBy(__result__, b)", reserved, "__result__"),
        ("a.all(x, __result__, b)", reserved, "__result__"),
        (
            "a.transformMap(x, x, b)",
            "expected another name than that of the first variable, found `x`",
            "x",
        ),
        ("1.sortBy(x, x)", list, "1"),
        ("{}.sortBy(x, x)", list, "{}"),
        ("a{}.sortBy(x, x)", list, "a{}"),
    ]);
}

#[test]
fn spans_are_of_whole_expressions() {
    let table: &[(&str, &[&str])] = &[
        ("a + b * c", &["a", "b", "c", "b * c", "a + b * c"]),
        ("(a + b) * c", &["a", "b", "a + b", "c", "(a + b) * c"]),
        ("(a)", &["a"]),
        ("((a).b)[0] ", &["a", "(a).b", "0", "((a).b)[0]"]),
        ("'é'.f( b )", &["'é'", "b", "'é'.f( b )"]),
        (" - 1", &["- 1"]),
        ("!!!a", &["a", "!!!a"]),
        (
            "a ? b : (c ? d : e)",
            &["a", "b", "c", "d", "e", "c ? d : e", "a ? b : (c ? d : e)"],
        ),
        (
            "a&&b&&(c)&&d",
            &["a", "b", "a&&b", "c", "d", "(c)&&d", "a&&b&&(c)&&d"],
        ),
        ("a.?b", &["a", "a.?b"]),
        ("has(a.b)", &["a", "has(a.b)"]),
        (
            "l.filter(x, x > 0)",
            &["l", "x", "0", "x > 0", "x", "l.filter(x, x > 0)"],
        ),
        ("{1: b, }", &["1", "b", "{1: b, }"]),
        (".a.B{c: 1}", &["1", ".a.B{c: 1}"]),
        ("[a, ?b]", &["a", "b", "[a, ?b]"]),
    ];
    for (source, expected) in table {
        let outline = outline(source).expect(source);
        let found: Vec<&str> = outline
            .spans
            .into_iter()
            .map(|span| &source[span])
            .collect();
        assert_eq!(found, *expected, "{source}");
    }
}

#[test]
fn faults_are_at_a_line_and_a_column() {
    let error = outline("'é' +\n  'é' + )").expect_err("an error");
    assert_eq!((error.line, error.column), (2, 9));
    assert_eq!(error.message, "expected an expression, found `)`");
    assert_eq!(error.span, 16..17);
    let error = outline("a ==\n").expect_err("an error");
    assert_eq!((error.line, error.column, error.span), (2, 1, 5..5));
}

#[test]
fn length_is_limited() {
    let blank = |count: usize| "a".to_owned() + &" ".repeat(count - 1);
    assert_eq!(tree(&blank(10_240)), "a");
    let error = outline(&blank(10_241)).expect_err("an error");
    assert_eq!(
        error.message,
        "expected an expression of at most 10240 bytes, not 10241"
    );
}
