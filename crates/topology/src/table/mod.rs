//! [`Table`]: what is known of all sets of up to 16 devices.

mod alike;
mod best;
mod bound;
mod costs;
mod mesh;
mod potential;
mod rank;
mod rings;
mod shape;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, OnceLock};

pub use self::shape::Shape;

use self::alike::Alike;
use self::mesh::Mesh;
use self::rank::Ranked;
use crate::domain::Scope;
use crate::level::Level;
use crate::ratio::Ratio;
use crate::topology::Topology;

/// Of how many devices there are tables.
pub const LARGEST_TABLE: usize = 16;

/// Answers for up to [`LARGEST_TABLE`] devices which set of them is the best: those of a
/// machine, or some of a larger topology, such as the tray of a rack.
///
/// One table serves all machines of a type (of a [`Shape`]), and any number of threads; what it learns it
/// keeps: link sums of all sets at once (2^n steps), the order of the sets of a size
/// when the size is asked for the first time, rings of a set when it might be the best.
/// For 16 devices that is about 1.5 MB.
///
/// Sets are masks: bit `i` is device `i`, or the one at place `i` of the list that the
/// table was asked for. Capacities are those of the whole topology: the links of a device
/// into switches serve whatever set it is in. Where the document has allowed sets only
/// those are chosen that are wholly among the devices.
///
/// # Packing potential
///
/// What the free devices are still good for. Of a [mix](Table::of_shape) of sizes `k`
/// with weights `p`, the sum over sizes of
///
/// `p * k * (greatest sum of quality(S) over disjoint sets S of k free devices)`
///
/// where `quality(S)` is the rings of `S` in thousandths of the best rings of any `k`
/// devices of the table, rounded down; for `k = 1` it is 1000, and 0 where no
/// `k` devices have a ring. Whole numbers throughout. The greatest sum is exact, by
/// dynamic programming over all 2^n free sets.
///
/// # Examples
///
/// ```
/// # use dralloc_topology::{Document, Table, Term, Topology};
/// # let text = include_str!("../../../../testdata/topologies/a100-pcie-x8-bridge-pairs.json");
/// let bridged = Topology::new(&Document::read(text)?)?;
/// let table = Table::new(&bridged).expect("eight devices");
/// // Bridges join 0 and 2, 1 and 3, 4 and 5, 6 and 7.
/// let all = 0b1111_1111;
/// assert_eq!(table.best(all, 0, 2, &[Term::Ring]), Some(0b0101));
/// // After one device its partner goes first, so that the other pairs stay whole.
/// assert_eq!(table.best(all & !0b1, 0, 1, &Term::USUAL), Some(0b0100));
/// # Ok::<(), dralloc_topology::Error>(())
/// ```
#[derive(Debug)]
pub struct Table {
    shape: Shape,
    mesh: Mesh,
    /// Links by set.
    links: Vec<u32>,
    /// Rings by set, packed; zero: not known yet.
    rings: Vec<AtomicU64>,
    /// What tells sets with other links apart, and the rings of those that were met, by
    /// size and key.
    alike: OnceLock<Option<Alike>>,
    alike_rings: Mutex<BTreeMap<(u32, u128), (Ratio, bool)>>,
    /// The sets of each size, the most promising first.
    ranks: Vec<OnceLock<Vec<Ranked>>>,
    mix: Vec<(usize, u32)>,
    potential: OnceLock<Vec<u64>>,
    /// Scope of the smallest common domain, by set.
    spans: OnceLock<Vec<Scope>>,
    /// Place of the level of the worst pair among `levels`, by set.
    worst: OnceLock<Vec<u8>>,
    /// Levels that pairs have, the nearest first.
    levels: Vec<Level>,
    /// Place of the level of each pair.
    level_of: Vec<u8>,
}

/// Says how often jobs of a size come, in hundredths: what the reference simulations of
/// placement on eight devices used.
pub const USUAL_MIX: [(usize, u32); 5] = [(1, 45), (2, 25), (3, 5), (4, 20), (6, 5)];

impl Table {
    /// Returns the table of a machine; none for more than [`LARGEST_TABLE`] devices.
    pub fn new(topology: &Topology) -> Option<Self> {
        let size = topology.device_count();
        if size > LARGEST_TABLE {
            return None;
        }
        Self::of(topology, &(0..size).collect::<Vec<usize>>())
    }

    /// Returns the table of some devices of a topology, by their place in the list; none
    /// for more than [`LARGEST_TABLE`], for a device twice, and for a number of none.
    ///
    /// It answers as the table of the whole topology does while only these are free, but
    /// for packing potential, which counts from the best sets of these.
    pub fn of(topology: &Topology, devices: &[usize]) -> Option<Self> {
        Some(Self::of_shape(Shape::of(topology, devices)?, &USUAL_MIX))
    }

