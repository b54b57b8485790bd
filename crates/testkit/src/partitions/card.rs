//! What a card has, and what its instances take of it.

/// How many memory slices a card of every model here has.
pub(super) const MEMORY_SLICES: usize = 8;

/// A model of card with its MIG profiles.
#[derive(Debug)]
pub struct Card {
    /// Its name in the attribute `productName`.
    pub product: &'static str,
    /// Its architecture.
    pub architecture: &'static str,
    /// Its CUDA compute capability, as a version.
    pub compute_capability: &'static str,
    /// All of its engines.
    pub engines: Engines,
    /// All of its memory, as a quantity.
    pub memory: &'static str,
    /// Its profiles, the largest first, as NVIDIA numbers them.
    pub instances: &'static [Instance],
}

/// A profile: what an instance takes, and where it can lie.
#[derive(Debug)]
pub struct Instance {
    /// For example `1g.5gb+me`.
    pub profile: &'static str,
    /// NVIDIA's number of the profile.
    pub id: u32,
    /// The engines of an instance.
    pub engines: Engines,
    /// Its memory, as a quantity.
    pub memory: &'static str,
    /// How many memory slices it covers.
    pub width: usize,
    /// The first memory slice of each placement.
    pub starts: &'static [usize],
}

/// Counts of engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engines {
    /// Streaming multiprocessors.
    pub multiprocessors: u32,
    /// Copy engines.
    pub copy: u32,
    /// Video decoders.
    pub decoders: u32,
    /// JPEG decoders.
    pub jpeg: u32,
    /// Optical flow accelerators.
    pub ofa: u32,
}

impl Engines {
    /// Returns them in the order of the columns of NVIDIA's tables.
    pub(super) const fn new(
        multiprocessors: u32,
        copy: u32,
        decoders: u32,
        jpeg: u32,
        ofa: u32,
    ) -> Self {
        Self {
            multiprocessors,
            copy,
            decoders,
            jpeg,
            ofa,
        }
    }

    /// Returns the counters that are not zero, by name.
    pub(super) fn counters(self) -> impl Iterator<Item = (&'static str, u32)> {
        [
            ("multiprocessors", self.multiprocessors),
            ("copy-engines", self.copy),
            ("decoders", self.decoders),
            ("jpeg-engines", self.jpeg),
            ("ofa-engines", self.ofa),
        ]
        .into_iter()
        .filter(|&(_, count)| count > 0)
    }
}
