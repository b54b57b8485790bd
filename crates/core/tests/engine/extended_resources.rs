//! Extended resources: which claim a pod gets for them on which node.

use dralloc::model::{DeviceClass, Node, Pod, ResourceClaim};
use dralloc::{
    AllocateOptions, Change, Code, Engine, ExtendedResources, Features, Outcome, Reason, Workspace,
};
use serde_json::{Value, json};

fn class(name: &str, resource: Option<&str>) -> DeviceClass {
    let spec = resource.map_or_else(|| json!({}), |name| json!({"extendedResourceName": name}));
    serde_json::from_value(json!({"metadata": {"name": name}, "spec": spec})).unwrap()
}

fn classes() -> [DeviceClass; 3] {
    [
        class("gpu", Some("example.com/gpu")),
        class("nic", Some("example.com/nic")),
        class("plain", None),
    ]
}

fn pod(spec: Value) -> Pod {
    let pod = json!({
        "metadata": {"namespace": "team", "name": "pod", "uid": "uid-of-pod"},
        "spec": spec,
    });
    serde_json::from_value(pod).unwrap()
}

/// A container that asks for amounts.
fn container(name: &str, requests: Value) -> Value {
    json!({"name": name, "resources": {"requests": requests}})
}

fn node(allocatable: Value) -> Node {
    let node = json!({"metadata": {"name": "n"}, "status": {"allocatable": allocatable}});
    serde_json::from_value(node).unwrap()
}

fn of_pod(pod: &Pod) -> ExtendedResources {
    ExtendedResources::of_pod(pod, &classes(), &Features::all()).unwrap()
}

