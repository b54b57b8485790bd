//! [`nearest`]: the name that a misspelt one may have meant.

/// Most edits that a misspelt name may need.
const MAX_EDITS: usize = 2;

/// Returns the known name that a misspelt one may have meant: it is two edits away at most,
/// fewer for short names; upper and lower case are the same letter.
///
/// ```
/// use dralloc_cel::nearest;
///
/// let known = ["attributes", "capacity", "driver"];
/// assert_eq!(nearest("atributes", known), Some("attributes"));
/// assert_eq!(nearest("name", known), None);
/// ```
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // Of short names nearly everything is a misspelling.
    let allowed = MAX_EDITS.min(name.len() / 3);
    known
        .into_iter()
        .map(|candidate| (edits(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

fn edits(name: &str, candidate: &str) -> usize {
    strsim::osa_distance(&name.to_ascii_lowercase(), &candidate.to_ascii_lowercase())
}
