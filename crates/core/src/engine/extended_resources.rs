//! [`ExtendedResources`]: what pods ask for by the names of extended resources, and the
//! claims that come of it.

use super::Snapshot;
use crate::error::{Code, Error};
use crate::features::Features;
use crate::model::{
    Amounts, ContainerExtendedResourceRequest, DeviceClass, Node, ObjectMeta, OwnerReference, Pod,
    PodExtendedResourceClaimStatus, Quantity, ResourceClaim, Str,
};
use crate::rules::{self, DeviceRequests};

/// Marks the claims that are made for extended resources.
const CLAIM_ANNOTATION: &str = "resource.kubernetes.io/extended-resource-claim";

/// Is what a pod asks for by the names of extended resources, such as `nvidia.com/gpu: 2`.
///
/// A resource is that of a device plugin where the node lists some of it as allocatable.
/// Elsewhere it is devices of a class: of that which has the name as its
/// `extendedResourceName`, or of `gpu.example.com` for
/// `deviceclass.resource.kubernetes.io/gpu.example.com`. So the claim of a pod depends on
/// the node, and [`on`](Self::on) says what it is there; it is the same on all nodes whose
/// device plugins serve the same of the pod's resources.
///
/// Source: `pkg/scheduler/framework/plugins/dynamicresources/extendeddynamicresources.go`
/// of Kubernetes 1.37.
///
/// # Examples
///
/// ```
/// use dralloc::model::{DeviceClass, Node, Pod};
/// use dralloc::{ExtendedResources, Features};
///
/// let class: DeviceClass = serde_json::from_str(
///     r#"{"metadata": {"name": "gpu"}, "spec": {"extendedResourceName": "example.com/gpu"}}"#)?;
/// let pod: Pod = serde_json::from_str(
///     r#"{"metadata": {"namespace": "default", "name": "training", "uid": "7"},
///         "spec": {"containers": [{"name": "main", "resources": {
///             "requests": {"cpu": "4", "example.com/gpu": "2"}}}]}}"#)?;
/// let resources = ExtendedResources::of_pod(&pod, [&class], &Features::all())?;
///
/// let here = resources.on(&Node::new("node-1", []));
/// let claim = here.claim.as_ref().ok_or("a node without a device plugin")?;
/// let request = &claim.spec.devices.requests[0];
/// assert_eq!(&*request.name, "container-0-request-1");
/// assert_eq!(request.exactly.as_ref().map(|one| one.count), Some(2));
///
/// let mut with_plugin = Node::new("node-2", []);
/// with_plugin.status.allocatable.insert("example.com/gpu".into(), "8".parse()?);
/// let there = resources.on(&with_plugin);
/// assert_eq!(there.claim, None);
/// assert_eq!(there.amounts.get("example.com/gpu"), Some(&"2".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtendedResources {
    /// What all claims for the pod have.
    metadata: ObjectMeta,
    /// By name.
    resources: Vec<ExtendedResource>,
}

/// Is one extended resource that a pod asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtendedResource {
    /// Its name.
    pub name: Str,
    /// How much the pod needs at once.
    pub amount: Quantity,
    /// Class whose devices it is where no device plugin serves it; none if there is no
    /// such class.
    pub device_class: Option<Str>,
    served: DeviceRequests,
}

/// Is what the extended resources of a pod come to on a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtendedResourcesOnNode {
    /// The claim for the resources that are devices there, to be allocated together with
    /// the other claims of the pod; none if there are no such resources.
    ///
    /// It has a `generateName` for the API server, and until it has a name from there one
    /// that no object can have, `<extended-resources>/` and the name of the pod.
    pub claim: Option<ResourceClaim>,
    /// Which of its requests serves what of which container.
    pub request_mappings: Vec<ContainerExtendedResourceRequest>,
    /// The other resources, those of device plugins and those that nothing serves:
    /// [`AllocateOptions::amounts`](super::AllocateOptions::amounts) compares them with
    /// what the node lists.
    pub amounts: Amounts,
}

