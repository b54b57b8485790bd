//! Durations and points in time.
//!
//! Texts are read and written as Go does: RFC 3339, and `1h30m` for durations.

use super::table::{Function, Overload, Pattern as P};
use super::zone;
use crate::EvaluationError;
use crate::runtime::compare::int_to_double;
use crate::runtime::{Context, Outcome, Timestamp, Value, no_such_overload};

const GETTER: &[Overload] = &[
    Overload::new(&[P::Timestamp], P::Int),
    Overload::new(&[P::Timestamp, P::String], P::Int),
];
const GETTER_OF_BOTH: &[Overload] = &[
    Overload::new(&[P::Timestamp], P::Int),
    Overload::new(&[P::Timestamp, P::String], P::Int),
    Overload::new(&[P::Duration], P::Int),
];

pub(super) static FUNCTIONS: &[Function] = &[
    Function::member("getFullYear", GETTER, full_year),
    Function::member("getMonth", GETTER, month),
    Function::member("getDayOfYear", GETTER, day_of_year),
    Function::member("getDayOfMonth", GETTER, day_of_month),
    Function::member("getDate", GETTER, date),
    Function::member("getDayOfWeek", GETTER, day_of_week),
    Function::member("getHours", GETTER_OF_BOTH, hours),
    Function::member("getMinutes", GETTER_OF_BOTH, minutes),
    Function::member("getSeconds", GETTER_OF_BOTH, seconds),
    Function::member("getMilliseconds", GETTER_OF_BOTH, milliseconds),
];

const NANOS: i64 = 1_000_000_000;
const DAY: i64 = 86_400;

/// Seconds of the years 1 to 9999, the range of timestamps.
const MIN_SECONDS: i64 = -62_135_596_800;
const MAX_SECONDS: i64 = 253_402_300_799;

impl Timestamp {
    /// Returns the point in time, if its year has four digits.
    pub(crate) fn new(seconds: i64, nanos: u32) -> Option<Self> {
        (MIN_SECONDS..=MAX_SECONDS)
            .contains(&seconds)
            .then_some(Self {
                seconds,
                nanos,
                offset: 0,
            })
    }

    /// Returns the point in time some nanoseconds later.
    pub(crate) fn add(self, nanos: i64) -> Option<Self> {
        let total = i64::from(self.nanos) + nanos.rem_euclid(NANOS);
        let seconds = self
            .seconds
            .checked_add(nanos.div_euclid(NANOS))?
            .checked_add(total / NANOS)?;
        let moved = Self::new(seconds, u32::try_from(total % NANOS).ok()?)?;
        Some(Self {
            offset: self.offset,
            ..moved
        })
    }

    /// Returns the nanoseconds since another point in time.
    pub(crate) fn since(self, other: Self) -> Option<i64> {
        let seconds = self.seconds.checked_sub(other.seconds)?;
        let nanos = i64::from(self.nanos) - i64::from(other.nanos);
        seconds.checked_mul(NANOS)?.checked_add(nanos)
    }

    /// Whether it is the first second of year 1, the zero time of Go.
    pub(crate) fn is_go_zero(self) -> bool {
        self.seconds == MIN_SECONDS && self.nanos == 0
    }
}

/// A calendar day and a time of day.
struct Civil {
    year: i64,
    /// 1 to 12.
    month: i64,
    /// 1 to 31.
    day: i64,
    /// From 0, in the year.
    day_of_year: i64,
    /// From 0, Sunday.
    day_of_week: i64,
    second_of_day: i64,
}

/// Days from the start of 1970 to a day of the proleptic Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years that start in March put the leap day last.
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let year_of_era = shifted.rem_euclid(400);
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn civil(seconds: i64) -> Civil {
    let day_number = seconds.div_euclid(DAY);
    let shifted = day_number + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_from_march = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_from_march + 2) / 153;
    let day = day_from_march - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    Civil {
        year,
        month,
        day,
        day_of_year: day_number - days(year, 1, 1),
        day_of_week: (day_number + 4).rem_euclid(7),
        second_of_day: seconds.rem_euclid(DAY),
    }
}

