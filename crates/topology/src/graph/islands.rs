//! Parts of a document that no link joins.

use petgraph::unionfind::UnionFind;

use super::Graph;
use crate::error::{Oddity, Warning};
use crate::validate::quoted;

/// How many islands a warning names.
const SHOWN: usize = 4;

/// Warns where the vertices fall into parts.
///
/// Nothing is known of the way between two islands, so it counts as the longest: a
/// forgotten link makes devices look far apart, never near.
pub(super) fn warn(graph: &Graph, warnings: &mut Vec<Warning>) {
    let mut parts: UnionFind<usize> = UnionFind::new(graph.len());
    for (a, b, _) in graph.edges() {
        parts.union(a, b);
    }
    let labels = parts.into_labeling();
    let mut seen = vec![false; graph.len()];
    let mut firsts = Vec::new();
    for (number, &label) in labels.iter().enumerate() {
        if let Some(seen) = seen.get_mut(label)
            && !std::mem::replace(seen, true)
        {
            firsts.push(number);
        }
    }
    if firsts.len() < 2 {
        return;
    }
    let shown: Vec<String> = firsts
        .iter()
        .take(SHOWN)
        .map(|&first| quoted(&graph.vertex(first).id))
        .collect();
    let more = if firsts.len() > SHOWN { ", …" } else { "" };
    let message = format!(
        "no link joins {} parts, those of {}{more}; what is in different ones counts as far apart",
        firsts.len(),
        shown.join(", "),
    );
    warnings.push(Warning::new(Oddity::Islands, "spec.links", message));
}
