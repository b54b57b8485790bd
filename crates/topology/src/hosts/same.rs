//! The same number of devices on all hosts.

use std::cmp::Reverse;

use super::{Halt, SliceRule, Spread, SpreadQuestion, Watch, stages};

/// Returns the best of the best spreads for each number that hosts may give.
pub(super) fn best(
    question: &SpreadQuestion<'_>,
    watch: Watch<'_>,
) -> Result<Option<Spread>, Halt> {
    let mut best: Option<Spread> = None;
    for each in sizes(question) {
        let slices = SliceRule::Exactly(each);
        let question = SpreadQuestion {
            slices,
            ..*question
        };
        if let Some(found) = stages::best(&question, &mut *watch)?
            && best.as_ref().is_none_or(|best| key(&found) < key(best))
        {
            best = Some(found);
        }
    }
    Ok(best)
}

/// Returns the numbers that hosts could give, the largest first: those that divide what is
/// wanted.
pub(super) fn sizes(question: &SpreadQuestion<'_>) -> impl Iterator<Item = u32> + use<> {
    let most = question.hosts.iter().map(|host| host.free).max();
    let count = question.count;
    let sizes = (1..=most.unwrap_or(0)).rev();
    sizes.filter(move |&each| count.is_multiple_of(each))
}

fn key(spread: &Spread) -> (Vec<(u32, Reverse<u32>)>, u64, u64) {
    let levels = spread.levels.iter();
    let levels = levels.map(|level| (level.domains, Reverse(level.smallest)));
    (levels.collect(), spread.loss, spread.left)
}
