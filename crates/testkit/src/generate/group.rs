//! [`Group`]: the feature that a case is about.

/// What a generated case is about; its name is the first part of the case's
/// name, so that failures can be counted per feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Counts and classes only.
    Basic,
    /// Several drivers, pools, generations and slices; also incomplete pools.
    Pools,
    /// Pools that contradict themselves.
    Invalid,
    /// Node selection of slices.
    Nodes,
    /// Node selection of single devices.
    DeviceNodes,
    /// Partitions that draw on shared counters.
    Counters,
    /// Consumable capacity under every kind of policy.
    Capacity,
    /// Consumable capacity in milli units.
    Fraction,
    /// Counters and consumable capacity together.
    SharedParts,
    /// Much is held already, also by devices that have changed since.
    Held,
    /// Administrative access.
    Admin,
    /// Taints and tolerations.
    Taints,
    /// Binding conditions.
    Binding,
    /// Configuration of classes and claims.
    Config,
    /// `firstAvailable`.
    Prioritized,
    /// Allocation mode `All`.
    All,
    /// `matchAttribute`.
    Match,
    /// `distinctAttribute`.
    Distinct,
    /// Attributes that are lists.
    Lists,
    /// Attributes that requests derive.
    Derived,
    /// Compatibility groups of partitions.
    CompatibilityGroups,
    /// Devices that skip node operations.
    NodeOperations,
    /// Selectors of all kinds, failing ones too.
    Selectors,
    /// Several claims.
    Claims,
    /// Counts around the limit of a claim.
    Limits,
    /// Features switched off at random.
    Gates,
    /// Quantities and counts that no one would write.
    Oddities,
    /// Physical devices that several pools publish.
    Twins,
    /// What could not pass API validation.
    Malformed,
}

impl Group {
    /// All groups, in order.
    pub const EVERY: [Self; 29] = [
        Self::Basic,
        Self::Pools,
        Self::Invalid,
        Self::Nodes,
        Self::DeviceNodes,
        Self::Counters,
        Self::Capacity,
        Self::Fraction,
        Self::SharedParts,
        Self::Held,
        Self::Admin,
        Self::Taints,
        Self::Binding,
        Self::Config,
        Self::Prioritized,
        Self::All,
        Self::Match,
        Self::Distinct,
        Self::Lists,
        Self::Derived,
        Self::CompatibilityGroups,
        Self::NodeOperations,
        Self::Selectors,
        Self::Claims,
        Self::Limits,
        Self::Gates,
        Self::Oddities,
        Self::Twins,
        Self::Malformed,
    ];

    /// Returns the name, one word or several joined by dashes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Basic => "basic",
            Self::Pools => "pools",
            Self::Invalid => "invalid",
            Self::Nodes => "nodes",
            Self::DeviceNodes => "device-nodes",
            Self::Counters => "counters",
            Self::Capacity => "capacity",
            Self::Fraction => "fraction",
            Self::SharedParts => "shared-parts",
            Self::Held => "held",
            Self::Admin => "admin",
            Self::Taints => "taints",
            Self::Binding => "binding",
            Self::Config => "config",
            Self::Prioritized => "prioritized",
            Self::All => "all",
            Self::Match => "match",
            Self::Distinct => "distinct",
            Self::Lists => "lists",
            Self::Derived => "derived",
            Self::CompatibilityGroups => "compatibility-groups",
            Self::NodeOperations => "node-operations",
            Self::Selectors => "selectors",
            Self::Claims => "claims",
            Self::Limits => "limits",
            Self::Gates => "gates",
            Self::Oddities => "oddities",
            Self::Twins => "twins",
            Self::Malformed => "malformed",
        }
    }
}
