//! Makes a [`Many`], if the question is usual.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::fits::{Run, drawing};
use super::{Many, Request, Values};
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::claims::{Alternative, PreparedClaims};
use crate::eligible::Verdicts;
use crate::model::{CapacityRequirements, DeviceToleration, Quantity};
use crate::number::number;
use crate::outcome::StopCause;
use crate::rules;
use crate::solver::problem::{Judge, Verdict};
use crate::solver::usual::{Devices, Usual, have_choice, invalid_pools, needed};
use crate::store::{DeviceEntry, NodeView};

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
    let mut earlier: Vec<Earlier> = Vec::new();
    let read = |judge: &Judge<'_>, matches: &Bitmap, one: &Alternative, meter: &mut Meter<'_>| {
        meter.look_at_bits(view.devices.len())?;
        if let Some(same) = earlier.iter().find(|earlier| earlier.is_for(matches, one)) {
            return Ok(same.qualified.clone());
        }
        let qualified = qualified(judge, matches, one, &mut lists, meter)?;
        earlier.push(Earlier::new(matches, one, qualified.clone()));
        Ok(qualified)
    };
    let Some(usual) = Usual::read(claims, view, verdicts, meter, read)? else {
        return Ok(None);
    };
    let mut requests: Vec<Request> = Vec::with_capacity(usual.choices.len());
    let mut classes = 0;
    for selected in usual.choices {
        meter.look_at_bits(view.devices.len())?;
        let Qualified { all, amounts } = selected.devices;
        let mut others = requests.iter();
        let equal = others.find(|other| other.candidates == all && other.amounts == amounts);
        let class = equal.map_or(classes, |other| other.class);
        classes = classes.max(class + 1);
        requests.push(Request {
            claim: selected.claim,
            place: selected.request,
            needed: needed(selected.alternative),
            candidates: all,
            class,
            constraints: selected.constraints,
            amounts,
        });
    }
    let mut constraints = Vec::with_capacity(usual.columns.len());
    for one in usual.columns {
        constraints.push(Values::new(one.sets, one.shown, meter)?);
    }
    Ok(Some(Many {
        branches: usual.branches,
        invalid_pools: invalid_pools(view).collect(),
        requests: requests.into(),
        constraints: constraints.into(),
        amounts: lists.amounts,
        drawing: drawing(view.whole(), meter)?,
        runs: Run::all(view.whole(), meter)?,
        fits: RefCell::default(),
    }))
}

/// Is what was found out for an alternative.
struct Earlier {
    matches: Bitmap,
    tolerations: Vec<DeviceToleration>,
    capacity: Option<CapacityRequirements>,
    qualified: Option<Qualified>,
}

impl Earlier {
    fn new(matches: &Bitmap, alternative: &Alternative, qualified: Option<Qualified>) -> Self {
        Self {
            matches: matches.clone(),
            tolerations: alternative.tolerations.clone(),
            capacity: alternative.capacity.clone(),
            qualified,
        }
    }

    /// Returns whether it holds for an alternative that selects these devices.
    fn is_for(&self, matches: &Bitmap, alternative: &Alternative) -> bool {
        rules::are_requirements_alike(self.capacity.as_ref(), alternative.capacity.as_ref())
            && self.tolerations == alternative.tolerations
            && self.matches == *matches
    }
}

/// Is devices with what is taken of those that are shared.
#[derive(Clone)]
struct Qualified {
    all: Bitmap,
    /// By device: the number of a list.
    amounts: Box<[Option<u32>]>,
}

impl Devices for Qualified {
    fn retain(
        &mut self,
        mut keep: impl FnMut(usize) -> Result<bool, StopCause>,
    ) -> Result<(), StopCause> {
        let mut next = self.all.next(0);
        while let Some(device) = next {
            next = self.all.next(device + 1);
            if !keep(device)? {
                self.all.remove(device);
            }
        }
        Ok(())
    }
}

/// Keeps lists of amounts, each once; equal ones may be written differently.
#[derive(Default)]
struct Lists {
    numbers: BTreeMap<String, u32>,
    amounts: Vec<Arc<[Quantity]>>,
}

impl Lists {
    fn add(&mut self, amounts: Vec<Quantity>) -> u32 {
        let next = number(self.amounts.len());
        *self
            .numbers
            .entry(format!("{amounts:?}"))
            .or_insert_with(|| {
                self.amounts.push(amounts.into());
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
    meter: &mut Meter<'_>,
) -> Result<Option<Qualified>, StopCause> {
    let view = judge.view;
    let mut all = Bitmap::new(view.devices.len());
    let mut of_shared = Vec::new();
    // Devices in a row often have the same capacities.
    let mut last: Option<(&DeviceEntry, Option<Option<u32>>)> = None;
    for device in matches.iter() {
        meter.effort(1)?;
        match judge.admit(device, alternative, None) {
            Some(Verdict::Fails(..)) => return Ok(None),
            Some(_) => continue,
            None => {}
        }
        let entry = &view.devices[device];
        let taken = match last {
            Some((same, taken)) if are_alike(same, entry) => taken,
            _ => match judge.takes(device, alternative) {
                Verdict::Fails(..) => return Ok(None),
                Verdict::No(_) => None,
                Verdict::Yes(amounts) => Some(amounts.map(|amounts| lists.add(amounts))),
            },
        };
        last = Some((entry, taken));
        let Some(amounts) = taken else { continue };
        if rules::has_several_terms(&entry.stored.slice.spec, entry.device()) {
            return Ok(None);
        }
        if judge.refuses_always(device, alternative) {
            continue;
        }
        all.insert(device);
        if amounts.is_some() && view.shareable.contains(device) {
            if of_shared.is_empty() {
                of_shared = vec![None; view.devices.len()];
            }
            of_shared[device] = amounts;
        }
    }
    Ok(Some(Qualified {
        all,
        amounts: of_shared.into(),
    }))
}

/// Returns whether the same is taken of two devices.
fn are_alike(one: &DeviceEntry, other: &DeviceEntry) -> bool {
    let first = |entry: &DeviceEntry| entry.stored.first_alike(entry.index());
    Arc::ptr_eq(&one.stored, &other.stored) && first(one) == first(other)
        || rules::are_capacities_alike(&one.device().capacity, &other.device().capacity)
}
