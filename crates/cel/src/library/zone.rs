//! Time zones: by name, or by an offset like `-01:30`.
//!
//! Names are those of the tz database that comes with the crate, whatever is
//! installed where it runs.

use jiff::Timestamp;
use jiff::tz::TimeZoneDatabase;

use crate::EvaluationError;
use crate::runtime::invalid;

/// Returns the seconds that a time zone is ahead of UTC at a point in time.
pub(super) fn offset(zone: &str, seconds: i64) -> Result<i64, EvaluationError> {
    match zone.split_once(':') {
        Some((hours, minutes)) => fixed(zone, hours, minutes),
        None => named(zone, seconds),
    }
}

/// Both numbers may have a sign and any size. What is too large for Go's
/// durations wraps around there, too.
fn fixed(zone: &str, hours: &str, minutes: &str) -> Result<i64, EvaluationError> {
    const NANOS: i64 = 1_000_000_000;
    let number = |text: &str| {
        text.parse::<i64>()
            .map_err(|_| invalid(format!("not an offset from UTC: `{zone}`")))
    };
    let (hours, minutes) = (number(hours)?.wrapping_mul(60), number(minutes)?);
    let total = if zone.starts_with('-') {
        hours.wrapping_sub(minutes)
    } else {
        hours.wrapping_add(minutes)
    };
    Ok(total.wrapping_mul(60 * NANOS) / NANOS)
}

/// `Local` is UTC, as where Kubernetes' components usually run.
fn named(zone: &str, seconds: i64) -> Result<i64, EvaluationError> {
    if matches!(zone, "" | "UTC" | "Local") {
        return Ok(0);
    }
    let unknown = || invalid(format!("unknown time zone `{zone}`"));
    let found = TimeZoneDatabase::bundled()
        .get(zone)
        .ok()
        // Names differ by case in Go.
        .filter(|found| found.iana_name() == Some(zone))
        .ok_or_else(unknown)?;
    // The last hours of the year 9999 are out of range; no zone changes in them.
    let seconds = seconds.min(Timestamp::MAX.as_second());
    let time = Timestamp::from_second(seconds).map_err(|_| unknown())?;
    Ok(i64::from(found.to_offset(time).seconds()))
}
