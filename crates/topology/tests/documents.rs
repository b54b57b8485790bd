//! Documents that are wrong or odd.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod machines;

use dralloc_topology::{Code, Document, Level, Oddity, Topology};
use serde_json::{Value, json};

/// Returns a document of two bridged devices on a NUMA node.
fn pair() -> Value {
    json!({
        "apiVersion": "dralloc.dev/v1alpha1",
        "kind": "Topology",
        "metadata": {"name": "pair", "uid": "passed over"},
        "spec": {
            "vertices": [
                {"id": "gpu0", "kind": "gpu"},
                {"id": "gpu1", "kind": "gpu"},
                {"id": "numa0", "kind": "numaNode"},
            ],
            "links": [
                {"a": "gpu0", "b": "gpu1", "type": "NVLink", "count": 4, "bandwidthGBps": 100},
                {"a": "gpu0", "b": "numa0", "type": "PCIe"},
                {"a": "gpu1", "b": "numa0", "type": "PCIe"},
            ],
        },
    })
}

fn read(document: &Value) -> Result<Topology, dralloc_topology::Error> {
    Topology::new(&Document::read(&document.to_string())?)
}

/// Returns the error of the pair with one value changed.
fn error(pointer: &str, value: Value) -> (Code, String) {
    let mut document = pair();
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    if let Some(place) = document.pointer_mut(pointer) {
        *place = value;
    } else {
        document.pointer_mut(parent).unwrap()[field] = value;
    }
    let error = read(&document).unwrap_err();
    (error.code(), error.to_string())
}

#[test]
fn what_is_wrong_is_said_with_its_path() {
    assert_eq!(read(&pair()).unwrap().level(0, 1), Level::NvLink(4));
    for (pointer, value, code, message) in [
        (
            "/spec/links/0/b",
            json!("gpu9"),
            Code::NotFound,
            "spec.links[0].b: no vertex `gpu9`, expected the id of one",
        ),
        (
            "/spec/links/0/b",
            json!("gpu0"),
            Code::Invalid,
            "spec.links[0].b: expected another vertex than `gpu0` at the other end",
        ),
        (
            "/spec/links/1/type",
            json!("XGMI"),
            Code::Invalid,
            "spec.links[1].type: `XGMI` cannot join `gpu0`, a `gpu`, and `numa0`, a `numaNode`, \
             expected a `gpu` and another, an `nvSwitch` or an `nvLinkDomain`",
        ),
        (
            "/spec/links/0/count",
            json!(0),
            Code::Invalid,
            "spec.links[0].count: expected 1 to 1000000, found 0",
        ),
        (
            "/spec/vertices/1/id",
            json!("gpu0"),
            Code::Duplicate,
            "spec.vertices[1].id: vertex `gpu0` is at `spec.vertices[0]` already, expected each \
             id once",
        ),
        (
            "/spec/vertices/0/id",
            json!(""),
            Code::Invalid,
            "spec.vertices[0].id: expected an id, found none",
        ),
        (
            "/spec/vertices/0/host",
            json!("h"),
            Code::NotFound,
            "spec.vertices[0].host: no vertex `h`, expected the id of one",
        ),
        (
            "/spec/vertices/0/device",
            json!("gpu.example.com/gpu-0"),
            Code::Invalid,
            "spec.vertices[0].device: expected driver/pool/device, found `gpu.example.com/gpu-0`",
        ),
        (
            "/spec/allowedSets",
            json!([{"vertices": ["gpu0", "numa0"]}]),
            Code::Invalid,
            "spec.allowedSets[0].vertices[1]: vertex `numa0` is no `gpu`, expected one",
        ),
        (
            "/spec/allowedSets",
            json!([{"vertices": ["gpu0", "gpu0"]}]),
            Code::Duplicate,
            "spec.allowedSets[0].vertices[1]: vertex `gpu0` is there twice, expected once",
        ),
        (
            "/spec/partitionTemplates",
            json!([{"name": "half", "nodes": [9, 0]}]),
            Code::Invalid,
            "spec.partitionTemplates[0].nodes[1]: expected 1 to 1000000, found 0",
        ),
        (
            "/kind",
            json!("ResourceSlice"),
            Code::Invalid,
            "kind: expected `Topology`, found `ResourceSlice`",
        ),
        (
            "/apiVersion",
            json!("dralloc.dev/v1"),
            Code::Invalid,
            "apiVersion: expected `dralloc.dev/v1alpha1`, found `dralloc.dev/v1`",
        ),
    ] {
        assert_eq!(
            error(pointer, value),
            (code, message.to_owned()),
            "{pointer}"
        );
    }
}

