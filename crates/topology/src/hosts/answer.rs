//! [`Spreading`]: which hosts give how many devices, or why they cannot.

use std::fmt;

/// Answers a [`SpreadQuestion`](super::SpreadQuestion).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spreading {
    /// The best.
    Found(Spread),
    /// There are not enough.
    Short(Shortage),
}

/// Is the best way to take devices of several hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// The hosts that give devices, by place and ascending, and how many each gives.
    pub slices: Vec<(usize, u32)>,
    /// For each level, the outermost first and hosts last: how many domains give
    /// devices, and the fewest that one of them gives.
    pub levels: Vec<LevelUse>,
    /// How much packing potential is lost.
    pub loss: u64,
    /// How many devices stay free beside those that are taken: of each domain that gives
    /// some, hosts among them, summed over all levels.
    pub left: u64,
}

/// Says how a level is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelUse {
    /// How many of its domains give devices.
    pub domains: u32,
    /// The fewest devices that one of them gives.
    pub smallest: u32,
}

/// Says why hosts cannot give as many devices as are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortage {
    /// The most devices, up to those wanted, that could be had: within the best domain of
    /// the level that must give all, or else of all hosts.
    pub most: u32,
    /// The first host of that domain, by place; none if no host gives any.
    pub host: Option<usize>,
    /// What is in the way.
    pub limit: SpreadLimit,
}

/// Names what stands in the way of more devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SpreadLimit {
    /// There are too few free devices, whatever else is asked for.
    Free,
    /// All must be in one domain; without that there would be enough.
    Within,
    /// A domain may give so many hosts only; without that there would be enough.
    MostHosts,
    /// Hosts can give some numbers only; without that there would be enough.
    Slices,
    /// Several of these together.
    Together,
}

impl SpreadLimit {
    /// Returns the stable name of the limit.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Within => "within",
            Self::MostHosts => "mostHosts",
            Self::Slices => "slices",
            Self::Together => "together",
        }
    }
}

impl fmt::Display for SpreadLimit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
