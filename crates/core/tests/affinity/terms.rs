//! What each term is, on machines that are small enough to count.

use dralloc::{Code, Engine, Policy, Scope, Term};
use dralloc_topology::NO_RING;
use serde_json::{Value, json};

use super::{answer, best, engine, some};

/// Four cards of which bridges of 300 GB/s join `gpu0` with `gpu2` and `gpu1` with `gpu3`,
/// all on one NUMA node but for `gpu3`; `gpu0` and a NIC of 50 GB/s on a switch.
fn bridged() -> Value {
    let mut vertices = vec![
        json!({"id": "numa0", "kind": "numaNode"}),
        json!({"id": "numa1", "kind": "numaNode"}),
        json!({"id": "switch0", "kind": "pcieSwitch"}),
    ];
    let card = |driver: &str, id: &str| json!({"attribute": format!("{driver}.example.com/card"), "value": id});
    for number in 0..4 {
        let id = format!("gpu{number}");
        vertices.push(json!({"id": id, "kind": "gpu", "match": card("gpu", &id)}));
    }
    vertices.push(json!({"id": "nic0", "kind": "nic", "bandwidthGBps": 50,
        "match": card("nic", "nic0")}));
    let pcie = [
        ("switch0", "numa0"),
        ("gpu0", "switch0"),
        ("nic0", "switch0"),
        ("gpu1", "numa0"),
        ("gpu2", "numa0"),
        ("gpu3", "numa1"),
    ];
    let pcie = pcie.map(|(a, b)| json!({"a": a, "b": b, "type": "PCIe"}));
    let bridges = [("gpu0", "gpu2"), ("gpu1", "gpu3")].map(|(a, b)| {
        json!({"a": a, "b": b, "type": "NVLink", "count": 12,
            "bandwidthGBps": 300})
    });
    let links = [&pcie[..], &bridges[..]].concat();
    json!({"metadata": {"name": "bridged"},
        "spec": {"vertices": vertices, "links": links}})
}

/// Devices `NAME`, of cards; a card may have several, and none is no vertex.
fn devices(cards: &[(&str, &str)]) -> Vec<Value> {
    let device = |(name, card): &(&str, &str)| match *card {
        "" => json!({"name": name}),
        card => json!({"name": name, "attributes": {"card": {"string": card}}}),
    };
    cards.iter().map(device).collect()
}

fn node() -> Engine {
    let gpus = [
        ("0", "gpu0"),
        ("1", "gpu1"),
        ("2", "gpu2"),
        ("2b", "gpu2"),
        ("3", "gpu3"),
        ("old", ""),
    ];
    let drivers = [
        ("cpu", devices(&[("0", "")])),
        ("gpu", devices(&gpus)),
        ("nic", devices(&[("0", "nic0")])),
    ];
    engine(&drivers, &[bridged()])
}

/// The value of a term for some devices, as `gpu/0`.
fn value(term: &Term, held: &[&str], devices: &[&str]) -> i64 {
    let requests = devices.iter().enumerate().map(|(number, id)| {
        let (driver, name) = id.split_once('/').unwrap();
        let mut request = super::exactly(&format!("r{number}"), driver, 1);
        let expression = match name {
            "old" | "0" if driver == "cpu" || name == "old" => {
                "!has(device.attributes['gpu.example.com'].card)".to_owned()
            }
            name => {
                let card = format!("{driver}{}", name.trim_end_matches('b'));
                format!("device.attributes['{driver}.example.com'].card == '{card}'")
            }
        };
        request["exactly"]["selectors"] = json!([{"cel": {"expression": expression}}]);
        request
    });
    let held: Vec<String> = held.iter().map(ToString::to_string).collect();
    let policy = Policy::Terms(vec![term.clone()]);
    let outcome = answer(&node(), &held, &requests.collect(), &policy).unwrap();
    let (found, values) = best(outcome).unwrap();
    assert_eq!(found, devices, "{term}");
    values[0]
}

