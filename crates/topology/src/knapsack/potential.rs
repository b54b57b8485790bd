//! Packing potential of domains.

use crate::domain::DomainTree;

/// Returns in how many devices, over all sizes, sets of a size can be cut out of the
/// free devices of a domain.
pub(crate) fn of_domain(len: u32, free: u32) -> u64 {
    let mut sum = 0;
    let mut size = 2;
    while size < len {
        sum += u64::from(free / size * size);
        size = size.saturating_mul(2);
    }
    if len >= 2 && free == len {
        sum += u64::from(len);
    }
    sum
}

/// Returns the potential over all domains of a tree.
pub(super) fn of(tree: &DomainTree, is_free: impl Fn(usize) -> bool) -> u64 {
    let free: Vec<u32> = std::iter::once(0)
        .chain(tree.order().iter().scan(0, |sum, &device| {
            *sum += u32::from(is_free(device as usize));
            Some(*sum)
        }))
        .collect();
    let domains = tree.domains().iter().filter(|domain| domain.len >= 2);
    let potentials = domains.map(|domain| {
        let (start, end) = (domain.start as usize, (domain.start + domain.len) as usize);
        of_domain(domain.len, free[end] - free[start])
    });
    potentials.sum()
}
