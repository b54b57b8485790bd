//! The best set of devices: what is asked, and what is answered.

mod choice;
mod criterion;
mod question;
mod selector;
mod term;

pub use choice::{Choice, Method};
pub use criterion::Criterion;
pub use question::Question;
pub use selector::Selector;
pub use term::Term;
