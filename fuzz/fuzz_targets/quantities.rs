//! Quantities: parsing, printing and arithmetic never fail, and agree.

#![no_main]

use dralloc_quantity::Quantity;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    // Two quantities at a time, so that they can be added and compared.
    let (left, right) = text.split_once(' ').unwrap_or((text, "1"));
    let (Ok(left), Ok(right)) = (Quantity::parse(left), Quantity::parse(right)) else {
        return;
    };
    for quantity in [&left, &right] {
        for printed in [quantity.to_string(), quantity.canonical()] {
            let again = Quantity::parse(&printed);
            assert_eq!(again.as_ref(), Ok(quantity), "`{printed}`");
        }
        let _ = (quantity.as_integer(), quantity.as_approximate_float());
        let _ = (quantity.amount().value(), quantity.amount().milli_value());
    }
    let sum = left.amount() + right.amount();
    assert_eq!(&(&sum - right.amount()), left.amount());
    assert_eq!(left.cmp(&right), right.cmp(&left).reverse());
    if let Some(rounded) = left.amount().next_multiple_of(right.amount()) {
        assert!(&rounded >= left.amount());
    }
});
