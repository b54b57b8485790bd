//! The parser against that of the `cel` crate, on strings that are expressions
//! or nearly: both accept them or both reject them.

#![expect(clippy::expect_used, reason = "helpers of tests fail like tests")]

#[path = "syntax/strings.rs"]
mod strings;

use std::env;

use strings::Random;

/// Strings of a normal run; `DRALLOC_SYNTAX_CASES` asks for another number.
const CASES: usize = 12_000;

/// The `cel` crate recurses deeply, and its frames are large.
const STACK: usize = 256 << 20;

const SELECTORS: &str = include_str!("../../../testdata/cel/selectors.jsonl");
const LANGUAGE: &str = include_str!("../../../testdata/cel/language.jsonl");

/// What macros reject, as cel-go does. The `cel` crate is asked for no macros,
/// so it takes these for calls.
const MACROS: &[&str] = &[
    "expected the name of a variable",
    "expected another name than that of the first variable",
    "expected a selection of a field",
    "expected a list before `sortBy`",
];

fn corpus() -> Vec<String> {
    let lines = SELECTORS.lines().chain(LANGUAGE.lines());
    lines
        .map(|line| {
            let case: serde_json::Value = serde_json::from_str(line).expect("a case");
            case["expression"]
                .as_str()
                .expect("an expression")
                .to_owned()
        })
        .collect()
}

fn is_accepted_by_cel(text: &str) -> bool {
    // Deepest nesting as in cel-go; the crate counts one less.
    let parser = cel::Env::default()
        .parser()
        .enable_optional_syntax(true)
        .enable_ident_escape_syntax(true)
        .max_recursion_depth(249);
    parser.parse(text).is_ok()
}

#[derive(Debug, Default)]
struct Counts {
    accepted: usize,
    rejected: usize,
    rejected_by_macros: usize,
}

fn compare(counts: &mut Counts, text: &str) {
    match dralloc_cel::outline(text) {
        Ok(outline) => {
            counts.accepted += 1;
            for span in outline.spans {
                let is_piece = text
                    .get(span.clone())
                    .is_some_and(|piece| !piece.is_empty());
                assert!(is_piece, "{span:?} of {text:?}");
            }
            assert!(is_accepted_by_cel(text), "only we accept {text:?}");
        }
        Err(error)
            if MACROS
                .iter()
                .any(|macros| error.message.starts_with(macros)) =>
        {
            counts.rejected_by_macros += 1;
        }
        Err(error) => {
            counts.rejected += 1;
            assert!(text.get(error.span.clone()).is_some(), "{error:?}");
            assert!(!error.message.contains(['\n', '\r']), "{error:?}");
            assert!(
                !is_accepted_by_cel(text),
                "only we reject {text:?}: {error}"
            );
        }
    }
}

#[test]
fn both_parsers_accept_the_same_strings() {
    let cases = env::var("DRALLOC_SYNTAX_CASES")
        .map_or(CASES, |count| count.parse().expect("a number of cases"));
    let run = move || {
        let corpus = corpus();
        let mut counts = Counts::default();
        for text in &corpus {
            compare(&mut counts, text);
        }
        let mut random = Random::new(2026);
        for _ in 0..cases {
            compare(&mut counts, &strings::string(&mut random, &corpus));
        }
        counts
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
    let counts = match thread.expect("a thread").join() {
        Ok(counts) => counts,
        Err(panic) => std::panic::resume_unwind(panic),
    };
    println!("{counts:?}");
    // The strings are worth comparing: many are accepted, many rejected, and
    // few are left out.
    assert!(counts.accepted * 6 > cases, "{counts:?}");
    assert!(counts.rejected * 3 > cases, "{counts:?}");
    assert!(counts.rejected_by_macros * 10 < cases, "{counts:?}");
}
