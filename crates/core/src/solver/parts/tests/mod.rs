mod crowd;
mod tight;

use std::sync::atomic::AtomicBool;

use crate::budget::Budget;

use super::options::{give, has_room, take};
use super::{KnownCosts, Need, PartCost, PartScratch, PartTable, Question};

/// Is a small problem made from a seed.
#[derive(Clone)]
struct Case {
    devices: usize,
    uses: Vec<Vec<(u32, i128)>>,
    left: Vec<i128>,
    away: u64,
    needs: Vec<(u64, usize, usize)>,
}

/// Returns numbers that look random, the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    fn few(&mut self, bound: u64) -> usize {
        usize::try_from(self.below(bound)).unwrap()
    }
}

fn case(seed: u64) -> Case {
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let devices = 1 + numbers.few(9);
    let counters = u32::try_from(numbers.below(5)).unwrap();
    let uses = (0..devices).map(|_| {
        let some = (0..counters).filter_map(|counter| {
            let amount = i128::from(numbers.below(4));
            (numbers.below(5) < 2).then_some((counter, amount))
        });
        some.collect()
    });
    let uses = uses.collect();
    let left = (0..counters)
        .map(|_| i128::from(numbers.below(8)) - 1)
        .collect();
    let bits = 1 << devices;
    let needs = (0..=numbers.below(4)).map(|_| {
        let words = numbers.below(bits) | numbers.below(bits);
        let from = numbers.few(10).saturating_sub(6);
        (words, from, numbers.few(4))
    });
    let needs = needs.collect();
    Case {
        devices,
        uses,
        left,
        away: numbers.below(bits) & numbers.below(bits),
        needs,
    }
}

impl Case {
    fn table(&self, groups: &[Vec<u32>]) -> PartTable {
        PartTable::new(
            self.devices,
            self.left.len(),
            |device| &self.uses[device],
            groups,
            &mut Budget::new().meter(),
        )
        .unwrap()
    }

    fn words(&self) -> Vec<[u64; 1]> {
        self.needs.iter().map(|(words, ..)| [*words]).collect()
    }

    fn needs<'w>(&self, words: &'w [[u64; 1]]) -> Vec<Need<'w>> {
        let pairs = self.needs.iter().zip(words);
        let need = |((_, from, count), words): (&(u64, usize, usize), &'w [u64; 1])| Need {
            words,
            from: *from,
            count: *count,
        };
        pairs.map(need).collect()
    }

    fn question<'q>(&'q self, needs: &'q [Need<'q>]) -> Question<'q> {
        Question {
            left: &self.left,
            away: std::slice::from_ref(&self.away),
            needs,
        }
    }

    /// Returns whether there is room for a device; counters with one user are no
    /// concern of parts.
    fn has_room(&self, device: usize, left: &[i128]) -> bool {
        let uses = |other: u32| {
            move |uses: &&Vec<(u32, i128)>| {
                let mut uses = uses.iter();
                uses.any(|(counter, amount)| *counter == other && *amount > 0)
            }
        };
        self.uses[device].iter().all(|(counter, amount)| {
            let shared = self.uses.iter().filter(uses(*counter)).count() > 1;
            *amount == 0 || !shared || left[*counter as usize] >= *amount
        })
    }
}

#[test]
fn parts_know_exactly_what_few_devices_can_give() {
    let (mut scratch, mut met, mut refused) = (PartScratch::default(), 0, 0);
    let is_cancelled = AtomicBool::new(true);
    for seed in 0..20_000 {
        let case = case(seed);
        let table = case.table(&[]);
        let words = case.words();
        let needs = case.needs(&words);
        let question = case.question(&needs);
        let (mut left, mut wanted) = (case.left.clone(), case.needs.clone());
        let expected = cheapest(&case, (0, 0), &mut left, &mut wanted, &|_| (0, 0)).is_some();
        // Who is stopped knows nothing, and leaves nothing behind.
        let mut stopped = Budget::new().cancel(&is_cancelled).meter();
        assert!(scratch.can_be_met(&table, &question, &mut stopped));
        for _ in 0..2 {
            let found = scratch.can_be_met(&table, &question, &mut Budget::new().meter());
            assert_eq!(found, expected, "seed {seed}");
        }
        if expected {
            met += 1;
        } else {
            refused += 1;
        }
    }
    assert!(met > 3000 && refused > 3000, "{met} met, {refused} refused");
}

