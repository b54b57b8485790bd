//! [`Transaction::explain_nodes`]: why claims do not fit, over many nodes.

use std::collections::BTreeMap;

use crate::claims::PreparedClaims;
use crate::engine::place::AlikeAnswer;
use crate::engine::{PlaceOptions, Transaction, Workspace};
use crate::error::Error;
use crate::explain::{Class, Explanation, NodeGroup, NodeVerdict};
use crate::model::Str;

/// So many groups are explained of each verdict: one may take hundreds of questions.
const MAX_EXPLAINED: usize = 128;

impl Transaction {
    /// Says on which nodes claims fit, and why not on the others: nodes that the claims
    /// cannot tell apart are explained once.
    ///
    /// Each node of the order is in exactly one group; groups come by their first nodes.
    /// An explanation is that of the first node of its group: the others have other
    /// names of devices and holders, and the same numbers. An error is that of its node
    /// alone. Of each verdict 128 groups are explained at most, while the budget lasts; the
    /// nodes of the others are one group, whose explanation is empty. So are nodes that
    /// were never asked. What is asked is as in [`Transaction::explain`], for all nodes of
    /// [`PlaceOptions::nodes`]; where it begins and what is found there do not matter.
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::allocate`] that concern all nodes and are found before
    /// devices are looked at.
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
    /// use dralloc::{Change, Engine, Features, NodeVerdict, PlaceOptions, Workspace};
    ///
    /// let mut engine = Engine::new(Features::all());
    /// let class: DeviceClass = serde_json::from_str(r#"{"metadata": {"name": "gpu"}}"#)?;
    /// engine.apply(Change::DeviceClass(class))?;
    /// for node in ["a", "b", "c"] {
    ///     let slice: ResourceSlice = serde_json::from_str(&format!(
    ///         r#"{{"metadata": {{"name": "{node}"}}, "spec": {{
    ///              "driver": "gpu.example.com", "nodeName": "{node}", "devices": [{{"name": "gpu-0"}}],
    ///              "pool": {{"name": "{node}", "generation": 1, "resourceSliceCount": 1}}}}}}"#,
    ///     ))?;
    ///     engine.apply(Change::Node(Node::new(node, [])))?;
    ///     engine.apply(Change::ResourceSlice(slice))?;
    /// }
    /// let claim: ResourceClaim = serde_json::from_str(
    ///     r#"{"metadata": {"namespace": "default", "name": "training"},
    ///         "spec": {"devices": {"requests": [{"name": "gpu", "exactly":
    ///             {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 2}}]}}}"#,
    /// )?;
    ///
    /// let snapshot = engine.snapshot();
    /// let claims = snapshot.prepare(&[claim])?;
    /// let groups = snapshot.transaction().explain_nodes(
    ///     &claims,
    ///     &PlaceOptions::new(),
    ///     &mut Workspace::new(),
    /// )?;
    /// assert_eq!(groups.len(), 1);
    /// assert_eq!(groups[0].nodes.len(), 3);
    /// assert_eq!(groups[0].verdict, NodeVerdict::NeverPossible);
    /// assert_eq!(groups[0].explanation.requests[0].usable, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain_nodes(
        &self,
        claims: &PreparedClaims,
        options: &PlaceOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Vec<NodeGroup>, Error> {
        let mut options = *options;
        options.start = 0;
        let names = options.order.names().unwrap_or_else(|| {
            let nodes = self.inventory().nodes();
            nodes.map(|node| node.metadata.name.clone()).collect()
        });
        let now = self.alike(claims, &options, workspace)?;
        let empty = self.alike(claims, &options.nothing_held(true), workspace)?;
        let mut when_empty = vec![(0, AlikeAnswer::Unknown); names.len()];
        for (number, class) in empty.iter().enumerate() {
            for place in &class.nodes {
                if let Some(known) = when_empty.get_mut(*place) {
                    *known = (number, class.answer);
                }
            }
        }
        let mut groups: Vec<(usize, NodeGroup)> = Vec::new();
        let mut explained: BTreeMap<NodeVerdict, usize> = BTreeMap::new();
        let mut others: BTreeMap<NodeVerdict, Vec<usize>> = BTreeMap::new();
        for class in now {
            let mut parts: BTreeMap<(usize, AlikeAnswer), Vec<usize>> = BTreeMap::new();
            for place in class.nodes {
                let empty = when_empty.get(place).copied();
                // Where they fit it does not matter who holds what.
                let key = empty.filter(|_| class.answer == AlikeAnswer::Infeasible);
                let key = key.unwrap_or((0, AlikeAnswer::Unknown));
                parts.entry(key).or_default().push(place);
            }
            for ((_, empty), places) in parts {
                let nodes = places.iter().filter_map(|place| names.get(*place));
                let nodes: Vec<Str> = nodes.cloned().collect();
                let (Some(first), Some(place)) = (nodes.first(), places.first()) else {
                    continue;
                };
                let unexplained = verdict(class.answer, empty, None);
                let count = explained.entry(unexplained).or_insert(0);
                let is_over = options.on_a_node.budget.stop().is_some();
                if class.answer == AlikeAnswer::Unasked || is_over || *count == MAX_EXPLAINED {
                    others.entry(unexplained).or_default().extend(places);
                    continue;
                }
                *count += 1;
                let explanation = match self.explain(first, claims, &options.on_a_node, workspace) {
                    Ok(explanation) => explanation,
                    Err(error) => Explanation {
                        class: Some(Class::BadInput { error }),
                        ..Explanation::default()
                    },
                };
                let verdict = verdict(class.answer, empty, explanation.class.as_ref());
                let group = NodeGroup {
                    nodes,
                    verdict,
                    explanation,
                };
                groups.push((*place, group));
            }
        }
        for (verdict, mut places) in others {
            places.sort_unstable();
            let nodes = places.iter().filter_map(|place| names.get(*place));
            let group = NodeGroup {
                nodes: nodes.cloned().collect(),
                verdict,
                explanation: Explanation::default(),
            };
            groups.extend(places.first().map(|place| (*place, group)));
        }
        groups.sort_by_key(|(place, _)| *place);
        Ok(groups.into_iter().map(|(_, group)| group).collect())
    }
}

/// Returns what nodes that answer so have to say; of those that are explained a class may
/// be known.
fn verdict(now: AlikeAnswer, empty: AlikeAnswer, class: Option<&Class>) -> NodeVerdict {
    use AlikeAnswer::{Fails, Fits, Infeasible, Unasked, Unknown};
    match (now, empty) {
        (Fits, _) => NodeVerdict::Fits,
        (Fails, _) | (Infeasible, Fails) => NodeVerdict::BadInput,
        (Infeasible, Fits) => NodeVerdict::AfterRelease,
        (Infeasible, Infeasible) => NodeVerdict::NeverPossible,
        (Infeasible, Unknown | Unasked) => match class {
            Some(Class::BadInput { .. }) => NodeVerdict::BadInput,
            _ => NodeVerdict::Unknown,
        },
        (Unknown | Unasked, _) => NodeVerdict::Unknown,
    }
}
