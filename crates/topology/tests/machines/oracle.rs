//! Rings and link sums once more, from the recorded matrices and by other means.
//!
//! Nothing here uses the crate under test: counts come from the cells of
//! `expectedLevels`, rings from permutations, their packing from a dense tableau of
//! fractions by Bland's rule.

use serde_json::Value;

/// What a matrix says of a machine.
pub(crate) struct Oracle {
    pub(crate) size: usize,
    links: Vec<Vec<i128>>,
    switched: bool,
}

/// Is a fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fraction(i128, i128);

impl Fraction {
    fn new(above: i128, below: i128) -> Self {
        let (mut a, mut b) = (above.abs(), below.abs());
        while b > 0 {
            (a, b) = (b, a % b);
        }
        let sign = if below < 0 { -1 } else { 1 };
        Self(sign * above / a.max(1), sign * below / a.max(1))
    }

    fn times(self, other: Self) -> Self {
        Self::new(self.0 * other.0, self.1 * other.1)
    }

    fn minus(self, other: Self) -> Self {
        Self::new(self.0 * other.1 - other.0 * self.1, self.1 * other.1)
    }

    fn over(self, other: Self) -> Self {
        Self::new(self.0 * other.1, self.1 * other.0)
    }

    fn below(self, other: Self) -> bool {
        self.0 * other.1 < other.0 * self.1
    }
}

impl Oracle {
    pub(crate) fn new(machine: &Value) -> Self {
        let rows = machine["expectedLevels"]["gpuGpu"].as_array().unwrap();
        let count = |cell: &Value| -> i128 {
            let cell = cell.as_str().unwrap();
            let digits = cell
                .strip_prefix("NV")
                .or_else(|| cell.strip_prefix("XGMI"));
            digits.map_or(0, |digits| digits.parse().unwrap())
        };
        let links = rows
            .iter()
            .map(|row| row.as_array().unwrap().iter().map(count).collect());
        let links: Vec<Vec<i128>> = links.collect();
        let vertices = machine["spec"]["vertices"].as_array().unwrap();
        let is_switch =
            |vertex: &Value| vertex["kind"] == "nvSwitch" || vertex["kind"] == "nvLinkDomain";
        Self {
            size: links.len(),
            links,
            switched: vertices.iter().any(is_switch),
        }
    }

    /// Returns the links inside a set.
    pub(crate) fn links(&self, set: &[usize]) -> u64 {
        let mut sum = 0;
        for &a in set {
            for &b in set {
                sum += self.links[a][b];
            }
        }
        u64::try_from(sum / 2).unwrap()
    }

    /// Returns the rings of a set as numerator and denominator.
    pub(crate) fn rings(&self, set: &[usize]) -> (u64, u64) {
        let all = |pair: fn(&Self, usize, usize) -> bool| {
            set.iter()
                .all(|&a| set.iter().all(|&b| a == b || pair(self, a, b)))
        };
        let rings = if set.len() < 2 {
            Fraction(0, 1)
        } else if set.len() == 2 {
            Fraction(self.links[set[0]][set[1]], 1)
        } else if self.switched {
            // On a switch the count of a pair is the port of the weaker end.
            let linked = all(|oracle, a, b| oracle.links[a][b] > 0);
            let pairs = set.iter().flat_map(|&a| set.iter().map(move |&b| (a, b)));
            let least = pairs
                .filter(|(a, b)| a != b)
                .map(|(a, b)| self.links[a][b])
                .min();
            Fraction(if linked { least.unwrap() } else { 0 }, 1)
        } else {
            let packing = self.packing(set);
            Fraction::new(2 * packing.0, packing.1)
        };
        (
            u64::try_from(rings.0).unwrap(),
            u64::try_from(rings.1).unwrap(),
        )
    }

    /// Returns all orders of a set that begin with its first device, over links only.
    fn orders(&self, set: &[usize]) -> Vec<Vec<usize>> {
        let mut orders = vec![vec![set[0]]];
        for _ in 1..set.len() {
            let mut longer = Vec::new();
            for order in orders {
                for &next in set {
                    let last = *order.last().unwrap();
                    if !order.contains(&next) && self.links[last][next] > 0 {
                        longer.push(order.iter().copied().chain([next]).collect());
                    }
                }
            }
            orders = longer;
        }
        orders.retain(|order| {
            let (second, last) = (order[1], *order.last().unwrap());
            second < last && self.links[last][order[0]] > 0
        });
        orders
    }

    /// Returns the greatest weight of a packing of rings.
    fn packing(&self, set: &[usize]) -> Fraction {
        let orders = self.orders(set);
        let mut pairs = Vec::new();
        for (place, &a) in set.iter().enumerate() {
            pairs.extend(
                set[..place]
                    .iter()
                    .filter(|&&b| self.links[a][b] > 0)
                    .map(|&b| (b, a)),
            );
        }
        let (rows, columns) = (pairs.len(), orders.len());
        // Columns: rings, slacks, capacity.
        let mut tableau: Vec<Vec<Fraction>> = Vec::new();
        for (row, &(a, b)) in pairs.iter().enumerate() {
            let mut line = vec![Fraction(0, 1); columns + rows + 1];
            for (column, order) in orders.iter().enumerate() {
                let uses = (0..order.len()).any(|place| {
                    let (first, second) = (order[place], order[(place + 1) % order.len()]);
                    (first.min(second), first.max(second)) == (a, b)
                });
                if uses {
                    line[column] = Fraction(1, 1);
                }
            }
            line[columns + row] = Fraction(1, 1);
            line[columns + rows] = Fraction(self.links[a][b], 1);
            tableau.push(line);
        }
        let mut gain = vec![Fraction(0, 1); columns + rows + 1];
        gain[..columns].fill(Fraction(1, 1));
        let mut basis: Vec<usize> = (columns..columns + rows).collect();
        while let Some(entering) = gain[..columns + rows].iter().position(|gain| gain.0 > 0) {
            let mut leaving: Option<(Fraction, usize, usize)> = None;
            for (row, line) in tableau
                .iter()
                .enumerate()
                .filter(|(_, line)| line[entering].0 > 0)
            {
                let limit = line[columns + rows].over(line[entering]);
                let better = leaving.is_none_or(|(least, variable, _)| {
                    limit.below(least) || (limit == least && basis[row] < variable)
                });
                if better {
                    leaving = Some((limit, basis[row], row));
                }
            }
            let (_, _, leaving) = leaving.unwrap();
            let pivot = tableau[leaving][entering];
            for value in &mut tableau[leaving] {
                *value = value.over(pivot);
            }
            let line = tableau[leaving].clone();
            let others = tableau
                .iter_mut()
                .enumerate()
                .filter(|(row, _)| *row != leaving);
            for other in others.map(|(_, other)| other).chain([&mut gain]) {
                let factor = other[entering];
                if factor.0 != 0 {
                    for (value, &from) in other.iter_mut().zip(&line) {
                        *value = value.minus(factor.times(from));
                    }
                }
            }
            basis[leaving] = entering;
        }
        Fraction(-gain[columns + rows].0, gain[columns + rows].1)
    }
}