impl ExtendedResources {
    /// Returns what a pod asks for; what it is not going to use, an amount of 0, is left out.
    ///
    /// Without the feature (`DRAExtendedResource`) no resource has a class.
    ///
    /// # Errors
    ///
    /// [`Code::Invalid`] for an amount that is no whole number from 0 to 2⁶³ - 1.
    pub fn of_pod<'a>(
        pod: &Pod,
        classes: impl IntoIterator<Item = &'a DeviceClass, IntoIter: Clone>,
        features: &Features,
    ) -> Result<Self, Error> {
        let classes = classes.into_iter();
        let names = asked_names(pod)?;
        let resources = names.into_iter().map(|name| {
            let class = features
                .extended_resources
                .then(|| DeviceClass::of_extended_resource(&name, classes.clone()))
                .flatten();
            let device_class = class.map(|class| class.metadata.name.clone());
            let served = device_class.as_ref();
            let served = served.map(|class| rules::device_requests(pod, &name, class));
            ExtendedResource {
                amount: rules::amount_of_pod(pod, &name).into(),
                served: served.unwrap_or_default(),
                device_class,
                name,
            }
        });
        Ok(Self {
            resources: resources.collect(),
            metadata: metadata(pod),
        })
    }

    /// Returns the resources, by name.
    pub fn resources(&self) -> &[ExtendedResource] {
        &self.resources
    }

    /// Returns how much the pod needs of each, whoever serves it; a pod that runs uses so
    /// much of its node.
    pub fn amounts(&self) -> Amounts {
        let resources = self.resources.iter();
        resources
            .map(|one| (one.name.clone(), one.amount.clone()))
            .collect()
    }

    /// Returns what they come to on a node.
    pub fn on(&self, node: &Node) -> ExtendedResourcesOnNode {
        let mut here = ExtendedResourcesOnNode::default();
        let mut requests = Vec::new();
        for resource in &self.resources {
            if resource.is_devices_on(node) {
                requests.extend(resource.served.requests.iter().cloned());
                let mappings = resource.served.mappings.iter().cloned();
                here.request_mappings.extend(mappings);
            } else {
                let (name, amount) = (resource.name.clone(), resource.amount.clone());
                here.amounts.insert(name, amount);
            }
        }
        if !requests.is_empty() {
            // By their text, as Kubernetes has it: 10 comes before 2.
            requests.sort_by(|one, other| one.name.cmp(&other.name));
            let mut claim = ResourceClaim {
                metadata: self.metadata.clone(),
                ..ResourceClaim::default()
            };
            claim.spec.devices.requests = requests;
            here.claim = Some(claim);
        }
        here
    }
}

impl ExtendedResource {
    /// Returns whether it is devices of its class on a node.
    pub fn is_devices_on(&self, node: &Node) -> bool {
        let listed = node.status.allocatable.get(&*self.name);
        self.device_class.is_some() && listed.is_none_or(|listed| listed.sign() <= 0)
    }
}

impl ExtendedResourcesOnNode {
    /// Returns what Kubernetes enters in the status of the pod, once the claim has a name;
    /// nothing if there is no claim.
    pub fn pod_status(&self) -> Option<PodExtendedResourceClaimStatus> {
        let claim = self.claim.as_ref()?;
        Some(PodExtendedResourceClaimStatus {
            request_mappings: self.request_mappings.clone(),
            resource_claim_name: claim.metadata.name.clone(),
        })
    }
}

impl Snapshot {
    /// Returns what a pod asks for by the names of extended resources, with the classes
    /// and features of the snapshot.
    ///
    /// # Errors
    ///
    /// Those of [`ExtendedResources::of_pod`].
    pub fn extended_resources(&self, pod: &Pod) -> Result<ExtendedResources, Error> {
        let classes: Vec<&DeviceClass> = self.device_classes().collect();
        ExtendedResources::of_pod(pod, classes, self.features())
    }
}

/// Returns the names of the extended resources of which a pod asks for some, in order.
fn asked_names(pod: &Pod) -> Result<Vec<Str>, Error> {
    let mut names = Vec::new();
    let init = pod.spec.init_containers.iter().enumerate();
    let init = init.map(|(index, container)| ("initContainers", index, container));
    let others = pod.spec.containers.iter().enumerate();
    let others = others.map(|(index, container)| ("containers", index, container));
    for (list, index, container) in init.chain(others) {
        for (name, quantity) in &rules::requests_of(container) {
            if !rules::is_served_by_class(name) {
                continue;
            }
            let units = rules::units_of(quantity).map_err(|message| {
                let is_request = container.resources.requests.contains_key(name);
                let field = if is_request { "requests" } else { "limits" };
                let path = format!("spec.{list}[{index}].resources.{field}[{name}]");
                Error::new(Code::Invalid, message).at(path)
            })?;
            if units > 0 {
                names.push(name.clone());
            }
        }
    }
    names.sort();
    names.dedup();
    Ok(names)
}

fn metadata(pod: &Pod) -> ObjectMeta {
    let name = &pod.metadata.name;
    let owner = OwnerReference {
        api_version: "v1".into(),
        kind: "Pod".into(),
        name: name.clone(),
        uid: pod.metadata.uid.clone().unwrap_or_default(),
        controller: Some(true),
        block_owner_deletion: None,
    };
    ObjectMeta {
        name: format!("<extended-resources>/{name}").into(),
        generate_name: Some(format!("{name}-extended-resources-").into()),
        namespace: pod.metadata.namespace.clone(),
        annotations: [(Str::from(CLAIM_ANNOTATION), Str::from("true"))]
            .into_iter()
            .collect(),
        owner_references: vec![owner].into(),
        ..ObjectMeta::default()
    }
}
