//! Makes a [`Shortcut`], if the question is usual.

use super::counters::CounterTable;
use super::set::Set;
use super::{Ask, Choice, Run, Shortcut, Values, alike};
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::claims::{Alternative, PreparedClaims};
use crate::eligible::Verdicts;
use crate::outcome::StopCause;
use crate::rules::{self, MAX_DEVICES};
use crate::solver::problem::{Judge, Verdict};
use crate::solver::usual::{Column, Devices, Usual, invalid_pools, needed};
use crate::store::NodeView;

/// Constraints and requests are bits of a word.
const MAX_BITS: usize = 64;

/// Returns the shortcut for claims on a node; nothing if the question is not usual.
///
/// # Errors
///
/// Those of [`Usual::read`].
pub(super) fn compile(
    claims: &PreparedClaims,
    view: &NodeView,
    verdicts: &mut Verdicts,
    meter: &mut Meter<'_>,
) -> Result<Option<Shortcut>, StopCause> {
    if view.devices.len() > Set::BOUND {
        return Ok(None);
    }
    let usual = Usual::read(claims, view, verdicts, meter, qualified)?;
    usual.map_or(Ok(None), |usual| shortcut(usual, claims, view, meter))
}

fn shortcut(
    usual: Usual<'_, Set>,
    claims: &PreparedClaims,
    view: &NodeView,
    meter: &mut Meter<'_>,
) -> Result<Option<Shortcut>, StopCause> {
    let Some((attributes, values)) = values(&usual, claims, view, meter)? else {
        return Ok(None);
    };
    let mut all = Set::default();
    for choice in &usual.choices {
        all.unite(&choice.devices);
    }
    let uses_counters = all
        .iter()
        .any(|device| !view.devices[device].device().consumes_counters.is_empty());
    let counters = if uses_counters {
        let Some(table) = CounterTable::new(view, &all, meter)? else {
            return Ok(None);
        };
        Some(Box::new(table))
    } else {
        None
    };
    let choices = usual.choices.into_iter().map(|selected| Choice {
        claim: selected.claim,
        request: selected.request,
        alternative: selected.place,
        needed: needed(selected.alternative),
        candidates: selected.devices,
        under: bits(&selected.constraints),
        constraints: selected.constraints,
    });
    let choices: Box<[Choice]> = choices.collect();
    let mut asks = asks(&choices);
    if asks.len() > MAX_BITS {
        return Ok(None);
    }
    meter.effort(1 + choices.len() as u64)?;
    let classes = alike::classes(&choices);
    alike::find_twins(&mut asks, &choices, &classes, &attributes);
    meter.effort(1 + choices.len() as u64)?;
    let mut bundles = alike::bundles(&asks, &choices, &classes, &attributes);
    if let Some(counters) = &counters {
        alike::find_takes(&mut bundles, &choices, &values, counters, meter)?;
    }
    let devices = view.devices.len();
    let (kind_of, kinds) = alike::kinds(devices, &choices, &values, counters.as_deref(), meter)?;
    Ok(Some(Shortcut {
        branches: usual.branches,
        has_invalid_pool: invalid_pools(view).next().is_some(),
        is_large: is_large(claims),
        classes: classes.into(),
        choices,
        asks: asks.into(),
        runs: Run::all(view, &all),
        counters,
        attributes: attributes.into(),
        values: values.into(),
        bundles: bundles.into(),
        kind_of: kind_of.into(),
        kinds: kinds.into(),
    }))
}

/// Returns whether alternatives may be chosen that are too much for a claim.
fn is_large(claims: &PreparedClaims) -> bool {
    let mut claims = claims.claims().iter().map(|claim| &claim.requests);
    claims.any(|requests| {
        let most = requests.iter().map(|request| {
            let alternatives = request.alternatives.iter();
            alternatives.map(needed).max().unwrap_or(0)
        });
        most.sum::<usize>() > MAX_DEVICES
    })
}

/// Is the place of its attribute by constraint, and what devices show of each.
type Shown = (Vec<usize>, Vec<Values>);

fn bits(places: &[usize]) -> u64 {
    places.iter().fold(0, |bits, place| bits | 1 << place)
}

/// Returns by constraint the place of its attribute, and what devices show of
/// each; constraints of the same attribute look at the same values.
fn values(
    usual: &Usual<'_, Set>,
    claims: &PreparedClaims,
    view: &NodeView,
    meter: &mut Meter<'_>,
) -> Result<Option<Shown>, StopCause> {
    let columns = &usual.columns;
    if columns.len() > MAX_BITS {
        return Ok(None);
    }
    let attribute = |place: usize| &columns[place].constraint.attribute;
    let mut firsts: Vec<usize> = Vec::new();
    let mut attributes = Vec::new();
    for place in 0..columns.len() {
        let same = |first: &usize| attribute(*first) == attribute(place);
        let known = firsts.iter().position(same);
        attributes.push(known.unwrap_or(firsts.len()));
        if known.is_none() {
            firsts.push(place);
        }
    }
    let mut values = Vec::new();
    for (number, first) in firsts.iter().enumerate() {
        let mut column = Column::new(columns[*first].constraint, view);
        for choice in &usual.choices {
            let mut constraints = choice.constraints.iter();
            if constraints.any(|constraint| attributes[*constraint] == number) {
                for device in choice.devices.iter() {
                    meter.effort(1)?;
                    column.show(view, claims, device);
                }
            }
        }
        meter.look_at(view.devices.len())?;
        let Some(of_attribute) = Values::of(&column) else {
            return Ok(None);
        };
        values.push(of_attribute);
    }
    Ok(Some((attributes, values)))
}

/// Returns where the alternatives of each request are.
fn asks(choices: &[Choice]) -> Vec<Ask> {
    let same = |one: &Choice, next: &Choice| (one.claim, one.request) == (next.claim, next.request);
    let mut first = 0;
    let requests = choices.chunk_by(same).map(|request| {
        let ask = Ask {
            first,
            end: first + request.len(),
            twin: None,
        };
        first = ask.end;
        ask
    });
    requests.collect()
}

/// Returns the devices that qualify and are refused by nothing but what is
/// held; nothing if one of them is unusual.
fn qualified(
    judge: &Judge<'_>,
    matches: &Bitmap,
    alternative: &Alternative,
    meter: &mut Meter<'_>,
) -> Result<Option<Set>, StopCause> {
    let mut candidates = Set::default();
    for device in matches.iter() {
        meter.effort(1)?;
        match judge.qualify(device, alternative, None) {
            Verdict::No(_) => continue,
            Verdict::Fails(..) => return Ok(None),
            Verdict::Yes(_) => {}
        }
        let entry = &judge.view.devices[device];
        if judge.view.shareable.contains(device)
            || judge.view.twins.of(device).next().is_some()
            || rules::has_several_terms(&entry.stored.slice.spec, entry.device())
        {
            return Ok(None);
        }
        if !judge.refuses_always(device, alternative) {
            candidates.insert(device);
        }
    }
    Ok(Some(candidates))
}

impl Devices for Set {
    fn retain(
        &mut self,
        mut keep: impl FnMut(usize) -> Result<bool, StopCause>,
    ) -> Result<(), StopCause> {
        for device in self.iter() {
            if !keep(device)? {
                self.remove(device);
            }
        }
        Ok(())
    }
}
