//! Taints repel requests that do not tolerate them.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{ObjectMeta, Str};

/// Repels requests from a device (`resource/v1 DeviceTaint`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeviceTaint {
    /// Label-like key.
    pub key: Str,
    /// Label-like value.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub value: Str,
    /// `None`, `NoSchedule` or `NoExecute`; kept as written, unknown ones do nothing.
    pub effect: Str,
    /// When it was added, in RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_added: Option<Str>,
}

/// Prints as `key=value:effect`, as `kubectl taint` takes it.
impl fmt::Display for DeviceTaint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let equals = if self.value.is_empty() { "" } else { "=" };
        write!(
            formatter,
            "{}{equals}{}:{}",
            self.key, self.value, self.effect
        )
    }
}

/// Lets a request use a device in spite of a taint (`resource/v1 DeviceToleration`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeviceToleration {
    /// Key of the taint; empty for any.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub key: Str,
    /// `Equal` (also when empty) or `Exists`; others tolerate nothing.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub operator: Str,
    /// Value of the taint, for `Equal`.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub value: Str,
    /// Effect of the taint; empty for any.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub effect: Str,
    /// For how long a taint is tolerated; of no meaning for allocation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toleration_seconds: Option<i64>,
}

/// Taints devices from outside of their driver (`resource/v1 DeviceTaintRule`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeviceTaintRule {
    /// Name and identity.
    pub metadata: ObjectMeta,
    /// Which taint, on which devices.
    pub spec: DeviceTaintRuleSpec,
}

/// Says which taint is on which devices (`resource/v1 DeviceTaintRuleSpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeviceTaintRuleSpec {
    /// Which devices; without it none, as the API says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_selector: Option<DeviceTaintSelector>,
    /// The taint.
    pub taint: DeviceTaint,
}

/// Selects devices by what is given; all of it must match (`resource/v1 DeviceTaintSelector`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeviceTaintSelector {
    /// Driver of the devices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver: Option<Str>,
    /// Pool of the devices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool: Option<Str>,
    /// Name of the devices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<Str>,
}
