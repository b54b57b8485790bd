//! [`Assignment`]: GPUs on NICs, at the least sum of levels.

/// Assigns GPUs to NICs that take so many each, one more at a time: the sum is the least
/// for those that are assigned.
///
/// Successive shortest paths (Busacker and Gowen 1960): a GPU that comes takes a place on
/// a NIC, and where that is full another GPU moves on, whichever way adds the least.
pub(super) struct Assignment<'a> {
    /// Level of each GPU and NIC.
    levels: &'a [u8],
    /// How many levels a GPU has.
    width: usize,
    /// The NICs that take GPUs.
    nics: Vec<usize>,
    capacity: usize,
    /// How many each of them has.
    loads: Vec<usize>,
    /// Where each GPU is, by place among the NICs.
    at: Vec<Option<usize>>,
    /// The worst level that may be.
    worst: u8,
}

/// Is the way to a NIC: what it adds, which GPU comes to it, and from where.
#[derive(Clone, Copy)]
struct Way {
    adds: i64,
    gpu: usize,
    from: Option<usize>,
}

impl<'a> Assignment<'a> {
    pub(super) fn new(
        levels: &'a [u8],
        width: usize,
        gpus: usize,
        nics: Vec<usize>,
        capacity: usize,
    ) -> Self {
        Self {
            levels,
            width,
            loads: vec![0; nics.len()],
            nics,
            capacity,
            at: vec![None; gpus],
            worst: u8::MAX,
        }
    }

    /// Returns the least sum for all chosen GPUs and `more` of the open ones over levels
    /// that are no worse than one; none where they do not fit.
    pub(super) fn least(
        &mut self,
        worst: u8,
        chosen: &[usize],
        open: &[usize],
        more: usize,
    ) -> Option<i64> {
        self.worst = worst;
        self.loads.fill(0);
        self.at.fill(None);
        let mut sum = 0;
        for &gpu in chosen {
            sum += self.add(&[gpu])?;
        }
        for _ in 0..more {
            sum += self.add(open)?;
        }
        Some(sum)
    }

    /// Assigns one more of some GPUs, and returns what that adds.
    fn add(&mut self, gpus: &[usize]) -> Option<i64> {
        let ways = self.ways(gpus);
        let open = ways.iter().zip(&self.loads).enumerate();
        let open = open.filter(|(_, (_, load))| **load < self.capacity);
        let ends = open.filter_map(|(nic, (way, _))| Some(((*way)?.adds, nic)));
        let (adds, end) = ends.min()?;
        let mut next = Some(end);
        // No NIC is twice on a shortest way.
        for _ in 0..=self.nics.len() {
            let Some(nic) = next else {
                break;
            };
            let way = ways.get(nic).copied().flatten()?;
            *self.at.get_mut(way.gpu)? = Some(nic);
            next = way.from;
        }
        *self.loads.get_mut(end)? += 1;
        Some(adds)
    }

    /// Returns the shortest way of one of some GPUs to each NIC.
    fn ways(&self, gpus: &[usize]) -> Vec<Option<Way>> {
        let mut ways: Vec<Option<Way>> = vec![None; self.nics.len()];
        for &gpu in gpus.iter().filter(|&&gpu| self.place(gpu).is_none()) {
            self.relax(&mut ways, 0, gpu, None);
        }
        // The sum is the least there is, so no way round makes it less.
        for _ in 0..self.nics.len() {
            let mut changed = false;
            for gpu in 0..self.at.len() {
                let Some(from) = self.place(gpu) else {
                    continue;
                };
                let (Some(Some(way)), Some(level)) = (ways.get(from), self.level(gpu, from)) else {
                    continue;
                };
                let adds = way.adds - level;
                changed |= self.relax(&mut ways, adds, gpu, Some(from));
            }
            if !changed {
                break;
            }
        }
        ways
    }

    /// Notes the ways of a GPU that are shorter than those known.
    fn relax(&self, ways: &mut [Option<Way>], adds: i64, gpu: usize, from: Option<usize>) -> bool {
        let mut changed = false;
        for (nic, way) in ways.iter_mut().enumerate() {
            let Some(level) = self.level(gpu, nic) else {
                continue;
            };
            let adds = adds + level;
            if way.is_none_or(|known| adds < known.adds) {
                *way = Some(Way { adds, gpu, from });
                changed = true;
            }
        }
        changed
    }

    /// Returns the NIC that a GPU is on.
    fn place(&self, gpu: usize) -> Option<usize> {
        self.at.get(gpu).copied().flatten()
    }

    /// Returns the level of a GPU and a NIC, if that may be.
    fn level(&self, gpu: usize, nic: usize) -> Option<i64> {
        let place = gpu * self.width + self.nics.get(nic)?;
        let level = self
            .levels
            .get(place)
            .filter(|&&level| level <= self.worst)?;
        Some(i64::from(*level))
    }
}
