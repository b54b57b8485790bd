//! The CEL of Kubernetes device selectors.
//!
//! An expression goes through four stages: it is parsed, type checked against
//! the environment of Kubernetes' dynamic resource allocation, lowered to a
//! [`Program`] that knows which attributes it reads ([`Reads`]), and evaluated
//! on one device at a time behind the [`Row`] trait. Outcomes, errors and
//! runtime costs are those of Kubernetes 1.34 to 1.37, whichever
//! [`Options::kubernetes_minor`] says. Expressions count as stored; of those
//! that are being written an API server takes less, as
//! [`Options::new_expression`] does. The crate knows no claims.
//!
//! Messages can be written as literals if they wrap a scalar, or are a duration
//! or a timestamp. Others are rejected, though Kubernetes takes them: values of
//! JSON, `google.protobuf.Any` and `Empty`, the type of `device`, and names of
//! messages and their enumerations. URLs whose host or query hides bytes that
//! are no UTF-8 fail where Kubernetes goes on with strings that are no text.
//! Time zones come with the crate; before 1970 they can differ from those that
//! Kubernetes finds where it runs. Loops over maps visit keys in sorted order,
//! where Kubernetes' order is random. Before 1.37, `add` and `sub` of Kubernetes
//! change a quantity beyond 64 bits that they are called on; here they do not.
//! Beyond the limit on cost there are limits on memory and on the work of
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
pub use options::{Dialect, Options, Output};
pub use presence::{UnguardedRead, unguarded_reads};
pub use program::{Program, Scratch, Verdict};
pub use row::{Attribute, Device, Kind, Reads, Row, Slot};
pub use semver::{Semver, SemverError};
pub use value::Value;

#[doc(hidden)]
pub use syntax::{Outline, outline};
