//! Drawings.

use std::path::Path;

use super::chosen::Marks;
use super::machine::Machine;
use super::places::Places;
use crate::failure::Failure;

/// Draws a machine into a file.
pub(super) fn write(
    _file: &Path,
    _machine: &Machine,
    _places: &Places,
    _marks: &Marks,
    _headline: Option<&str>,
) -> Result<(), Failure> {
    Ok(())
}