/// Is a cost without rhyme or reason, by part and choice.
struct Costs {
    seed: u64,
    /// Parts that are alike cost alike.
    alike: bool,
    of_device: Vec<(usize, u64)>,
}

impl Costs {
    fn new(table: &PartTable, devices: usize, seed: u64) -> Self {
        let mut of_device = vec![(usize::MAX, 0); devices];
        for part in 0..table.len() {
            for (bit, device) in table.devices_of(part).iter().enumerate() {
                of_device[*device as usize] = (part, 1 << bit);
            }
        }
        Self {
            seed,
            alike: seed.is_multiple_of(2),
            of_device,
        }
    }

    /// Returns the sum over all parts of what is picked.
    fn sum(&self, table: &PartTable, picked: u64) -> (u64, u64) {
        let mut sum = (0, 0);
        let mut chosen = vec![0; table.len()];
        for device in (0..self.of_device.len()).filter(|device| picked >> device & 1 == 1) {
            match self.of_device[device] {
                (usize::MAX, _) => sum = self.add(&sum, &self.of_plain(device)),
                (part, bit) => chosen[part] |= bit,
            }
        }
        for (part, chosen) in chosen
            .into_iter()
            .enumerate()
            .filter(|(_, chosen)| *chosen != 0)
        {
            sum = self.add(&sum, &self.of(part, chosen));
        }
        sum
    }
}

impl PartCost for Costs {
    type Cost = (u64, u64);

    fn zero(&self) -> (u64, u64) {
        (0, 0)
    }

    fn add(&self, one: &(u64, u64), other: &(u64, u64)) -> (u64, u64) {
        (one.0 + other.0, one.1 + other.1)
    }

    fn of(&self, part: usize, chosen: u64) -> (u64, u64) {
        assert_ne!(chosen, 0);
        let part = if self.alike { 0 } else { part as u64 };
        let mut numbers = Numbers(self.seed ^ chosen << 20 ^ part << 40 | 1 << 60);
        (numbers.below(3), numbers.below(5))
    }

    fn of_plain(&self, device: usize) -> (u64, u64) {
        let mut numbers = Numbers(self.seed ^ (device as u64) << 30 | 1 << 61);
        (numbers.below(3), numbers.below(5))
    }

    fn class(&self, _: usize) -> Option<u64> {
        self.alike.then_some(7)
    }
}

/// Finds the least cost over all ways to serve needs.
fn cheapest(
    case: &Case,
    (device, picked): (usize, u64),
    left: &mut [i128],
    needs: &mut [(u64, usize, usize)],
    sum: &dyn Fn(u64) -> (u64, u64),
) -> Option<(u64, u64)> {
    if needs.iter().all(|(.., count)| *count == 0) {
        return Some(sum(picked));
    }
    if device == case.devices {
        return None;
    }
    let mut least = cheapest(case, (device + 1, picked), left, needs, sum);
    let uses = &case.uses[device];
    if case.away >> device & 1 == 1 || !case.has_room(device, left) {
        return least;
    }
    take(uses, left);
    for need in 0..needs.len() {
        let (words, from, count) = needs[need];
        if count > 0 && device >= from && words >> device & 1 == 1 {
            needs[need].2 -= 1;
            let found = cheapest(case, (device + 1, picked | 1 << device), left, needs, sum);
            needs[need].2 += 1;
            least = match (least, found) {
                (Some(least), Some(found)) => Some(least.min(found)),
                (least, found) => least.or(found),
            };
        }
    }
    give(uses, left);
    least
}

