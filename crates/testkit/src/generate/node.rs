//! The node, and what chooses nodes.

use serde_json::{Map, Value, json};

use super::text::NODE;
use super::{Random, Weights};

/// Returns the node to allocate for.
pub(super) fn node(weights: &Weights, random: &mut Random) -> Value {
    let mut node = json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": NODE,
            "labels": {"zone": "z1", "arch": "amd64", "gen": "5", "empty": ""},
        },
    });
    if weights.node_operations > 20 && random.chance(75) {
        node["status"] = json!({"declaredFeatures": ["DRAOptionalNodeOperations"]});
    }
    node
}

/// Writes where a slice or a device can be used: usually on the node.
pub(super) fn place(
    percent_odd: usize,
    spec: &mut Map<String, Value>,
    weights: &Weights,
    random: &mut Random,
) {
    if !random.chance(percent_odd) {
        spec.insert("nodeName".into(), json!(NODE));
        return;
    }
    match random.below(12) {
        0..=2 => {
            spec.insert("allNodes".into(), json!(true));
        }
        3..=7 => {
            spec.insert("nodeSelector".into(), selector(weights, random));
        }
        8 => {
            spec.insert("nodeName".into(), json!("node-2"));
        }
        9 => {
            spec.insert("nodeName".into(), json!(NODE));
        }
        10 => {
            spec.insert("nodeName".into(), json!(""));
            spec.insert("allNodes".into(), json!(random.chance(70)));
        }
        _ => {
            if random.chance(50) {
                spec.insert("allNodes".into(), json!(false));
            }
        }
    }
}

/// Returns a node selector; most choose the node.
fn selector(weights: &Weights, random: &mut Random) -> Value {
    let terms = match random.below(20) {
        0 => 0,
        1..=3 => 2,
        _ => 1,
    };
    let terms: Vec<Value> = (0..terms).map(|_| term(weights, random)).collect();
    json!({"nodeSelectorTerms": terms})
}

fn term(weights: &Weights, random: &mut Random) -> Value {
    if random.chance(4) {
        return json!({});
    }
    let mut term = json!({});
    if random.chance(20) {
        let operator = random.pick(&["In", "In", "NotIn"]);
        let name = random.pick(&[NODE, NODE, "node-2"]);
        term["matchFields"] =
            json!([{"key": "metadata.name", "operator": operator, "values": [name]}]);
        if random.chance(60) {
            return term;
        }
    }
    let count = random.between(1, 2);
    let expressions: Vec<Value> = (0..count).map(|_| requirement(weights, random)).collect();
    term["matchExpressions"] = json!(expressions);
    term
}

fn requirement(weights: &Weights, random: &mut Random) -> Value {
    if random.chance(weights.malformed) {
        return match random.below(4) {
            0 => json!({"key": "zone", "operator": "Near", "values": ["z1"]}),
            1 => json!({"key": "gen", "operator": "Gt", "values": ["four"]}),
            2 => json!({"key": "zone", "operator": "In"}),
            _ => json!({"key": "not a key", "operator": "Exists"}),
        };
    }
    match random.below(14) {
        0..=3 => json!({"key": "zone", "operator": "In", "values": ["z1"]}),
        4 => json!({"key": "zone", "operator": "In", "values": ["z2", "z1"]}),
        5 => json!({"key": "zone", "operator": "In", "values": ["z2"]}),
        6 => json!({"key": "arch", "operator": "NotIn", "values": ["arm64"]}),
        7 => json!({"key": "missing", "operator": "NotIn", "values": ["x"]}),
        8 => json!({"key": "arch", "operator": "Exists"}),
        9 => json!({"key": "missing", "operator": "DoesNotExist"}),
        10 => json!({"key": "arch", "operator": "DoesNotExist"}),
        11 => json!({"key": "gen", "operator": "Gt", "values": [random.pick(&["4", "5"])]}),
        12 => json!({"key": "gen", "operator": "Lt", "values": [random.pick(&["6", "5"])]}),
        _ => json!({"key": "empty", "operator": "In", "values": ["", "z1"]}),
    }
}
