//! [`Code`]: the names of warnings and hints.

use clap::ValueEnum;

use super::finding::Severity;

/// Is a sort of warning or hint; its name and its page in `docs/warnings` are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum Code {
    AllocatedDeviceMissing,
    AttributeNotPublished,
    AttributeTypesDiffer,
    CapacityNotPublished,
    ClassWithoutDevice,
    ConfigForUnknownDriver,
    ConstraintWithoutEffect,
    CountTooLarge,
    DecimalSuffix,
    FeatureOff,
    ListAgainstScalar,
    MissingClaim,
    MissingTemplate,
    NoWholePartition,
    OldGeneration,
    OtherNamespace,
    OtherVersion,
    PoolContradiction,
    PoolIncomplete,
    RequestUnmentioned,
    RequestWithoutDevice,
    SameBusId,
    SameExtendedResource,
    SelectorFails,
    SliceOfUnknownNode,
    TaintRuleWithoutDevice,
    TaintRuleWithoutSelector,
    TopologyWithoutDevice,
    UnknownClass,
    UnknownExtendedResource,
    UnknownField,
}

impl Code {
    /// Returns the stable name.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::AllocatedDeviceMissing => "allocated-device-missing",
            Self::AttributeNotPublished => "attribute-not-published",
            Self::AttributeTypesDiffer => "attribute-types-differ",
            Self::CapacityNotPublished => "capacity-not-published",
            Self::ClassWithoutDevice => "class-without-device",
            Self::ConfigForUnknownDriver => "config-for-unknown-driver",
            Self::ConstraintWithoutEffect => "constraint-without-effect",
            Self::CountTooLarge => "count-too-large",
            Self::DecimalSuffix => "decimal-suffix",
            Self::FeatureOff => "feature-off",
            Self::ListAgainstScalar => "list-against-scalar",
            Self::MissingClaim => "missing-claim",
            Self::MissingTemplate => "missing-template",
            Self::NoWholePartition => "no-whole-partition",
            Self::OldGeneration => "old-generation",
            Self::OtherNamespace => "other-namespace",
            Self::OtherVersion => "other-version",
            Self::PoolContradiction => "pool-contradiction",
            Self::PoolIncomplete => "pool-incomplete",
            Self::RequestUnmentioned => "request-unmentioned",
            Self::RequestWithoutDevice => "request-without-device",
            Self::SameBusId => "same-bus-id",
            Self::SameExtendedResource => "same-extended-resource",
            Self::SelectorFails => "selector-fails",
            Self::SliceOfUnknownNode => "slice-of-unknown-node",
            Self::TaintRuleWithoutDevice => "taint-rule-without-device",
            Self::TaintRuleWithoutSelector => "taint-rule-without-selector",
            Self::TopologyWithoutDevice => "topology-without-device",
            Self::UnknownClass => "unknown-class",
            Self::UnknownExtendedResource => "unknown-extended-resource",
            Self::UnknownField => "unknown-field",
        }
    }

    /// Returns how bad it is.
    pub(super) fn severity(self) -> Severity {
        match self {
            Self::ConstraintWithoutEffect
            | Self::DecimalSuffix
            | Self::OldGeneration
            | Self::RequestUnmentioned
            | Self::SliceOfUnknownNode => Severity::Hint,
            _ => Severity::Warning,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_takes_the_names_that_are_printed() {
        for code in Code::value_variants() {
            let taken = code.to_possible_value().unwrap();
            assert_eq!(taken.get_name(), code.as_str());
        }
    }
}
