//! The CEL of Kubernetes device selectors.
//!
//! An expression goes through stages: it is parsed, type checked against
//! the environment of Kubernetes' dynamic resource allocation, lowered to a
//! [`Program`] that knows which attributes it reads ([`Reads`]), and evaluated
//! on one device at a time behind the [`Row`] trait. Outcomes, errors and
//! runtime costs are those of Kubernetes 1.34 to 1.37, whichever
//! [`Options::kubernetes_minor`] says. Expressions count as stored; of those
//! that are being written an API server takes less, as
//! [`Options::new_expression`] does. The crate knows no claims.
//!
//! The few places where an answer can differ from that of Kubernetes are listed
//! in the project's COMPATIBILITY.md: exotic literals of messages, local times
//! before 1970, the random order of Kubernetes' maps, and limits on memory and
//! comparisons, which Kubernetes lacks.
//!
//! ```
//! use dralloc_cel::{Device, Options, Program, Scratch, Value, Verdict};
//!
//! # fn main() -> Result<(), dralloc_cel::CompileError> {
//! let selector = r#"device.attributes["gpu.example.com"].index > 2"#;
//! let program = Program::compile(selector, &Options::selector())?;
//! let mut device = Device::new("gpu.example.com");
//! device.set_attribute("index", Value::Int(3));
//! assert_eq!(program.matches(&device, &mut Scratch::new()), Verdict::Match);
//! # Ok(())
//! # }
//! ```

mod check;
mod error;
mod estimate;
mod library;
mod nearest;
mod options;
mod presence;
mod program;
mod row;
mod runtime;
mod semver;
mod stack;
mod syntax;
mod value;

pub use error::{CompileError, ErrorKind, EvaluationError};
pub use estimate::estimate_cost;
pub use nearest::nearest;
pub use options::{Dialect, Options, Output};
pub use presence::{UnguardedRead, unguarded_reads};
pub use program::{Program, Scratch, Verdict};
pub use row::{Attribute, Device, Kind, Reads, Row, Slot, Texts};
pub use semver::{Semver, SemverError};
pub use value::Value;

pub use dralloc_quantity::Quantity;

#[doc(hidden)]
pub use syntax::{Outline, outline};

/// The example of README.md, compiled and run as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
