//! How many rings fit: a linear program over all orders of the devices.

use std::collections::BTreeMap;

use super::wide;

/// What a ring takes on its way between two devices; nothing where none leads.
type Uses<'a> = dyn Fn(usize, usize) -> Option<Vec<(usize, usize)>> + 'a;

/// Is an order of devices, with what it takes on the way.
type Order = (Vec<usize>, Vec<(usize, usize)>);

/// Returns the greatest weight of rings through all devices of a set, as a fraction.
///
/// A dense tableau of whole numbers over one denominator, by Bland's rule.
pub(super) fn greatest(
    set: &[usize],
    limits: &BTreeMap<(usize, usize), i128>,
    uses: &Uses<'_>,
) -> (i128, i128) {
    let rows: Vec<(usize, usize)> = limits.keys().copied().collect();
    let rings: Vec<Vec<i128>> = rings(set, uses)
        .into_iter()
        .map(|taken| {
            let times = |row: &(usize, usize)| taken.iter().filter(|one| *one == row).count();
            rows.iter().map(|row| wide(times(row))).collect()
        })
        .collect();
    let (width, height) = (rings.len(), rows.len());
    let unit = limits.values().fold(0, |unit, limit| divisor(unit, *limit));
    let mut tableau: Vec<Vec<i128>> = Vec::new();
    for (row, name) in rows.iter().enumerate() {
        let mut line: Vec<i128> = rings.iter().map(|ring| ring[row]).collect();
        line.extend((0..height).map(|slack| i128::from(slack == row)));
        line.push(limits[name] / unit.max(1));
        tableau.push(line);
    }
    // The last row is what one more of a ring gains.
    let mut gain = vec![1; width];
    gain.resize(width + height + 1, 0);
    tableau.push(gain);
    let mut basis: Vec<usize> = (width..width + height).collect();
    let mut denominator = 1;
    let last = width + height;
    while let Some(entering) = tableau[height][..last].iter().position(|gain| *gain > 0) {
        let open = (0..height).filter(|row| tableau[*row][entering] > 0);
        let leaving = open.reduce(|best, row| {
            let (one, other) = (&tableau[best], &tableau[row]);
            let (left, right) = (one[last] * other[entering], other[last] * one[entering]);
            if (right, basis[row]) < (left, basis[best]) {
                row
            } else {
                best
            }
        });
        // There is always one: no ring takes nothing.
        let Some(leaving) = leaving else {
            break;
        };
        let pivot = tableau[leaving].clone();
        for (row, line) in tableau.iter_mut().enumerate() {
            let factor = line[entering];
            if row != leaving {
                for (value, of_pivot) in line.iter_mut().zip(&pivot) {
                    *value = (*value * pivot[entering] - factor * of_pivot) / denominator;
                }
            }
        }
        denominator = pivot[entering];
        basis[leaving] = entering;
    }
    (-tableau[height][last] * unit, denominator)
}

fn divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// Returns what each ring through all devices takes.
fn rings(set: &[usize], uses: &Uses<'_>) -> Vec<Vec<(usize, usize)>> {
    let mut orders: Vec<Order> = vec![(vec![set[0]], Vec::new())];
    for _ in 1..set.len() {
        let mut longer = Vec::new();
        for (order, taken) in orders {
            for next in set.iter().filter(|next| !order.contains(next)) {
                if let Some(more) = uses(order[order.len() - 1], *next) {
                    let order = order.iter().chain([next]).copied().collect();
                    let taken = taken.iter().copied().chain(more).collect();
                    longer.push((order, taken));
                }
            }
        }
        orders = longer;
    }
    // Each ring is met both ways round.
    orders.retain(|(order, _)| order[1] < order[order.len() - 1]);
    let closed = orders.into_iter().filter_map(|(order, mut taken)| {
        taken.extend(uses(order[order.len() - 1], order[0])?);
        Some(taken)
    });
    closed.collect()
}
