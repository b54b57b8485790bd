//! [`Level`]: what labels say.

/// Is what a label is about, from near to far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// The `NVLink` domain of a host.
    NvLink,
    /// The rack.
    Rack,
    /// The switch so many steps up in the network.
    Tier(u32),
    /// The zone.
    Zone,
    /// The region.
    Region,
}

/// Labels of one meaning, the first that a node has counts.
const KNOWN: [(&str, Level); 17] = [
    ("nvidia.com/gpu.clique", Level::NvLink),
    ("accelerator.topograph.run/domain", Level::NvLink),
    ("network.topology.nvidia.com/accelerator", Level::NvLink),
    ("network.topology.nvidia.com/leaf", Level::Tier(0)),
    ("network.topology.nvidia.com/block", Level::Tier(0)),
    ("network.topology.nvidia.com/spine", Level::Tier(1)),
    ("network.topology.nvidia.com/core", Level::Tier(2)),
    ("network.topology.nvidia.com/datacenter", Level::Tier(2)),
    ("cloud.google.com/gce-topology-subblock", Level::Tier(0)),
    ("cloud.google.com/gce-topology-block", Level::Tier(1)),
    ("topology.k8s.aws/network-node-layer-3", Level::Tier(0)),
    ("topology.k8s.aws/network-node-layer-2", Level::Tier(1)),
    ("topology.k8s.aws/network-node-layer-1", Level::Tier(2)),
    ("topology.kubernetes.io/zone", Level::Zone),
    ("failure-domain.beta.kubernetes.io/zone", Level::Zone),
    ("topology.kubernetes.io/region", Level::Region),
    ("failure-domain.beta.kubernetes.io/region", Level::Region),
];

/// Labels with the number of the tier at the end, 0 next to the host.
const TIERS: [&str; 2] = [
    "fabric.topograph.run/tier-",
    "network.topology.nvidia.com/tier-",
];

/// Returns what a label is about, and its rank among those of one meaning.
pub(super) fn level(key: &str) -> Option<(Level, usize)> {
    for (rank, tier) in TIERS.into_iter().enumerate() {
        if let Some(number) = key.strip_prefix(tier) {
            let is_number = number.chars().all(|digit| digit.is_ascii_digit());
            let number = number.parse().ok().filter(|_| is_number)?;
            return Some((Level::Tier(number), rank));
        }
    }
    let known = KNOWN.iter().enumerate();
    let mut known = known.filter(|(_, (known, _))| *known == key);
    if let Some((rank, &(_, level))) = known.next() {
        return Some((level, TIERS.len() + rank));
    }
    // There is no common label for racks: `topology.kubernetes.io/rack`,
    // `cloud.provider.com/topology-rack` and others are used.
    let name = key.rsplit_once('/').map_or(key, |(_, name)| name);
    let (_, last) = name.rsplit_once(['-', '.', '_']).unwrap_or(("", name));
    match last {
        "rack" => Some((Level::Rack, usize::MAX)),
        "block" => Some((Level::Tier(0), usize::MAX)),
        _ => None,
    }
}
