//! [`Matrix`]: the devices and the cells of a text.

use super::cell::Cell;
use crate::text::Position;

/// How many devices a matrix may have.
pub(super) const MAX_DEVICES: usize = 1024;

/// Is a device of the header.
#[derive(Clone, Debug)]
pub(super) struct Device<'t> {
    /// What the tool calls it, such as `GPU0`, `NIC0` or `mlx5_0`.
    pub(super) name: &'t str,
    pub(super) is_gpu: bool,
    pub(super) position: Position,
    /// The NUMA node of the processors that are near it.
    pub(super) numa_node: Option<i64>,
    /// What the legend of NICs calls it.
    pub(super) title: Option<&'t str>,
}

impl Device<'_> {
    /// Returns the id of its vertex.
    pub(super) fn id(&self) -> String {
        self.name.to_lowercase()
    }
}

/// Is what a text says.
#[derive(Clone, Debug)]
pub(super) struct Matrix<'t> {
    /// The devices in the order of the header.
    pub(super) devices: Vec<Device<'t>>,
    /// The row of each device; none for a NIC whose row is not there.
    pub(super) rows: Vec<Option<Vec<Cell>>>,
}

impl Matrix<'_> {
    /// Returns a cell.
    pub(super) fn cell(&self, row: usize, column: usize) -> Option<Cell> {
        self.rows.get(row)?.as_ref()?.get(column).copied()
    }
}
