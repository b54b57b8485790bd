//! [`Workload`]: what a file says there is, and what to ask.

use std::error::Error;
use std::path::Path;

use dralloc::model::{
    DeviceClass, DeviceId, Map, Node, QualifiedName, Quantity, ResourceClaim, ResourceSlice, Str,
};
use serde::Deserialize;

/// Is one workload file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Workload {
    pub(crate) name: String,
    pub(crate) family: String,
    pub(crate) nodes: Vec<Node>,
    pub(crate) device_classes: Vec<DeviceClass>,
    pub(crate) resource_slices: Vec<ResourceSlice>,
    pub(crate) claims: Vec<ResourceClaim>,
    pub(crate) allocated: Allocated,
    pub(crate) runs: Vec<Run>,
}

/// Is what is in use at the start.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Allocated {
    pub(crate) devices: Vec<InUse>,
    pub(crate) shared: Vec<InUse>,
    pub(crate) capacity: Vec<InUse>,
}

/// Is one device in use, in part or whole.
#[derive(Deserialize)]
pub(crate) struct InUse {
    driver: Str,
    pool: Str,
    device: Str,
    #[serde(default, rename = "shareID")]
    pub(crate) share: Option<Str>,
    #[serde(default)]
    pub(crate) capacity: Map<QualifiedName, Quantity>,
}

/// Is one question.
#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Run {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) node: String,
    pub(crate) expect: String,
    /// Places of the claims.
    pub(crate) claims: Vec<usize>,
    /// First place and end of the claims of a sequence.
    pub(crate) range: Vec<usize>,
    pub(crate) repeat: bool,
}

impl InUse {
    pub(crate) fn id(&self) -> DeviceId {
        DeviceId::new(self.driver.clone(), self.pool.clone(), self.device.clone())
    }
}

impl Workload {
    /// Reads a file; slices get uids, so that a later state of one replaces it.
    pub(crate) fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let mut workload: Self = serde_json::from_slice(&std::fs::read(path)?)?;
        for slice in &mut workload.resource_slices {
            slice.metadata.uid = Some(slice.metadata.name.clone());
        }
        Ok(workload)
    }

    pub(crate) fn devices(&self) -> usize {
        let slices = self.resource_slices.iter();
        slices.map(|slice| slice.spec.devices.len()).sum()
    }

    pub(crate) fn claims_of(&self, run: &Run) -> Vec<ResourceClaim> {
        let places = run.claims.iter();
        places
            .filter_map(|place| self.claims.get(*place).cloned())
            .collect()
    }

    /// Returns the nodes in their order.
    pub(crate) fn names(&self) -> Vec<&str> {
        let nodes = self.nodes.iter();
        nodes.map(|node| &*node.metadata.name).collect()
    }

    /// Returns the slices that change between samples: those that the node of a
    /// run sees, or all.
    pub(crate) fn changing(&self, run: &Run) -> Vec<&ResourceSlice> {
        let is_seen = |slice: &&ResourceSlice| {
            let name = slice.spec.node_name.as_deref().unwrap_or_default();
            name.is_empty() || run.node.is_empty() || name == run.node
        };
        let has_devices = |slice: &&ResourceSlice| !slice.spec.devices.is_empty();
        let slices = self.resource_slices.iter();
        slices.filter(has_devices).filter(is_seen).collect()
    }
}