#[test]
fn terms_are_what_their_definitions_say() {
    let numa = 3;
    let sys = 4;
    for (term, devices, expected) in [
        // 300 GB/s: 3.33 seconds for a terabyte.
        (Term::Ring, &["gpu/0", "gpu/2"][..], 3_333_333_334),
        (Term::Ring, &["gpu/0", "gpu/1"], NO_RING),
        (Term::Ring, &["gpu/0"], 0),
        (Term::Ring, &["gpu/2", "gpu/2b"], 0),
        (Term::Ring, &["gpu/0", "gpu/old"], NO_RING),
        (Term::Ring, &["gpu/old"], 0),
        (Term::Ring, &["gpu/0", "cpu/0", "nic/0"], 0),
        // Of three pairs one has the 12 links that the best has.
        (Term::Links, &["gpu/0", "gpu/2", "gpu/3"], 24),
        (Term::Links, &["gpu/0", "gpu/2"], 0),
        (Term::Links, &["gpu/0", "gpu/2", "gpu/old"], 24),
        (Term::Bottleneck, &["gpu/0", "gpu/2"], 9_999_999_988),
        (Term::Bottleneck, &["gpu/1", "gpu/2"], 50_000_000_000),
        (Term::Bottleneck, &["gpu/2", "gpu/3"], 60_000_000_000),
        (Term::Bottleneck, &["gpu/0", "gpu/old"], 70_000_000_000),
        (Term::NicAlignment, &["gpu/0", "nic/0"], 0),
        // `NODE`, the third level beyond `PIX`.
        (Term::NicAlignment, &["gpu/0", "gpu/1", "nic/0"], 3_000_003),
        (Term::NicAlignment, &["gpu/1", "gpu/3", "nic/0"], 4_000_007),
        (Term::NicAlignment, &["nic/0"], 0),
        (Term::NicAlignment, &["gpu/0"], 6_000_000),
        (Term::Span, &["gpu/0"], 0),
        (Term::Span, &["gpu/0", "nic/0"], 1),
        (Term::Span, &["gpu/0", "gpu/1"], numa),
        (Term::Span, &["gpu/0", "gpu/3"], sys),
        (Term::Span, &["gpu/0", "cpu/0"], sys),
        // The NIC is the nearest of all three, each in its own way.
        (Term::HostUplink, &["gpu/0"], 20_000_000_000),
        (
            Term::HostUplink,
            &["gpu/0", "gpu/1", "gpu/3"],
            20_000_000_000,
        ),
        (Term::HostUplink, &["cpu/0"], 0),
    ] {
        assert_eq!(value(&term, &[], devices), expected, "{term} {devices:?}");
    }
}

#[test]
fn link_potential_is_what_others_lose() {
    // Four single cards count 45 each, two pairs 25 for each of their cards.
    let term = &Term::LinkPotential;
    assert_eq!(value(term, &[], &["gpu/0"]), 45_000 + 50_000);
    assert_eq!(value(term, &[], &["gpu/0", "gpu/2"]), 90_000 + 50_000);
    assert_eq!(value(term, &[], &["gpu/0", "gpu/1"]), 90_000 + 100_000);
    // A pair that is broken is none.
    assert_eq!(value(term, &["gpu/2"], &["gpu/0"]), 45_000);
    // A card that is held in part is not free.
    assert_eq!(value(term, &["gpu/2b"], &["gpu/2"]), 0);
    assert_eq!(value(term, &[], &["cpu/0"]), 0);
}

#[test]
fn affinity_takes_pairs_and_leaves_pairs() {
    let found = |held: &[&str], count| {
        let held: Vec<String> = held.iter().map(ToString::to_string).collect();
        let outcome = answer(&node(), &held, &some("gpu", count), &Policy::Affinity);
        best(outcome.unwrap()).unwrap().0
    };
    // Parts of one card need no way between them.
    assert_eq!(found(&[], 2), ["gpu/2", "gpu/2b"]);
    assert_eq!(found(&["gpu/2b"], 2), ["gpu/0", "gpu/2"]);
    assert_eq!(found(&["gpu/2", "gpu/2b"], 2), ["gpu/1", "gpu/3"]);
    // A card that no other has a link to is no loss for others.
    assert_eq!(found(&["gpu/2", "gpu/2b"], 1), ["gpu/old"]);
}

