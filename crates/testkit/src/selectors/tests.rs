use super::*;
use dralloc_cel::{Options, Program, Scratch, Verdict};

#[test]
fn a_seed_is_one_selector() {
    for seed in 0..200 {
        let (first, second) = (RandomSelector::new(seed, 37), RandomSelector::new(seed, 37));
        assert_eq!(first.expression, second.expression);
        assert_eq!(first.device, second.device);
        assert_eq!(first.cost_limit, second.cost_limit);
        assert!(first.expression.len() <= MAX_LENGTH);
    }
}

#[test]
fn choices_run_out_without_harm() {
    let empty = RandomSelector::replaying(&[], 37);
    assert_eq!(empty.expression, "((true))");
    let long = RandomSelector::replaying(&[0xff; 3000], 37);
    assert_eq!(long.expression, "lists.range(0).isSorted()");
}

#[test]
fn versions_before_36_get_no_lists() {
    for seed in 0..500 {
        let json = RandomSelector::new(seed, 35).device.json().to_string();
        assert!(!json.contains(":["), "{json}");
    }
}

/// Enough of every kind, or comparisons would say little.
#[test]
fn many_compile_and_many_of_these_run() {
    let (mut compiled, mut answered, mut matched) = (0, 0, 0);
    for seed in 0..2000 {
        let selector = RandomSelector::new(seed, 37);
        let Ok(program) = Program::compile(&selector.expression, &Options::selector()) else {
            continue;
        };
        compiled += 1;
        let Ok(device) = selector.device.row() else {
            continue;
        };
        match program.matches(&device, &mut Scratch::new()) {
            Verdict::Match => {
                matched += 1;
                answered += 1;
            }
            Verdict::NoMatch => answered += 1,
            Verdict::Error(_) => {}
        }
    }
    assert!((1000..1800).contains(&compiled), "{compiled} compile");
    assert!(answered * 2 > compiled, "{answered} of {compiled} run");
    assert!(matched * 4 > answered, "{matched} of {answered} match");
}
