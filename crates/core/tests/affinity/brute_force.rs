//! All answers in canonical order, and the first of the best.

use dralloc::Term;

use crate::machine::Machine;

/// A request: the class and count of each alternative.
pub(crate) type Request = Vec<(&'static str, usize)>;

#[derive(Default)]
struct Found {
    picks: Vec<usize>,
    values: Option<Vec<i64>>,
}

/// The devices and values of the first of the best answers.
pub(crate) fn best(
    machine: &Machine,
    requests: &[Request],
    terms: &[Term],
) -> Option<(Vec<String>, Vec<i64>)> {
    let mut found = Found::default();
    walk(machine, requests, terms, (&mut Vec::new(), 0), &mut found);
    let ids = found.picks.iter().map(|it| machine.devices[*it].id());
    Some((ids.collect(), found.values?))
}

fn walk(
    machine: &Machine,
    requests: &[Request],
    terms: &[Term],
    (picks, rank): (&mut Vec<usize>, i64),
    found: &mut Found,
) {
    let Some((first, others)) = requests.split_first() else {
        let values: Vec<i64> = terms
            .iter()
            .map(|term| machine.value(term, picks, rank))
            .collect();
        if found.values.as_ref().is_none_or(|best| values < *best) {
            *found = Found {
                picks: picks.clone(),
                values: Some(values),
            };
        }
        return;
    };
    for ((class, count), place) in first.iter().zip(0..) {
        let candidates: Vec<usize> = (0..machine.devices.len())
            .filter(|it| {
                let is_of_class = *class == "any" || machine.devices[*it].driver == *class;
                is_of_class && !machine.held[*it] && !picks.contains(it)
            })
            .collect();
        each_set(&candidates, *count, &mut Vec::new(), &mut |set| {
            let before = picks.len();
            picks.extend_from_slice(set);
            walk(machine, others, terms, (picks, rank + place), found);
            picks.truncate(before);
        });
    }
}

/// Calls for all sets of a size, in order.
fn each_set(from: &[usize], count: usize, set: &mut Vec<usize>, call: &mut impl FnMut(&[usize])) {
    if count == 0 {
        call(set);
        return;
    }
    for (place, device) in from.iter().enumerate() {
        set.push(*device);
        each_set(&from[place + 1..], count - 1, set, call);
        set.pop();
    }
}