    /// Returns the table of a shape with the sizes of jobs to come, and how often they
    /// come; at most 64 sizes count, and weights up to 1,000.
    pub fn of_shape(shape: Shape, mix: &[(usize, u32)]) -> Self {
        let size = shape.size;
        let sets = 1_usize << size;
        let mesh = Mesh::new(&shape);
        let mut levels = shape.levels.clone();
        levels.sort_unstable();
        levels.dedup();
        let place = |level: &Level| levels.binary_search(level).ok();
        let level_of = shape
            .levels
            .iter()
            .filter_map(place)
            .filter_map(|place| u8::try_from(place).ok());
        Self {
            links: of_sets(size, &shape.counts, 0, u32::saturating_add),
            rings: std::iter::repeat_with(AtomicU64::default)
                .take(sets)
                .collect(),
            alike: OnceLock::new(),
            alike_rings: Mutex::default(),
            ranks: std::iter::repeat_with(OnceLock::new)
                .take(size + 1)
                .collect(),
            mix: mix
                .iter()
                .take(64)
                .map(|&(size, weight)| (size, weight.min(1000)))
                .collect(),
            potential: OnceLock::new(),
            spans: OnceLock::new(),
            worst: OnceLock::new(),
            level_of: level_of.collect(),
            levels,
            mesh,
            shape,
        }
    }

    /// Returns what the table depends on.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns how many devices there are.
    pub fn len(&self) -> usize {
        self.mesh.size
    }

    /// Says whether there is no device.
    pub fn is_empty(&self) -> bool {
        self.mesh.size == 0
    }

    /// Returns the links inside a set.
    pub fn links(&self, set: u16) -> u64 {
        self.links
            .get(usize::from(set))
            .map_or(0, |&links| u64::from(links))
    }

    /// Returns the links of the best pair.
    pub fn most_links(&self) -> u32 {
        self.shape.most_links()
    }

    /// Returns the scope of the smallest domain with all devices of a set.
    pub fn span(&self, set: u16) -> Scope {
        // Domains around one device are inside of each other, so pairs tell.
        let of_pairs = || {
            of_sets(
                self.shape.size,
                &self.shape.spans,
                Scope::Device,
                Scope::max,
            )
        };
        let spans = self.spans.get_or_init(of_pairs);
        spans
            .get(usize::from(set))
            .copied()
            .unwrap_or(Scope::Fabric)
    }

    /// Returns the level of the worst pair of a set; none for fewer than two devices.
    pub fn bottleneck(&self, set: u16) -> Option<Level> {
        let place = usize::from(self.worst_place(set));
        self.levels
            .get(place)
            .copied()
            .filter(|_| set.count_ones() > 1)
    }

    /// Returns the place of the worst level; fewer is nearer.
    fn worst_place(&self, set: u16) -> u8 {
        let of_pairs = || of_sets(self.shape.size, &self.level_of, 0, u8::max);
        let worst = self.worst.get_or_init(of_pairs);
        worst.get(usize::from(set)).copied().unwrap_or(u8::MAX)
    }
}

/// Returns what the values of the pairs of a set come to together, by set: that of the
/// devices behind the first one, and of its own pairs. A step per set.
fn of_sets<T: Copy>(size: usize, of_pairs: &[T], nothing: T, both: impl Fn(T, T) -> T) -> Vec<T> {
    let mut of_sets = vec![nothing; 1 << size];
    let mut own = vec![nothing; 1 << size.saturating_sub(1)];
    for first in (0..size).rev() {
        // Of the first device and all sets of those behind it.
        let pairs = &of_pairs[first * size + first + 1..(first + 1) * size];
        for (place, &pair) in pairs.iter().enumerate() {
            let (known, more) = own.split_at_mut(1 << place);
            for (more, &known) in more.iter_mut().zip(&*known) {
                *more = both(known, pair);
            }
        }
        for (set, &own) in own.iter().enumerate().take(1 << pairs.len()) {
            let rest = set << (first + 1);
            of_sets[rest | 1 << first] = both(of_sets[rest], own);
        }
    }
    of_sets
}

/// Returns the devices of a set.
pub(crate) fn members(set: usize) -> Vec<usize> {
    (0..LARGEST_TABLE)
        .filter(|device| set >> device & 1 == 1)
        .collect()
}

/// Returns the mask of devices.
pub(crate) fn mask(devices: &[usize]) -> u16 {
    let devices = devices.iter().filter(|&&device| device < LARGEST_TABLE);
    devices.fold(0, |mask, device| mask | 1 << device)
}
