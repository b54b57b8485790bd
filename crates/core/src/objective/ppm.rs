//! [`ppm`]: shares of a whole in parts per million.

use dralloc_quantity::Amount;

/// Is one whole.
const WHOLE: i128 = 1_000_000;

/// No share counts more: what is beyond a million wholes is absurd.
const MOST: i64 = 1_000_000_000_000;

/// Returns a part of a whole in parts per million, rounded up; between 0 and a
/// million wholes. Nothing counts as the whole of which something is a part.
pub(super) fn ppm(part: &Amount, whole: &Amount) -> i64 {
    if part.sign() <= 0 {
        return 0;
    }
    if whole.sign() <= 0 {
        return within(WHOLE);
    }
    match (part.as_nanos(), whole.as_nanos()) {
        (Some(part), Some(whole)) => of_nanos(part, whole),
        // One beyond all numbers is that much more than the other, or that much less.
        (None, Some(_)) => MOST,
        (Some(_), None) => 1,
        (None, None) => {
            let share = part
                .div_ceil(whole)
                .and_then(|share| share.checked_mul(WHOLE));
            share.map_or(MOST, within)
        }
    }
}

/// Returns the same of plain numbers.
pub(super) fn of_nanos(part: i128, whole: i128) -> i64 {
    if part <= 0 {
        return 0;
    }
    if whole <= 0 {
        return within(WHOLE);
    }
    let Some(parts) = part.checked_mul(WHOLE) else {
        return within(part / (whole / WHOLE).max(1));
    };
    within(parts / whole + i128::from(parts % whole != 0))
}

fn within(share: i128) -> i64 {
    i64::try_from(share).unwrap_or(MOST).min(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_up() {
        let amount = |text: &str| -> Amount {
            let quantity: dralloc_quantity::Quantity = text.parse().unwrap();
            quantity.amount().clone()
        };
        let share = |part, whole| ppm(&amount(part), &amount(whole));
        assert_eq!(share("1", "7"), 142_858);
        assert_eq!(share("7", "7"), 1_000_000);
        assert_eq!(share("0", "0"), 0);
        assert_eq!(share("1", "0"), 1_000_000);
        assert_eq!(share("-1", "7"), 0);
        assert_eq!(share("5Gi", "40Gi"), 125_000);
        assert_eq!(share("1n", "1E"), 1);
        assert_eq!(of_nanos(i128::MAX, 1), MOST);
        assert_eq!(of_nanos(i128::MAX, i128::MAX), 1_000_000);
    }
}
