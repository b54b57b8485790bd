//! Labels of nodes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{error, sample, warnings};
use dralloc_importers::{Imported, Source, import};
use dralloc_topology::VertexKind;
use serde_json::json;

const SOURCE: Source = Source::Labels;

/// Returns what a vertex is in, step by step.
fn up(imported: &Imported, id: &str) -> Vec<String> {
    let links = &imported.document.spec.links;
    let mut way = vec![id.to_owned()];
    while let Some(link) = links.iter().find(|link| link.a == *way.last().unwrap()) {
        way.push(link.b.clone());
    }
    way
}

fn rack(imported: &Imported, id: &str) -> Option<i64> {
    let vertices = &imported.document.spec.vertices;
    vertices.iter().find(|vertex| vertex.id == id).unwrap().rack
}

#[test]
fn nvlink_domains_are_in_blocks() {
    let imported = sample(SOURCE, "nvl72-topograph.json");
    assert_eq!(
        up(&imported, "tray-1-0"),
        [
            "tray-1-0",
            "nvlinkdomain/7f3c2a10-5b4e-4d6a-9c1e-2b8f0e6d4a91.1",
            "block/leaf-0",
            "fabric/north"
        ]
    );
    assert_eq!(rack(&imported, "tray-1-0"), None);
    assert_eq!(
        warnings(&imported),
        [
            "16:37: documents have no level for tier 1 of the network, blocks are from tier 0 of \
             the network",
            "17:37: documents have no level for zones, blocks are from tier 0 of the network",
        ]
    );
    let kinds: Vec<VertexKind> = imported
        .document
        .spec
        .vertices
        .iter()
        .map(|vertex| vertex.kind)
        .collect();
    let mut expected = vec![VertexKind::Host; 6];
    expected.extend([VertexKind::NvLinkDomain; 3]);
    expected.extend([VertexKind::Block; 2]);
    expected.push(VertexKind::Fabric);
    assert_eq!(kinds, expected);
}

#[test]
fn tiers_are_racks_where_nothing_else_is() {
    let imported = sample(SOURCE, "old-topograph.json");
    assert_eq!(up(&imported, "n5"), ["n5", "block/p-1", "fabric/c-0"]);
    let racks: Vec<_> = (0..6)
        .map(|node| rack(&imported, &format!("n{node}")))
        .collect();
    assert_eq!(racks, [0, 0, 1, 1, 2, 2].map(Some));
    let names = &imported.document.metadata.annotations["dralloc.dev/rack-names"];
    assert_eq!(names, "0=s-0,1=s-1,2=s-2");
    assert_eq!(warnings(&imported), [""; 0]);
}

#[test]
fn racks_and_zones_do_where_no_network_is_known() {
    let imported = sample(SOURCE, "racks-and-zones.json");
    assert_eq!(up(&imported, "w5"), ["w5", "block/z1", "fabric/all"]);
    let racks: Vec<_> = (0..6)
        .map(|node| rack(&imported, &format!("w{node}")))
        .collect();
    assert_eq!(racks, [0, 0, 1, 1, 2, 2].map(Some));
    assert_eq!(imported.document.spec.vertices.len(), 6 + 2 + 1);
}

#[test]
fn odd_labels_are_told() {
    let imported = sample(SOURCE, "odd.json");
    assert_eq!(
        warnings(&imported),
        [
            "34:43: `nvlinkdomain/c.1` is in `block/b2` by this label, but in `block/b1` by those \
             of `a`, the first counts",
            "47:13: no label of node `c` says where it is",
        ]
    );
    // Racks with numbers keep them.
    assert_eq!(
        (rack(&imported, "a"), rack(&imported, "d")),
        (Some(12), Some(7))
    );
    assert_eq!(up(&imported, "c"), ["c", "fabric/all"]);
}

#[test]
fn labels_of_clouds_are_known() {
    for (labels, expected) in [
        (
            json!({"topology.k8s.aws/network-node-layer-1": "far",
                   "topology.k8s.aws/network-node-layer-2": "mid",
                   "topology.k8s.aws/network-node-layer-3": "near"}),
            (vec!["n", "block/mid", "fabric/far"], Some(0)),
        ),
        (
            json!({"cloud.google.com/gce-topology-block": "b",
                   "cloud.google.com/gce-topology-subblock": "s"}),
            (vec!["n", "block/b", "fabric/all"], Some(0)),
        ),
        (
            json!({"network.topology.nvidia.com/tier-1": "one", "fabric.topograph.run/tier-0": "z",
                   "example.com/rack": "r9", "failure-domain.beta.kubernetes.io/region": "north"}),
            (vec!["n", "block/z", "fabric/north"], Some(0)),
        ),
        (
            json!({"fabric.topograph.run/tier-x": "a"}),
            (vec!["n", "fabric/all"], None),
        ),
        (json!(null), (vec!["n", "fabric/all"], None)),
    ] {
        let node = json!({"kind": "Node", "metadata": {"name": "n", "labels": labels}});
        let imported = import(SOURCE, node.to_string()).unwrap();
        assert_eq!((up(&imported, "n"), rack(&imported, "n")), {
            let (way, rack) = expected;
            (way.into_iter().map(str::to_owned).collect(), rack)
        });
    }
}

#[test]
fn what_is_wrong_is_said_with_line_and_column() {
    for (text, expected) in [
        ("", "malformed 1:1: expected nodes of a cluster, found none"),
        (
            "[]\n",
            "malformed 1:1: expected nodes of a cluster, found none",
        ),
        (
            "{\"items\":\n [3]}",
            "malformed 2:3: invalid type: integer `3`, expected an object",
        ),
        (
            "{\"items\":\n [{}]}",
            "malformed 2:3: expected `metadata` of a node",
        ),
        (
            "{\"metadata\":\n {\"labels\": {}}}",
            "malformed 2:15: missing field `name`",
        ),
        (
            "{\"metadata\":\n {\"name\": 3}}",
            "malformed 2:11: invalid type: integer `3`, expected a string",
        ),
        (
            "{\"metadata\":\n {\"name\": \"a/b\"}}",
            "invalid 2:11: expected the name of a node, found `a/b`",
        ),
        (
            "{\"metadata\": {\"name\": \"a\"}}\n{\"metadata\": {\"name\": \"a\"}}",
            "duplicate 2:23: node `a` is there twice, expected once",
        ),
        (
            "{\"metadata\": {\"name\": \"a\", \"labels\": {\"x/rack\":\n true}}}",
            "malformed 2:5: invalid type: boolean `true`, expected a string",
        ),
        (
            "{\"metadata\"",
            "malformed 1:11: EOF while parsing an object",
        ),
        ("{\n\"kind\": Node}", "malformed 2:9: expected value"),
        ("nodes: []", "malformed 1:2: expected ident"),
    ] {
        assert_eq!(error(SOURCE, text), expected, "{text}");
    }
    let deep = "[".repeat(100_000);
    assert_eq!(error(SOURCE, deep).split(' ').next(), Some("malformed"));
}
