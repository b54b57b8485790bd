//! Arithmetic in one line.

use std::fmt::{self, Display};

use super::Arithmetic;
use crate::model::Quantity;

/// Counts things, such as `1 device` or `4 devices`.
struct Counted(usize, &'static str);

impl Display for Counted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, noun) = self;
        let plural = if *count == 1 { "" } else { "s" };
        write!(formatter, "{count} {noun}{plural}")
    }
}

/// Prints an amount as a decimal number, such as `62.5`, or as it is if it is beyond those.
struct Decimal<'a>(&'a Quantity);

impl Display for Decimal<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNIT: u128 = 1_000_000_000;
        let nanos = self.0.amount().as_nanos();
        let Some(nanos) = nanos.and_then(|nanos| u128::try_from(nanos).ok()) else {
            return self.0.fmt(formatter);
        };
        let text = format!("{}.{:09}", nanos / UNIT, nanos % UNIT);
        formatter.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl Arithmetic {
    /// Returns what there would be after a release, such as ``it would have 4``; nothing
    /// where that is too little, so that the release helps in another way.
    pub(crate) fn after_release(&self) -> Option<String> {
        match self {
            Self::Count {
                needed,
                after_release,
                ..
            } => {
                let count = after_release.filter(|count| count >= needed);
                count.map(|count| format!("{count} could serve"))
            }
            Self::Values {
                needed,
                after_release,
                ..
            } => {
                let count = after_release.filter(|count| count >= needed);
                count.map(|count| format!("it would have {count}"))
            }
            Self::Distinct {
                needed,
                after_release,
                ..
            } => {
                let count = after_release.filter(|count| count >= needed);
                count.map(|count| format!("{count} would be free"))
            }
            Self::Counters {
                needed,
                after_release,
                ..
            }
            | Self::Capacities {
                needed,
                after_release,
                ..
            } => {
                let left = after_release.as_ref().filter(|left| *left >= needed);
                left.map(|left| format!("{left} would be left"))
            }
            Self::Rings {
                needed,
                after_release,
                ..
            } => {
                let rate = after_release.as_ref().filter(|rate| *rate >= needed);
                rate.map(|rate| format!("the best rings would have {} GB/s", Decimal(rate)))
            }
            Self::AtOnce { .. } => None,
        }
    }
}

/// Prints what is needed and what there is, such as
/// ``4 requests need `example.com/numa` equal; the largest free group has 3``. The
/// alternate form is for where nothing is held, so that all is free.
impl Display for Arithmetic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_empty = formatter.alternate();
        let free = if is_empty { "" } else { "free " };
        match self {
            Self::Count {
                alternative,
                needed,
                available,
                ..
            } => {
                if let Some(alternative) = alternative {
                    write!(formatter, "`{alternative}`: ")?;
                }
                let needed = Counted(*needed, "device");
                write!(formatter, "{needed} needed, {available} can serve")
            }
            Self::Values {
                attribute,
                requests,
                needed,
                available,
                ..
            } => {
                let (subject, verb) = match (*requests, *needed) {
                    (1, 1) => (Counted(1, "device"), "needs"),
                    (requests, needed) if requests == needed => {
                        (Counted(requests, "request"), "need")
                    }
                    (_, needed) => (Counted(needed, "device"), "need"),
                };
                write!(
                    formatter,
                    "{subject} {verb} `{attribute}` equal; the largest {free}group has {available}"
                )
            }
            Self::Distinct {
                attribute,
                needed,
                available,
                ..
            } => {
                let (needed, values) = (Counted(*needed, "device"), Counted(*available, "value"));
                let are = if *available == 1 { "is" } else { "are" };
                let are_free = if is_empty { "" } else { " free" };
                write!(
                    formatter,
                    "{needed} need `{attribute}` different; there {are} {values}{are_free}"
                )
            }
            Self::Counters {
                device,
                counter_set,
                counter,
                needed,
                left,
                ..
            } => {
                let of_set = counter_set.as_ref().map(|set| format!(" of set `{set}`"));
                let of_set = of_set.unwrap_or_default();
                let what = format!("counter `{counter}`{of_set}");
                write_amounts(formatter, device.as_ref(), &what, needed, left)
            }
            Self::Capacities {
                device,
                capacity,
                needed,
                left,
                ..
            } => {
                let what = format!("capacity `{capacity}`");
                write_amounts(formatter, device.as_ref(), &what, needed, left)
            }
            Self::Rings {
                devices,
                needed,
                available,
                ..
            } => write_rings(formatter, *devices, needed, available),
            Self::AtOnce {
                attributes,
                needed,
                available,
            } => {
                let needed = Counted(*needed, "device");
                write!(formatter, "{needed} needed, {available} can be had at once")?;
                for (place, attribute) in attributes.iter().enumerate() {
                    let before = if place == 0 { " with" } else { " and" };
                    write!(formatter, "{before} `{attribute}`")?;
                }
                if !attributes.is_empty() {
                    formatter.write_str(" as demanded")?;
                }
                Ok(())
            }
        }
    }
}

fn write_rings(
    formatter: &mut fmt::Formatter<'_>,
    devices: usize,
    needed: &Quantity,
    available: &Quantity,
) -> fmt::Result {
    let free = if formatter.alternate() {
        ""
    } else {
        " that are free"
    };
    let devices = Counted(devices, "device");
    let (needed, available) = (Decimal(needed), Decimal(available));
    write!(
        formatter,
        "rings of at least {needed} GB/s needed; the best of {devices}{free} have {available} GB/s"
    )
}

fn write_amounts(
    formatter: &mut fmt::Formatter<'_>,
    device: Option<&impl Display>,
    what: &str,
    needed: &impl Display,
    left: &impl Display,
) -> fmt::Result {
    write!(formatter, "{needed} of {what} needed")?;
    if let Some(device) = device {
        write!(formatter, " on device `{device}`")?;
    }
    write!(formatter, ", {left} left")
}
