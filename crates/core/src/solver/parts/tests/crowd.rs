//! Groups that are too large for a part, by the number that is picked of them.

use super::{KnownCosts, Need, PartCost, PartScratch, PartTable, Question};
use crate::budget::Budget;

/// So many devices has each of two groups; ten more are in none.
const GROUP: u32 = 70;
const DEVICES: usize = 150;

/// Of the first group two devices cost 3 and the others 4, of the second 1 each, of
/// those alone 7; of a group more is more than each alone.
struct Together;

impl PartCost for Together {
    type Cost = usize;

    fn zero(&self) -> usize {
        0
    }

    fn add(&self, one: &usize, other: &usize) -> usize {
        one + other
    }

    fn of(&self, _: usize, chosen: u64) -> usize {
        7 * chosen.count_ones() as usize
    }

    fn of_plain(&self, device: usize) -> usize {
        match device {
            0 | 1 => 3,
            2..70 => 4,
            70..140 => 1,
            _ => 7,
        }
    }

    fn of_crowd(&self, group: usize, count: usize) -> usize {
        assert!(group == 0 || group == 2);
        count * count.saturating_sub(1)
    }
}

#[test]
fn of_a_crowd_the_number_counts() {
    let groups = [
        (0..GROUP).collect(),
        vec![145, 146],
        (GROUP..2 * GROUP).collect(),
    ];
    let uses = vec![Vec::new(); DEVICES];
    let mut meter = Budget::new().meter();
    let table = PartTable::new(DEVICES, 0, |device| &uses[device], &groups, &mut meter).unwrap();
    assert_eq!(table.split_groups(), [0, 2]);
    assert!(!table.is_relaxed());
    let crowds = table.crowds(&groups, DEVICES);
    assert_eq!(
        [crowds[69], crowds[70], crowds[140]],
        [Some(0), Some(1), None]
    );
    let least = |needs: &[(&[u64], usize)]| {
        let needs = needs.iter().map(|(words, count)| Need {
            words,
            from: 0,
            count: *count,
        });
        let needs: Vec<Need<'_>> = needs.collect();
        let question = Question {
            left: &[],
            away: &[],
            needs: &needs,
        };
        let (mut known, mut meter) = (KnownCosts::default(), Budget::new().meter());
        let mut scratch = PartScratch::default();
        scratch
            .least(&table, &question, &Together, &mut known, &mut meter)
            .unwrap()
    };
    // More of the second group cost 1, 3, 5 and so on, of the first 3, 5, 8.
    let all = [!0, !0, (1 << 22) - 1];
    let sums = [1, 2, 3, 5, 6].map(|count| least(&[(&all, count)]));
    assert_eq!(sums, [Some(1), Some(4), Some(7), Some(17), Some(24)]);
    assert_eq!(least(&[(&all, DEVICES + 1)]), None);
    // What only the first group has, beside what all have.
    let first = [!0, (1 << 6) - 1, 0];
    assert_eq!(least(&[(&first, 2), (&all, 3)]), Some(17));
    assert_eq!(least(&[(&first, 3)]), Some(16));
}

/// A device of a card with counters is no member of a crowd, nor is one of two groups.
#[test]
fn a_crowd_has_its_devices_for_itself() {
    let groups = [(0..GROUP).collect(), (60..140).collect::<Vec<u32>>()];
    let mut uses = vec![Vec::new(); DEVICES];
    let table = |uses: &[Vec<(u32, i128)>]| {
        let meter = &mut Budget::new().meter();
        let table = PartTable::new(DEVICES, 1, |device| &uses[device], &groups, meter).unwrap();
        let crowds = table.crowds(&groups, DEVICES);
        (crowds[0], crowds[139], table.is_relaxed())
    };
    assert_eq!(table(&uses), (Some(0), None, true));
    uses[3] = vec![(0, 1)];
    uses[4] = vec![(0, 1)];
    assert_eq!(table(&uses), (None, Some(0), true));
}
