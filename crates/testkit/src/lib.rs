//! What the tests of dralloc share: cases, a generator of them, and an oracle.

pub mod case;
pub mod cluster;
pub mod compare;
pub mod generate;
pub mod heap;
pub mod oracle;
pub mod partitions;
pub mod selectors;
