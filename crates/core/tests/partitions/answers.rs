//! Answers on cards: against brute force, and where a whole node has one answer.

use std::collections::BTreeMap;

use dralloc::model::{DeviceId, ResourceClaim};
use dralloc_testkit::case::{Case, Observed, OutcomeKind};
use dralloc_testkit::compare::differences_from;
use dralloc_testkit::generate::Random;
use dralloc_testkit::oracle::{Cel, Options, Solution, solve};
use dralloc_testkit::partitions::{Instance, Model};
use serde_json::{Value, json};

use super::{ask, support};

/// Cases in an ordinary run; `DRALLOC_PROPERTY_CASES` asks for a hundredth of its own.
const CASES: u64 = 150;
/// Steps after which brute force gives up a case.
const STEPS: u64 = 10_000;

/// A card as this test fills it: the memory slices and the accelerator in use.
#[derive(Default)]
struct Card {
    used: u32,
}

impl Card {
    fn take(&mut self, instance: &Instance, start: usize) -> bool {
        let slices = ((1 << instance.width) - 1) << start;
        let wanted = slices | instance.engines.ofa << 8;
        let fits = self.used & wanted == 0;
        if fits {
            self.used |= wanted;
        }
        fits
    }
}

fn any<'a, T>(random: &mut Random, items: &'a [T]) -> &'a T {
    &items[random.below(items.len())]
}

/// Returns instances that are held on so many cards: few, or nearly all that fit.
fn held(model: Model, cards: usize, random: &mut Random) -> Vec<DeviceId> {
    let mut names = Vec::new();
    for number in 0..cards {
        let mut card = Card::default();
        for _ in 0..*any(random, &[0, 0, 1, 4, 10]) {
            // The whole card is one in seven otherwise, and nothing fits beside it.
            let first = usize::from(random.chance(90));
            let instance = any(random, &model.card().instances[first..]);
            let start = *any(random, instance.starts);
            if card.take(instance, start) {
                let profile = instance.profile.replace('.', "").replace('+', "-");
                let name = format!("gpu-{number}-mig-{profile}-{}-{start}", instance.id);
                names.push(ask::device(&name));
            }
        }
    }
    names
}

fn one(model: Model, count: usize, random: &mut Random) -> Value {
    if random.chance(20) {
        let least = any(random, &["4Gi", "9Gi", "15Gi", "19Gi", "39Gi", "60Gi"]);
        let expression =
            format!("device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('{least}')) >= 0");
        return ask::selected(count, &expression);
    }
    let first = usize::from(random.chance(95));
    let instance = any(random, &model.card().instances[first..]);
    ask::profile(count, instance.profile)
}

fn request(model: Model, random: &mut Random) -> Value {
    if random.chance(80) {
        let count = *any(random, &[1, 1, 1, 2, 2, 3]);
        return one(model, count, random);
    }
    let alternatives: Vec<Value> = (0..random.between(2, 3))
        .map(|place| {
            let mut alternative = one(model, *any(random, &[1, 1, 2]), random);
            alternative["name"] = json!(format!("s{place}"));
            alternative
        })
        .collect();
    Value::Array(alternatives)
}

fn claims(model: Model, random: &mut Random) -> Vec<ResourceClaim> {
    (0..*any(random, &[1, 1, 2]))
        .map(|number| {
            let requests: Vec<Value> = (0..*any(random, &[1, 2, 2, 3]))
                .map(|_| request(model, random))
                .collect();
            let attribute = *any(
                random,
                &["gpu.nvidia.com/parentUUID", "gpu.nvidia.com/profile"],
            );
            let constraint = match random.below(10) {
                0 | 1 => vec![json!({"matchAttribute": attribute})],
                2 => vec![json!({"distinctAttribute": attribute})],
                _ => Vec::new(),
            };
            ask::claim(&format!("claim-{number}"), &requests, &constraint)
        })
        .collect()
}

fn random_case(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let model = *any(&mut random, &Model::EVERY);
    let cards = *any(&mut random, &[1, 1, 2, 2, 3]);
    let held = held(model, cards, &mut random);
    let claims = claims(model, &mut random);
    ask::case(model, cards, held, claims)
}

/// Returns the answer of brute force, if the case is small enough for it.
fn brute_force(case: &Case) -> Option<Observed> {
    let options = Options {
        steps: STEPS,
        ..Options::default()
    };
    let (solution, steps) = solve(case, &Cel::default(), options);
    if solution == Solution::Skipped {
        return None;
    }
    let answer = solution.into_answer(&case.name);
    assert_eq!(answer.error, None, "{}", case.name);
    Some(Observed {
        outcome: answer.outcome,
        results: answer.results,
        node_local: false,
        error: None,
        steps,
    })
}

