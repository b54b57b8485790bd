//! Makes a [`Shortcut`], if the question is usual.

use super::counters::CounterTable;
use super::set::Set;
use super::{Choice, Column, Run, Shortcut, Values};
use crate::claims::{Alternative, ConstraintKind, Needed, PreparedClaims};
use crate::eligible::Verdicts;
use crate::outcome::StopCause;
use crate::rules::{self, MAX_DEVICES};
use crate::solver::budget::Meter;
use crate::solver::judge::{Judge, Verdict};
use crate::store::{NodeView, PoolStatus};

/// With more alternatives of all requests than this a question is not usual.
const MAX_CHOICES: usize = 32;

/// What a device shows to a constraint is bits of a word.
const MAX_VALUES: usize = 64;

/// Returns the shortcut for claims on a node; nothing if the question is not usual.
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
) -> Result<Option<Shortcut>, StopCause> {
    if !are_usual(claims) || view.devices.len() > Set::BOUND || uses_groups(view) {
        return Ok(None);
    }
    let judge = Judge {
        features: claims.features(),
        view,
    };
    let mut branches = 0_u64;
    let mut choices: Vec<Choice> = Vec::new();
    let mut constraints = Vec::new();
    let mut usual = true;
    for (claim, prepared) in claims.claims().iter().enumerate() {
        let first = constraints.len();
        constraints.extend(
            prepared
                .constraints
                .iter()
                .map(|one| Column::new(one, view)),
        );
        let requests = prepared.requests.iter().enumerate();
        let alternatives = requests.flat_map(|(request, prepared)| {
            let alternatives = prepared.alternatives.iter().enumerate();
            alternatives.map(move |(place, alternative)| (request, place, alternative))
        });
        for (request, place, alternative) in alternatives {
            let mut charge = |worth: u64| {
                branches = branches.saturating_add(worth);
                meter.evaluation(worth)
            };
            let selected = verdicts.select(claims, &alternative.selectors, view, &mut charge)?;
            let qualified = if selected.errors.is_empty() {
                qualified(&judge, &selected.matches, alternative)
            } else {
                None
            };
            // The selectors of all alternatives count, whatever comes of the question.
            let Some(mut candidates) = qualified else {
                usual = false;
                continue;
            };
            let mut places = Vec::new();
            for (number, column) in constraints.iter_mut().enumerate().skip(first) {
                if alternative.name.is_among(&column.constraint.requests) {
                    for device in candidates.iter() {
                        if !column.show(view, claims, device) {
                            candidates.remove(device);
                        }
                    }
                    places.push(number);
                }
            }
            choices.push(Choice {
                claim,
                request,
                alternative: place,
                needed: needed(alternative),
                candidates,
                constraints: places.into(),
            });
        }
    }
    if !usual {
        return Ok(None);
    }
    let mut all = Set::default();
    for choice in &choices {
        all.unite(&choice.candidates);
    }
    let uses_counters = all
        .iter()
        .any(|device| !view.devices[device].device().consumes_counters.is_empty());
    let counters = if uses_counters {
        let Some(table) = CounterTable::new(view, &all) else {
            return Ok(None);
        };
        Some(Box::new(table))
    } else {
        None
    };
    let constraints: Option<Box<[Values]>> = constraints.iter().map(Values::of).collect();
    Ok(constraints.map(|constraints| Shortcut {
        branches,
        has_invalid_pool: view
            .pools
            .iter()
            .any(|pool| matches!(pool.status, PoolStatus::Invalid(_))),
        choices: choices.into(),
        runs: Run::all(view, &all),
        counters,
        constraints,
    }))
}

/// Returns whether nothing about claims asks for more than the short way can do.
pub(in crate::solver) fn are_usual(claims: &PreparedClaims) -> bool {
    let mut matches = claims.claims().iter().flat_map(|claim| &claim.constraints);
    let mut claims_with_requests = claims.claims().iter().map(|claim| &claim.requests);
    (1..=MAX_CHOICES).contains(&claims.alternatives().count())
        && matches.all(|constraint| constraint.kind == ConstraintKind::Match)
        && claims.alternatives().all(|one| {
            let count = (1..=MAX_DEVICES).contains(&needed(one));
            count && !one.admin_access && one.derived_attributes.is_empty()
        })
        && claims_with_requests.all(|requests| {
            // A claim that may ask for too much depends on what is chosen.
            let most = requests.iter().map(|request| {
                let alternatives = request.alternatives.iter();
                alternatives.map(needed).max().unwrap_or(0)
            });
            most.sum::<usize>() <= MAX_DEVICES
        })
}

/// Returns whether a request has several alternatives.
pub(in crate::solver) fn have_choice(claims: &PreparedClaims) -> bool {
    let mut requests = claims.claims().iter().flat_map(|claim| &claim.requests);
    requests.any(|request| request.alternatives.len() != 1)
}

/// Returns the number of devices that an alternative asks for; none for all.
pub(in crate::solver) fn needed(alternative: &Alternative) -> usize {
    match alternative.needed {
        Needed::Count(count) => count,
        Needed::All => 0,
    }
}

/// Returns whether devices that a node may see have compatibility groups.
pub(in crate::solver) fn uses_groups(view: &NodeView) -> bool {
    let pools = view.pools.iter();
    let mut slices = pools.flat_map(|pool| pool.slices.iter().chain(&pool.elsewhere));
    slices.any(|stored| rules::uses_compatibility_groups(&stored.slice))
}

/// Returns the devices that qualify and are refused by nothing but what is
/// held; nothing if one of them is unusual.
fn qualified(
    judge: &Judge<'_>,
    matches: &crate::bitmap::Bitmap,
    alternative: &Alternative,
) -> Option<Set> {
    let mut candidates = Set::default();
    for device in matches.iter() {
        match judge.qualify(device, alternative, None) {
            Verdict::No(_) => continue,
            Verdict::Fails(..) => return None,
            Verdict::Yes(_) => {}
        }
        let entry = &judge.view.devices[device];
        if judge.view.shareable.contains(device)
            || judge.view.twins.of(device).next().is_some()
            || rules::has_several_terms(&entry.stored.slice.spec, entry.device())
        {
            return None;
        }
        if !judge.refuses_always(device, alternative) {
            candidates.insert(device);
        }
    }
    Some(candidates)
}

impl Values {
    /// Returns what was written down as bits, if there are few enough values.
    fn of(column: &Column<'_>) -> Option<Self> {
        let count = column.sets.value_count();
        if count > MAX_VALUES {
            return None;
        }
        let mut devices = vec![Set::default(); count];
        let mut shown = vec![0; column.shown.len()];
        for (device, set) in column.shown.iter().enumerate() {
            for value in set.map_or(&[][..], |set| column.sets.values(set)) {
                let value = *value as usize;
                shown[device] |= 1 << value;
                devices[value].insert(device);
            }
        }
        Some(Self {
            shown: shown.into(),
            devices: devices.into(),
        })
    }
}
