//! How much of a capacity a request takes.

use dralloc_quantity::Amount;

use crate::error::{Code, Error};
use crate::model::{
    CapacityRequestPolicy, CapacityRequestPolicyRange, CapacityRequirements, Device,
    DeviceCapacity, Quantity,
};

/// Nanos per whole unit and per milli unit.
const UNIT: i128 = 1_000_000_000;
const MILLI: i128 = 1_000_000;

/// Returns what a request takes of every capacity of a device, in their order.
///
/// Every capacity counts, also those that the request does not name, and also
/// on devices that are not shared. Nothing is returned if the device lacks a
/// capacity that is requested: another device may have it.
///
/// # Errors
///
/// [`Code::Capacity`] if an amount cannot be computed or is negative: an
/// object is wrong, and taking another device would hide it.
pub(crate) fn amounts(
    device: &Device,
    requirements: Option<&CapacityRequirements>,
    fractional: bool,
) -> Result<Option<Vec<Quantity>>, Error> {
    let requested = |name: &str| requirements.and_then(|all| all.requests.get(name));
    if let Some(all) = requirements
        && all
            .requests
            .keys()
            .any(|name| !device.capacity.contains_key(name))
    {
        return Ok(None);
    }
    let mut amounts = Vec::with_capacity(device.capacity.len());
    for (name, capacity) in &device.capacity {
        let of_capacity = |error: Error| error.under(&format!("capacity[{name}]"));
        let amount = amount(requested(name), capacity, fractional).map_err(of_capacity)?;
        if amount.amount().is_negative() {
            let message = format!("`{amount}` would be taken, expected no negative amount");
            return Err(of_capacity(Error::new(Code::Capacity, message)));
        }
        amounts.push(amount);
    }
    Ok(Some(amounts))
}

/// Returns what a request takes of one capacity.
///
/// Without a request that is the default of the policy, or else everything.
/// With one, the request, rounded up to what the policy allows.
///
/// # Errors
///
/// [`Code::Capacity`] if the rounding cannot be done.
pub(crate) fn amount(
    requested: Option<&Quantity>,
    capacity: &DeviceCapacity,
    fractional: bool,
) -> Result<Quantity, Error> {
    let policy = capacity.request_policy.as_deref();
    let amount = match (requested, policy) {
        (None, policy) => policy
            .and_then(|policy| policy.default.as_ref())
            .unwrap_or(&capacity.value)
            .clone(),
        (Some(requested), None) => requested.clone(),
        (Some(requested), Some(policy)) => round_up(requested, policy, fractional)?,
    };
    if let Some(CapacityRequestPolicy {
        default,
        valid_range: Some(range),
        ..
    }) = policy
        && default.as_ref() != Some(&amount)
        && !exceeds_max(&amount, range)
        && let Some(step) = &range.step
    {
        let scale = Scale::of(range, fractional);
        // Kubernetes' allocator panics on these, as nothing can be a multiple
        // of them; but an amount that is too fine is refused before.
        if range.min.is_none() && (scale == Scale::Units || scale.exact(&amount).is_some()) {
            return Err(impossible("has a step without a min to count from"));
        }
        if scale.whole(step) == Some(0) {
            return Err(impossible("has a step of zero"));
        }
    }
    Ok(amount)
}

