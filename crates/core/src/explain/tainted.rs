//! [`TaintedDevice`]: a device that a taint keeps from a request.

use serde::Serialize;

use crate::model::{DeviceId, DeviceTaint, Str};

/// Is a device that a request could have if it tolerated a taint, or if there were none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaintedDevice {
    /// Place of the claim in the question.
    pub claim: usize,
    /// Name of the request, or `request/subrequest`.
    pub request: Str,
    /// The device.
    pub device: DeviceId,
    /// The first of its taints that keeps the request away.
    pub taint: DeviceTaint,
    /// Name of the `DeviceTaintRule` that sets the taint; none if the driver does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Str>,
}
