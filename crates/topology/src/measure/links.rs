//! The link sum.

use crate::topology::Topology;

impl Topology {
    /// Returns how many links there are inside a set: the sum over its pairs of the
    /// count of [`Topology::wire`].
    ///
    /// Over switches that is no bandwidth, as pairs share ports; it tells sets with
    /// better linked devices from others all the same, and it is what other pickers
    /// count. A set never has fewer links than a part of it. Takes a step per pair.
    ///
    /// # Examples
    ///
    /// ```
    /// # use dralloc_topology::{Document, Topology};
    /// # let text = include_str!("../../../../testdata/topologies/dgx1-v100.json");
    /// let dgx1 = Topology::new(&Document::read(text)?)?;
    /// assert_eq!(dgx1.links(&[0, 1, 2, 3]), 9);
    /// # Ok::<(), dralloc_topology::Error>(())
    /// ```
    pub fn links(&self, set: &[usize]) -> u64 {
        let members = self.members(set);
        let mut sum = 0_u64;
        for (place, &a) in members.iter().enumerate() {
            for &b in members.get(..place).unwrap_or_default() {
                let count = self.wire(a, b).map_or(0, |wire| wire.count);
                sum = sum.saturating_add(u64::from(count));
            }
        }
        sum
    }
}
