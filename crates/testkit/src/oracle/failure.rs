//! Faults of the input that end a search.

/// Says what ended a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What sort of fault it is.
    pub kind: FailureKind,
    /// Whom it affects.
    pub scope: FailureScope,
    /// One line for people.
    pub message: String,
}

impl Failure {
    /// Returns a failure that ends the whole call.
    pub(super) fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            scope: FailureScope::Request,
            message: message.into(),
        }
    }

    /// Returns the failure as one that affects only this node.
    pub(super) fn on_node(self) -> Self {
        Self {
            scope: FailureScope::Node,
            ..self
        }
    }
}

/// Says whom a failure affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureScope {
    /// No node can help.
    Request,
    /// Other nodes may do.
    Node,
}

impl FailureScope {
    /// Returns the word that answers use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Node => "node",
        }
    }
}

/// Classifies failures; named like the codes of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailureKind {
    /// A value that the API does not allow.
    Invalid,
    /// A class that does not exist.
    NotFound,
    /// A kind of selector, request, constraint or mode that is not known.
    Unsupported,
    /// A feature that is switched off.
    FeatureDisabled,
    /// More devices than a claim may hold.
    LimitExceeded,
    /// An expression that does not compile.
    CelCompile,
    /// An expression that fails on a device.
    CelEvaluation,
    /// An attribute without a usable value.
    Attribute,
    /// An amount that cannot be computed.
    Capacity,
    /// A malformed node selector.
    NodeSelector,
    /// A pool that is incomplete or contradicts itself.
    Pool,
}

impl FailureKind {
    /// Returns the stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::NotFound => "not-found",
            Self::Unsupported => "unsupported",
            Self::FeatureDisabled => "feature-disabled",
            Self::LimitExceeded => "limit-exceeded",
            Self::CelCompile => "cel-compile",
            Self::CelEvaluation => "cel-evaluation",
            Self::Attribute => "attribute",
            Self::Capacity => "capacity",
            Self::NodeSelector => "node-selector",
            Self::Pool => "pool",
        }
    }
}
