//! [`Violation`]: one thing that is wrong with an answer.

use std::fmt;

/// Says what is wrong with an answer, and where.
///
/// Prints as one line, `results[0].devices.results[2].device: …`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct Violation {
    code: ViolationCode,
    message: String,
    path: String,
}

impl Violation {
    pub(super) fn new(code: ViolationCode, path: String, message: String) -> Self {
        Self {
            code,
            message,
            path,
        }
    }

    /// Returns the stable code.
    pub fn code(&self) -> ViolationCode {
        self.code
    }

    /// Returns the message, without the path.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the path of the part that is wrong: in the results
    /// (`results[0].devices.results[2].device`), or, if no answer could be
    /// right, in the claims (`claims[0].spec.devices.requests[1]`).
    pub fn path(&self) -> &str {
        &self.path
    }
}

/// Classifies violations; the names are stable and printed by [`ViolationCode::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ViolationCode {
    /// There is no such node, or what it sees cannot be known.
    Node,
    /// There is not one result per claim.
    ResultCount,
    /// A claim needs a feature that is off.
    FeatureDisabled,
    /// A claim asks for something of a kind that is not known here.
    Unsupported,
    /// A claim names a class that does not exist.
    ClassNotFound,
    /// A claim has more devices than it may.
    LimitExceeded,
    /// A result is for a request that the claim does not have.
    UnknownRequest,
    /// A request is satisfied by more than one of its alternatives.
    SeveralAlternatives,
    /// A request has too few or too many devices.
    DeviceCount,
    /// A request for all devices does not have all of them.
    NotAll,
    /// The node sees no such device.
    UnknownDevice,
    /// The pool of a device is incomplete, invalid or about to be replaced.
    Pool,
    /// A device is not for the node.
    NodeSelection,
    /// A selector of the class or the request does not match a device.
    Selector,
    /// A device needs a feature that is off, or one that the node does not declare.
    DeviceFeature,
    /// A device cannot give what is asked for, even to nobody else.
    Capacity,
    /// A device is held by somebody else.
    InUse,
    /// A device is given more than once.
    RepeatedDevice,
    /// A device is physically one that is held or given under another name.
    PhysicalDevice,
    /// The shares of a device take more of a capacity than it has.
    CapacityExceeded,
    /// The devices of a pool take more of a counter than there is.
    CountersExceeded,
    /// Devices that use the same counters have no compatibility group in common.
    CompatibilityGroups,
    /// A device has a taint that the request does not tolerate.
    Taint,
    /// The devices of a `matchAttribute` constraint have no value in common.
    MatchAttribute,
    /// Two devices of a `distinctAttribute` constraint have a value in common.
    DistinctAttribute,
    /// The devices are not where, or not linked as, a placement policy or the machine
    /// requires.
    Placement,
    /// `adminAccess` is not that of the request.
    AdminAccess,
    /// `tolerations` are not those of the request.
    Tolerations,
    /// `bindingConditions` are not those of the device.
    BindingConditions,
    /// `bindingFailureConditions` are not those of the device.
    BindingFailureConditions,
    /// `skipNodeOperations` are not those of the device's slice.
    SkipNodeOperations,
    /// A share of a device has no id.
    ShareIdMissing,
    /// A device that is not shared has a share id.
    ShareIdUnexpected,
    /// Two shares of a device have the same id, or one has that of a share that is held.
    ShareIdRepeated,
    /// `consumedCapacity` is not what the request takes of the device.
    ConsumedCapacity,
    /// A configuration of the claim or of a class is missing.
    ConfigMissing,
    /// A configuration is neither that of the claim nor that of a class.
    ConfigUnexpected,
    /// Configurations are not in the order of the classes and the claim.
    ConfigOrder,
    /// A configuration is for other requests.
    ConfigRequests,
    /// `nodeSelector` does not select the nodes that have all devices of the claim.
    NodeSelector,
    /// A certificate ends before all its cases are shown impossible.
    CertificateIncomplete,
    /// A certificate goes on after all its cases are shown impossible.
    CertificateSurplus,
    /// A step of a certificate is about requests that it cannot be about, or
    /// names them out of order.
    CertificateRequests,
    /// A step of a certificate does not name the devices that can serve, all of
    /// them and in order.
    CertificateDevices,
    /// A step of a certificate does not name the values that devices can have,
    /// all of them and in order.
    CertificateValues,
    /// A step of a certificate does not tell all cases apart.
    CertificateCases,
    /// A number in a certificate is another one.
    CertificateSum,
    /// The numbers of a step of a certificate do not show that anything is missing.
    CertificateShowsNothing,
    /// A step of a certificate takes too long to check.
    CertificateEffort,
    /// A certificate names a constraint that the claim does not have.
    UnknownConstraint,
    /// A certificate names a counter that does not exist.
    UnknownCounter,
    /// A certificate names a capacity that no shared device has.
    UnknownCapacity,
}

