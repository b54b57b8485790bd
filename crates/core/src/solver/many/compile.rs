//! Makes a [`Many`], if the question is usual.

use std::collections::BTreeMap;

use super::{Many, Request, Values};
use crate::bitmap::Bitmap;
use crate::claims::{Alternative, PreparedClaims};
use crate::eligible::Verdicts;
use crate::model::Quantity;
use crate::number::number;
use crate::outcome::StopCause;
use crate::rules;
use crate::solver::budget::Meter;
use crate::solver::judge::{Judge, Verdict};
use crate::solver::usual::{Devices, Usual, have_choice, invalid_pools, needed};
use crate::store::NodeView;

/// With more requests than this a question is not usual.
const MAX_REQUESTS: usize = 32;

/// Returns what claims say of the devices that a node sees; nothing if the
/// question is not usual.
///
/// # Errors
///
/// Those of [`Usual::read`].
pub(super) fn compile(
    claims: &PreparedClaims,
    view: &NodeView,
    verdicts: &mut Verdicts,
    meter: &mut Meter<'_>,
) -> Result<Option<Many>, StopCause> {
    if have_choice(claims) || claims.alternatives().count() > MAX_REQUESTS {
        return Ok(None);
    }
    let mut lists = Lists::default();
    let usual = Usual::read(claims, view, verdicts, meter, |judge, matches, one| {
        qualified(judge, matches, one, &mut lists)
    })?;
    Ok(usual.map(|usual| {
        let requests = usual.choices.into_iter().map(|selected| Request {
            claim: selected.claim,
            place: selected.request,
            needed: needed(selected.alternative),
            candidates: selected.devices.all,
            constraints: selected.constraints,
            amounts: selected.devices.amounts,
        });
        let constraints = usual.columns.into_iter();
        Many {
            branches: usual.branches,
            invalid_pools: invalid_pools(view).collect(),
            requests: requests.collect(),
            constraints: constraints
                .map(|one| Values::new(one.sets, one.shown))
                .collect(),
            amounts: lists.amounts,
        }
    }))
}

/// Is devices with what is taken of those that are shared.
struct Qualified {
    all: Bitmap,
    /// By device: the number of a list.
    amounts: Vec<(u32, u32)>,
}

impl Devices for Qualified {
    fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let mut next = self.all.next(0);
        while let Some(device) = next {
            next = self.all.next(device + 1);
            if !keep(device) {
                self.all.remove(device);
            }
        }
    }
}

/// Keeps lists of amounts, each once; equal ones may be written differently.
#[derive(Default)]
struct Lists {
    numbers: BTreeMap<String, u32>,
    amounts: Vec<Vec<Quantity>>,
}

impl Lists {
    fn add(&mut self, amounts: Vec<Quantity>) -> u32 {
        let next = number(self.amounts.len());
        *self
            .numbers
            .entry(format!("{amounts:?}"))
            .or_insert_with(|| {
                self.amounts.push(amounts);
                next
            })
    }
}

/// Returns the devices that qualify and are refused by nothing but what is
/// held, with what is taken of those that are shared; nothing if one of them
/// is unusual.
fn qualified(
    judge: &Judge<'_>,
    matches: &Bitmap,
    alternative: &Alternative,
    lists: &mut Lists,
) -> Option<Qualified> {
    let view = judge.view;
    let mut qualified = Qualified {
        all: Bitmap::new(view.devices.len()),
        amounts: Vec::new(),
    };
    for device in matches.iter() {
        let amounts = match judge.qualify(device, alternative, None) {
            Verdict::No(_) => continue,
            Verdict::Fails(..) => return None,
            Verdict::Yes(amounts) => amounts,
        };
        let entry = &view.devices[device];
        if rules::has_several_terms(&entry.stored.slice.spec, entry.device()) {
            return None;
        }
        if judge.refuses_always(device, alternative) {
            continue;
        }
        qualified.all.insert(device);
        if let Some(amounts) = amounts.filter(|_| view.shareable.contains(device)) {
            let of_shared = &mut qualified.amounts;
            of_shared.push((number(device), lists.add(amounts)));
        }
    }
    Some(qualified)
}
