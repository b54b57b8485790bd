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
    let parts = part.as_nanos().and_then(|part| part.checked_mul(WHOLE));
    if let Some((parts, whole)) = parts.zip(whole.as_nanos()) {
        return within(parts / whole + i128::from(parts % whole != 0));
    }
    (part * WHOLE).div_ceil(whole).map_or(MOST, within)
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
        let (tenth, huge) = (
            format!("1{}", "0".repeat(39)),
            format!("1{}", "0".repeat(40)),
        );
        assert_eq!(share(&tenth, &huge), 100_000);
        assert_eq!(share(&huge, &tenth), 10_000_000);
        assert_eq!(share(&huge, "1"), MOST);
        assert_eq!(share("1", &huge), 1);
        assert_eq!(
            share(
                "100000000000000000000000000001",
                "100000000000000000000000000000"
            ),
            1_000_001
        );
    }
}
