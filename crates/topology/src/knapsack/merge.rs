//! Best values of domains side by side.

use crate::watch::Watch;

/// No set of that number. Two of them can be added; nothing else comes near.
pub(super) const NONE: i64 = -(1 << 61);

/// The least that is no `NONE`.
const LEAST: i64 = -(1 << 60);

/// Returns the best values of two domains together, from a number of devices up to
/// another; fewer count as none.
pub(super) fn merge<W: Watch>(
    (a, b): (&[i64], &[i64]),
    (fewest, most): (usize, usize),
    watch: &mut W,
) -> Result<Vec<i64>, W::Stop> {
    let len = (a.len() + b.len()).saturating_sub(1).min(most + 1);
    let mut merged = vec![NONE; len];
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    for (first, &of_short) in short.iter().enumerate().take(len) {
        let from = fewest.saturating_sub(first);
        let (Some(entries), Some(long)) = (merged.get_mut(first + from..), long.get(from..)) else {
            continue;
        };
        watch.steps(long.len().min(entries.len()) as u64)?;
        for (entry, &of_long) in entries.iter_mut().zip(long) {
            // Both are above `2 NONE` and below 2^61.
            *entry = (*entry).max(of_short.wrapping_add(of_long));
        }
    }
    for entry in &mut merged {
        if *entry < LEAST {
            *entry = NONE;
        }
    }
    Ok(merged)
}

/// Returns the best values of all tables behind each of some, from the last on, where all
/// together give so many: only numbers that the tables before can make up for.
pub(super) fn behind<W: Watch>(
    tables: &[&[i64]],
    count: usize,
    watch: &mut W,
) -> Result<Vec<Vec<i64>>, W::Stop> {
    let most = |table: &&[i64]| table.len().saturating_sub(1);
    let mut before: usize = tables.iter().map(most).sum();
    let mut behind: Vec<Vec<i64>> = vec![vec![0]];
    for table in tables.iter().skip(1).rev() {
        before = before.saturating_sub(most(table));
        let last = behind.last().map_or(&[][..], Vec::as_slice);
        let counts = (count.saturating_sub(before), count);
        behind.push(merge((table, last), counts, watch)?);
    }
    Ok(behind)
}