#[test]
fn what_has_the_wrong_shape_is_said_with_path_line_and_column() {
    for (pointer, value, start) in [
        (
            "/spec/links/1/a",
            json!(7),
            "spec.links[1].a: invalid type: integer `7`, expected a string",
        ),
        (
            "/spec/vertices/2/kind",
            json!("cpu"),
            "spec.vertices[2].kind: unknown variant `cpu`, ",
        ),
        (
            "/spec/vertices",
            json!({}),
            "spec.vertices: invalid type: map, expected a sequence",
        ),
        (
            "/spec/links/0/bandwidthGBps",
            json!(-1),
            "spec.links[0].bandwidthGBps: expected 0 to 1000000 GB/s with at most three decimals, \
             found `-1`",
        ),
        (
            "/spec/links/0/bandwidthGBps",
            json!(1e300),
            "spec.links[0].bandwidthGBps: ",
        ),
    ] {
        let (code, message) = error(pointer, value);
        assert_eq!(code, Code::Malformed);
        assert!(message.starts_with(start), "{message}");
        assert!(message.contains(" at line 1 column "), "{message}");
    }
    assert_eq!(
        error("/spec/links/2/weight", json!(1)).1,
        "spec.links[2].weight: unknown field, expected none of that name"
    );
    assert_eq!(
        error("/expectedLevelsX", json!([])).1,
        "expectedLevelsX: unknown field, expected none of that name"
    );
    let error = Document::read("{\n  \"spec\": 5}").unwrap_err();
    assert_eq!(error.path(), "spec");
    let error = Document::read(&format!("{} x", pair())).unwrap_err();
    assert!(
        error
            .message()
            .starts_with("trailing characters at line 1 column ")
    );
    let deep = format!("{{\"spec\": {}", "[".repeat(100_000));
    assert_eq!(Document::read(&deep).unwrap_err().code(), Code::Malformed);
}

#[test]
fn of_two_reports_the_weaker_counts() {
    let mut document = pair();
    let links = document["spec"]["links"].as_array_mut().unwrap();
    links
        .push(json!({"a": "gpu1", "b": "gpu0", "type": "NVLink", "count": 3, "bandwidthGBps": 90}));
    let topology = read(&document).unwrap();
    let wire = topology.wire(0, 1).unwrap();
    assert_eq!(
        (wire.count, wire.rate.unwrap().to_string()),
        (3, "75".to_owned())
    );
    let warnings: Vec<String> = topology
        .warnings()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        warnings,
        [
            "spec.links[3]: `NVLink` between `gpu1` and `gpu0` is reported as 4 at 100 GB/s and as \
             3 at 90 GB/s, the weaker counts: 3 at 75 GB/s"
        ]
    );
    assert_eq!(topology.warnings()[0].kind(), Oddity::WeakerLink);

    let links = document["spec"]["links"].as_array_mut().unwrap();
    links[3] =
        json!({"a": "gpu1", "b": "gpu0", "type": "NVLink", "count": 4, "bandwidthGBps": 100});
    assert_eq!(read(&document).unwrap().warnings(), []);
}

#[test]
fn islands_and_second_places_are_warned_of() {
    let mut document = pair();
    let vertices = document["spec"]["vertices"].as_array_mut().unwrap();
    vertices.push(json!({"id": "nic0", "kind": "nic"}));
    let topology = read(&document).unwrap();
    assert_eq!(topology.warnings()[0].kind(), Oddity::Islands);
    assert_eq!(
        topology.warnings()[0].to_string(),
        "spec.links: no link joins 2 parts, those of `gpu0`, `nic0`; what is in different ones \
         counts as far apart"
    );
    assert_eq!(topology.nic_level(0, 0), Level::Sys);

    let vertices = document["spec"]["vertices"].as_array_mut().unwrap();
    vertices[3] = json!({"id": "numa1", "kind": "numaNode"});
    let links = document["spec"]["links"].as_array_mut().unwrap();
    links.push(json!({"a": "numa1", "b": "gpu1", "type": "PCIe"}));
    let topology = read(&document).unwrap();
    assert_eq!(topology.pcie_level(0, 1), Level::Node);
    assert_eq!(
        topology.warnings()[0].to_string(),
        "spec.vertices[1]: `gpu1` is in `numa0` and in `numa1`, the first counts"
    );
}