#[test]
fn partitions_are_given_as_brute_force_gives_them() {
    let asked = std::env::var("DRALLOC_PROPERTY_CASES").ok();
    let cases = asked.map_or(CASES, |text| text.parse::<u64>().unwrap() / 100);
    let mut outcomes: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..cases {
        let case = random_case(seed);
        let Some(expected) = brute_force(&case) else {
            *outcomes.entry("skipped").or_default() += 1;
            continue;
        };
        *outcomes.entry(expected.outcome.as_str()).or_default() += 1;
        let answer = support::answer(&case);
        let differences = differences_from(&answer, &expected);
        let text = || serde_json::to_string(&case).unwrap();
        assert!(
            differences.is_empty(),
            "seed {seed}: {differences:#?}\n{}",
            text()
        );
    }
    let share = |outcome: &str| outcomes.get(outcome).copied().unwrap_or(0) * 100 / cases;
    assert!(
        share("allocated") >= 30 && share("infeasible") >= 25 && share("skipped") <= 20,
        "{outcomes:?}"
    );
}

/// Returns the devices of an answer by request, or nothing if there is none.
fn devices(case: &Case) -> Option<Vec<String>> {
    let answer = support::answer(case);
    match answer.outcome {
        OutcomeKind::Infeasible => None,
        OutcomeKind::Allocated => {
            let results = answer.results.iter().flatten();
            let devices = results.flat_map(|result| &result.devices.results);
            Some(devices.map(|one| one.device.to_string()).collect())
        }
        other => panic!("{}: {other:?}", case.name),
    }
}

/// Returns a profile of a model by what its name begins with and its width.
fn named(model: Model, start: &str, width: usize) -> &'static Instance {
    let mut instances = model.card().instances.iter();
    instances
        .find(|one| one.profile.starts_with(start) && one.width == width)
        .unwrap()
}

/// Asks for a `3g` and two `2g` per card, and so many `1g` besides.
///
/// A `3g` covers half of the memory, and no `2g` can begin at slice 6; so every
/// card gives the only combination that leaves slices 0 to 3 to both `2g`.
fn tight(model: Model, cards: usize, small: usize) -> Case {
    let mut requests = vec![
        ask::profile(cards, named(model, "3g", 4).profile),
        ask::profile(2 * cards, named(model, "2g", 2).profile),
    ];
    if small > 0 {
        requests.push(ask::profile(small, named(model, "1g", 1).profile));
    }
    let claim = ask::claim("tight", &requests, &[]);
    ask::case(model, cards, Vec::new(), vec![claim])
}

fn names(cards: usize, instance: &Instance, starts: &[usize]) -> Vec<String> {
    let profile = instance.profile.replace('.', "");
    (0..cards)
        .flat_map(|number| {
            let of = |start| format!("gpu-{number}-mig-{profile}-{}-{start}", instance.id);
            starts.iter().map(of).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn the_one_way_to_fill_cards_is_found() {
    for model in Model::EVERY {
        for cards in 1..=3 {
            let mut expected = names(cards, named(model, "3g", 4), &[4]);
            expected.extend(names(cards, named(model, "2g", 2), &[0, 2]));
            let answer = devices(&tight(model, cards, 0));
            assert_eq!(answer, Some(expected), "{model:?}, {cards} cards");
            assert_eq!(devices(&tight(model, cards, 1)), None, "{model:?}");
        }
    }
}

#[test]
fn leftovers_of_nearly_full_cards_are_used_to_the_last_slice() {
    for model in Model::EVERY {
        let (whole, small) = (named(model, "7g", 8), named(model, "1g", 1));
        // Of eight cards six are whole, two have one small instance each.
        let mut held = names(6, whole, &[0]);
        let profile = small.profile.replace('.', "");
        held.push(format!("gpu-6-mig-{profile}-{}-0", small.id));
        held.push(format!("gpu-7-mig-{profile}-{}-4", small.id));
        let held: Vec<_> = held.iter().map(|name| ask::device(name)).collect();
        // The last memory slice of a card is only of use to what covers several.
        let (half, pair) = (named(model, "3g", 4), named(model, "2g", 2));
        let asked = |more: usize| {
            let requests = [
                ask::profile(2, half.profile),
                ask::profile(1, pair.profile),
                ask::profile(3 + more, small.profile),
            ];
            let claim = ask::claim("rest", &requests, &[]);
            ask::case(model, 8, held.clone(), vec![claim])
        };
        let of = |number: usize, instance: &Instance, start: usize| {
            let profile = instance.profile.replace('.', "");
            format!("gpu-{number}-mig-{profile}-{}-{start}", instance.id)
        };
        let expected = vec![
            of(6, half, 4),
            of(7, half, 0),
            of(6, pair, 2),
            of(6, small, 1),
            of(7, small, 5),
            of(7, small, 6),
        ];
        assert_eq!(devices(&asked(0)), Some(expected), "{model:?}");
        assert_eq!(devices(&asked(1)), None, "{model:?}");
    }
}
