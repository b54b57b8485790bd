use super::Amount;
use num_bigint::BigInt;
use std::collections::BTreeSet;

fn huge() -> Amount {
    Amount::from_big(BigInt::from(10).pow(50))
}

#[test]
fn amounts_are_small() {
    assert_eq!(size_of::<Amount>(), 32);
}

#[test]
fn plain_decimals_print_exactly() {
    let cases = [
        (0, "0"),
        (1, "0.000000001"),
        (-1, "-0.000000001"),
        (1_500_000_000, "1.5"),
        (-20_000_000_000, "-20"),
        (i128::MAX, "170141183460469231731687303715.884105727"),
        (i128::MIN, "-170141183460469231731687303715.884105728"),
    ];
    for (nanos, expected) in cases {
        assert_eq!(Amount::from_nanos(nanos).to_string(), expected);
    }
    assert_eq!(huge().to_string(), format!("1{}", "0".repeat(41)));
}

#[test]
fn whole_and_milli_values_round_away_from_zero() {
    let cases = [
        (0, Some(0), Some(0)),
        (1, Some(1), Some(1)),
        (-1, Some(-1), Some(-1)),
        (1_500_000_000, Some(2), Some(1500)),
        (-1_500_000_000, Some(-2), Some(-1500)),
        (1_000_000_001, Some(2), Some(1001)),
        (i128::from(i64::MAX) * 1_000_000_000, Some(i64::MAX), None),
        (i128::from(i64::MIN) * 1_000_000_000, Some(i64::MIN), None),
        (i128::from(i64::MAX) * 1_000_000_000 + 1, None, None),
        (i128::from(i64::MIN) * 1_000_000_000 - 1, None, None),
        (i128::MIN, None, None),
    ];
    for (nanos, value, milli) in cases {
        let amount = Amount::from_nanos(nanos);
        assert_eq!(amount.value(), value, "{nanos}");
        assert_eq!(amount.milli_value(), milli, "{nanos}");
    }
    assert_eq!(huge().value(), None);
}

#[test]
fn arithmetic_leaves_128_bits_and_comes_back() {
    let max = Amount::from_nanos(i128::MAX);
    let min = Amount::from_nanos(i128::MIN);
    let one = Amount::from_nanos(1);
    let above = &max + &one;
    let below = &min - &one;
    assert_eq!(above.as_nanos(), None);
    assert_eq!(below.as_nanos(), None);
    assert_eq!((above.sign(), below.sign()), (1, -1));
    assert_eq!(&above - &one, max);
    assert_eq!(&below + &one, min);
    assert_eq!(-&min, above);
    assert_eq!(-&above, min);
    let mut total = max.clone();
    total += &above;
    total -= &max;
    assert_eq!(total, above);
    total.sub_assign(&one);
    total.add_assign(&below);
    assert_eq!(total, Amount::from_nanos(-2));
    let ordered = BTreeSet::from([&above, &max, &Amount::ZERO, &min, &below]);
    let ordered: Vec<_> = ordered.into_iter().collect();
    assert_eq!(ordered, [&below, &min, &Amount::ZERO, &max, &above]);
    assert_eq!(
        [&max, &one, &below].into_iter().sum::<Amount>(),
        Amount::from_nanos(-1)
    );
}

#[test]
fn products_are_exact() {
    assert_eq!(&Amount::from_units(3) * 4_u64, Amount::from_units(12));
    assert_eq!(&Amount::from_nanos(7) * -3_i128, Amount::from_nanos(-21));
    let product = &Amount::from_units(i64::MAX) * u64::MAX;
    assert_eq!(
        product.exact_units(),
        Some(i128::from(i64::MAX) * i128::from(u64::MAX))
    );
    assert_eq!(product.as_nanos(), None);
    let products = [0_u64, 1].map(|factor| &huge() * factor);
    assert_eq!(products, [Amount::ZERO, huge()]);
}

#[test]
fn exact_units_need_a_whole_number() {
    assert_eq!(Amount::from_units(-7).exact_units(), Some(-7));
    assert_eq!(Amount::from_nanos(1).exact_units(), None);
    assert_eq!(huge().exact_units(), None);
    assert!(huge().is_integral());
    let broken = &huge() + &Amount::from_nanos(1);
    assert!(!broken.is_integral());
    assert_eq!(broken.exact_units(), None);
}

#[test]
fn division_rounds_towards_positive_infinity() {
    let cases = [
        (9, 4, Some(3), Some(1)),
        (8, 4, Some(2), Some(0)),
        (-9, 4, Some(-2), Some(-1)),
        (9, -4, Some(-2), Some(1)),
        (-9, -4, Some(3), Some(-1)),
        (0, 4, Some(0), Some(0)),
        (9, 0, None, None),
        (i128::MIN, 1, Some(i128::MIN), Some(0)),
        (i128::MIN, -1, None, Some(0)),
    ];
    for (left, right, quotient, rest) in cases {
        let (left, right) = (Amount::from_nanos(left), Amount::from_nanos(right));
        assert_eq!(left.div_ceil(&right), quotient, "{left} / {right}");
        assert_eq!(
            left.remainder(&right),
            rest.map(Amount::from_nanos),
            "{left} / {right}"
        );
    }
    let broken = &huge() + &Amount::from_nanos(1);
    assert_eq!(broken.div_ceil(&huge()), Some(2));
    assert_eq!((-&broken).div_ceil(&huge()), Some(-1));
    assert_eq!(broken.div_ceil(&Amount::from_nanos(1)), None);
    assert_eq!(broken.remainder(&huge()), Some(Amount::from_nanos(1)));
    assert_eq!(Amount::from_nanos(1).div_ceil(&huge()), Some(1));
}

#[test]
fn multiples_are_never_below() {
    let step = Amount::from_units(4);
    let multiple = |nanos| Amount::from_nanos(nanos).next_multiple_of(&step);
    assert_eq!(multiple(1), Some(Amount::from_units(4)));
    assert_eq!(multiple(4_000_000_000), Some(Amount::from_units(4)));
    assert_eq!(multiple(-1), Some(Amount::ZERO));
    assert_eq!(
        Amount::from_units(5).next_multiple_of(&-&step),
        Some(Amount::from_units(8))
    );
    assert_eq!(step.next_multiple_of(&Amount::ZERO), None);
    let broken = &huge() + &Amount::from_nanos(1);
    assert_eq!(broken.next_multiple_of(&huge()), Some(&huge() * 2_u64));
}