/// Reads a number of exactly `width` digits and returns the rest.
fn digits(text: &str, width: usize) -> Option<(i64, &str)> {
    let head = text.get(..width)?;
    if !head.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((head.parse().ok()?, &text[width..]))
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Whether the text is a day like `2024-02-29`.
pub(super) fn is_date(text: &str) -> bool {
    parse_date(text).is_some_and(|(_, _, _, rest)| rest.is_empty())
}

/// Reads year, month and day, which fit together, and returns the rest.
fn parse_date(text: &str) -> Option<(i64, i64, i64, &str)> {
    let (year, rest) = digits(text, 4)?;
    let (month, rest) = digits(rest.strip_prefix('-')?, 2)?;
    let (day, rest) = digits(rest.strip_prefix('-')?, 2)?;
    let valid = (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day);
    valid.then_some((year, month, day, rest))
}

/// Reads an RFC 3339 timestamp.
pub(super) fn parse_timestamp(text: &str) -> Option<Timestamp> {
    let (year, month, day, rest) = parse_date(text)?;
    let rest = rest.strip_prefix('T')?;
    // Go takes hours of one digit.
    let (hour, rest) = digits(rest, 2).or_else(|| digits(rest, 1))?;
    let (minute, rest) = digits(rest.strip_prefix(':')?, 2)?;
    let (second, rest) = digits(rest.strip_prefix(':')?, 2)?;
    let (nanos, rest) = fraction(rest)?;
    let offset = zone(rest)?;
    if hour >= 24 || minute >= 60 || second >= 60 {
        return None;
    }
    let seconds = days(year, month, day) * DAY + hour * 3600 + minute * 60 + second - offset;
    let time = Timestamp::new(seconds, nanos)?;
    Some(Timestamp { offset, ..time })
}

/// Reads a fraction of a second, if there is one; digits beyond nine are dropped.
fn fraction(text: &str) -> Option<(u32, &str)> {
    let Some(rest) = text.strip_prefix(['.', ',']) else {
        return Some((0, text));
    };
    let length = rest.bytes().take_while(u8::is_ascii_digit).count();
    if length == 0 {
        return None;
    }
    let (digits, rest) = rest.split_at(length);
    let nanos: String = digits.chars().chain("000000000".chars()).take(9).collect();
    Some((nanos.parse().ok()?, rest))
}

/// Reads `Z` or an offset from UTC in seconds.
fn zone(text: &str) -> Option<i64> {
    if text == "Z" {
        return Some(0);
    }
    let (sign, rest) = match (text.strip_prefix('+'), text.strip_prefix('-')) {
        (Some(rest), _) => (1, rest),
        (_, Some(rest)) => (-1, rest),
        _ => return None,
    };
    let (hours, rest) = digits(rest, 2)?;
    let (minutes, rest) = digits(rest.strip_prefix(':')?, 2)?;
    // As in Go, one hour and one minute more than there are.
    (rest.is_empty() && hours <= 24 && minutes <= 60).then_some(sign * (hours * 60 + minutes) * 60)
}

/// Writes an RFC 3339 timestamp with the offset it was read with.
pub(super) fn format_timestamp(time: Timestamp) -> String {
    let civil = civil(time.seconds + time.offset);
    let second = civil.second_of_day;
    let mut text = format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
        civil.year,
        civil.month,
        civil.day,
        second / 3600,
        second / 60 % 60,
        second % 60
    );
    if time.nanos > 0 {
        let fraction = format!(".{:09}", time.nanos);
        text.push_str(fraction.trim_end_matches('0'));
    }
    if time.offset == 0 {
        text.push('Z');
        return text;
    }
    let sign = if time.offset < 0 { '-' } else { '+' };
    let minutes = time.offset.abs() / 60;
    let hours = minutes / 60;
    format!("{text}{sign}{hours:02}:{:02}", minutes % 60)
}

/// Reads a duration like `1h15m30.5s` into nanoseconds.
pub(super) fn parse_duration(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: i128 = 0;
    while !rest.is_empty() {
        let (nanos, others) = duration_part(rest)?;
        total = total.checked_add(nanos)?;
        rest = others;
    }
    i64::try_from(if negative { -total } else { total }).ok()
}

/// Reads one number with its unit.
fn duration_part(text: &str) -> Option<(i128, &str)> {
    let number = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (whole, rest) = text.split_at(number(text));
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(number(rest)),
        None => ("", rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let unit_length = rest
        .find(|character: char| character == '.' || character.is_ascii_digit())
        .unwrap_or(rest.len());
    let (unit, rest) = rest.split_at(unit_length);
    let unit: i128 = match unit {
        "ns" => 1,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    };
    let whole: i128 = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let mut nanos = whole.checked_mul(unit)?;
    let digits: String = fraction.chars().take(18).collect();
    if let Ok(length) = u32::try_from(digits.len())
        && length > 0
    {
        let value: i128 = digits.parse().ok()?;
        nanos = nanos.checked_add(value * unit / 10_i128.pow(length))?;
    }
    Some((nanos, rest))
}

/// Writes a duration in seconds, `90.5s`: as many digits as a double has.
pub(super) fn format_duration(nanos: i64) -> String {
    let whole = int_to_double(nanos / NANOS);
    let rest = int_to_double(nanos % NANOS);
    format!("{}s", whole + rest / 1e9)
}

/// The local time that a getter looks at; UTC if no time zone is given.
fn local(arguments: &[Value<'_>]) -> Result<(Civil, u32), EvaluationError> {
    let (time, offset) = match arguments {
        [Value::Timestamp(time)] => (time, 0),
        [Value::Timestamp(time), Value::String(zone)] => (time, zone::offset(zone, time.seconds)?),
        _ => return Err(no_such_overload()),
    };
    Ok((civil(time.seconds + offset), time.nanos))
}

fn getter<'a>(arguments: &[Value<'a>], field: impl Fn(&Civil) -> i64) -> Outcome<'a> {
    let (civil, _) = local(arguments)?;
    Ok(Value::Int(field(&civil)))
}

fn full_year<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    getter(arguments, |civil| civil.year)
}

fn month<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    getter(arguments, |civil| civil.month - 1)
}

fn day_of_year<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    getter(arguments, |civil| civil.day_of_year)
}

fn day_of_month<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    getter(arguments, |civil| civil.day - 1)
}

fn date<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    getter(arguments, |civil| civil.day)
}

fn day_of_week<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    getter(arguments, |civil| civil.day_of_week)
}

/// A part of a timestamp's time of day, or the whole of a duration in that unit.
fn clock<'a>(arguments: &[Value<'a>], unit: i64, field: impl Fn(&Civil) -> i64) -> Outcome<'a> {
    match arguments {
        [Value::Duration(nanos)] => Ok(Value::Int(nanos / unit)),
        _ => getter(arguments, field),
    }
}

fn hours<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    clock(arguments, 3600 * NANOS, |civil| civil.second_of_day / 3600)
}

fn minutes<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    clock(arguments, 60 * NANOS, |civil| civil.second_of_day / 60 % 60)
}

fn seconds<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    clock(arguments, NANOS, |civil| civil.second_of_day % 60)
}

fn milliseconds<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    if let [Value::Duration(nanos)] = arguments {
        return Ok(Value::Int(nanos / 1_000_000));
    }
    let (_, nanos) = local(arguments)?;
    Ok(Value::Int(i64::from(nanos / 1_000_000)))
}
