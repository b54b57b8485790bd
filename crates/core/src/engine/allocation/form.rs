//! The form of an answer that Kubernetes stores, with names where they are.
//!
//! Names are shared by all answers, and whoever copies one counts that in memory that
//! all threads write to: an answer that is only written as text must do without.

use std::borrow::Cow;

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use super::Allocation;
use crate::model::{
    AllocationResult, DeviceAllocationConfiguration, DeviceAllocationResult,
    DeviceRequestAllocationResult, DeviceToleration, Map, NodeSelector, QualifiedName, Quantity,
    Str,
};

/// Is an [`AllocationResult`].
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResultForm<'a> {
    pub(super) devices: DevicesForm<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) node_selector: Option<NodeSelector>,
}

/// Is a [`DeviceAllocationResult`].
#[derive(Serialize)]
pub(super) struct DevicesForm<'a> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) results: Vec<DeviceForm<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) config: Vec<DeviceAllocationConfiguration>,
}

/// Is a [`DeviceRequestAllocationResult`].
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DeviceForm<'a> {
    pub(super) request: Cow<'a, Str>,
    pub(super) driver: &'a Str,
    pub(super) pool: &'a Str,
    pub(super) device: &'a Str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) admin_access: Option<bool>,
    #[serde(skip_serializing_if = "<[DeviceToleration]>::is_empty")]
    pub(super) tolerations: &'a [DeviceToleration],
    #[serde(skip_serializing_if = "<[Str]>::is_empty")]
    pub(super) binding_conditions: &'a [Str],
    #[serde(skip_serializing_if = "<[Str]>::is_empty")]
    pub(super) binding_failure_conditions: &'a [Str],
    #[serde(rename = "shareID", skip_serializing_if = "Option::is_none")]
    pub(super) share_id: Option<&'a Str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) consumed_capacity: Option<Map<QualifiedName, Quantity>>,
    #[serde(skip_serializing_if = "<[Str]>::is_empty")]
    pub(super) skip_node_operations: &'a [Str],
}

impl From<ResultForm<'_>> for AllocationResult {
    fn from(form: ResultForm<'_>) -> Self {
        Self {
            devices: DeviceAllocationResult {
                results: form.devices.results.into_iter().map(From::from).collect(),
                config: form.devices.config,
            },
            node_selector: form.node_selector,
            allocation_timestamp: None,
        }
    }
}

impl From<DeviceForm<'_>> for DeviceRequestAllocationResult {
    fn from(form: DeviceForm<'_>) -> Self {
        Self {
            request: form.request.into_owned(),
            driver: form.driver.clone(),
            pool: form.pool.clone(),
            device: form.device.clone(),
            admin_access: form.admin_access,
            tolerations: form.tolerations.to_vec(),
            binding_conditions: form.binding_conditions.to_vec(),
            binding_failure_conditions: form.binding_failure_conditions.to_vec(),
            share_id: form.share_id.cloned(),
            consumed_capacity: form.consumed_capacity,
            skip_node_operations: form.skip_node_operations.to_vec(),
        }
    }
}

/// Writes what [`Allocation::results`] returns, without copies of names.
impl Serialize for Allocation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let claims = self.answer.compiled.claims.len();
        let mut results = serializer.serialize_seq(Some(claims))?;
        for claim in 0..claims {
            match self.granted_to(claim) {
                Some(had) => results.serialize_element(&**had)?,
                None => results.serialize_element(&self.answer.form(claim))?,
            }
        }
        results.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_that_of_a_result() -> Result<(), serde_json::Error> {
        let name: Str = "name".into();
        let names = [name.clone()];
        let tolerations = [DeviceToleration::default()];
        let device = || DeviceForm {
            request: Cow::Borrowed(&name),
            driver: &name,
            pool: &name,
            device: &name,
            admin_access: Some(true),
            tolerations: &tolerations,
            binding_conditions: &names,
            binding_failure_conditions: &names,
            share_id: Some(&name),
            consumed_capacity: Some(Map::default()),
            skip_node_operations: &names,
        };
        let result = |results| ResultForm {
            devices: DevicesForm {
                results,
                config: vec![DeviceAllocationConfiguration::default()],
            },
            node_selector: Some(NodeSelector::default()),
        };
        let text = serde_json::to_string(&result(vec![device()]))?;
        let same = AllocationResult::from(result(vec![device()]));
        assert_eq!(text, serde_json::to_string(&same)?);
        assert_eq!(serde_json::from_str::<AllocationResult>(&text)?, same);
        Ok(())
    }
}
