//! Makes a [`Shortcut`], if the question is usual.

use super::counters::CounterTable;
use super::set::Set;
use super::{Choice, Run, Shortcut, Values};
use crate::bitmap::Bitmap;
use crate::claims::{Alternative, PreparedClaims};
use crate::eligible::Verdicts;
use crate::outcome::StopCause;
use crate::rules;
use crate::solver::budget::Meter;
use crate::solver::judge::{Judge, Verdict};
use crate::solver::usual::{Column, Devices, Usual, invalid_pools, needed};
use crate::store::NodeView;

/// What a device shows to a constraint is bits of a word.
const MAX_VALUES: usize = 64;

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
    Ok(usual.and_then(|usual| shortcut(usual, view)))
}

fn shortcut(usual: Usual<'_, Set>, view: &NodeView) -> Option<Shortcut> {
    let mut all = Set::default();
    for choice in &usual.choices {
        all.unite(&choice.devices);
    }
    let uses_counters = all
        .iter()
        .any(|device| !view.devices[device].device().consumes_counters.is_empty());
    let counters = if uses_counters {
        Some(Box::new(CounterTable::new(view, &all)?))
    } else {
        None
    };
    let choices = usual.choices.into_iter().map(|selected| Choice {
        claim: selected.claim,
        request: selected.request,
        alternative: selected.place,
        needed: needed(selected.alternative),
        candidates: selected.devices,
        constraints: selected.constraints,
    });
    let constraints: Option<Box<[Values]>> = usual.columns.iter().map(Values::of).collect();
    Some(Shortcut {
        branches: usual.branches,
        has_invalid_pool: invalid_pools(view).next().is_some(),
        choices: choices.collect(),
        runs: Run::all(view, &all),
        counters,
        constraints: constraints?,
    })
}

/// Returns the devices that qualify and are refused by nothing but what is
/// held; nothing if one of them is unusual.
fn qualified(judge: &Judge<'_>, matches: &Bitmap, alternative: &Alternative) -> Option<Set> {
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

impl Devices for Set {
    fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        for device in self.iter() {
            if !keep(device) {
                self.remove(device);
            }
        }
    }
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
