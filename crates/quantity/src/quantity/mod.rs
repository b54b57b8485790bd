//! A number with its Kubernetes dress.

mod arithmetic;
mod canonical;
mod representation;
mod serde;
mod text;

pub(crate) use representation::Representation;

use crate::amount::Amount;
use crate::error::ParseError;
use crate::format::Format;
use crate::parse;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use text::Text;

/// Holds a Kubernetes quantity: an exact [`Amount`], the [`Format`] it prints
/// in and the text it was read from.
///
/// Comparison and hashing go by value alone: `1Ki` equals `1024`.
#[derive(Clone, Debug, Default)]
pub struct Quantity {
    amount: Amount,
    /// The text as read.
    text: Option<Text>,
    representation: Representation,
    format: Format,
}

impl Quantity {
    /// Returns a quantity of that amount, not read from any text.
    pub fn new(amount: Amount, format: Format) -> Self {
        let representation = Representation::of(&amount);
        Self {
            amount,
            text: None,
            representation,
            format,
        }
    }

    /// Returns a quantity of that many whole units, printed with decimal
    /// suffixes.
    pub fn from_units(units: i64) -> Self {
        Self::new(Amount::from_units(units), Format::DecimalSI)
    }

    /// Reads a quantity as Kubernetes' `ParseQuantity` does.
    ///
    /// Fractions of a nano unit round away from zero, and quantities with a
    /// binary suffix are capped at 2^63-1 in magnitude. Surrounding white
    /// space is an error here; only decoded documents may have it.
    ///
    /// # Errors
    ///
    /// The kinds of [`ParseErrorKind`](crate::ParseErrorKind). Unlike
    /// Kubernetes, texts over [`MAX_TEXT_LENGTH`](crate::MAX_TEXT_LENGTH)
    /// bytes and magnitudes from 10^[`MAX_MAGNITUDE`](crate::MAX_MAGNITUDE)
    /// are errors too.
    ///
    /// ```
    /// use dralloc_quantity::{ParseErrorKind, Quantity};
    ///
    /// # fn main() -> Result<(), dralloc_quantity::ParseError> {
    /// assert_eq!(Quantity::parse("1Ki")?, Quantity::from_units(1024));
    /// let error = Quantity::parse("1Kib").map_err(|error| error.kind());
    /// assert_eq!(error, Err(ParseErrorKind::Malformed));
    /// # Ok(())
    /// # }
    /// ```
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let parsed = parse::parse(text)?;
        Ok(Self {
            amount: parsed.amount,
            text: Some(text.into()),
            representation: parsed.representation,
            format: parsed.format,
        })
    }

    /// Returns the number.
    pub fn amount(&self) -> &Amount {
        &self.amount
    }

    /// Returns the number and drops the rest.
    pub fn into_amount(self) -> Amount {
        self.amount
    }

    /// Returns the format the canonical form uses.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the text the quantity was read from, if it was read.
    pub fn text(&self) -> Option<&str> {
        self.text.as_ref().map(Text::as_str)
    }

    /// Returns Kubernetes' canonical form, whatever text was read.
    ///
    /// It has no fraction, and the largest suffix or exponent that needs
    /// none. Kubernetes prints some values as another number, or so that
    /// they read back as another: decimal ones of 10^21 and more that no
    /// suffix fits, and binary ones over 2^63-1. These print as plain digits
    /// here.
    pub fn canonical(&self) -> String {
        canonical::canonical(&self.amount, self.format)
    }

    /// Returns the quantity as it comes back from a Kubernetes API server,
    /// which stores quantities as text.
    ///
    /// The value stays; what may change is [`Quantity::text`],
    /// [`Quantity::as_integer`] and the last bit of
    /// [`Quantity::as_approximate_float`]: `1000m` comes back as `1`.
    #[must_use]
    pub fn as_stored(&self) -> Self {
        if self.text().is_some_and(parse::is_kept) {
            return self.clone();
        }
        match Self::parse(&self.canonical()) {
            Ok(stored) if stored.amount == self.amount => stored,
            _ => self.clone(),
        }
    }

    /// Returns -1, 0 or 1: the sign.
    pub fn sign(&self) -> i32 {
        self.amount.sign()
    }

    /// Returns the whole units as Kubernetes' `AsInt64` does.
    ///
    /// `None` if they do not fit, but also if the quantity was read with
    /// decimal places or a fractional suffix, even where the value is whole:
    /// `1.0`, `1000m` and `1.5Ki` are no integers. Use
    /// [`Amount::exact_units`] to go by value.
    pub fn as_integer(&self) -> Option<i64> {
        if self.representation.is_decimal() || self.representation.exponent() < 0 {
            return None;
        }
        i64::try_from(self.amount.exact_units()?).ok()
    }

    /// Returns whether [`Quantity::as_integer`] has an answer.
    pub fn is_integer(&self) -> bool {
        self.as_integer().is_some()
    }

    /// Returns the nearest float or one close to it, bit for bit what
    /// Kubernetes' `AsApproximateFloat64` returns.
    ///
    /// Infinite beyond the range of floats. For Kubernetes' CEL function of
    /// that name only; nothing else should look at floats.
    pub fn as_approximate_float(&self) -> f64 {
        self.representation.approximate_float(&self.amount)
    }
}

impl FromStr for Quantity {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

/// Prints the text the quantity was read from, else the canonical form.
impl fmt::Display for Quantity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => formatter.pad(text.as_str()),
            None => formatter.pad(&self.canonical()),
        }
    }
}

impl Quantity {
    /// Returns whether another quantity is equal and prints in the same way, too.
    ///
    /// ```
    /// use dralloc_quantity::Quantity;
    ///
    /// # fn main() -> Result<(), dralloc_quantity::ParseError> {
    /// let (one, other) = (Quantity::parse("1Ki")?, Quantity::parse("1024")?);
    /// assert_eq!(one, other);
    /// assert!(!one.is_written_like(&other));
    /// # Ok(())
    /// # }
    /// ```
    pub fn is_written_like(&self, other: &Self) -> bool {
        self.amount == other.amount
            && self.text == other.text
            && self.format == other.format
            && self.representation == other.representation
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.amount == other.amount
    }
}

impl Eq for Quantity {}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.amount.cmp(&other.amount)
    }
}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Quantity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.amount.hash(state);
    }
}

impl From<Amount> for Quantity {
    fn from(amount: Amount) -> Self {
        Self::new(amount, Format::DecimalSI)
    }
}
