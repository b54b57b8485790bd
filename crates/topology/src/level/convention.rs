//! [`Convention`]: what tools call the way through a NUMA node.

/// Says what the way is called that leads through a NUMA node and no further.
///
/// A document has NUMA nodes and no host bridges, and tools differ there: NCCL and RCCL
/// take a NUMA node for one host bridge (`PHB`), `nvidia-smi` counts each root port as a
/// host bridge of its own (`NODE`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convention {
    /// `NODE`, as `nvidia-smi topo -m` prints it.
    NvidiaSmi,
    /// `PHB`, as NCCL and RCCL count.
    Nccl,
}
