//! Domains, spans, rates and worst pairs of machines.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod machines;

use std::collections::BTreeMap;

use dralloc_topology::{Document, Scope, Topology};
use serde_json::{Value, json};

/// Returns how many domains of each scope the tree has, and the sizes of the largest.
fn shape(topology: &Topology) -> Vec<(Scope, usize, u32)> {
    let mut shape: BTreeMap<Scope, (usize, u32)> = BTreeMap::new();
    for domain in topology.domains().domains() {
        let (count, largest) = shape.entry(domain.scope).or_default();
        *count += 1;
        *largest = (*largest).max(domain.len);
    }
    let shape = shape.into_iter().rev();
    shape
        .map(|(scope, (count, largest))| (scope, count, largest))
        .collect()
}

#[test]
fn domains_are_those_of_the_documents() {
    let cluster = machines::machine("gb200-8xnvl72-576gpu");
    assert_eq!(
        shape(&cluster),
        [
            (Scope::Fabric, 1, 576),
            (Scope::Block, 2, 288),
            (Scope::NvLinkDomain, 8, 72),
            (Scope::Host, 144, 4),
            (Scope::NumaNode, 288, 2),
            (Scope::Device, 576, 1),
        ]
    );
    let rack = machines::machine("gb200-nvl72-rack");
    assert_eq!(
        shape(&rack),
        [
            (Scope::NvLinkDomain, 1, 72),
            (Scope::Host, 18, 4),
            (Scope::NumaNode, 36, 2),
            (Scope::Device, 72, 1),
        ]
    );
    assert_eq!(
        shape(&machines::machine("dgx1-v100")),
        [
            (Scope::Host, 1, 8),
            (Scope::NumaNode, 2, 4),
            (Scope::PcieSwitch, 4, 2),
            (Scope::Device, 8, 1),
        ]
    );
    assert_eq!(
        shape(&machines::machine("mi250x-8gcd-frontier-class")),
        [
            (Scope::Host, 1, 8),
            (Scope::NumaNode, 2, 4),
            (Scope::PcieRoot, 4, 2),
            (Scope::Device, 8, 1),
        ]
    );
}

#[test]
fn spans_are_those_of_the_smallest_domain() {
    let cluster = machines::machine("gb200-8xnvl72-576gpu");
    for (set, span) in [
        (vec![], Scope::Device),
        (vec![5], Scope::Device),
        (vec![5, 5], Scope::Device),
        (vec![0, 1], Scope::NumaNode),
        (vec![0, 3], Scope::Host),
        (vec![0, 71], Scope::NvLinkDomain),
        (vec![71, 72], Scope::Block),
        (vec![287, 288], Scope::Fabric),
        ((0..576).collect(), Scope::Fabric),
    ] {
        assert_eq!(cluster.span(&set), span, "{set:?}");
    }
    let a100 = machines::machine("dgx-a100");
    assert_eq!(a100.span(&[0, 1]), Scope::PcieSwitch);
    assert_eq!(a100.span(&[0, 2]), Scope::Host);
    assert_eq!(
        a100.domain(4, Scope::PcieSwitch),
        a100.nic_domain(5, Scope::PcieSwitch)
    );
    assert_ne!(
        a100.domain(4, Scope::PcieSwitch),
        a100.nic_domain(6, Scope::PcieSwitch)
    );
    assert_eq!(a100.domain(0, Scope::Host), a100.nic_domain(7, Scope::Host));
    assert_eq!(a100.domain(0, Scope::Rack), None);
    assert_eq!(a100.domain(8, Scope::Host), None);
    assert_eq!(a100.nic_domain(8, Scope::Host), None);
}

#[test]
fn hives_are_nvlink_domains_without_being_levels_of_a_host() {
    let hives = machines::machine("mi100-2hives-of-4");
    let domain = |device| hives.domain(device, Scope::NvLinkDomain);
    assert!((1..4).all(|device| domain(device) == domain(0)));
    assert!((5..8).all(|device| domain(device) == domain(4)));
    assert_ne!(domain(0), domain(4));
    assert_eq!(hives.span(&[0, 4]), Scope::Host);
    let degraded = machines::machine("hgx-b200-gpu2-nvlink-down");
    assert_eq!(degraded.domain(2, Scope::NvLinkDomain), None);
    assert_eq!(degraded.port(2), None);
    assert_eq!(degraded.port(3).map(|port| port.count), Some(18));
}

