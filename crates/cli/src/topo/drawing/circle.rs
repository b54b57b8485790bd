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

/// Returns an order of points on a circle in which thick links are short: better than
/// all orders that exchange two points, or with one moved.
///
/// `weight` is the links between two points. Takes at most as many rounds as there are
/// points.
pub(super) fn order(count: usize, weight: &dyn Fn(usize, usize) -> i64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    if count > LARGEST {
        return order;
    }
    let length = |order: &[usize]| -> i64 {
        let mut sum = 0;
        for (place, &a) in order.iter().enumerate() {
            for (other, &b) in order.iter().enumerate().skip(place + 1) {
                let way = (other - place).min(count - (other - place));
                sum += weight(a, b) * i64::try_from(way * way).unwrap_or(0);
            }
        }
        sum
    };
    let mut best = length(&order);
    for _ in 0..count {
        let before = best;
        for from in 0..count {
            for to in 0..count {
                for swap in [true, false] {
                    let mut next = order.clone();
                    if swap {
                        next.swap(from, to);
                    } else {
                        let point = next.remove(from);
                        next.insert(to, point);
                    }
                    let found = length(&next);
                    if found < best {
                        (best, order) = (found, next);
                    }
                }
            }
        }
        if best == before {
            break;
        }
    }
    // The first point at the first place.
    if let Some(first) = order.iter().position(|&point| point == 0) {
        order.rotate_left(first);
    }
    order
}

/// Of more points the order is that of their numbers.
const LARGEST: usize = 16;

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
            assert!((x * x + y * y - 1_000_000).abs() < 2_000, "{number}: {x} {y}");
        }
    }

    #[test]
    fn a_ring_is_drawn_as_a_ring() {
        // 0, 3, 1, 4, 2 and back.
        let weight = |a: usize, b: usize| i64::from((a + 3) % 5 == b || (b + 3) % 5 == a);
        assert_eq!(order(5, &weight), [0, 2, 4, 1, 3]);
    }
}
