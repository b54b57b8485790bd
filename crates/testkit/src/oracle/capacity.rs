//! Consumable capacity: what a device would give, and whether it has it.

use std::collections::BTreeMap;

use dralloc::model::{
    CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity, QualifiedName,
};
use dralloc_quantity::{Amount, Quantity};

use super::failure::{Failure, FailureKind};
use super::requests::Alternative;
use super::world::{Offer, Pick, Place, World};

/// Is what a device would give of each of its capacities.
pub(super) type Amounts = BTreeMap<QualifiedName, Amount>;

/// Returns whether a device has what is asked of it, nobody else using it.
pub(super) fn allows_at_all(
    world: &World<'_>,
    alternative: &Alternative<'_>,
    offer: &Offer<'_>,
) -> Result<bool, Failure> {
    if !world.case.features.consumable_capacity {
        return Ok(true);
    }
    let Some(amounts) = amounts(world, alternative, offer)? else {
        return Ok(false);
    };
    Ok(fits(offer, &amounts, |_| Amount::ZERO))
}

/// Returns whether a device has what is asked of it beside what others use.
///
/// Access for administration ignores what others use.
pub(super) fn allows(
    world: &World<'_>,
    picks: &[Pick<'_, '_>],
    alternative: &Alternative<'_>,
    place: Place,
) -> Result<bool, Failure> {
    let offer = world.offer(place);
    if alternative.is_admin || !world.case.features.consumable_capacity {
        return allows_at_all(world, alternative, offer);
    }
    let Some(amounts) = amounts(world, alternative, offer)? else {
        return Ok(false);
    };
    Ok(fits(offer, &amounts, |name| {
        used(world, picks, place, name)
    }))
}

/// Returns what a pick of a device takes of each capacity.
pub(super) fn taken(
    world: &World<'_>,
    alternative: &Alternative<'_>,
    offer: &Offer<'_>,
) -> Result<Amounts, Failure> {
    amounts(world, alternative, offer).map(Option::unwrap_or_default)
}

fn fits(offer: &Offer<'_>, amounts: &Amounts, used: impl Fn(&str) -> Amount) -> bool {
    offer.device.capacity.iter().all(|(name, capacity)| {
        amounts
            .get(name)
            .is_some_and(|amount| &used(name) + amount <= *capacity.value.amount())
    })
}

fn used(world: &World<'_>, picks: &[Pick<'_, '_>], place: Place, name: &str) -> Amount {
    let id = &world.offer(place).id;
    let mut sum = Amount::ZERO;
    for consumed in &world.case.allocated.consumed_capacity {
        if consumed.device == *id
            && let Some(quantity) = consumed.capacity.get(name)
        {
            sum += quantity.amount();
        }
    }
    for pick in picks {
        if pick.place == place
            && !pick.alternative.is_admin
            && let Some(amount) = pick.amounts.get(name)
        {
            sum += amount;
        }
    }
    sum
}

/// Computes what a request takes of every capacity of a device; `None` if the
/// device lacks one that is asked for, or its policy does not allow the amount.
///
/// An amount that cannot be computed is an error even where another capacity
/// does not allow its own, so that the order of names does not matter.
fn amounts(
    world: &World<'_>,
    alternative: &Alternative<'_>,
    offer: &Offer<'_>,
) -> Result<Option<Amounts>, Failure> {
    let fractional = world.case.features.fractional_capacity_range;
    let requested = |name: &str| {
        alternative
            .capacity
            .and_then(|wanted| wanted.requests.get(name))
    };
    let has = |name: &QualifiedName| offer.device.capacity.contains_key(name);
    if !alternative
        .capacity
        .is_none_or(|wanted| wanted.requests.keys().all(has))
    {
        return Ok(None);
    }
    let mut amounts = Amounts::new();
    for (name, capacity) in &offer.device.capacity {
        let requested = requested(name).map(Quantity::amount);
        let amount = round(requested, capacity, fractional)
            .ok_or_else(|| failure(name, "cannot be computed"))?;
        if amount.is_negative() {
            return Err(failure(name, "is negative"));
        }
        amounts.insert(name.clone(), amount);
    }
    let mut is_allowed = true;
    for (name, capacity) in &offer.device.capacity {
        if let Some(policy) = &capacity.request_policy {
            is_allowed &= policy_allows(&amounts[name], policy, fractional)
                .ok_or_else(|| failure(name, "has a range that cannot be checked"))?;
        }
    }
    Ok(is_allowed.then_some(amounts))
}

fn failure(name: &str, what: &str) -> Failure {
    Failure::new(
        FailureKind::Capacity,
        format!("amount of capacity `{name}` {what}"),
    )
}

