//! [`Transaction::satisfiable`]: would claims fit if nothing were held.

use super::{AllocateOptions, Outcome, Transaction, Workspace};
use crate::claims::PreparedClaims;
use crate::error::Error;

impl Transaction {
    /// Answers whether claims would fit on a node if nothing were held, by anybody.
    ///
    /// Claims that are allocated already are asked for anew, and amounts that are
    /// asked for are compared with all that the node lists. So a "no" lasts as long
    /// as nodes, slices, classes and taints do: nothing that is released makes the
    /// claims fit. A "yes" has the devices that they would get, which others may
    /// hold; nothing is held by it, and the policy does not matter.
    ///
    /// [`PlaceOptions::nothing_held`](super::PlaceOptions::nothing_held) asks the
    /// same of many nodes.
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::allocate`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
    /// use dralloc::{AllocateOptions, Change, Engine, Features, Outcome, Workspace};
    ///
    /// let mut engine = Engine::new(Features::all());
    /// let class: DeviceClass = serde_json::from_str(r#"{"metadata": {"name": "gpu"}}"#)?;
    /// let slice: ResourceSlice = serde_json::from_str(
    ///     r#"{"metadata": {"name": "s"},
    ///         "spec": {"driver": "gpu.example.com", "nodeName": "node-1",
    ///                  "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 1},
    ///                  "devices": [{"name": "gpu-0"}]}}"#,
    /// )?;
    /// engine.apply(Change::Node(Node::new("node-1", [])))?;
    /// engine.apply(Change::DeviceClass(class))?;
    /// engine.apply(Change::ResourceSlice(slice))?;
    /// let claim = |name: &str| serde_json::from_str::<ResourceClaim>(&format!(
    ///     r#"{{"metadata": {{"namespace": "default", "name": "{name}"}},
    ///         "spec": {{"devices": {{"requests": [{{"name": "gpu", "exactly":
    ///             {{"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}}}}]}}}}}}"#));
    ///
    /// let snapshot = engine.snapshot();
    /// let (first, second) = (snapshot.prepare(&[claim("a")?])?, snapshot.prepare(&[claim("b")?])?);
    /// let (options, mut workspace) = (AllocateOptions::new(), Workspace::new());
    /// let mut transaction = snapshot.transaction();
    /// transaction.allocate("node-1", &first, &options, &mut workspace)?;
    ///
    /// // The device is held, so `b` does not fit; it would fit on the empty node.
    /// let outcome = transaction.allocate("node-1", &second, &options, &mut workspace)?;
    /// assert!(matches!(outcome, Outcome::Infeasible(_)));
    /// let outcome = transaction.satisfiable("node-1", &second, &options, &mut workspace)?;
    /// assert!(matches!(outcome, Outcome::Optimal(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn satisfiable(
        &self,
        node: &str,
        claims: &PreparedClaims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Outcome, Error> {
        let options = options.on_empty_books(claims);
        self.consider(node, claims, &options, workspace)
    }
}