/// Returns the least that a request can take of a capacity: what asking for nothing is
/// rounded up to, or the default, whichever is less.
///
/// # Errors
///
/// [`Code::Capacity`] if neither can be computed.
pub(crate) fn least(capacity: &DeviceCapacity, fractional: bool) -> Result<Quantity, Error> {
    let nothing = Quantity::from_units(0);
    let rounded = amount(Some(&nothing), capacity, fractional);
    match (rounded, amount(None, capacity, fractional)) {
        (Ok(one), Ok(other)) => Ok(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Returns whether a policy allows taking an amount.
pub(crate) fn allowed(
    amount: &Quantity,
    policy: Option<&CapacityRequestPolicy>,
    fractional: bool,
) -> bool {
    let Some(policy) = policy else { return true };
    if policy.default.as_ref() == Some(amount) {
        return true;
    }
    if let Some(range) = &policy.valid_range {
        return in_range(amount, range, fractional);
    }
    match policy.valid_values.as_deref() {
        None | Some([]) => true,
        Some(values) => values.contains(amount),
    }
}

fn round_up(
    requested: &Quantity,
    policy: &CapacityRequestPolicy,
    fractional: bool,
) -> Result<Quantity, Error> {
    if let Some(range) = &policy.valid_range
        && let Some(min) = &range.min
    {
        return round_up_range(requested, range, min, fractional);
    }
    // The first that is large enough, not the least: they are to be sorted.
    let larger = |values: &Vec<Quantity>| values.iter().find(|value| *value >= requested).cloned();
    let rounded = policy.valid_values.as_ref().and_then(larger);
    Ok(rounded.unwrap_or_else(|| requested.clone()))
}

fn round_up_range(
    requested: &Quantity,
    range: &CapacityRequestPolicyRange,
    min: &Quantity,
    fractional: bool,
) -> Result<Quantity, Error> {
    if requested < min {
        return Ok(min.clone());
    }
    let Some(step) = &range.step else {
        return Ok(requested.clone());
    };
    let scale = Scale::of(range, fractional);
    let not_representable = |what: &str| {
        let message = format!(
            "`{requested}` {what}, expected an amount that fits in 63 bits of {} units",
            scale.name()
        );
        Error::new(Code::Capacity, message)
    };
    let count = scale
        .exact(requested)
        .ok_or_else(|| not_representable("is requested"))?;
    let (Some(step_count), Some(min_count)) = (scale.whole(step), scale.whole(min)) else {
        return Err(impossible("has a step or min beyond 63 bits"));
    };
    let (step_count, min_count) = (i128::from(step_count), i128::from(min_count));
    if step_count <= 0 {
        return Err(impossible("has a step that is not positive"));
    }
    if scale == Scale::Milli && min_count < 0 {
        return Err(impossible("has a negative min"));
    }
    let added = i128::from(count) - min_count;
    let steps = added / step_count + i128::from(added % step_count != 0);
    let rounded = min_count + step_count * steps;
    if min_count >= 0 && rounded > i128::from(i64::MAX) {
        return Err(not_representable("is rounded up to the next step"));
    }
    Ok(Quantity::new(
        Amount::from_nanos(rounded * scale.nanos()),
        step.format(),
    ))
}

fn in_range(amount: &Quantity, range: &CapacityRequestPolicyRange, fractional: bool) -> bool {
    if exceeds_max(amount, range) {
        return false;
    }
    let Some(step) = &range.step else { return true };
    let scale = Scale::of(range, fractional);
    let min = range.min.as_ref().and_then(|min| scale.whole(min));
    let (Some(count), Some(step), Some(min)) = (scale.exact(amount), scale.whole(step), min) else {
        return false;
    };
    step != 0 && (i128::from(count) - i128::from(min)) % i128::from(step) == 0
}

fn exceeds_max(amount: &Quantity, range: &CapacityRequestPolicyRange) -> bool {
    range.max.as_ref().is_some_and(|max| amount > max)
}

fn impossible(what: &str) -> Error {
    Error::new(
        Code::Capacity,
        format!("the range {what}, expected a range that amounts can be in"),
    )
    .at("requestPolicy.validRange")
}

/// Is the unit in which the steps of a range are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scale {
    Units,
    /// With `DRAFractionalCapacityRange`, where the whole range can be written in it.
    Milli,
}

impl Scale {
    fn of(range: &CapacityRequestPolicyRange, fractional: bool) -> Self {
        let bounds = [&range.min, &range.max, &range.step];
        let milli = fractional
            && bounds
                .into_iter()
                .flatten()
                .all(|bound| Self::Milli.exact(bound).is_some())
            && range
                .step
                .as_ref()
                .and_then(|step| Self::Milli.whole(step))
                .is_none_or(|s| s >= 1);
        if milli { Self::Milli } else { Self::Units }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Units => "whole",
            Self::Milli => "milli",
        }
    }

    fn nanos(self) -> i128 {
        match self {
            Self::Units => UNIT,
            Self::Milli => MILLI,
        }
    }

    /// Returns the count of units, with a fraction rounded up.
    fn whole(self, quantity: &Quantity) -> Option<i64> {
        match self {
            Self::Units => quantity.amount().value(),
            Self::Milli => quantity.amount().milli_value(),
        }
    }

    /// Returns the count of units; in milli units only if there is no fraction.
    fn exact(self, quantity: &Quantity) -> Option<i64> {
        let count = self.whole(quantity)?;
        let back = Amount::from_nanos(i128::from(count) * self.nanos());
        (self == Self::Units || back == *quantity.amount()).then_some(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantity(text: &str) -> Quantity {
        Quantity::parse(text).unwrap()
    }

    fn range(min: &str, max: &str, step: &str) -> CapacityRequestPolicy {
        let bound = |text: &str| (!text.is_empty()).then(|| quantity(text));
        CapacityRequestPolicy {
            valid_range: Some(CapacityRequestPolicyRange {
                min: bound(min),
                max: bound(max),
                step: bound(step),
            }),
            ..CapacityRequestPolicy::default()
        }
    }

    fn values(values: &[&str]) -> CapacityRequestPolicy {
        CapacityRequestPolicy {
            valid_values: Some(values.iter().map(|text| quantity(text)).collect()),
            ..CapacityRequestPolicy::default()
        }
    }

    /// What is taken, with a mark if the policy does not allow it.
    fn take(requested: &str, policy: CapacityRequestPolicy, fractional: bool) -> String {
        let capacity = DeviceCapacity {
            value: quantity("10"),
            request_policy: Some(Box::new(policy)),
        };
        let requested = (!requested.is_empty()).then(|| quantity(requested));
        match amount(requested.as_ref(), &capacity, fractional) {
            Ok(amount) if allowed(&amount, capacity.request_policy.as_deref(), fractional) => {
                amount.to_string()
            }
            Ok(amount) => format!("{amount} not allowed"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn ranges_round_up_by_steps_from_the_least() {
        assert_eq!(take("1", range("2", "8", "3"), false), "2");
        assert_eq!(take("3", range("2", "8", "3"), false), "5");
        assert_eq!(take("5", range("2", "8", "3"), false), "5");
        assert_eq!(take("9", range("2", "8", "3"), false), "11 not allowed");
        assert_eq!(take("9", range("2", "", ""), false), "9");
        assert_eq!(take("9", range("", "8", ""), false), "9 not allowed");
    }

    #[test]
    fn fractions_count_in_milli_units_behind_their_gate() {
        let policy = || range("100m", "1", "100m");
        assert_eq!(take("150m", policy(), true), "200m");
        assert_eq!(take("150m", policy(), false), "1");
        assert_eq!(take("100u", policy(), true), "100m");
        assert_eq!(
            take("150500u", policy(), true),
            "`150500u` is requested, expected an amount that fits in 63 bits of milli units"
        );
    }

    #[test]
    fn values_round_up_to_the_first_that_is_large_enough() {
        assert_eq!(take("3", values(&["2", "4", "8"]), false), "4");
        assert_eq!(take("9", values(&["2", "4", "8"]), false), "9 not allowed");
        assert_eq!(take("3", values(&["8", "4"]), false), "8");
        assert_eq!(take("", values(&["2"]), false), "10 not allowed");
    }

    #[test]
    fn a_default_is_allowed_by_its_value() {
        let policy = CapacityRequestPolicy {
            default: Some(quantity("8Ki")),
            ..range("1Ki", "4Ki", "")
        };
        assert_eq!(take("8192", policy.clone(), false), "8192");
        assert_eq!(take("", policy, false), "8Ki");
    }

    #[test]
    fn impossible_ranges_are_errors() {
        let path = "requestPolicy.validRange: the range has a step";
        let expected = "expected a range that amounts can be in";
        assert_eq!(
            take("3", range("", "8", "1"), false),
            format!("{path} without a min to count from, {expected}")
        );
        assert_eq!(
            take("3", range("1", "8", "0"), false),
            format!("{path} that is not positive, {expected}")
        );
        assert_eq!(
            take("", range("1", "10", "0"), false),
            format!("{path} of zero, {expected}")
        );
        assert_eq!(take("", range("1", "8", "0"), false), "10 not allowed");
        assert_eq!(
            take("9223372036854775808", range("1", "", "1"), false),
            "`9223372036854775808` is requested, expected an amount that fits in 63 bits of whole \
             units"
        );
        assert_eq!(
            take("9223372036854775807", range("0", "", "2"), false),
            "`9223372036854775807` is rounded up to the next step, expected an amount that fits \
             in 63 bits of whole units"
        );
    }

    #[test]
    fn a_missing_capacity_is_no_error_and_a_negative_amount_is_one() {
        let capacity = DeviceCapacity {
            value: quantity("10"),
            request_policy: None,
        };
        let device = Device {
            capacity: [("memory".into(), capacity)].into_iter().collect(),
            ..Device::default()
        };
        let requirements = |name: &str, amount: &str| CapacityRequirements {
            requests: [(name.into(), quantity(amount))].into_iter().collect(),
        };
        assert_eq!(
            amounts(&device, Some(&requirements("cores", "1")), true),
            Ok(None)
        );
        assert_eq!(
            amounts(&device, Some(&requirements("memory", "3")), true),
            Ok(Some(vec![quantity("3")]))
        );
        assert_eq!(
            amounts(&device, Some(&requirements("memory", "-1")), true)
                .unwrap_err()
                .to_string(),
            "capacity[memory]: `-1` would be taken, expected no negative amount"
        );
    }
}
