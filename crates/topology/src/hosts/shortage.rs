//! Why there are not enough devices.

use super::tree::Tree;
use super::{Halt, Host, Shortage, SliceRule, SpreadLimit, SpreadQuestion, Watch, same};

/// Says why a question has no answer.
pub(super) fn of(question: &SpreadQuestion<'_>, watch: Watch<'_>) -> Result<Shortage, Halt> {
    let best = most(question, watch)?;
    let limit = limit(question, watch)?;
    Ok(Shortage {
        most: best.0,
        host: best.1,
        limit,
    })
}

/// Returns what of the limits is in the way, alone if one is.
fn limit(question: &SpreadQuestion<'_>, watch: Watch<'_>) -> Result<SpreadLimit, Halt> {
    let (within, most_hosts) = (None, None);
    let slices = SliceRule::Any;
    let without = [
        (
            SpreadLimit::Within,
            SpreadQuestion {
                within,
                ..*question
            },
        ),
        (
            SpreadLimit::MostHosts,
            SpreadQuestion {
                most_hosts,
                ..*question
            },
        ),
    ];
    for (limit, question) in without {
        if most(&question, watch)?.0 == question.count {
            return Ok(limit);
        }
    }
    let hosts: Vec<Host> = question
        .hosts
        .iter()
        .map(|host| Host {
            counts: None,
            ..host.clone()
        })
        .collect();
    let hosts = &hosts;
    let any = SpreadQuestion {
        hosts,
        slices,
        ..*question
    };
    if most(&any, watch)?.0 == question.count {
        return Ok(SpreadLimit::Slices);
    }
    let free = SpreadQuestion {
        within,
        most_hosts,
        ..any
    };
    Ok(if most(&free, watch)?.0 == question.count {
        SpreadLimit::Together
    } else {
        SpreadLimit::Free
    })
}

/// Returns how many devices the best domain can give, up to those wanted, and its first
/// host.
fn most(question: &SpreadQuestion<'_>, watch: Watch<'_>) -> Result<(u32, Option<usize>), Halt> {
    if question.slices != SliceRule::Same {
        return most_by_rule(question, watch);
    }
    let mut best = (0, None);
    for each in same::sizes(question) {
        let slices = SliceRule::Exactly(each);
        let found = most_by_rule(
            &SpreadQuestion {
                slices,
                ..*question
            },
            watch,
        )?;
        if found.0 > best.0 {
            best = found;
        }
    }
    Ok(best)
}

fn most_by_rule(
    question: &SpreadQuestion<'_>,
    watch: Watch<'_>,
) -> Result<(u32, Option<usize>), Halt> {
    let tree = Tree::new(question, watch)?;
    let Some(within) = question.within else {
        let whole = tree.supply_of(0, question.count / tree.unit, watch)?.most();
        let host = (whole > 0).then_some(0);
        return Ok((whole * tree.unit, host));
    };
    let domains = tree.nodes.iter().filter(|node| node.level == within + 1);
    let mut best = (0, None);
    for domain in domains {
        let units = domain.supply.most();
        if units * tree.unit > best.0 {
            best = (units * tree.unit, Some(domain.first));
        }
    }
    Ok(best)
}
