//! [`Rate`]: how fast a link is, exactly.

use std::fmt;

use dralloc_quantity::Quantity;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

/// Counts thousandths of GB/s (that is, MB/s) per direction.
///
/// Rates of documents are decimals such as `223.6`; they are whole numbers of this
/// unit, so that sums, minima and comparisons are exact. A finer decimal is refused.
///
/// # Examples
///
/// ```
/// use dralloc_topology::Rate;
///
/// let rate: Rate = serde_json::from_str("223.6")?;
/// assert_eq!(rate, Rate::from_thousandths(223_600));
/// assert_eq!(rate.to_string(), "223.6");
/// assert!(serde_json::from_str::<Rate>("0.0001").is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(u64);

/// The fastest rate that a document may state: a million GB/s.
const LARGEST: u64 = 1_000_000_000;

impl Rate {
    /// Returns the rate of so many thousandths of GB/s.
    pub const fn from_thousandths(thousandths: u64) -> Self {
        Self(thousandths)
    }

    /// Returns the rate in thousandths of GB/s.
    pub const fn thousandths(self) -> u64 {
        self.0
    }

    /// Returns the rate of `count` of `of` bonded links, rounded down.
    pub(crate) fn part(self, count: u32, of: u32) -> Self {
        let share = u128::from(self.0) * u128::from(count) / u128::from(of.max(1));
        Self(u64::try_from(share).unwrap_or(u64::MAX))
    }

    /// Returns the sum, at most the largest number.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

/// Prints GB/s, with as many decimals as it takes.
impl fmt::Display for Rate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 1000, self.0 % 1000);
        if rest == 0 {
            return write!(formatter, "{whole}");
        }
        let decimals = format!("{rest:03}");
        write!(formatter, "{whole}.{}", decimals.trim_end_matches('0'))
    }
}

/// Reads a number or a string, a quantity of GB/s.
impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let quantity = Quantity::deserialize(deserializer)?;
        let nanos = quantity.amount().as_nanos();
        let thousandths = nanos.filter(|nanos| nanos % 1_000_000 == 0);
        let thousandths = thousandths.and_then(|nanos| u64::try_from(nanos / 1_000_000).ok());
        match thousandths {
            Some(rate) if rate <= LARGEST => Ok(Self(rate)),
            _ => Err(de::Error::custom(format!(
                "expected 0 to 1000000 GB/s with at most three decimals, found `{quantity}`"
            ))),
        }
    }
}

/// Writes a number of GB/s; three decimals are well within what such a number tells apart.
impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(1000) {
            return serializer.serialize_u64(self.0 / 1000);
        }
        let rate = self.to_string().parse().map_err(ser::Error::custom)?;
        serializer.serialize_f64(rate)
    }
}
