// What the examples of embed.md begin with: three nodes with 1, 4 and 2 devices.

/// Returns the text of a list, as an API server gives it.
fn list() -> String {
    let mut items = vec![
        r#"{"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass",
            "metadata": {"name": "gpu", "uid": "class-1", "resourceVersion": "1"},
            "spec": {"selectors": [{"cel": {"expression": "device.driver == 'gpu.example.com'"}}]}}"#
            .to_owned(),
    ];
    for (node, gpus) in [("node-1", 1), ("node-2", 4), ("node-3", 2)] {
        let device = |gpu| format!(r#"{{"name": "gpu-{gpu}"}}"#);
        let devices: Vec<String> = (0..gpus).map(device).collect();
        items.push(format!(
            r#"{{"apiVersion": "v1", "kind": "Node",
                 "metadata": {{"name": "{node}", "uid": "uid-of-{node}", "resourceVersion": "2"}},
                 "status": {{"allocatable": {{"cpu": "8", "memory": "32Gi"}}}}}}"#
        ));
        items.push(format!(
            r#"{{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice",
                 "metadata": {{"name": "{node}-gpus", "uid": "uid-of-{node}-gpus", "resourceVersion": "3"}},
                 "spec": {{"driver": "gpu.example.com", "nodeName": "{node}", "devices": [{}],
                           "pool": {{"name": "{node}", "generation": 1, "resourceSliceCount": 1}}}}}}"#,
            devices.join(", ")
        ));
    }
    format!(r#"{{"apiVersion": "v1", "kind": "List", "items": [{}]}}"#, items.join(", "))
}

/// Returns an engine that knows the list.
#[allow(dead_code)]
fn cluster() -> Result<dralloc::Engine, dralloc::Error> {
    use dralloc::{Change, wire::Object};
    let mut engine = dralloc::Engine::new(dralloc::Features::all());
    dralloc::wire::Decoder::new().decode(&list(), &mut |decoded| {
        engine.apply(match decoded.object {
            Object::DeviceClass(class) => Change::DeviceClass(class),
            Object::Node(node) => Change::Node(node),
            Object::ResourceSlice(slice) => Change::ResourceSlice(slice),
            _ => return Ok(()),
        })?;
        Ok(())
    })?;
    Ok(engine)
}

/// Returns a claim for some devices, with its name as uid.
#[allow(dead_code)]
fn claim(name: &str, count: u32) -> Result<dralloc::model::ResourceClaim, dralloc::Error> {
    let text = format!(
        r#"{{"metadata": {{"namespace": "default", "name": "{name}", "uid": "{name}", "resourceVersion": "7"}},
             "spec": {{"devices": {{"requests": [{{"name": "gpu", "exactly":
                 {{"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": {count}}}}}]}}}}}}"#
    );
    dralloc::wire::from_json(&text).map_err(|fault| fault.error)
}