#[test]
fn the_least_cost_of_few_devices_is_exact() {
    let (mut scratch, mut costly) = (PartScratch::default(), 0);
    for seed in 0..10_000 {
        let case = case(seed);
        let groups: Vec<Vec<u32>> = match seed % 3 {
            0 if case.devices > 3 => vec![vec![0, 3], vec![1, 2]],
            _ => Vec::new(),
        };
        let table = case.table(&groups);
        let words = case.words();
        let needs = case.needs(&words);
        let question = case.question(&needs);
        let costs = Costs::new(&table, case.devices, seed);
        let sum = |picked| costs.sum(&table, picked);
        let (mut left, mut wanted) = (case.left.clone(), case.needs.clone());
        let expected = cheapest(&case, (0, 0), &mut left, &mut wanted, &sum);
        let known = &mut KnownCosts::default();
        let mut least = |question: &Question<'_>| {
            let meter = &mut Budget::new().meter();
            let least = scratch.least(&table, question, &costs, known, meter);
            least.unwrap()
        };
        assert_eq!(least(&question), expected, "seed {seed}");
        // What is known was found for what was left, and for who was away.
        let mut later = case.clone();
        later.away ^= seed & 3;
        later.left.iter_mut().for_each(|left| *left -= 1);
        for case in [&later, &case] {
            let (mut left, mut wanted) = (case.left.clone(), case.needs.clone());
            let expected = cheapest(case, (0, 0), &mut left, &mut wanted, &sum);
            assert_eq!(
                least(&case.question(&needs)),
                expected,
                "seed {seed}, later"
            );
        }
        costly += usize::from(expected.is_some_and(|least| least != (0, 0)));
    }
    assert!(costly > 2000, "{costly}");
}

#[test]
fn counters_connect_devices_up_to_a_word_of_them() {
    // Devices 0 to 2 and 3 to 5 are cards, 6 has a counter of its own, 7 none;
    // all but 7 take of one budget, 66 more devices of another.
    let mut uses: Vec<Vec<(u32, i128)>> = vec![
        vec![(0, 1), (3, 1)],
        vec![(3, 1), (0, 1)],
        vec![(0, 2), (3, 1)],
        vec![(1, 1), (3, 1)],
        vec![(1, 1), (3, 1)],
        vec![(1, 2), (3, 1)],
        vec![(2, 5)],
        vec![],
    ];
    uses.extend((0..66).map(|_| vec![(4, 3)]));
    let table = |groups: &[Vec<u32>]| {
        let meter = &mut Budget::new().meter();
        PartTable::new(uses.len(), 5, |device| &uses[device], groups, meter).unwrap()
    };
    let joined = table(&[]);
    assert_eq!(joined.len(), 1);
    assert_eq!(joined.devices_of(0), [0, 1, 2, 3, 4, 5]);
    assert!(joined.has_counters() && joined.weight() > 0);

    for device in &mut uses {
        device.retain(|(counter, _)| *counter != 3);
    }
    let table = |groups: &[Vec<u32>]| {
        let meter = &mut Budget::new().meter();
        PartTable::new(uses.len(), 5, |device| &uses[device], groups, meter).unwrap()
    };
    let cards = table(&[]);
    assert_eq!(cards.len(), 2);
    assert_eq!(
        (cards.devices_of(0), cards.devices_of(1)),
        (&[0, 1, 2][..], &[3, 4, 5][..])
    );
    assert!(cards.parts[0].kind == cards.parts[1].kind);
    let linked = table(&[vec![7, 2], (0..65).collect()]);
    assert_eq!(linked.devices_of(0), [0, 1, 2, 7]);
    assert!(linked.parts[0].kind != linked.parts[1].kind);
    assert_eq!(linked.split_groups(), [1]);

    // What connects too much still counts in sum: 66 devices, 3 of it each.
    let words = [!0, !0 >> (128 - uses.len())];
    let mut scratch = PartScratch::default();
    let mut met = |table: &PartTable, from, count, left: &[i128]| {
        let needs = [Need {
            words: &words,
            from,
            count,
        }];
        let question = Question {
            left,
            away: &[],
            needs: &needs,
        };
        scratch.can_be_met(table, &question, &mut Budget::new().meter())
    };
    let left = [2, 2, 5, 9, 29];
    assert!(met(&cards, 8, 9, &left));
    assert!(!met(&cards, 8, 10, &left));
    assert!(!met(&cards, 74, 1, &left));
    // Two of each card, then 6 and 7, and nothing is said of the others' counter.
    assert!(met(&cards, 0, 6 + 66, &left));
    assert!(!met(&cards, 0, 6 + 67, &left));
    assert!(!met(&cards, 1, 6 + 67, &left));
}

