//! What the containers of a pod ask for, and the requests for devices that come of it.
//!
//! Sources: `pkg/scheduler/framework/plugins/dynamicresources/extendeddynamicresources.go`
//! and `component-helpers/resource` of Kubernetes 1.37.

use dralloc_quantity::Amount;

use crate::model::{
    Amounts, Container, ContainerExtendedResourceRequest, DeviceRequest, ExactDeviceRequest, Pod,
    Str,
};

/// Is what one extended resource of a pod adds to its claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DeviceRequests {
    pub(crate) requests: Vec<DeviceRequest>,
    pub(crate) mappings: Vec<ContainerExtendedResourceRequest>,
}

/// Returns what a container asks for: where it gives only a limit, that much.
pub(crate) fn requests_of(container: &Container) -> Amounts {
    let mut requests = container.resources.requests.clone();
    for (name, limit) in &container.resources.limits {
        if !requests.contains_key(name) {
            requests.insert(name.clone(), limit.clone());
        }
    }
    requests
}

/// Returns how much of a resource a pod needs at once.
///
/// Init containers run one after the other, each beside the sidecars before it; all other
/// containers run together with all sidecars.
pub(crate) fn amount_of_pod(pod: &Pod, resource: &str) -> Amount {
    let amount = |container: &Container| {
        let requests = requests_of(container);
        let quantity = requests.get(resource);
        quantity.map_or(Amount::ZERO, |quantity| quantity.amount().clone())
    };
    let mut together = Amount::ZERO;
    for container in &pod.spec.containers {
        together += &amount(container);
    }
    let (mut sidecars, mut most) = (Amount::ZERO, Amount::ZERO);
    for container in &pod.spec.init_containers {
        let amount = amount(container);
        let at_once = &sidecars + &amount;
        if is_sidecar(container) {
            together += &amount;
            sidecars = at_once.clone();
        }
        most = most.max(at_once);
    }
    together.max(most)
}

/// Returns the requests of a pod for the devices of a class that are a resource to it.
///
/// Each container that runs as long as the pod has a request of its own. An init container
/// uses the devices of those that start after it, and only what it needs beyond these is
/// asked for, once for all init containers: as much as the one that lacks most.
/// The requests are in the order of containers, that of the init containers first.
pub(crate) fn device_requests(pod: &Pod, resource: &Str, class: &Str) -> DeviceRequests {
    let init = pod.spec.init_containers.iter();
    let init = init.map(|container| (container, !is_sidecar(container)));
    let others = pod.spec.containers.iter();
    let others = others.map(|container| (container, false));
    let needs = init.chain(others).enumerate();
    let needs = needs.filter_map(|(place, (container, is_short))| {
        Need::new(place, container, is_short, resource)
    });
    let (short, long): (Vec<Need>, Vec<Need>) = needs.partition(|need| need.is_short);

    let map = |need: &Need, request: &Str| ContainerExtendedResourceRequest {
        container_name: need.container.clone(),
        resource_name: resource.clone(),
        request_name: request.clone(),
    };
    let mut mappings: Vec<_> = long.iter().map(|need| map(need, &need.name)).collect();
    // The init container that lacks most, the first of them.
    let lacking = |need: &Need| need.count.saturating_sub(need.lent(&long));
    let mut most: Option<(&Need, i64)> = None;
    for need in &short {
        let lacking = lacking(need);
        if lacking > most.map_or(0, |(_, most)| most) {
            most = Some((need, lacking));
        }
    }
    for need in &short {
        let mut lent = 0_i64;
        for later in long.iter().filter(|later| later.place > need.place) {
            if lent >= need.count {
                break;
            }
            lent = lent.saturating_add(later.count);
            mappings.push(map(need, &later.name));
        }
        if let (true, Some((with_most, _))) = (lent < need.count, most) {
            mappings.push(map(need, &with_most.name));
        }
    }
    let own = long.iter().map(|need| (need, need.count));
    let requests = most.into_iter().chain(own);
    let requests = requests.map(|(need, count)| DeviceRequest {
        name: need.name.clone(),
        exactly: Some(ExactDeviceRequest {
            device_class_name: class.clone(),
            allocation_mode: "ExactCount".into(),
            count,
            ..ExactDeviceRequest::default()
        }),
        ..DeviceRequest::default()
    });
    DeviceRequests {
        requests: requests.collect(),
        mappings,
    }
}

fn is_sidecar(container: &Container) -> bool {
    container.restart_policy.as_deref() == Some("Always")
}

/// Is how many devices one container needs.
struct Need {
    /// Among the init containers and then the others.
    place: usize,
    container: Str,
    /// Whether it is done before the pod is.
    is_short: bool,
    count: i64,
    /// Name of a request for them.
    name: Str,
}

impl Need {
    fn new(place: usize, container: &Container, is_short: bool, resource: &str) -> Option<Self> {
        let requests = requests_of(container);
        let position = requests.position(resource)?;
        let count = requests.get(resource)?.amount().exact_units()?;
        let count = i64::try_from(count).ok()?;
        (count > 0).then(|| Self {
            place,
            container: container.name.clone(),
            is_short,
            count,
            name: format!("container-{place}-request-{position}").into(),
        })
    }

    /// Returns how many devices of containers that start later there are.
    fn lent(&self, long: &[Self]) -> i64 {
        let later = long.iter().filter(|later| later.place > self.place);
        later.fold(0, |sum: i64, later| sum.saturating_add(later.count))
    }
}