#[test]
fn rates_are_those_of_links_or_of_the_way_over_pcie() {
    let rate = |rate: Option<dralloc_topology::Rate>| rate.map(|rate| rate.to_string());
    let dgx1 = machines::machine("dgx1-v100");
    assert_eq!(rate(dgx1.bandwidth(0, 3)), Some("50".to_owned()));
    assert_eq!(rate(dgx1.bandwidth(0, 5)), Some("15.8".to_owned()));
    assert_eq!(rate(dgx1.bandwidth(0, 0)), None);
    assert_eq!(rate(dgx1.nic_bandwidth(0, 0)), Some("12.5".to_owned()));
    let worst = dgx1.bottleneck(&[0, 1, 2, 3]).unwrap();
    assert_eq!(
        (worst.level.to_string(), rate(worst.rate)),
        ("NV1".to_owned(), Some("25".to_owned()))
    );
    let worst = dgx1.bottleneck(&[0, 1, 4]).unwrap();
    assert_eq!(
        (worst.level.to_string(), rate(worst.rate)),
        ("SYS".to_owned(), Some("15.8".to_owned()))
    );
    assert_eq!(dgx1.bottleneck(&[3]), None);
    let tray = machines::machine("gb200-tray");
    assert_eq!(rate(tray.bandwidth(0, 2)), Some("900".to_owned()));
    assert_eq!(rate(tray.unit().rate()), Some("50".to_owned()));
    let unknown = machines::machine("no-nvlink-x8-rail-nic");
    assert_eq!(rate(unknown.bandwidth(0, 1)), None);
}

/// Returns a document of three devices in a triangle, with the rates of its links.
fn triangle(rates: [Value; 3]) -> Topology {
    let [first, second, third] = rates;
    let vertices = ["a", "b", "c"].map(|id| json!({"id": id, "kind": "gpu"}));
    let document = json!({
        "apiVersion": "dralloc.dev/v1alpha1", "kind": "Topology",
        "spec": {
            "vertices": vertices,
            "links": [
                {"a": "a", "b": "b", "type": "NVLink", "count": 2, "bandwidthGBps": first},
                {"a": "b", "b": "c", "type": "NVLink", "count": 1, "bandwidthGBps": second},
                {"a": "c", "b": "a", "type": "NVLink", "count": 4, "bandwidthGBps": third},
            ],
        },
    });
    Topology::new(&Document::read(&document.to_string()).unwrap()).unwrap()
}

#[test]
fn links_of_different_rates_are_measured_in_a_common_part() {
    let same = triangle([json!(50), json!(25), json!(100)]);
    assert!(same.unit().is_link());
    assert_eq!(same.ring(&[0, 1, 2]).rings.to_string(), "2");
    // 50, 30 and 100 GB/s in parts of 10: rings of 2 x 3 parts.
    let mixed = triangle([json!(50), json!(30), json!(100)]);
    assert!(!mixed.unit().is_link());
    assert_eq!(mixed.unit().rate().unwrap().to_string(), "10");
    assert_eq!(mixed.ring(&[0, 1, 2]).rings.to_string(), "6");
    assert_eq!(mixed.links(&[0, 1, 2]), 7);
}

#[test]
fn places_around_devices_and_nics_are_told_from_the_nearest_on() {
    let ids = |around: Vec<&dralloc_topology::Vertex>| -> Vec<String> {
        around.into_iter().map(|vertex| vertex.id.clone()).collect()
    };
    let dgx1 = machines::machine("dgx1-v100");
    assert_eq!(ids(dgx1.around(5).collect()), ["pcisw2", "numa1"]);
    assert_eq!(ids(dgx1.around_nic(3).collect()), ["pcisw3", "numa1"]);
    assert_eq!(dgx1.around(8).count() + dgx1.around_nic(4).count(), 0);
    let cluster = machines::machine("gb200-8xnvl72-576gpu");
    assert_eq!(
        ids(cluster.around(575).collect()),
        ["r7t17", "r7", "b1", "spine"]
    );
}

#[test]
fn nics_have_levels_among_each_other() {
    let dgx1 = machines::machine("dgx1-v100");
    let levels = (0..5).map(|nic| dgx1.nic_pair_level(0, nic).to_string());
    assert_eq!(
        levels.collect::<Vec<_>>(),
        ["X", "NODE", "SYS", "SYS", "NET"]
    );
}
