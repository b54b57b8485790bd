//! The greatest packing of rings: a linear program, solved exactly.

use super::cycles::Cycle;
use super::{LARGEST_PACKING, MOST_PIVOTS, Part, even};
use crate::ratio::Ratio;
use crate::watch::{Unwatched, Watch};

/// Returns twice the greatest total weight of cycles that fits into the capacities;
/// nothing where a number gets too large or it takes too long.
///
/// The revised simplex method on whole numbers: the inverse of the basis is kept as
/// integers over one common denominator, its determinant, so that every division is
/// exact (Edmonds 1967, Bareiss 1968). The lexicographic rule picks the row that leaves,
/// so no basis comes twice. With 28 links the determinants stay below 6 * 10^12
/// (Hadamard's bound for matrices of 0 and 1), far from 128 bits.
pub(super) fn greatest<W: Watch>(
    part: &Part,
    cycles: &[Cycle],
    watch: &mut W,
) -> Result<Option<Ratio>, W::Stop> {
    if cycles.is_empty() {
        return Ok(Some(Ratio::ZERO));
    }
    watch.steps(steps_over(cycles))?;
    if let Some(rings) = even::rings(part, cycles) {
        return Ok(Some(rings));
    }
    let solved = solve(part, cycles, watch)?;
    Ok(solved.and_then(|(_, basis)| basis.value()))
}

/// Returns the steps that it takes to look at all links of cycles.
fn steps_over(cycles: &[Cycle]) -> u64 {
    (LARGEST_PACKING * cycles.len()) as u64
}

/// Returns the greatest packing, and the prices of rows that prove it.
pub(super) fn proved(part: &Part, cycles: &[Cycle]) -> Option<Proved> {
    let Ok(solved) = solve(part, cycles, &mut Unwatched);
    let (rows, basis) = solved?;
    let whole = |number: i128| u64::try_from(number).ok();
    let mut packed = Vec::new();
    for (cycle, &weight) in basis.cycles.iter().zip(&basis.weights) {
        if let Some(cycle) = cycle.filter(|_| weight > 0) {
            packed.push((*cycles.get(cycle)?, whole(weight)?));
        }
    }
    let mut prices = Vec::new();
    for (row, price) in basis.prices()?.into_iter().enumerate() {
        if price > 0 {
            prices.push((rows.ends(part.len(), row)?, whole(price)?));
        }
    }
    Some(Proved {
        rings: basis.value()?,
        cycles: packed,
        prices,
        denominator: whole(basis.denominator)?,
    })
}

/// Is a packing with its proof, in parts of a denominator.
pub(super) struct Proved {
    pub(super) rings: Ratio,
    pub(super) cycles: Vec<(Cycle, u64)>,
    /// Prices of links by their ends, and of ports by the same device twice.
    pub(super) prices: Vec<((usize, usize), u64)>,
    pub(super) denominator: u64,
}

fn solve<W: Watch>(
    part: &Part,
    cycles: &[Cycle],
    watch: &mut W,
) -> Result<Option<(Rows, Basis)>, W::Stop> {
    let rows = Rows::new(part);
    let columns: Vec<Column> = cycles
        .iter()
        .map(|&cycle| rows.column(part, cycle))
        .collect();
    let mut basis = Basis::new(&rows.capacities);
    for _ in 0..MOST_PIVOTS {
        watch.steps(steps_over(cycles) + (basis.size * basis.size) as u64)?;
        match basis.step(&columns) {
            Some(Step::Greatest) => return Ok(Some((rows, basis))),
            Some(Step::Enter(entering)) if basis.pivot(entering, &columns).is_some() => {}
            _ => break,
        }
    }
    Ok(None)
}

/// Has the rows that a cycle takes from, a row twice where it does so twice: at most two
/// for each of its links.
pub(super) struct Column {
    rows: [u8; 2 * LARGEST_PACKING],
    len: u8,
}

