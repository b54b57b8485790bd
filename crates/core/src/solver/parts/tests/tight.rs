//! What just suffices, and what is one less.

use super::Places;
use crate::budget::Budget;
use crate::solver::parts::{KnownCosts, Need, PartScratch, PartTable, Question};

type Uses = Vec<Vec<(u32, i128)>>;

/// A need as the places of its candidates, and how many it wants.
type Wants = (Vec<usize>, usize);

/// Asks something about devices by what they take of counters.
fn ask<T>(
    uses: &Uses,
    left: &[i128],
    wants: &[Wants],
    ask: impl FnOnce(&mut PartScratch, &PartTable, &Question<'_>) -> T,
) -> T {
    let meter = &mut Budget::new().meter();
    let of = |device: usize| &*uses[device];
    let table = PartTable::new(uses.len(), left.len(), of, &[], meter).unwrap();
    let words = wants.iter().map(|(candidates, _)| {
        let mut words = vec![0_u64; uses.len().div_ceil(64)];
        for device in candidates {
            words[device / 64] |= 1 << (device % 64);
        }
        words
    });
    let words: Vec<Vec<u64>> = words.collect();
    let needs = wants.iter().zip(&words);
    let needs = needs.map(|((_, count), words)| Need {
        words,
        from: 0,
        count: *count,
    });
    let needs: Vec<Need<'_>> = needs.collect();
    let question = Question {
        left,
        away: &[],
        needs: &needs,
    };
    ask(&mut PartScratch::default(), &table, &question)
}

fn is_met(uses: &Uses, left: &[i128], wants: &[Wants]) -> bool {
    ask(uses, left, wants, |scratch, table, question| {
        scratch.can_be_met(table, question, &mut Budget::new().meter())
    })
}

#[test]
fn a_need_that_is_merged_brings_its_devices() {
    let own: Vec<Wants> = (0..9).map(|device| (vec![device], 1)).collect();
    assert!(is_met(&vec![Vec::new(); 9], &[], &own));
    let mut more = own.clone();
    more[8].1 = 2;
    assert!(!is_met(&vec![Vec::new(); 9], &[], &more));
}

#[test]
fn what_connects_too_much_suffices_to_the_last_of_it() {
    // Every other device takes three, the others one.
    let uses: Uses = (0..66)
        .map(|device| vec![(0, 1 + device % 2 * 2)])
        .collect();
    let of = |odd: usize| (0..66).filter(|device| device % 2 == odd).collect();
    let threes = |left: i128, count| is_met(&uses, &[left], &[(of(1), count)]);
    assert!(threes(27, 9) && !threes(26, 9));
    // Who can have both is sure to take one each.
    let all = |left: i128, count| is_met(&uses, &[left], &[((0..66).collect(), count)]);
    assert!(all(9, 9) && !all(8, 9));
}

/// Forty devices of which ten can be had, but not the first, which takes as much
/// as two others; to find that takes more steps than there are for a part. No two
/// are the same, since each pair shares a counter that is never short.
#[test]
fn a_part_that_is_too_large_gives_what_its_counters_leave() {
    let mut uses: Uses = vec![vec![(0, 2000)]];
    for device in 0..40_u32 {
        uses.push(vec![(0, 1000), (1 + device / 2, 1 + i128::from(device))]);
    }
    let met = |most: i128, count| {
        let mut left = vec![1_000_000; 21];
        left[0] = most;
        is_met(&uses, &left, &[((0..41).collect(), count)])
    };
    assert!(met(10_000, 10) && !met(10_000, 11) && !met(9_999, 10));
}

/// Each of four cards serves any need, once; three more serve the first two needs,
/// each device of them another, and so on. There are more sums than are kept apart,
/// and few of them lead on: one of the four must serve each two needs.
#[test]
fn sums_that_are_not_kept_apart_hide_nothing() {
    let mut uses: Uses = Vec::new();
    let mut wants: Vec<Wants> = vec![(Vec::new(), 2); 8];
    for card in 0..16_u32 {
        for device in 0..2 {
            for (place, (candidates, _)) in (0_u32..).zip(&mut wants) {
                if card < 4 || ((card - 4) / 3, device) == (place / 2, place % 2) {
                    candidates.push(uses.len());
                }
            }
            uses.push(vec![(card, 1)]);
        }
    }
    assert!(is_met(&uses, &[1; 16], &wants));
    wants[0].1 = 5;
    assert!(!is_met(&uses, &[1; 16], &wants));
}

/// Of each two pairs of devices both can be had of one, and one of the other. What
/// is remembered of so many kinds gets in each other's way.
#[test]
fn parts_of_many_kinds_are_told_apart() {
    let mut uses: Uses = Vec::new();
    for pair in 0..400_u32 {
        let more = i128::from(pair % 2);
        uses.push(vec![(pair, 1 + i128::from(pair))]);
        uses.push(vec![(pair, 999 - i128::from(pair) + more)]);
    }
    for odd in 0..2 {
        let devices = (0..800).filter(|device| device / 2 % 2 == odd).collect();
        let count = if odd == 0 { 400 } else { 200 };
        assert!(is_met(&uses, &[1000; 400], &[(devices, count)]));
    }
    let all = |count| is_met(&uses, &[1000; 400], &[((0..800).collect(), count)]);
    assert!(all(600) && !all(601));
}

#[test]
fn what_would_take_too_long_costs_nothing_for_sure() {
    let uses: Uses = (0..600).map(|device| vec![(device / 2, 1)]).collect();
    let least = |cards: usize, count| {
        let candidates = (0..2 * cards).collect();
        ask(
            &uses,
            &[2; 300],
            &[(candidates, count)],
            |scratch, table, question| {
                let (known, meter) = (&mut KnownCosts::default(), &mut Budget::new().meter());
                let least = scratch.least(table, question, &Places(table), known, meter);
                least.unwrap()
            },
        )
    };
    // A card costs three, and its devices their places modulo five.
    assert_eq!(least(10, 20), Some(10 * 3 + 4 * 10));
    assert_eq!(least(10, 21), None);
    assert_eq!(least(300, 300), Some(0));
    assert_eq!(least(300, 601), None);
}
