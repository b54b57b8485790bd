//! [`AffinityScope`]: what devices can have in common, by the words of a policy.

use dralloc_topology::Scope;

/// Says what devices are to have in common (`dralloc.dev/v1alpha1 AffinityLevel.scope`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum AffinityScope {
    /// `NVLink` or xGMI joins each two of them, directly or over switches.
    NvLink,
    /// They are in one domain of a kind.
    Domain(Scope),
}

impl AffinityScope {
    /// All scopes of policies, the nearest first; links come before places.
    pub(crate) const ALL: [Self; 8] = [
        Self::NvLink,
        Self::Domain(Scope::PcieSwitch),
        Self::Domain(Scope::PcieRoot),
        Self::Domain(Scope::NumaNode),
        Self::Domain(Scope::Host),
        Self::Domain(Scope::NvLinkDomain),
        Self::Domain(Scope::Rack),
        Self::Domain(Scope::Block),
    ];

    /// Returns the word of the format.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::NvLink => "nvLink",
            Self::Domain(scope) => scope.as_str(),
        }
    }

    /// Returns the scope of the word of a place; links are none.
    pub(crate) fn place(word: &str) -> Option<Scope> {
        match Self::new(word)? {
            Self::Domain(scope) => Some(scope),
            Self::NvLink => None,
        }
    }

    /// Returns the scope of a word.
    pub(crate) fn new(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == word)
    }
}
