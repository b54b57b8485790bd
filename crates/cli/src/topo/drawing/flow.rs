//! Drawings in rows and columns.

use super::shape::Drawing;

/// Returns drawings beside each other, in as many rows as it takes to be no wider than
/// `most`; the rows are aligned at their top.
pub(super) fn rows(parts: Vec<Drawing>, gap: i64, most: i64) -> Drawing {
    let mut all = Drawing::default();
    let (mut x, mut y) = (0, 0);
    for part in parts {
        if x > 0 && x + part.width > most {
            x = 0;
            y = all.height + gap;
        }
        let width = part.width;
        all.place(part, x, y);
        x += width + gap;
    }
    all
}

/// Returns drawings below each other, each in the middle.
pub(super) fn column(parts: Vec<Drawing>, gap: i64) -> Drawing {
    let widest = parts.iter().map(|part| part.width).max().unwrap_or(0);
    let mut all = Drawing::default();
    let mut y = 0;
    for part in parts {
        let (x, height) = ((widest - part.width) / 2, part.height);
        all.place(part, x, y);
        y += height + gap;
    }
    all
}

/// Returns drawings in a grid of cells of equal size, each in the middle of its cell.
pub(super) fn grid(parts: Vec<Drawing>, gap: i64, columns: usize) -> Drawing {
    let width = parts.iter().map(|part| part.width).max().unwrap_or(0);
    let height = parts.iter().map(|part| part.height).max().unwrap_or(0);
    let mut all = Drawing::default();
    let columns = i64::try_from(columns.max(1)).unwrap_or(1);
    for (number, part) in (0_i64..).zip(parts) {
        let (column, row) = (number % columns, number / columns);
        let x = column * (width + gap) + (width - part.width) / 2;
        let y = row * (height + gap) + (height - part.height) / 2;
        all.place(part, x, y);
    }
    all
}