impl Column {
    pub(super) fn rows(&self) -> impl Iterator<Item = usize> {
        let rows = self.rows.iter().take(usize::from(self.len));
        rows.map(|&row| usize::from(row))
    }
}

/// Has the rows of the program: links, and ports of devices on switches.
pub(super) struct Rows {
    /// Row of each direct link.
    links: Vec<Option<usize>>,
    /// Row of the port of each device.
    pub(super) ports: Vec<Option<usize>>,
    pub(super) capacities: Vec<i128>,
}

impl Rows {
    pub(super) fn new(part: &Part) -> Self {
        let size = part.len();
        let mut rows = Self {
            links: vec![None; size * size],
            ports: vec![None; size],
            capacities: Vec::new(),
        };
        for a in 0..size {
            if (0..size).any(|b| part.is_switched(a, b)) {
                rows.ports[a] = Some(rows.capacities.len());
                rows.capacities.push(i128::from(part.port(a)));
            }
            for b in (0..a).filter(|&b| !part.is_switched(a, b) && part.direct(a, b) > 0) {
                for place in [a * size + b, b * size + a] {
                    rows.links[place] = Some(rows.capacities.len());
                }
                rows.capacities.push(i128::from(part.direct(a, b)));
            }
        }
        rows
    }

    /// Returns the ends of the link of a row, or the device of a port twice.
    fn ends(&self, size: usize, row: usize) -> Option<(usize, usize)> {
        if let Some(device) = self.ports.iter().position(|&port| port == Some(row)) {
            return Some((device, device));
        }
        let place = self.links.iter().position(|&link| link == Some(row))?;
        Some((place / size, place % size))
    }

    /// Returns the rows that a cycle takes from.
    pub(super) fn column(&self, part: &Part, cycle: Cycle) -> Column {
        let size = part.len();
        let mut column = Column {
            rows: [0; 2 * LARGEST_PACKING],
            len: 0,
        };
        // There are at most 28 links and 8 ports.
        let mut take = |row: Option<usize>| {
            if let Some(row) = row.and_then(|row| u8::try_from(row).ok()) {
                column.rows[usize::from(column.len)] = row;
                column.len += 1;
            }
        };
        for place in 0..size {
            let device = |place: usize| usize::from(cycle[place % size]);
            let (a, b) = (device(place), device(place + 1));
            if part.is_switched(a, b) {
                take(self.ports[a]);
                take(self.ports[b]);
            } else {
                take(self.links[a * size + b]);
            }
        }
        column
    }
}

/// Is what comes into the basis.
#[derive(Clone, Copy)]
enum Entering {
    Cycle(usize),
    Slack(usize),
}

/// Is what to do next.
enum Step {
    /// Nothing: no column makes the packing heavier, which proves it greatest.
    Greatest,
    Enter(Entering),
}

/// Is a basis: the inverse of its matrix is `inverse / denominator`.
struct Basis {
    size: usize,
    inverse: Vec<i128>,
    /// The weights of the basis, over the denominator.
    weights: Vec<i128>,
    /// The cycle of the row, where its variable is one.
    cycles: Vec<Option<usize>>,
    denominator: i128,
}

impl Basis {
    /// Returns the basis of the empty packing.
    fn new(capacities: &[i128]) -> Self {
        let size = capacities.len();
        let mut inverse = vec![0; size * size];
        for row in 0..size {
            inverse[row * size + row] = 1;
        }
        Self {
            size,
            inverse,
            weights: capacities.to_vec(),
            cycles: vec![None; size],
            denominator: 1,
        }
    }

    /// Returns what makes the packing heavier, the most by its own weight first.
    fn step(&self, columns: &[Column]) -> Option<Step> {
        let prices = self.prices()?;
        let mut best = None;
        let mut most = 0;
        for (row, &price) in prices.iter().enumerate() {
            if -price > most {
                most = -price;
                best = Some(Entering::Slack(row));
            }
        }
        for (cycle, column) in columns.iter().enumerate() {
            let mut price = 0_i128;
            for row in column.rows() {
                price = price.checked_add(prices[row])?;
            }
            if self.denominator - price > most {
                most = self.denominator - price;
                best = Some(Entering::Cycle(cycle));
            }
        }
        Some(best.map_or(Step::Greatest, Step::Enter))
    }

