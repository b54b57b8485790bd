//! The tables of the models.
//!
//! Profiles, fractions of memory, engines and placements are those of "Supported
//! MIG Profiles" in NVIDIA's MIG user guide; all four models have the same
//! placements. `testdata/partitions/README.md` says where the other figures come
//! from.

use super::card::{Card, Engines, Instance};

/// A model of card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// A100 with 40 GB.
    A100,
    /// H100 with 80 GB.
    H100,
    /// H200 with 141 GB.
    H200,
    /// B200 with 180 GB.
    B200,
}

impl Model {
    /// All models.
    pub const EVERY: [Self; 4] = [Self::A100, Self::H100, Self::H200, Self::B200];

    /// Returns its name in files and arguments.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::A100 => "a100-40gb",
            Self::H100 => "h100-80gb",
            Self::H200 => "h200-141gb",
            Self::B200 => "b200-180gb",
        }
    }

    /// Returns what a card of the model has.
    pub fn card(self) -> &'static Card {
        match self {
            Self::A100 => &A100,
            Self::H100 => &H100,
            Self::H200 => &H200,
            Self::B200 => &B200,
        }
    }
}

const ANYWHERE: &[usize] = &[0, 1, 2, 3, 4, 5, 6];
const QUARTERS: &[usize] = &[0, 2, 4, 6];
/// The last two memory slices belong to one compute slice.
const PAIRS: &[usize] = &[0, 2, 4];
const HALVES: &[usize] = &[0, 4];
const FIRST: &[usize] = &[0];

const fn instance(
    profile: &'static str,
    id: u32,
    engines: Engines,
    memory: &'static str,
    width: usize,
    starts: &'static [usize],
) -> Instance {
    Instance {
        profile,
        id,
        engines,
        memory,
        width,
        starts,
    }
}

use Engines as E;

static A100: Card = Card {
    product: "NVIDIA A100-SXM4-40GB",
    architecture: "Ampere",
    compute_capability: "8.0.0",
    engines: E::new(98, 7, 5, 1, 1),
    memory: "40Gi",
    instances: &[
        instance("7g.40gb", 0, E::new(98, 7, 5, 1, 1), "40192Mi", 8, FIRST),
        instance("4g.20gb", 5, E::new(56, 4, 2, 0, 0), "19968Mi", 4, FIRST),
        instance("3g.20gb", 9, E::new(42, 3, 2, 0, 0), "19968Mi", 4, HALVES),
        instance("2g.10gb", 14, E::new(28, 2, 1, 0, 0), "9856Mi", 2, PAIRS),
        instance("1g.10gb", 15, E::new(14, 1, 1, 0, 0), "9856Mi", 2, QUARTERS),
        instance("1g.5gb", 19, E::new(14, 1, 0, 0, 0), "4864Mi", 1, ANYWHERE),
        instance(
            "1g.5gb+me",
            20,
            E::new(14, 1, 1, 1, 1),
            "4864Mi",
            1,
            ANYWHERE,
        ),
    ],
};

static H100: Card = Card {
    product: "NVIDIA H100 80GB HBM3",
    architecture: "Hopper",
    compute_capability: "9.0.0",
    engines: E::new(132, 8, 7, 7, 1),
    memory: "80Gi",
    instances: &[
        instance("7g.80gb", 0, E::new(132, 8, 7, 7, 1), "80896Mi", 8, FIRST),
        instance("4g.40gb", 5, E::new(64, 4, 4, 4, 0), "40320Mi", 4, FIRST),
        instance("3g.40gb", 9, E::new(60, 3, 3, 3, 0), "40320Mi", 4, HALVES),
        instance("2g.20gb", 14, E::new(32, 2, 2, 2, 0), "19968Mi", 2, PAIRS),
        instance(
            "1g.20gb",
            15,
            E::new(26, 1, 1, 1, 0),
            "19968Mi",
            2,
            QUARTERS,
        ),
        instance("1g.10gb", 19, E::new(16, 1, 1, 1, 0), "9856Mi", 1, ANYWHERE),
        instance(
            "1g.10gb+me",
            20,
            E::new(16, 1, 1, 1, 1),
            "9856Mi",
            1,
            ANYWHERE,
        ),
    ],
};

static H200: Card = Card {
    product: "NVIDIA H200",
    architecture: "Hopper",
    compute_capability: "9.0.0",
    engines: E::new(132, 8, 7, 7, 1),
    memory: "141Gi",
    instances: &[
        instance("7g.141gb", 0, E::new(132, 8, 7, 7, 1), "143360Mi", 8, FIRST),
        instance("4g.71gb", 5, E::new(64, 4, 4, 4, 0), "71424Mi", 4, FIRST),
        instance("3g.71gb", 9, E::new(60, 3, 3, 3, 0), "71424Mi", 4, HALVES),
        instance("2g.35gb", 14, E::new(32, 2, 2, 2, 0), "33280Mi", 2, PAIRS),
        instance(
            "1g.35gb",
            15,
            E::new(26, 1, 1, 1, 0),
            "33280Mi",
            2,
            QUARTERS,
        ),
        instance(
            "1g.18gb",
            19,
            E::new(16, 1, 1, 1, 0),
            "16384Mi",
            1,
            ANYWHERE,
        ),
        instance(
            "1g.18gb+me",
            20,
            E::new(16, 1, 1, 1, 1),
            "16384Mi",
            1,
            ANYWHERE,
        ),
    ],
};

static B200: Card = Card {
    product: "NVIDIA B200",
    architecture: "Blackwell",
    compute_capability: "10.0.0",
    engines: E::new(148, 16, 7, 7, 1),
    memory: "180Gi",
    instances: &[
        instance(
            "7g.180gb",
            0,
            E::new(148, 16, 7, 7, 1),
            "184320Mi",
            8,
            FIRST,
        ),
        instance("4g.90gb", 5, E::new(72, 8, 1, 1, 0), "92160Mi", 4, FIRST),
        instance("3g.90gb", 9, E::new(54, 6, 1, 1, 0), "92160Mi", 4, HALVES),
        instance("2g.45gb", 14, E::new(36, 3, 1, 1, 0), "46080Mi", 2, PAIRS),
        instance(
            "1g.45gb",
            15,
            E::new(18, 2, 1, 1, 0),
            "46080Mi",
            2,
            QUARTERS,
        ),
        instance(
            "1g.23gb",
            19,
            E::new(18, 2, 1, 1, 0),
            "23040Mi",
            1,
            ANYWHERE,
        ),
        instance(
            "1g.23gb+me",
            20,
            E::new(18, 2, 1, 1, 1),
            "23040Mi",
            1,
            ANYWHERE,
        ),
    ],
};
