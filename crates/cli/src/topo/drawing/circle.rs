//! Places on a circle, in whole numbers: the same on every machine.

/// Turns in millionths of a radian.
const TURN: i64 = 6_283_185;

/// Returns the place of one of `count` points on a circle around 0, 0, clockwise from
/// the top; between two points the top if `between`.
pub(super) fn point(number: i64, count: i64, radius: i64, between: bool) -> (i64, i64) {
    let half = i64::from(between);
    let angle = TURN * (2 * number + half) / (2 * count.max(1));
    let rounded = |value: i64| {
        let doubled = 2 * value * radius;
        (doubled + 1_000_000 * doubled.signum()) / 2_000_000
    };
    (rounded(sine(angle)), -rounded(sine(angle + TURN / 4)))
}

/// Returns the sine of an angle, both in millionths, by its series.
fn sine(angle: i64) -> i64 {
    const ONE: i64 = 1_000_000;
    let mut angle = angle.rem_euclid(TURN);
    let mut sign = 1;
    if angle > TURN / 2 {
        angle -= TURN / 2;
        sign = -1;
    }
    if angle > TURN / 4 {
        angle = TURN / 2 - angle;
    }
    let square = angle * angle / ONE;
    let (mut term, mut sum) = (angle, angle);
    for step in 1..8 {
        term = -term * square / ONE / (2 * step * (2 * step + 1));
        sum += term;
    }
    sign * sum
}

/// Of more points the order is that of their numbers.
const LARGEST: usize = 16;

/// Returns an order of points on a circle in which thick links are short: the best of
/// those that exchanging and moving single points leads to, from several starts.
///
/// `weight` is the links between two points.
pub(super) fn order(count: usize, weight: &dyn Fn(usize, usize) -> i64) -> Vec<usize> {
    let numbers: Vec<usize> = (0..count).collect();
    if count > LARGEST {
        return numbers;
    }
    let starts = (0..count).map(|first| chain(first, count, weight));
    let starts = std::iter::once(numbers).chain(starts);
    let orders = starts.map(|start| improved(start, weight));
    let best = orders.min_by_key(|order| length(order, weight));
    let mut best = best.unwrap_or_default();
    // The first point at the first place.
    if let Some(first) = best.iter().position(|&point| point == 0) {
        best.rotate_left(first);
    }
    best
}

/// Returns how long all links are, thick ones counting more.
fn length(order: &[usize], weight: &dyn Fn(usize, usize) -> i64) -> i64 {
    let count = order.len();
    let mut sum = 0;
    for (place, &a) in order.iter().enumerate() {
        for (other, &b) in order.iter().enumerate().skip(place + 1) {
            let way = (other - place).min(count - (other - place));
            let thick = weight(a, b).min(1000);
            sum += thick * thick * i64::try_from(way).unwrap_or(0);
        }
    }
    sum
}

/// Returns the points so that each is followed by the one that it has most links to.
fn chain(first: usize, count: usize, weight: &dyn Fn(usize, usize) -> i64) -> Vec<usize> {
    let mut rest: Vec<usize> = (0..count).filter(|&point| point != first).collect();
    let mut order = vec![first];
    let mut last = first;
    let thickest = |rest: &[usize], last: usize| {
        let places = rest.iter().enumerate().rev();
        let place = places.max_by_key(|&(_, &point)| weight(last, point));
        place.map(|(place, _)| place)
    };
    while let Some(place) = thickest(&rest, last) {
        last = rest.remove(place);
        order.push(last);
    }
    order
}

/// Returns an order that no exchange or move of single points makes better, or what
/// there is after as many rounds as there are points.
fn improved(mut order: Vec<usize>, weight: &dyn Fn(usize, usize) -> i64) -> Vec<usize> {
    let count = order.len();
    let mut best = length(&order, weight);
    for _ in 0..count {
        let before = best;
        for (from, to) in (0..count).flat_map(|from| (0..count).map(move |to| (from, to))) {
            let mut exchanged = order.clone();
            exchanged.swap(from, to);
            let mut moved = order.clone();
            let point = moved.remove(from);
            moved.insert(to, point);
            for next in [exchanged, moved] {
                let found = length(&next, weight);
                if found < best {
                    (best, order) = (found, next);
                }
            }
        }
        if best == before {
            break;
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_on_the_circle() {
        let four: Vec<_> = (0..4).map(|number| point(number, 4, 100, false)).collect();
        assert_eq!(four, [(0, -100), (100, 0), (0, 100), (-100, 0)]);
        let between: Vec<_> = (0..4).map(|number| point(number, 4, 100, true)).collect();
        assert_eq!(between, [(71, -71), (71, 71), (-71, 71), (-71, -71)]);
        for number in 0..360 {
            let (x, y) = point(number, 360, 1000, false);
            assert!(
                (x * x + y * y - 1_000_000).abs() < 2_000,
                "{number}: {x} {y}"
            );
        }
    }

    #[test]
    fn a_ring_is_drawn_as_a_ring() {
        // 0, 3, 1, 4, 2 and back.
        let weight = |a: usize, b: usize| i64::from((a + 3) % 5 == b || (b + 3) % 5 == a);
        assert_eq!(order(5, &weight), [0, 2, 4, 1, 3]);
    }
}