#[test]
fn without_a_topology_attributes_tell_places() {
    let numa = |name: &str, node: i64| {
        json!({"name": name, "attributes":
            {"resource.kubernetes.io/numaNode": {"int": node}}})
    };
    let gpus = vec![numa("0", 0), numa("1", 1), numa("2", 1)];
    let node = engine(&[("gpu", gpus)], &[]);
    let policy = Policy::Terms(vec![Term::Ring, Term::Span]);
    let outcome = answer(&node, &[], &some("gpu", 2), &policy).unwrap();
    let expected = vec!["gpu/1".to_owned(), "gpu/2".to_owned()];
    assert_eq!(best(outcome), Some((expected, vec![NO_RING, 3])));
}

#[test]
fn without_a_topology_parts_of_a_card_are_one_device() {
    let part = |name: &str, card: &str| json!({"name": name, "attributes": {"parentUUID": {"string": card}}});
    let gpus = vec![
        part("0", "a"),
        part("1", "b"),
        part("2", "a"),
        part("3", "c"),
    ];
    let node = engine(&[("gpu", gpus)], &[]);
    let policy = Policy::Terms(vec![Term::Ring, Term::Span]);
    let found = |count| {
        let outcome = answer(&node, &[], &some("gpu", count), &policy).unwrap();
        best(outcome).unwrap()
    };
    // They need no way between them, and are on one root.
    let both = vec!["gpu/0".to_owned(), "gpu/2".to_owned()];
    assert_eq!(found(2), (both, vec![0, 2]));
    let three = ["gpu/0", "gpu/1", "gpu/2"].map(str::to_owned).to_vec();
    assert_eq!(found(3), (three, vec![NO_RING, 4]));
}

#[test]
fn more_linked_devices_than_tables_have_are_an_error_of_the_node() {
    let names = || (0..17).map(|number| number.to_string());
    let gpus = names().map(|name| json!({"name": name})).collect();
    let vertices = names().map(|name| {
        let device = format!("gpu.example.com/n/{name}");
        json!({"id": name, "kind": "gpu", "device": device})
    });
    let vertices: Vec<Value> = vertices.collect();
    let topology = json!({"metadata": {"name": "t"}, "spec": {"vertices": vertices}});
    let node = engine(&[("gpu", gpus)], &[topology]);
    let error = answer(&node, &[], &some("gpu", 1), &Policy::Affinity).unwrap_err();
    assert_eq!(
        (error.code(), error.scope()),
        (Code::Unsupported, Scope::Node)
    );
    assert_eq!(
        error.message(),
        "term `ring` of more than 16 linked devices on a node is not supported"
    );
    let policy = Policy::Terms(vec![Term::Span, Term::NicAlignment, Term::HostUplink]);
    let outcome = answer(&node, &[], &some("gpu", 1), &policy).unwrap();
    assert_eq!(
        best(outcome),
        Some((vec!["gpu/0".to_owned()], vec![0, 0, 0]))
    );
}

#[test]
fn a_nic_of_their_driver_is_no_device_without_links() {
    let device = |name: &str| format!("gpu.example.com/n/{name}");
    let topology = json!({"metadata": {"name": "t"}, "spec": {
        "vertices": [
            {"id": "gpu0", "kind": "gpu", "device": device("gpu0")},
            {"id": "gpu1", "kind": "gpu", "device": device("gpu1")},
            {"id": "nic0", "kind": "nic", "device": device("nic0")},
        ],
        "links": [{"a": "gpu0", "b": "gpu1", "type": "NVLink", "count": 4,
            "bandwidthGBps": 100}]}});
    let names = ["gpu0", "gpu1", "nic0"];
    let devices = names.map(|name| json!({"name": name})).to_vec();
    let node = engine(&[("gpu", devices)], &[topology]);
    let policy = Policy::Terms(vec![Term::Links, Term::Bottleneck]);
    let outcome = answer(&node, &[], &some("gpu", 3), &policy).unwrap();
    let expected = names.map(|name| format!("gpu/{name}")).to_vec();
    assert_eq!(best(outcome), Some((expected, vec![0, 9_999_999_996])));
}
