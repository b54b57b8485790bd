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
use crate::solver::shortcut::{Column, are_usual, have_choice, needed, uses_groups};
use crate::store::{NodeView, PoolStatus};

/// Returns what claims say of the devices that a node sees; nothing if the
/// question is not usual.
///
/// # Errors
///
/// If it is stopped while selectors are evaluated. Nothing else can be wrong
/// with a usual question, so the search would be stopped there, too.
pub(super) fn compile(
    claims: &PreparedClaims,
    view: &NodeView,
    verdicts: &mut Verdicts,
    meter: &mut Meter<'_>,
) -> Result<Option<Many>, StopCause> {
    if !are_usual(claims) || have_choice(claims) || uses_groups(view) {
        return Ok(None);
    }
    let judge = Judge {
        features: claims.features(),
        view,
    };
    let mut branches = 0_u64;
    let mut requests: Vec<Request> = Vec::new();
    let mut constraints = Vec::new();
    let mut lists = Lists::default();
    let mut usual = true;
    for (claim, prepared) in claims.claims().iter().enumerate() {
        let first = constraints.len();
        constraints.extend(
            prepared
                .constraints
                .iter()
                .map(|one| Column::new(one, view)),
        );
        for (place, request) in prepared.requests.iter().enumerate() {
            let Some(alternative) = request.alternatives.first() else {
                return Ok(None);
            };
            let mut charge = |worth: u64| {
                branches = branches.saturating_add(worth);
                meter.evaluation(worth)
            };
            let selected = verdicts.select(claims, &alternative.selectors, view, &mut charge)?;
            let mut amounts = Vec::new();
            let qualified = if selected.errors.is_empty() {
                let matches = &selected.matches;
                qualified(&judge, matches, alternative, &mut lists, &mut amounts)
            } else {
                None
            };
            // The selectors of all requests count, whatever comes of the question.
            let Some(mut candidates) = qualified else {
                usual = false;
                continue;
            };
            let mut places = Vec::new();
            for (number, column) in constraints.iter_mut().enumerate().skip(first) {
                if alternative.name.is_among(&column.constraint.requests) {
                    let mut next = candidates.next(0);
                    while let Some(device) = next {
                        next = candidates.next(device + 1);
                        if !column.show(view, claims, device) {
                            candidates.remove(device);
                        }
                    }
                    places.push(number);
                }
            }
            requests.push(Request {
                claim,
                place,
                needed: needed(alternative),
                candidates,
                constraints: places.into(),
                amounts,
            });
        }
    }
    let is_invalid = |status: &PoolStatus| matches!(status, PoolStatus::Invalid(_));
    let constraints = constraints.into_iter();
    Ok(usual.then(|| Many {
        branches,
        invalid_pools: (0..view.pools.len())
            .filter(|pool| is_invalid(&view.pools[*pool].status))
            .collect(),
        requests: requests.into(),
        constraints: constraints
            .map(|one| Values::new(one.sets, one.shown))
            .collect(),
        amounts: lists.amounts,
    }))
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
    of_shared: &mut Vec<(u32, u32)>,
) -> Option<Bitmap> {
    let view = judge.view;
    let mut candidates = Bitmap::new(view.devices.len());
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
        candidates.insert(device);
        if let Some(amounts) = amounts.filter(|_| view.shareable.contains(device)) {
            of_shared.push((number(device), lists.add(amounts)));
        }
    }
    Some(candidates)
}
