//! Local times before 1970, on which builds of the tz database disagree.

use dralloc_testkit::selectors::{RandomSelector, tokens};

use crate::answer::Answer;
use crate::upstream::UpstreamAnswer;

/// Returns whether they can make the answers differ: the outcome alone differs,
/// and the selector asks for a part of a local time and has a year before 1970.
pub(crate) fn is_involved(
    selector: &RandomSelector,
    ours: &Answer,
    theirs: &UpstreamAnswer,
) -> bool {
    let words = tokens(&selector.expression);
    let asks = words
        .windows(3)
        .any(|words| words[0].starts_with("get") && words[1] == "(" && words[2] != ")");
    let is_old = words.iter().any(|word| {
        let text = word.trim_start_matches(['"', '\'']);
        let year = text.get(..4).and_then(|year| year.parse::<u32>().ok());
        text.len() < word.len() && year.is_some_and(|year| year < 1970)
    });
    asks && is_old && (ours.cost, ours.estimate) == (theirs.cost, theirs.estimate)
}
