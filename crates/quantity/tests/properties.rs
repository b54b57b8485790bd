//! Laws that hold for every quantity.

#![allow(missing_docs, clippy::unwrap_used, reason = "test code")]

use dralloc_quantity::{Amount, Format, Quantity};
use num_bigint::BigInt;
use proptest::prelude::*;

/// Any amount, often beyond 128 bits, with the number it stands for.
fn amount() -> impl Strategy<Value = (Amount, BigInt)> {
    let nanos = prop_oneof![
        any::<i64>().prop_map(i128::from),
        any::<i128>(),
        (-5_i128..5).prop_map(|offset| i128::MAX.wrapping_add(offset)),
    ];
    let factor = prop_oneof![
        Just(1_i128),
        Just(1_000_000_000),
        Just(1_i128 << 70),
        any::<i128>()
    ];
    (nanos, factor).prop_map(|(nanos, factor)| {
        (
            &Amount::from_nanos(nanos) * factor,
            BigInt::from(nanos) * factor,
        )
    })
}

fn format() -> impl Strategy<Value = Format> {
    prop_oneof![
        Just(Format::DecimalExponent),
        Just(Format::BinarySI),
        Just(Format::DecimalSI)
    ]
}

proptest! {
    #[test]
    fn printing_reads_back((amount, _) in amount(), format in format()) {
        let quantity = Quantity::new(amount.clone(), format);
        prop_assert_eq!(Quantity::parse(&quantity.to_string()).unwrap(), quantity.clone());
        prop_assert_eq!(Quantity::parse(&amount.to_string()).unwrap(), quantity);
    }

    #[test]
    fn order_is_that_of_numbers((left, left_nanos) in amount(), (right, right_nanos) in amount()) {
        prop_assert_eq!(left.cmp(&right), left_nanos.cmp(&right_nanos));
        prop_assert_eq!(left == right, left_nanos == right_nanos);
        prop_assert_eq!(left.is_negative(), left_nanos < BigInt::ZERO);
    }

    #[test]
    fn arithmetic_is_that_of_numbers((left, left_nanos) in amount(), (right, right_nanos) in amount()) {
        let big = |amount: &Amount| {
            let nanos = (amount * 1_000_000_000_i128).to_string();
            nanos.parse::<BigInt>().unwrap()
        };
        prop_assert_eq!(big(&(&left + &right)), &left_nanos + &right_nanos);
        prop_assert_eq!(big(&(&left - &right)), &left_nanos - &right_nanos);
        if let Some(rest) = left.remainder(&right) {
            prop_assert_eq!(big(&rest), &left_nanos % &right_nanos);
            let multiple = left.next_multiple_of(&right).unwrap();
            prop_assert!(multiple >= left);
            prop_assert_eq!(multiple.remainder(&right), Some(Amount::ZERO));
        }
    }

    #[test]
    fn addition_is_associative((a, _) in amount(), (b, _) in amount(), (c, _) in amount()) {
        prop_assert_eq!(&(&a + &b) + &c, &a + &(&b + &c));
        prop_assert_eq!(&(&a + &b) - &b, a);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[-+0-9.eEinumkKMGTP ]{0,24}|\\PC{0,24}") {
        if let Ok(quantity) = Quantity::parse(&text) {
            prop_assert_eq!(quantity.to_string(), text);
            prop_assert_eq!(Quantity::parse(&quantity.canonical()).unwrap(), quantity.clone());
            prop_assert_eq!(quantity.as_stored(), quantity);
        }
    }
}
