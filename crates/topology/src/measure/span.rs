//! How far apart a set is.

use crate::domain::Scope;
use crate::topology::Topology;

impl Topology {
    /// Returns the nearest scope that all devices of a set have in common: that of the
    /// smallest domain of [`Topology::domains`] with all of them.
    ///
    /// It is the level of the lowest common ancestor; a set never spans less than a part
    /// of it. [`Scope::Device`] for no device. Takes a step per device and level.
    pub fn span(&self, set: &[usize]) -> Scope {
        self.domains().span(&self.members(set))
    }
}