impl ViolationCode {
    /// Returns the stable name of the code.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::ResultCount => "result-count",
            Self::FeatureDisabled => "feature-disabled",
            Self::Unsupported => "unsupported",
            Self::ClassNotFound => "class-not-found",
            Self::LimitExceeded => "limit-exceeded",
            Self::UnknownRequest => "unknown-request",
            Self::SeveralAlternatives => "several-alternatives",
            Self::DeviceCount => "device-count",
            Self::NotAll => "not-all",
            Self::UnknownDevice => "unknown-device",
            Self::Pool => "pool",
            Self::NodeSelection => "node-selection",
            Self::Selector => "selector",
            Self::DeviceFeature => "device-feature",
            Self::Capacity => "capacity",
            Self::InUse => "in-use",
            Self::RepeatedDevice => "repeated-device",
            Self::PhysicalDevice => "physical-device",
            Self::CapacityExceeded => "capacity-exceeded",
            Self::CountersExceeded => "counters-exceeded",
            Self::CompatibilityGroups => "compatibility-groups",
            Self::Taint => "taint",
            Self::MatchAttribute => "match-attribute",
            Self::DistinctAttribute => "distinct-attribute",
            Self::Placement => "placement",
            Self::AdminAccess => "admin-access",
            Self::Tolerations => "tolerations",
            Self::BindingConditions => "binding-conditions",
            Self::BindingFailureConditions => "binding-failure-conditions",
            Self::SkipNodeOperations => "skip-node-operations",
            Self::ShareIdMissing => "share-id-missing",
            Self::ShareIdUnexpected => "share-id-unexpected",
            Self::ShareIdRepeated => "share-id-repeated",
            Self::ConsumedCapacity => "consumed-capacity",
            Self::ConfigMissing => "config-missing",
            Self::ConfigUnexpected => "config-unexpected",
            Self::ConfigOrder => "config-order",
            Self::ConfigRequests => "config-requests",
            Self::NodeSelector => "node-selector",
            Self::CertificateIncomplete => "certificate-incomplete",
            Self::CertificateSurplus => "certificate-surplus",
            Self::CertificateRequests => "certificate-requests",
            Self::CertificateDevices => "certificate-devices",
            Self::CertificateValues => "certificate-values",
            Self::CertificateCases => "certificate-cases",
            Self::CertificateSum => "certificate-sum",
            Self::CertificateShowsNothing => "certificate-shows-nothing",
            Self::CertificateEffort => "certificate-effort",
            Self::UnknownConstraint => "unknown-constraint",
            Self::UnknownCounter => "unknown-counter",
            Self::UnknownCapacity => "unknown-capacity",
        }
    }
}

impl fmt::Display for ViolationCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Collects violations.
#[derive(Debug, Default)]
pub(super) struct Report(Vec<Violation>);

impl Report {
    pub(super) fn add(
        &mut self,
        code: ViolationCode,
        path: impl Into<String>,
        message: impl Into<String>,
    ) {
        self.0
            .push(Violation::new(code, path.into(), message.into()));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn into_result(self) -> Result<(), Vec<Violation>> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(self.0)
        }
    }
}