/// Returns the amount taken; `None` where Kubernetes' arithmetic has no answer.
fn round(
    requested: Option<&Amount>,
    capacity: &DeviceCapacity,
    fractional: bool,
) -> Option<Amount> {
    let policy = capacity.request_policy.as_deref();
    let Some(requested) = requested else {
        let default = policy.and_then(|policy| policy.default.as_ref());
        return Some(default.unwrap_or(&capacity.value).amount().clone());
    };
    let Some(policy) = policy else {
        return Some(requested.clone());
    };
    if let Some(range) = &policy.valid_range
        && let Some(min) = &range.min
    {
        return round_in_range(requested, min.amount(), range, fractional);
    }
    // The first that is large enough, even if a later one is smaller.
    let values = policy.valid_values.iter().flatten();
    let value = values
        .map(Quantity::amount)
        .find(|value| requested <= *value);
    Some(value.unwrap_or(requested).clone())
}

fn round_in_range(
    requested: &Amount,
    min: &Amount,
    range: &CapacityRequestPolicyRange,
    fractional: bool,
) -> Option<Amount> {
    if requested < min {
        return Some(min.clone());
    }
    let Some(step) = &range.step else {
        return Some(requested.clone());
    };
    let unit = unit(range, fractional);
    let requested = match unit {
        Unit::Milli => milli(requested)?,
        Unit::Whole if *requested > Amount::from_units(i64::MAX) => return None,
        Unit::Whole => unit.count(requested)?,
    };
    let (min, step) = (unit.count(min)?, unit.count(step.amount())?);
    let added = requested - min;
    let mut steps = added.checked_div(step)?;
    if added % step != 0 {
        steps += 1;
    }
    // Kubernetes' own guard, in its words: it also refuses every step below
    // zero, and in milli units every range that starts below zero.
    let max = i128::from(i64::MAX);
    let is_guarded = min >= 0 && steps > (max - min) / step;
    if is_guarded || min < 0 && matches!(unit, Unit::Milli) {
        return None;
    }
    Some(&unit.size() * (min + step * steps))
}

/// Returns whether a policy allows an amount; `None` if that has no answer.
fn policy_allows(
    amount: &Amount,
    policy: &CapacityRequestPolicy,
    fractional: bool,
) -> Option<bool> {
    if policy
        .default
        .as_ref()
        .is_some_and(|default| default.amount() == amount)
    {
        return Some(true);
    }
    if let Some(range) = &policy.valid_range {
        return range_allows(amount, range, fractional);
    }
    let values = policy.valid_values.as_deref().unwrap_or_default();
    Some(values.is_empty() || values.iter().any(|value| value.amount() == amount))
}

fn range_allows(
    amount: &Amount,
    range: &CapacityRequestPolicyRange,
    fractional: bool,
) -> Option<bool> {
    if range.max.as_ref().is_some_and(|max| amount > max.amount()) {
        return Some(false);
    }
    let Some(step) = &range.step else {
        return Some(true);
    };
    let unit = unit(range, fractional);
    if matches!(unit, Unit::Milli) && milli(amount).is_none() {
        return Some(false);
    }
    let min = range.min.as_ref()?;
    let above = &unit.round_up(amount) - &unit.round_up(min.amount());
    let rest = above.remainder(&unit.round_up(step.amount()))?;
    Some(rest.is_zero())
}

/// Is the unit that steps are counted in.
#[derive(Clone, Copy)]
enum Unit {
    Milli,
    Whole,
}

impl Unit {
    fn size(self) -> Amount {
        match self {
            Self::Milli => Amount::from_nanos(1_000_000),
            Self::Whole => Amount::from_units(1),
        }
    }

    /// Rounds a fraction of the unit away from zero.
    fn round_up(self, amount: &Amount) -> Amount {
        let magnitude = if amount.is_negative() {
            -amount
        } else {
            amount.clone()
        };
        let rounded = magnitude
            .next_multiple_of(&self.size())
            .unwrap_or(magnitude);
        if amount.is_negative() {
            -&rounded
        } else {
            rounded
        }
    }

    /// Counts an amount; `None` beyond 63 bits.
    fn count(self, amount: &Amount) -> Option<i128> {
        match self {
            Self::Milli => amount.milli_value(),
            Self::Whole => amount.value(),
        }
        .map(i128::from)
    }
}

/// Milli units are used if the whole range is representable in them.
fn unit(range: &CapacityRequestPolicyRange, fractional: bool) -> Unit {
    let bounds = [&range.min, &range.max, &range.step];
    let is_exact = bounds
        .into_iter()
        .flatten()
        .all(|bound| milli(bound.amount()).is_some());
    let step = range.step.as_ref().and_then(|step| milli(step.amount()));
    if fractional && is_exact && step.is_none_or(|step| step >= 1) {
        Unit::Milli
    } else {
        Unit::Whole
    }
}

/// Counts an amount in milli units; `None` if it is none or beyond 63 bits.
fn milli(amount: &Amount) -> Option<i128> {
    let count = amount.milli_value()?;
    (Amount::from_nanos(i128::from(count) * 1_000_000) == *amount).then_some(i128::from(count))
}