/// Is a large case that has an answer.
struct Planted {
    uses: Vec<Vec<(u32, i128)>>,
    left: Vec<i128>,
    needs: Vec<(Vec<u64>, usize)>,
    /// The devices of the answer.
    picked: Vec<usize>,
}

fn planted(seed: u64) -> Planted {
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let cards = 1 + numbers.few(8);
    let of_card = 4 + numbers.few(60);
    let devices = cards * of_card + numbers.few(20);
    let words = devices.div_ceil(64);
    let mut left: Vec<i128> = (0..3 * cards)
        .map(|_| i128::from(numbers.below(40)))
        .collect();
    let all = left.clone();
    let uses: Vec<Vec<(u32, i128)>> = (0..devices)
        .map(|device| match u32::try_from(device / of_card) {
            Ok(card) if device / of_card < cards => (3 * card..3 * card + 3)
                .map(|counter| (counter, i128::from(numbers.below(6))))
                .collect(),
            _ => Vec::new(),
        })
        .collect();
    let count = 1 + numbers.few(12);
    let mut needs: Vec<(Vec<u64>, usize)> = (0..count)
        .map(|_| {
            (
                (0..words)
                    .map(|_| numbers.below(1 << 53) << 11 | numbers.below(1 << 11))
                    .collect(),
                0,
            )
        })
        .collect();
    let mut picked = Vec::new();
    for device in 0..devices {
        let (candidates, count) = &mut needs[numbers.few(count as u64)];
        let wants = candidates[device / 64] >> (device % 64) & 1 == 1;
        if wants && has_room(&uses[device], &left) {
            take(&uses[device], &mut left);
            *count += 1;
            picked.push(device);
        }
    }
    Planted {
        uses,
        left: all,
        needs,
        picked,
    }
}

/// Costs a device as much as its place says, and a part a little for being touched.
struct Places<'t>(&'t PartTable);

impl PartCost for Places<'_> {
    type Cost = usize;

    fn zero(&self) -> usize {
        0
    }

    fn add(&self, one: &usize, other: &usize) -> usize {
        one + other
    }

    fn of(&self, part: usize, chosen: u64) -> usize {
        let devices = self.0.devices_of(part).iter().enumerate();
        let own = devices.filter(|(bit, _)| chosen >> bit & 1 == 1);
        3 + own
            .map(|(_, device)| self.of_plain(*device as usize))
            .sum::<usize>()
    }

    fn of_plain(&self, device: usize) -> usize {
        device % 5
    }
}

#[test]
fn what_has_an_answer_is_never_refused_nor_thought_too_costly() {
    let mut scratch = PartScratch::default();
    let (mut exact, mut least_sum) = (0, 0);
    for seed in 0..100 {
        let case = planted(seed);
        let (uses, left) = (&case.uses, &case.left);
        let meter = &mut Budget::new().meter();
        let of = |device: usize| &*uses[device];
        let table = PartTable::new(uses.len(), left.len(), of, &[], meter).unwrap();
        let needs: Vec<Need<'_>> = case
            .needs
            .iter()
            .map(|(words, count)| Need {
                words,
                from: 0,
                count: *count,
            })
            .collect();
        let question = Question {
            left,
            away: &[],
            needs: &needs,
        };
        assert!(scratch.can_be_met(&table, &question, meter), "seed {seed}");
        let costs = Places(&table);
        let mut sum: usize = case.picked.iter().map(|device| device % 5).sum();
        for part in 0..table.len() {
            let is_touched = |device: &u32| case.picked.contains(&(*device as usize));
            sum += 3 * usize::from(table.devices_of(part).iter().any(is_touched));
        }
        let known = &mut KnownCosts::default();
        let least = scratch.least(&table, &question, &costs, known, meter);
        let least = least.unwrap().unwrap();
        assert!(least <= sum, "seed {seed}: {least} above {sum}");
        exact += usize::from(least == sum);
        least_sum += least;
    }
    assert_eq!((exact, least_sum), (2, 425));
}
