//! [`Pairs`]: what the matrix says of two devices, once.

use dralloc_topology::Level;

use super::cell::Cell;
use super::matrix::Matrix;
use crate::error::Warnings;
use crate::text::{Position, quoted};

/// Has the level of each pair, where it is told.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    count: usize,
    /// By the greater number, then the smaller one.
    pairs: Vec<Option<(Level, Position)>>,
}

impl Pairs {
    /// Returns the pairs of a matrix; of two cells that differ the weaker counts.
    pub(super) fn new(matrix: &Matrix<'_>, warnings: &mut Warnings) -> Self {
        let count = matrix.devices.len();
        let mut pairs = Vec::with_capacity(count * count.saturating_sub(1) / 2);
        for (b, second) in matrix.devices.iter().enumerate() {
            for (a, first) in matrix.devices.iter().enumerate().take(b) {
                let told = |cell: Option<Cell>| {
                    let cell = cell?;
                    Some((cell.level?, cell.position))
                };
                let (there, back) = (told(matrix.cell(a, b)), told(matrix.cell(b, a)));
                if let (Some((there, _)), Some((back, position))) = (there, back)
                    && there != back
                {
                    let message = format!(
                        "`{back}` from {} to {}, but `{there}` in the row of the other, the \
                         weaker counts: `{}`",
                        quoted(second.name),
                        quoted(first.name),
                        there.max(back),
                    );
                    warnings.add(position, message);
                }
                let weaker = match (there, back) {
                    (Some(there), Some(back)) if back.0 > there.0 => Some(back),
                    _ => there.or(back),
                };
                if weaker.is_none() && (matrix.cell(a, b).or(matrix.cell(b, a))).is_some() {
                    let cell = matrix.cell(a, b).or(matrix.cell(b, a));
                    let message = format!(
                        "the tool knows no level of {} and {}",
                        quoted(first.name),
                        quoted(second.name),
                    );
                    warnings.add(cell.map_or(second.position, |cell| cell.position), message);
                }
                pairs.push(weaker);
            }
        }
        Self { count, pairs }
    }

    /// Returns the level of two devices and the cell that tells it.
    pub(super) fn get(&self, a: usize, b: usize) -> Option<(Level, Position)> {
        let (a, b) = (a.min(b), a.max(b));
        let row = b * b.saturating_sub(1) / 2;
        if a == b {
            None
        } else {
            self.pairs.get(row + a).copied().flatten()
        }
    }

    /// Returns how many `NVLink`s two devices have.
    pub(super) fn links(&self, a: usize, b: usize) -> Option<u32> {
        match self.get(a, b) {
            Some((Level::NvLink(count), _)) => Some(count),
            _ => None,
        }
    }

    /// Returns the level of two devices over `PCIe`, where it is told.
    pub(super) fn pcie(&self, a: usize, b: usize) -> Option<Level> {
        let (level, _) = self.get(a, b)?;
        (!matches!(level, Level::NvLink(_))).then_some(level)
    }

    /// Returns all pairs, the smaller number first.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let count = self.count;
        (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
    }
}
