//! Levels as numbers, for costs: the place in the order of all, and steps over `PCIe`.

use super::Level;

/// Kinds of levels are so far apart, more than a device has links.
const KIND: i64 = 10_000_000_000;

impl Level {
    /// Returns the place in the order of all levels, 0 for the nearest.
    ///
    /// `X` 0, `NV#` 10^10 less its links, `XGMI#` 2 * 10^10 less its links, `PIX` 2 * 10^10,
    /// `PXB` 3, `PHB` 4, `NODE` 5, `SYS` 6 and `NET` 7 * 10^10.
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc_topology::Level;
    ///
    /// assert_eq!(Level::NvLink(4).cost(), 9_999_999_996);
    /// assert_eq!(Level::of_cost(9_999_999_996), Level::NvLink(4));
    /// assert_eq!(Level::of_cost(Level::Sys.cost()), Level::Sys);
    /// ```
    pub fn cost(self) -> i64 {
        match self {
            Self::Same => 0,
            Self::NvLink(links) => KIND - i64::from(links),
            Self::Xgmi(links) => 2 * KIND - i64::from(links),
            _ => (i64::from(self.steps()) + 2) * KIND,
        }
    }

    /// Returns the level with a cost.
    pub fn of_cost(cost: i64) -> Self {
        let links = |below: i64| u32::try_from(below - cost).unwrap_or(u32::MAX);
        match cost {
            ..=0 => Self::Same,
            1..=KIND => Self::NvLink(links(KIND)),
            cost if cost < 2 * KIND => Self::Xgmi(links(2 * KIND)),
            cost => Self::of_steps(cost / KIND - 2),
        }
    }

    /// Returns how many steps farther than `PIX` it is: `PXB` 1, `PHB` 2, `NODE` 3, `SYS`
    /// 4, `NET` 5; what is nearer is none.
    pub fn steps(self) -> u8 {
        match self {
            Self::Same | Self::NvLink(_) | Self::Xgmi(_) | Self::Pix => 0,
            Self::Pxb => 1,
            Self::Phb => 2,
            Self::Node => 3,
            Self::Sys => 4,
            Self::Net => 5,
        }
    }

    /// Returns the level so many steps farther than `PIX`; `NET` is the last.
    pub fn of_steps(steps: i64) -> Self {
        match steps {
            ..=0 => Self::Pix,
            1 => Self::Pxb,
            2 => Self::Phb,
            3 => Self::Node,
            4 => Self::Sys,
            _ => Self::Net,
        }
    }
}
