//! [`DomainScope`]: which domains a node is in, by its labels.

use std::fmt;

use crate::model::Node;

/// Says what nodes have in common, the widest first.
///
/// The name of a node's domain is the value of the first label that it has of those
/// listed by [`DomainScope::labels`], after the caller's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DomainScope {
    /// They are in one region.
    Region,
    /// They are in one zone.
    Zone,
    /// Their blocks hang on one core switch, or are in one data center or island.
    Core,
    /// They are in one block of racks: under one spine switch.
    Block,
    /// They are in one rack: under one leaf switch.
    Rack,
    /// Their devices are in one `NVLink` domain (clique), or another such interconnect of
    /// accelerators.
    NvLinkDomain,
}

impl DomainScope {
    /// All scopes, the widest first.
    pub const ALL: [Self; 6] = [
        Self::Region,
        Self::Zone,
        Self::Core,
        Self::Block,
        Self::Rack,
        Self::NvLinkDomain,
    ];

    /// Returns the name, as a `PlacementPolicy` has it where it knows the scope.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Region => "region",
            Self::Zone => "zone",
            Self::Core => "core",
            Self::Block => "block",
            Self::Rack => "rack",
            Self::NvLinkDomain => "nvLinkDomain",
        }
    }

    /// Returns the labels that name the domain of a node, the most telling first: those of
    /// Kubernetes, of NVIDIA's device plugin and DRA driver (`<cluster uuid>.<clique id>`),
    /// of topograph by its present names (tier 0 is next to the node) and by those before,
    /// and of clouds.
    pub fn labels(self) -> &'static [&'static str] {
        match self {
            Self::Region => &[
                "topology.kubernetes.io/region",
                "failure-domain.beta.kubernetes.io/region",
            ],
            Self::Zone => &[
                "topology.kubernetes.io/zone",
                "failure-domain.beta.kubernetes.io/zone",
            ],
            Self::Core => &[
                "fabric.topograph.run/tier-2",
                "network.topology.nvidia.com/core",
                "network.topology.nvidia.com/datacenter",
                "topology.k8s.aws/network-node-layer-1",
            ],
            Self::Block => &[
                "topology.kubernetes.io/block",
                "cloud.provider.com/topology-block",
                "fabric.topograph.run/tier-1",
                "network.topology.nvidia.com/spine",
                "cloud.google.com/gce-topology-block",
                "topology.k8s.aws/network-node-layer-2",
            ],
            Self::Rack => &[
                "topology.kubernetes.io/rack",
                "cloud.provider.com/topology-rack",
                "fabric.topograph.run/tier-0",
                "network.topology.nvidia.com/leaf",
                "network.topology.nvidia.com/block",
                "cloud.google.com/gce-topology-subblock",
                "topology.k8s.aws/network-node-layer-3",
            ],
            Self::NvLinkDomain => &[
                "nvidia.com/gpu.clique",
                "accelerator.topograph.run/domain",
                "network.topology.nvidia.com/accelerator",
            ],
        }
    }

    /// Returns the name of the domain that a node is in by its labels.
    pub fn of(self, node: &Node) -> Option<&str> {
        domain_of(node, self, &[])
    }
}

impl fmt::Display for DomainScope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Returns the name of the domain that a node is in; `own` are labels of the caller's,
/// which come first. A label without a value says nothing.
pub(crate) fn domain_of<'n>(
    node: &'n Node,
    scope: DomainScope,
    own: &[(DomainScope, &str)],
) -> Option<&'n str> {
    let own = own.iter().filter(|(of, _)| *of == scope);
    let own = own.map(|(_, label)| *label);
    let mut labels = own.chain(scope.labels().iter().copied());
    labels.find_map(|label| {
        let value = &**node.metadata.labels.get(label)?;
        (!value.is_empty()).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::{DomainScope, domain_of};
    use crate::model::Node;

    #[test]
    fn labels_name_domains() {
        let labels = [
            ("nvidia.com/gpu.clique", "7f3c.1"),
            ("accelerator.topograph.run/domain", "other"),
            ("fabric.topograph.run/tier-0", "leaf-2"),
            ("network.topology.nvidia.com/leaf", "old"),
            ("fabric.topograph.run/tier-1", ""),
            ("network.topology.nvidia.com/spine", "spine-1"),
            ("topology.kubernetes.io/zone", "a"),
            ("example.com/hall", "north"),
        ];
        let node = Node::new("n", labels);
        let name = |scope| domain_of(&node, scope, &[]);
        let names = DomainScope::ALL.map(name);
        let expected = [
            None,
            Some("a"),
            None,
            Some("spine-1"),
            Some("leaf-2"),
            Some("7f3c.1"),
        ];
        assert_eq!(names, expected);
        let own = [(DomainScope::Zone, "example.com/hall")];
        assert_eq!(domain_of(&node, DomainScope::Zone, &own), Some("north"));
        let own = [(DomainScope::Zone, "example.com/none")];
        assert_eq!(domain_of(&node, DomainScope::Zone, &own), Some("a"));
    }

    #[test]
    fn a_label_has_one_meaning() {
        let mut labels: Vec<&str> = DomainScope::ALL
            .iter()
            .flat_map(|scope| scope.labels())
            .copied()
            .collect();
        let count = labels.len();
        labels.sort_unstable();
        labels.dedup();
        assert_eq!(labels.len(), count);
    }
}
