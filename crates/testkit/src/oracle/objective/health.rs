//! What went wrong with a device, as a number.

use dralloc::model::{DeviceAttribute, DeviceHealth};

use super::published;
use crate::oracle::world::Offer;

/// Penalty of a failure of weight one that has just happened.
const FAILURE: i128 = 1_000;

/// Penalty of a device at most.
const MOST: i128 = 1_000_000;

/// Nanoseconds after which a failure counts half: a day.
const HALF_LIFE: i128 = 24 * 3_600 * 1_000_000_000;

/// Returns the penalty of a device on a node, by all that is said of it.
pub(super) fn penalty(
    healths: &[DeviceHealth],
    now: Option<i64>,
    node: &str,
    offer: &Offer<'_>,
) -> i128 {
    let mut penalty = 0;
    for health in healths.iter().filter(|it| is_of(it, node, offer)) {
        for failure in &health.spec.failures {
            let mut own = FAILURE * i128::from(failure.weight.unwrap_or(1));
            let elapsed = match (now, nanoseconds(&failure.time)) {
                (Some(now), Some(then)) => i128::from(now) * 1_000_000_000 - then,
                _ => 0,
            };
            let mut left = elapsed;
            while left >= HALF_LIFE && own > 0 {
                own /= 2;
                left -= HALF_LIFE;
            }
            penalty += own;
        }
    }
    penalty.min(MOST)
}

fn is_of(health: &DeviceHealth, node: &str, offer: &Offer<'_>) -> bool {
    let spec = &health.spec;
    if let Some(device) = &spec.device {
        return *device == offer.id;
    }
    let is_here = spec.node_name.as_ref().is_none_or(|name| **name == *node);
    is_here
        && spec.matches.as_ref().is_some_and(|matches| {
            published(offer, &matches.attribute)
                == Some(&DeviceAttribute::String(matches.value.clone()))
        })
}

/// Returns the nanoseconds since 1970 of a time in RFC 3339.
fn nanoseconds(text: &str) -> Option<i128> {
    let number = |text: &str| text.parse::<i128>().ok();
    let (date, rest) = text.split_at_checked(10)?;
    let (clock, rest) = rest.get(1..)?.split_at_checked(8)?;
    let zone = rest.find(['Z', 'z', '+', '-'])?;
    let (fraction, zone) = rest.split_at(zone);
    let nanoseconds = match fraction.strip_prefix('.') {
        Some(digits) => number(&format!("{digits:0<9}")[..9])?,
        None => 0,
    };
    let mut date = date.split('-').map(number);
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let mut clock = clock.split(':').map(number);
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    let offset = match zone.split_at_checked(1)? {
        (sign @ ("+" | "-"), zone) => {
            let (hours, minutes) = zone.split_once(':')?;
            let offset = number(hours)? * 60 + number(minutes)?;
            if sign == "+" { offset } else { -offset }
        }
        _ => 0,
    };
    let minutes = (days(year, month, day) * 24 + hour) * 60 + minute - offset;
    Some((minutes * 60 + second) * 1_000_000_000 + nanoseconds)
}

/// Counts the days since 1970, year by year and month by month.
fn days(year: i128, month: i128, day: i128) -> i128 {
    let is_leap = |year: i128| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = |month: i128| match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let of_years: i128 = (1970..year).map(|it| 365 + i128::from(is_leap(it))).sum();
    let before: i128 = (year..1970).map(|it| 365 + i128::from(is_leap(it))).sum();
    of_years - before + (1..month).map(length).sum::<i128>() + day - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_count_from_1970() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2026-01-31T12:00:00Z", 1_769_860_800),
            ("2024-03-01T00:30:00+01:30", 1_709_247_600),
            ("1969-12-31T23:59:59Z", -1),
        ] {
            assert_eq!(nanoseconds(text), Some(seconds * 1_000_000_000), "{text}");
        }
        assert_eq!(nanoseconds("1970-01-01T00:00:01.25Z"), Some(1_250_000_000));
    }
}
