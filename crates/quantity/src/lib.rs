//! Kubernetes quantities, exact and compared by value.
//!
//! [`Amount`] is the bare number, a whole count of nano units of any size.
//! [`Quantity`] adds what Kubernetes remembers beside it: the [`Format`] it
//! prints in and the text it was read from.
//!
//! The rules are those of `k8s.io/apimachinery/pkg/api/resource`, v0.37. Where
//! this crate differs on purpose, the item says so; in short: arithmetic never
//! wraps, values that Kubernetes prints as another number print as plain
//! digits, and texts longer than [`MAX_TEXT_LENGTH`] or magnitudes of
//! 10^[`MAX_MAGNITUDE`] and more are errors.
//!
//! ```
//! use dralloc_quantity::{Amount, Quantity};
//!
//! # fn main() -> Result<(), dralloc_quantity::ParseError> {
//! let memory = Quantity::parse("1.5Gi")?;
//! assert_eq!(memory.to_string(), "1.5Gi");
//! assert_eq!(memory.canonical(), "1536Mi");
//! assert_eq!(memory.amount(), &Amount::from_units(1_610_612_736));
//! assert_eq!(memory, Quantity::parse("1610612736")?);
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod amount;
mod error;
mod format;
mod parse;
mod quantity;

pub use amount::Amount;
pub use error::{ParseError, ParseErrorKind};
pub use format::Format;
pub use parse::{MAX_MAGNITUDE, MAX_TEXT_LENGTH};
pub use quantity::Quantity;
