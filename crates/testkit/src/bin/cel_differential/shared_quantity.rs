//! A fault of Kubernetes before 1.37: `add` and `sub` change what they are
//! called on if it is held as a big decimal, since a copy shares the number.

use dralloc_quantity::Quantity;
use dralloc_testkit::selectors::{RandomSelector, tokens};

use crate::answer::Answer;
use crate::upstream::UpstreamAnswer;

/// The first minor version of Kubernetes that copies the number.
const REPAIRED: u32 = 37;

/// Magnitude from which on a quantity is read as a big decimal.
const BIG: f64 = 1e18;

/// Returns whether the fault can make the answers differ: the outcome alone
/// differs, and the selector calculates where there is a big quantity.
pub(crate) fn is_involved(
    selector: &RandomSelector,
    minor: u32,
    ours: &Answer,
    theirs: &UpstreamAnswer,
) -> bool {
    let is_verdict = |outcome: &str| matches!(outcome, "match" | "noMatch");
    let words = tokens(&selector.expression);
    let calculates = words
        .windows(3)
        .any(|words| words[0] == "." && matches!(words[1], "add" | "sub") && words[2] == "(");
    let in_text = words.iter().filter_map(|word| {
        let text = word.trim_matches(['"', '\'']);
        (text.len() < word.len()).then(|| text.to_owned())
    });
    let mut texts = in_text.chain(selector.device.quantities());
    minor < REPAIRED
        && calculates
        && is_verdict(ours.outcome)
        && is_verdict(&theirs.outcome)
        && (ours.cost, ours.estimate) == (theirs.cost, theirs.estimate)
        && texts.any(|text| is_big(&text))
}

fn is_big(text: &str) -> bool {
    Quantity::parse(text).is_ok_and(|quantity| quantity.as_approximate_float().abs() >= BIG)
}
