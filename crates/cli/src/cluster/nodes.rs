//! Which nodes come into question.

use std::collections::BTreeSet;

use dralloc::model::{Node, NodeSelector, Pod, Str};

use super::{Cluster, Given, ObjectName, meant};

/// Says why a node is not even asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RuledOut {
    NodeName,
    Cordoned,
    NodeSelector,
    AllocatedClaim,
}

impl RuledOut {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::NodeName => "not the node that the pod names",
            Self::Cordoned => "cordoned",
            Self::NodeSelector => "not selected by the pod's `nodeSelector`",
            Self::AllocatedClaim => "out of reach of a claim that is allocated already",
        }
    }
}

/// Returns why a node is not to be asked, if so.
pub(crate) fn ruled_out(
    node: &Node,
    pod: Option<&Pod>,
    allocated: &[NodeSelector],
) -> Option<RuledOut> {
    if let Some(pod) = pod {
        let bound = !pod.spec.node_name.is_empty();
        if bound && pod.spec.node_name != node.metadata.name {
            return Some(RuledOut::NodeName);
        }
        if !bound && node.spec.unschedulable {
            return Some(RuledOut::Cordoned);
        }
        let labels = &node.metadata.labels;
        if pod
            .spec
            .node_selector
            .iter()
            .any(|(key, value)| labels.get(key) != Some(value))
        {
            return Some(RuledOut::NodeSelector);
        }
    }
    let is_within_reach = allocated
        .iter()
        .all(|selector| selector.matches(node).unwrap_or(false));
    if is_within_reach {
        None
    } else {
        Some(RuledOut::AllocatedClaim)
    }
}

/// Settles which nodes there are: those given, else those that slices name;
/// only one of them if one is asked for. Returns what to tell the user.
pub(crate) fn settle(cluster: &mut Cluster, only: Option<&str>) -> Result<Option<String>, String> {
    let mut remark = None;
    if cluster.nodes.is_empty() {
        let mut names = named_by_slices(cluster);
        names.extend(only.map(Str::from));
        let count = names.len();
        for name in names {
            let object = Node::new(&name, []);
            let given = Given {
                place: 0,
                origin: None,
                object,
            };
            cluster.nodes.insert(ObjectName::new("", &name), given);
        }
        remark = Some(match count {
            0 => {
                "no node is given, and no slice names one: there is nowhere to allocate".to_owned()
            }
            _ if only.is_some() => {
                "no node is given: the one asked for is taken to have no labels".to_owned()
            }
            1 => "no node is given: the one that slices name is used, without labels".to_owned(),
            _ => format!("no node is given: the {count} that slices name are used, without labels"),
        });
    }
    if let Some(only) = only {
        let name = ObjectName::new("", only);
        if !cluster.nodes.contains_key(&name) {
            return Err(meant::absent("node", &name, &cluster.nodes));
        }
        cluster.nodes.retain(|name, _| &*name.name == only);
    }
    Ok(remark)
}

fn named_by_slices(cluster: &Cluster) -> BTreeSet<Str> {
    let specs = cluster
        .resource_slices
        .values()
        .map(|given| &given.object.spec);
    let names = specs.flat_map(|spec| {
        let devices = spec
            .devices
            .iter()
            .filter_map(|device| device.node_name.as_ref());
        spec.node_name.iter().chain(devices)
    });
    names.filter(|name| !name.is_empty()).cloned().collect()
}
