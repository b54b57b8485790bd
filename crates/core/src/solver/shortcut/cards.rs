//! Whether counters leave enough for all requests together.

use super::needs::Needs;
use crate::budget::Meter;
use crate::solver::parts::{Need, PartScratch, PartTable, Question};

/// There are no more requests than this.
const MAX_REQUESTS: usize = 64;

/// Returns whether devices that share counters can serve all requests, as far
/// as the parts of a node can tell: no is a proof.
pub(super) fn suffice(
    parts: &PartTable,
    scratch: &mut PartScratch,
    needs: &Needs,
    meter: &mut Meter<'_>,
) -> bool {
    let none = Need {
        words: &[],
        from: 0,
        count: 0,
    };
    let mut wanted = [none; MAX_REQUESTS];
    for (wanted, need) in wanted.iter_mut().zip(&needs.of) {
        *wanted = Need {
            words: need.devices.words(),
            from: 0,
            count: need.count,
        };
    }
    let question = Question {
        left: &needs.left,
        away: needs.gone.words(),
        needs: wanted.get(..needs.of.len()).unwrap_or(&wanted),
    };
    scratch.can_be_met(parts, &question, meter)
}