/// Returns requests as `name=count class`, then mappings as `container resource>request`.
fn claim_on(spec: Value, node: &Node) -> (Vec<String>, Vec<String>) {
    let here = of_pod(&pod(spec)).on(node);
    let requests = here
        .claim
        .iter()
        .flat_map(|claim| &claim.spec.devices.requests);
    let requests = requests.map(|request| {
        let exactly = request.exactly.as_ref().unwrap();
        assert_eq!(&*exactly.allocation_mode, "ExactCount");
        format!(
            "{}={} {}",
            request.name, exactly.count, exactly.device_class_name
        )
    });
    let mappings = here.request_mappings.iter().map(|one| {
        let (container, resource) = (&one.container_name, &one.resource_name);
        format!("{container} {resource}>{}", one.request_name)
    });
    (requests.collect(), mappings.collect())
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

#[test]
fn requests_are_numbered_by_container_and_by_all_that_it_asks_for() {
    let spec = json!({"containers": [
        container("idle", json!({"cpu": 1})),
        container("main", json!({
            "cpu": 1, "example.com/gpu": 2, "example.com/nic": 1, "memory": "1Gi",
            "deviceclass.resource.kubernetes.io/plain": 3,
        })),
    ]});
    let (requests, mappings) = claim_on(spec, &node(json!({})));
    assert_eq!(
        requests,
        texts(&[
            "container-1-request-1=3 plain",
            "container-1-request-2=2 gpu",
            "container-1-request-3=1 nic",
        ])
    );
    assert_eq!(
        mappings,
        texts(&[
            "main deviceclass.resource.kubernetes.io/plain>container-1-request-1",
            "main example.com/gpu>container-1-request-2",
            "main example.com/nic>container-1-request-3",
        ])
    );
}

#[test]
fn a_limit_alone_is_asked_for_and_nothing_of_zero() {
    let spec = json!({"containers": [
        {"name": "main", "resources": {
            "requests": {"memory": "1Gi", "example.com/nic": 0},
            "limits": {"cpu": 1, "example.com/gpu": 2, "example.com/nic": 0}}},
    ]});
    let (requests, _) = claim_on(spec, &node(json!({})));
    assert_eq!(requests, texts(&["container-0-request-1=2 gpu"]));
}

#[test]
fn requests_are_ordered_as_texts() {
    let spec = json!({"containers": (0..12)
        .map(|number| container(&format!("c{number}"), json!({"example.com/gpu": 1})))
        .collect::<Vec<_>>()});
    let (requests, mappings) = claim_on(spec, &node(json!({})));
    let places = requests
        .iter()
        .map(|request| request.split('-').nth(1).unwrap());
    let places: Vec<&str> = places.collect();
    assert_eq!(
        places,
        ["0", "1", "10", "11", "2", "3", "4", "5", "6", "7", "8", "9"]
    );
    assert_eq!(mappings[2], "c2 example.com/gpu>container-2-request-0");
}

#[test]
fn init_containers_use_what_starts_later_and_ask_once_for_the_rest() {
    let gpus = |name: &str, count: u32| container(name, json!({"example.com/gpu": count}));
    let mut sidecar = gpus("sidecar", 1);
    sidecar["restartPolicy"] = json!("Always");
    let spec = json!({
        "initContainers": [gpus("first", 4), gpus("enough", 2), sidecar, gpus("third", 6)],
        "containers": [gpus("main", 2), container("idle", json!({})), gpus("other", 1)],
    });
    let (requests, mappings) = claim_on(spec.clone(), &node(json!({})));
    // `third` starts after the sidecar, so it has 3 of the others and lacks 3; `first`
    // has 4, `enough` has 3 with the sidecar and one more.
    assert_eq!(
        requests,
        texts(&[
            "container-2-request-0=1 gpu",
            "container-3-request-0=3 gpu",
            "container-4-request-0=2 gpu",
            "container-6-request-0=1 gpu",
        ])
    );
    assert_eq!(
        mappings,
        texts(&[
            "sidecar example.com/gpu>container-2-request-0",
            "main example.com/gpu>container-4-request-0",
            "other example.com/gpu>container-6-request-0",
            "first example.com/gpu>container-2-request-0",
            "first example.com/gpu>container-4-request-0",
            "first example.com/gpu>container-6-request-0",
            "enough example.com/gpu>container-2-request-0",
            "enough example.com/gpu>container-4-request-0",
            "third example.com/gpu>container-4-request-0",
            "third example.com/gpu>container-6-request-0",
            "third example.com/gpu>container-3-request-0",
        ])
    );
    // At once: the third init container beside the sidecar.
    let resources = of_pod(&pod(spec));
    assert_eq!(
        resources.amounts(),
        node(json!({"example.com/gpu": 7})).status.allocatable
    );
}

#[test]
fn init_containers_that_lack_something_share_the_request_of_the_first_that_lacks_most() {
    let gpus = |name: &str, count: u32| container(name, json!({"example.com/gpu": count}));
    let spec = json!({
        "initContainers": [gpus("a", 2), gpus("b", 3), gpus("c", 3)],
        "containers": [gpus("main", 1)],
    });
    let (requests, mappings) = claim_on(spec, &node(json!({})));
    assert_eq!(
        requests,
        texts(&["container-1-request-0=2 gpu", "container-3-request-0=1 gpu"])
    );
    assert_eq!(
        mappings,
        texts(&[
            "main example.com/gpu>container-3-request-0",
            "a example.com/gpu>container-3-request-0",
            "a example.com/gpu>container-1-request-0",
            "b example.com/gpu>container-3-request-0",
            "b example.com/gpu>container-1-request-0",
            "c example.com/gpu>container-3-request-0",
            "c example.com/gpu>container-1-request-0",
        ])
    );
}

#[test]
fn what_a_device_plugin_offers_is_no_part_of_the_claim() {
    let spec = json!({"containers": [
        container("main", json!({"example.com/gpu": 2, "example.com/nic": 1})),
    ]});
    let resources = of_pod(&pod(spec));
    let names = |node: &Node| {
        let here = resources.on(node);
        let requests = here
            .claim
            .iter()
            .flat_map(|claim| &claim.spec.devices.requests);
        let requests = requests
            .map(|request| request.name.to_string())
            .collect::<Vec<_>>();
        (requests, here.amounts)
    };
    let gpus = json!({"example.com/gpu": 2});
    let amounts = |amounts: &Value| node(amounts.clone()).status.allocatable;
    // Names of requests do not depend on the node.
    let here = names(&node(json!({"example.com/gpu": 1})));
    assert_eq!(here, (texts(&["container-0-request-1"]), amounts(&gpus)));
    // A plugin that has gone leaves 0 behind.
    let here = names(&node(json!({"example.com/gpu": 0})));
    let both = texts(&["container-0-request-0", "container-0-request-1"]);
    assert_eq!(here, (both, amounts(&json!({}))));
    let all = json!({"example.com/gpu": 8, "example.com/nic": 8});
    let here = resources.on(&node(all));
    assert_eq!((here.claim.as_ref(), here.pod_status()), (None, None));
    assert_eq!(here.request_mappings, []);
}

#[test]
fn without_the_feature_or_a_class_it_is_for_device_plugins() {
    let spec = json!({"containers": [
        container("main", json!({
            "example.com/gpu": 1, "example.com/unknown": 1,
            "deviceclass.resource.kubernetes.io/none": 1,
        })),
    ]});
    let pod = pod(spec);
    let amounts = |resources: &ExtendedResources| {
        let amounts = resources.on(&node(json!({}))).amounts;
        amounts.keys().map(ToString::to_string).collect::<Vec<_>>()
    };
    let without_class = [
        "deviceclass.resource.kubernetes.io/none",
        "example.com/unknown",
    ];
    assert_eq!(amounts(&of_pod(&pod)), texts(&without_class));
    let mut features = Features::all();
    assert!(features.set("DRAExtendedResource", false));
    let resources = ExtendedResources::of_pod(&pod, &classes(), &features).unwrap();
    assert_eq!(
        amounts(&resources),
        texts(&[without_class[0], "example.com/gpu", without_class[1]])
    );
    for (minor, on) in [(35, false), (36, true), (37, true)] {
        assert_eq!(Features::of_kubernetes(minor).extended_resources, on);
    }
}

#[test]
fn the_claim_is_that_of_the_pod() {
    let spec = json!({"containers": [container("main", json!({"example.com/gpu": 2}))]});
    let here = of_pod(&pod(spec)).on(&node(json!({})));
    let claim = json!({
        "metadata": {
            "name": "<extended-resources>/pod",
            "generateName": "pod-extended-resources-",
            "namespace": "team",
            "annotations": {"resource.kubernetes.io/extended-resource-claim": "true"},
            "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "pod",
                                 "uid": "uid-of-pod", "controller": true}],
        },
        "spec": {"devices": {"requests": [{"name": "container-0-request-0", "exactly": {
            "deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 2}}]}},
    });
    assert_eq!(here.claim, Some(serde_json::from_value(claim).unwrap()));
    let status = json!({
        "requestMappings": [{"containerName": "main", "resourceName": "example.com/gpu",
                             "requestName": "container-0-request-0"}],
        "resourceClaimName": "<extended-resources>/pod",
    });
    assert_eq!(serde_json::to_value(here.pod_status()).unwrap(), status);
}

#[test]
fn amounts_that_cannot_be_are_errors() {
    for amount in ["500m", "-1", "100E", "9223372036854775808"] {
        for field in ["requests", "limits"] {
            let amounts = node(json!({"example.com/gpu": amount})).status.allocatable;
            let mut pod = Pod::default();
            pod.spec.init_containers = vec![dralloc::model::Container::default()];
            let resources = &mut pod.spec.init_containers[0].resources;
            if field == "requests" {
                resources.requests = amounts;
            } else {
                resources.limits = amounts;
            }
            let error = ExtendedResources::of_pod(&pod, [], &Features::all()).unwrap_err();
            assert_eq!(error.code(), Code::Invalid, "{amount}");
            let path = format!("spec.initContainers[0].resources.{field}[example.com/gpu]");
            assert_eq!(error.path(), path);
            // The API server refuses it for the same reason.
            let refused = dralloc::validate::extended_resources(&pod);
            assert_eq!(refused[0], error);
        }
    }
}

/// Two GPUs and a NIC on node `n`.
fn engine() -> Engine {
    let slice = |driver: &str, devices: Value| {
        let slice = json!({
            "metadata": {"name": driver},
            "spec": {"driver": driver, "nodeName": "n", "devices": devices,
                     "pool": {"name": driver, "generation": 1, "resourceSliceCount": 1}},
        });
        Change::ResourceSlice(serde_json::from_value(slice).unwrap())
    };
    let mut engine = Engine::new(Features::all());
    engine
        .apply(Change::Node(node(json!({"example.com/plugin": 3}))))
        .unwrap();
    for (name, resource) in [("gpu", "example.com/gpu"), ("nic", "example.com/nic")] {
        let mut class = class(name, Some(resource));
        let selector = json!({"cel": {"expression": format!("device.driver == '{name}'")}});
        class.spec.selectors = serde_json::from_value(json!([selector])).unwrap();
        engine.apply(Change::DeviceClass(class)).unwrap();
    }
    let gpus = json!([{"name": "gpu-0"}, {"name": "gpu-1"}, {"name": "gpu-2"}]);
    engine.apply(slice("gpu", gpus)).unwrap();
    engine
        .apply(slice("nic", json!([{"name": "nic-0"}])))
        .unwrap();
    engine
}

#[test]
fn a_claim_written_by_hand_gets_the_same_devices() {
    let engine = engine();
    let snapshot = engine.snapshot();
    let by_hand = |requests: Value| -> ResourceClaim {
        let claim = json!({
            "metadata": {"namespace": "team", "name": "by-hand"},
            "spec": {"devices": {"requests": requests}},
        });
        serde_json::from_value(claim).unwrap()
    };
    let request = |name: &str, class: &str, count: u32| {
        json!({"name": name, "exactly": {
            "deviceClassName": class, "allocationMode": "ExactCount", "count": count}})
    };
    let devices = |claim: &ResourceClaim| {
        let prepared = snapshot.prepare(std::slice::from_ref(claim)).unwrap();
        let mut transaction = snapshot.transaction();
        let (options, mut workspace) = (AllocateOptions::new(), Workspace::new());
        let outcome = transaction.allocate("n", &prepared, &options, &mut workspace);
        let outcome = outcome.unwrap();
        let allocation = outcome.allocation()?;
        let devices = allocation.devices().map(|device| device.device.to_string());
        Some(devices.collect::<Vec<_>>())
    };
    for gpus in 0..5_u32 {
        for nics in 0..3_u32 {
            let asked = json!({"example.com/gpu": gpus, "example.com/nic": nics});
            let pod = pod(json!({"containers": [container("main", asked)]}));
            let here = snapshot
                .extended_resources(&pod)
                .unwrap()
                .on(&node(json!({})));
            let mut requests = Vec::new();
            if gpus > 0 {
                requests.push(request("a", "gpu", gpus));
            }
            if nics > 0 {
                requests.push(request("b", "nic", nics));
            }
            let Some(claim) = here.claim else {
                assert!(requests.is_empty());
                continue;
            };
            let found = devices(&claim);
            assert_eq!(found.is_some(), gpus <= 3 && nics <= 1);
            assert_eq!(found, devices(&by_hand(json!(requests))));
        }
    }
}

#[test]
fn what_plugins_serve_is_compared_with_what_the_node_lists() {
    let engine = engine();
    let snapshot = engine.snapshot();
    let asked = json!({"example.com/gpu": 1, "example.com/plugin": 2});
    let pod = pod(json!({"containers": [container("main", asked)]}));
    let here = snapshot.extended_resources(&pod).unwrap();
    let here = here.on(snapshot.node("n").unwrap());
    let prepared = snapshot.prepare(here.claim.as_slice()).unwrap();
    let mut transaction = snapshot.transaction();
    let mut ask = |user: &str| {
        let options = AllocateOptions::new().amounts(&here.amounts).user(user);
        let outcome = transaction.allocate("n", &prepared, &options, &mut Workspace::new());
        outcome.unwrap()
    };
    assert!(matches!(ask("one"), Outcome::Optimal(_)));
    let (name, missing) = ("example.com/plugin".into(), "1".parse().unwrap());
    let short = Reason::Amount { name, missing };
    assert!(matches!(ask("another"), Outcome::Infeasible(reason) if reason == short));
}