#[test]
fn switches_may_be_in_circles_but_not_too_deep() {
    let mut vertices = vec![
        json!({"id": "gpu0", "kind": "gpu"}),
        json!({"id": "gpu1", "kind": "gpu"}),
    ];
    let mut links = vec![json!({"a": "gpu0", "b": "s0", "type": "PCIe"})];
    let depth = 300;
    for switch in 0..depth {
        vertices.push(json!({"id": format!("s{switch}"), "kind": "pcieSwitch"}));
        let next = (switch + 1) % depth;
        links.push(json!({"a": format!("s{switch}"), "b": format!("s{next}"), "type": "PCIe"}));
    }
    links.push(json!({"a": "gpu1", "b": "s150", "type": "PCIe"}));
    let mut document = pair();
    document["spec"] = json!({"vertices": vertices, "links": links});
    assert_eq!(read(&document).unwrap().level(0, 1), Level::Pxb);
    document["spec"]["links"]
        .as_array_mut()
        .unwrap()
        .retain(|link| link["a"] != "s299");
    let error = read(&document).unwrap_err();
    assert_eq!(error.code(), Code::LimitExceeded);
    assert_eq!(
        error.to_string(),
        "spec.vertices[258]: expected switches at most 256 deep"
    );
}

#[test]
fn what_is_too_much_is_refused() {
    let mut document = pair();
    let templates = |count: usize| -> Value {
        let names = 0..count;
        names
            .map(|name| json!({"name": name.to_string(), "nodes": [1]}))
            .collect()
    };
    document["spec"]["partitionTemplates"] = templates(4096);
    assert!(read(&document).is_ok());
    document["spec"]["partitionTemplates"] = templates(4097);
    let error = read(&document).unwrap_err();
    assert_eq!(error.code(), Code::LimitExceeded);
    assert_eq!(
        error.to_string(),
        "spec.partitionTemplates: expected at most 4096, found 4097"
    );
    let mut document = pair();
    let vertices = (0..=65_536).map(|id| json!({"id": id.to_string(), "kind": "gpu"}));
    document["spec"]["vertices"] = vertices.collect();
    assert_eq!(
        read(&document).unwrap_err().to_string(),
        "spec.vertices: expected at most 65536, found 65537"
    );
}

#[test]
fn no_document_that_is_cut_short_is_read() {
    let text = machines::text("mi300a-4");
    let end = text.trim_end().len();
    for length in (0..end)
        .step_by(7)
        .filter(|&length| text.is_char_boundary(length))
    {
        assert_eq!(
            Document::read(&text[..length]).unwrap_err().code(),
            Code::Malformed
        );
    }
    assert_eq!(machines::machine("mi300a-4").device_count(), 4);
}

#[test]
fn what_is_written_reads_as_it_was() {
    for name in machines::names() {
        let document = Document::read(&machines::text(&name)).unwrap();
        let written = serde_json::to_string(&document).unwrap();
        assert!(!written.contains("null"), "{written}");
        let again = Document::read(&written).unwrap();
        assert_eq!(serde_json::to_string(&again).unwrap(), written);
        assert_eq!(again.spec, document.spec, "{name}");
    }
}

/// What is not known of one link says nothing of the others; a rate of 0 is known.
#[test]
fn a_rate_that_is_not_known_takes_none_away() {
    let rates = |known: &[Value; 2], count: u32| {
        let mut document = pair();
        let spec = &mut document["spec"];
        let vertices = spec["vertices"].as_array_mut().unwrap();
        vertices.push(json!({"id": "gpu2", "kind": "gpu"}));
        spec["links"] = json!([
            {"a": "gpu0", "b": "gpu1", "type": "NVLink", "count": count},
            {"a": "gpu1", "b": "gpu2", "type": "NVLink", "count": 2},
        ]);
        for (place, rate) in known.iter().enumerate().filter(|(_, rate)| !rate.is_null()) {
            spec["links"][place]["bandwidthGBps"] = rate.clone();
        }
        let topology = read(&document).unwrap();
        let unit = topology
            .unit()
            .rate()
            .map_or(20_000, dralloc_topology::Rate::thousandths);
        [[0, 1], [1, 2]].map(|pair| {
            let rings = topology.ring(&pair).rings;
            rings.numerator() * unit / rings.denominator()
        })
    };
    let unknown = Value::Null;
    // All are assumed, none is, or one.
    assert_eq!(
        rates(&[unknown.clone(), unknown.clone()], 4),
        [80_000, 40_000]
    );
    assert_eq!(rates(&[json!(4), json!(1)], 4), [4_000, 1_000]);
    assert_eq!(rates(&[json!(4), unknown.clone()], 4), [4_000, 40_000]);
    assert_eq!(rates(&[unknown.clone(), json!(200)], 4), [80_000, 200_000]);
    assert_eq!(rates(&[json!(20), unknown], 1), [20_000, 40_000]);
    assert_eq!(rates(&[json!(0), json!(100)], 4), [0, 100_000]);
    assert_eq!(rates(&[json!(0), json!(0)], 4), [0, 0]);
}
