//! [`seconds_of`]: times as numbers.

/// Returns the seconds from the epoch to a time in RFC 3339, rounded up; nothing
/// for another text.
pub(crate) fn seconds_of(text: &str) -> Option<i64> {
    let number = |place: usize, length: usize| -> Option<i64> {
        let digits = text.get(place..place + length)?;
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| is_number)
    };
    let (year, month, day) = (number(0, 4)?, number(5, 2)?, number(8, 2)?);
    let (hours, minutes, seconds) = (number(11, 2)?, number(14, 2)?, number(17, 2)?);
    let rest = text.get(19..)?;
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(fraction) => {
            let end = fraction.find(|digit: char| !digit.is_ascii_digit())?;
            fraction.split_at(end)
        }
        None => ("", rest),
    };
    let is_more = fraction.bytes().any(|digit| digit != b'0');
    let offset = match rest.as_bytes().first() {
        Some(b'Z') => 0,
        Some(sign @ (b'+' | b'-')) => {
            let place = text.len() - rest.len();
            let offset = (number(place + 1, 2)? * 60 + number(place + 4, 2)?) * 60;
            if *sign == b'-' { -offset } else { offset }
        }
        _ => return None,
    };
    if !(1..=12).contains(&month) {
        return None;
    }
    // Years begin in March, so that the day that some have more is their last.
    let since_march = (month + 9) % 12;
    let year = year - i64::from(month < 3);
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let before_epoch = 719_468;
    let days = 365 * year + leap_days + (153 * since_march + 2) / 5 + day - 1 - before_epoch;
    Some(days * 86_400 + hours * 3600 + minutes * 60 + seconds + i64::from(is_more) - offset)
}

#[cfg(test)]
mod tests {
    use super::seconds_of;

    #[test]
    fn times_are_seconds_from_the_epoch() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01T01:00:00+01:00", 0),
            ("1969-12-31T23:59:59Z", -1),
            ("2000-02-29T12:34:56.000Z", 951_827_696),
            ("2000-02-29T12:34:56.000000001Z", 951_827_697),
            ("2000-03-01T00:00:00Z", 951_868_800),
            ("2026-01-31T12:00:00-05:30", 1_769_880_600),
            ("0000-01-01T00:00:00Z", -62_167_219_200),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
        ] {
            assert_eq!(seconds_of(text), Some(seconds), "{text}");
        }
        for text in [
            "",
            "yesterday",
            "2026-01-31",
            "2026-01-31T12:00:00",
            "2026-13-31T12:00:00Z",
            "2026-01-31T12:00:00+",
            "\u{e9}026-01-31T12:00:00Z",
        ] {
            assert_eq!(seconds_of(text), None, "{text}");
        }
    }
}
