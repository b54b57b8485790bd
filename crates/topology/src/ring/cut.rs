//! The smallest cut of a part.

use super::Part;

/// Returns the smallest capacity between two sides that the devices can be parted into.
///
/// By the algorithm of Stoer and Wagner (1997): n - 1 phases of at most n steps over n
/// devices. Pairs on switches count with what the weaker of the two has into them, and
/// a device alone is cut off by its links and its port, whichever is less; so the result
/// is never below the capacity of rings across.
pub(super) fn smallest(part: &Part) -> u64 {
    let size = part.len();
    let mut best = (0..size)
        .map(|device| alone(part, device))
        .min()
        .unwrap_or(0);
    let mut weights: Vec<Vec<u64>> = (0..size)
        .map(|a| (0..size).map(|b| part.pair(a, b)).collect())
        .collect();
    let weight = |weights: &[Vec<u64>], a: usize, b: usize| {
        weights
            .get(a)
            .and_then(|row| row.get(b))
            .copied()
            .unwrap_or(0)
    };
    let mut left: Vec<usize> = (0..size).collect();
    while left.len() > 1 {
        let mut tied: Vec<u64> = vec![0; size];
        let mut outside = left.clone();
        let (mut before, mut last) = (None, None);
        while let Some(place) = strongest(&outside, &tied) {
            let next = outside.swap_remove(place);
            for &other in &outside {
                if let Some(sum) = tied.get_mut(other) {
                    *sum = sum.saturating_add(weight(&weights, next, other));
                }
            }
            before = last;
            last = Some(next);
        }
        let (Some(before), Some(last)) = (before, last) else {
            break;
        };
        best = best.min(tied.get(last).copied().unwrap_or(0));
        for &other in &left {
            let sum = weight(&weights, before, other).saturating_add(weight(&weights, last, other));
            for (a, b) in [(before, other), (other, before)] {
                if let Some(entry) = weights.get_mut(a).and_then(|row| row.get_mut(b)) {
                    *entry = if a == b { 0 } else { sum };
                }
            }
        }
        left.retain(|&device| device != last);
    }
    best
}

/// Returns the place of what is tied most to what is inside; among equals the one with
/// the lowest number.
fn strongest(outside: &[usize], tied: &[u64]) -> Option<usize> {
    let key = |device: usize| {
        (
            tied.get(device).copied().unwrap_or(0),
            std::cmp::Reverse(device),
        )
    };
    let places = outside.iter().enumerate();
    places
        .max_by_key(|&(_, &device)| key(device))
        .map(|(place, _)| place)
}

/// Returns what a device has to all others.
fn alone(part: &Part, device: usize) -> u64 {
    let others = || (0..part.len()).filter(|&other| other != device);
    let direct = others().filter(|&other| !part.is_switched(device, other));
    let direct: u64 = direct.fold(0, |sum, other| {
        sum.saturating_add(part.direct(device, other))
    });
    if others().any(|other| part.is_switched(device, other)) {
        direct.saturating_add(part.port(device))
    } else {
        direct
    }
}
