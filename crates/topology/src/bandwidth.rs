//! How fast the way between two vertices is.

use crate::graph::Graph;
use crate::rate::Rate;
use crate::tree::Tree;

/// Returns the least rate that is known on the way over `PCIe`, up from both ends to
/// where they meet, or as far as the tree goes.
///
/// A link whose rate the document leaves out does not count, nor does the way between
/// NUMA nodes or hosts; so this is a bound from above.
pub(crate) fn pcie(graph: &Graph, tree: &Tree, a: usize, b: usize) -> Option<Rate> {
    let meet = tree.meet(a, b);
    let up = |from: usize| {
        let places = tree.up(from).take_while(move |&place| Some(place) != meet);
        places.filter_map(move |place| {
            let parent = tree.parent(place)?;
            let links = graph.links(place).filter(|&(other, _)| other == parent);
            links
                .filter(|(_, edge)| edge.link_type.contains())
                .filter_map(|(_, edge)| edge.rate)
                .min()
        })
    };
    let own = [a, b]
        .into_iter()
        .filter_map(|end| graph.vertex(end).bandwidth);
    up(a).chain(up(b)).chain(own).min()
}