    /// Returns what each row costs, over the denominator.
    fn prices(&self) -> Option<Vec<i128>> {
        let mut prices = vec![0_i128; self.size];
        for row in (0..self.size).filter(|&row| self.cycles[row].is_some()) {
            let values = &self.inverse[row * self.size..(row + 1) * self.size];
            for (price, value) in prices.iter_mut().zip(values) {
                *price = price.checked_add(*value)?;
            }
        }
        Some(prices)
    }

    /// Takes a column into the basis.
    fn pivot(&mut self, entering: Entering, columns: &[Column]) -> Option<()> {
        let size = self.size;
        let column = |row: usize| -> Option<i128> {
            let values = &self.inverse[row * size..(row + 1) * size];
            match entering {
                Entering::Slack(slack) => Some(values[slack]),
                Entering::Cycle(cycle) => columns[cycle]
                    .rows()
                    .try_fold(0_i128, |sum, row| sum.checked_add(values[row])),
            }
        };
        let column: Vec<i128> = (0..size).map(column).collect::<Option<_>>()?;
        let mut leaving: Option<usize> = None;
        for row in (0..size).filter(|&row| column[row] > 0) {
            leaving = match leaving {
                Some(best) if !self.leaves_before(row, best, &column)? => Some(best),
                _ => Some(row),
            };
        }
        // Every column takes from a capacity, so some row is the first to be full.
        let leaving = leaving?;
        let pivot = column[leaving];
        let next = |value: i128, factor: i128, from: i128| -> Option<i128> {
            let value = value
                .checked_mul(pivot)?
                .checked_sub(factor.checked_mul(from)?)?;
            // Mostly it is one, and divisions are slow.
            Some(if self.denominator == 1 {
                value
            } else {
                value / self.denominator
            })
        };
        let kept = self.inverse[leaving * size..(leaving + 1) * size].to_vec();
        for row in (0..size).filter(|&row| row != leaving) {
            let factor = column[row];
            if factor == 0 && pivot == self.denominator {
                continue;
            }
            for (place, &from) in kept.iter().enumerate() {
                let value = &mut self.inverse[row * size + place];
                *value = next(*value, factor, from)?;
            }
            self.weights[row] = next(self.weights[row], factor, self.weights[leaving])?;
        }
        self.cycles[leaving] = match entering {
            Entering::Cycle(cycle) => Some(cycle),
            Entering::Slack(_) => None,
        };
        self.denominator = pivot;
        Some(())
    }

    /// Says whether a row is full before another, by its weight and then, so that there
    /// is always a first, by its part of the inverse.
    fn leaves_before(&self, row: usize, other: usize, column: &[i128]) -> Option<bool> {
        let size = self.size;
        let key = |row: usize| {
            let values = &self.inverse[row * size..(row + 1) * size];
            std::iter::once(self.weights[row]).chain(values.iter().copied())
        };
        for (first, second) in key(row).zip(key(other)) {
            let first = first.checked_mul(column[other])?;
            let second = second.checked_mul(column[row])?;
            if first != second {
                return Some(first < second);
            }
        }
        Some(false)
    }

    /// Returns twice the weight of the cycles.
    fn value(&self) -> Option<Ratio> {
        let cycles = (0..self.size).filter(|&row| self.cycles[row].is_some());
        let total = cycles.fold(0_i128, |sum, row| sum.saturating_add(self.weights[row]));
        let total = u128::try_from(total.checked_mul(2)?).ok()?;
        Ratio::reduced(total, u128::try_from(self.denominator).ok()?)
    }
}
