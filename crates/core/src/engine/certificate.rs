//! Certificates, beside the answers that they are for.

use super::{AllocateOptions, Outcome, Releasing, Transaction, Workspace};
use crate::claims::PreparedClaims;
use crate::error::Error;
use crate::outcome::Reason;
use crate::proof::{Certificate, Certified, OptimalityCertificate, Step, Unrecorded};
use crate::solver::{Problem, Proof, prove, prove_best};

impl Transaction {
    /// Proves that claims do not fit on a node, where they do not; or that the
    /// answer is the best, where a policy asks for that.
    ///
    /// The question is that of [`Transaction::allocate`], and nothing is held by
    /// it. The budget counts for the answer, and once more for the proof. Anybody with
    /// the same objects and books can check the proof without a search:
    /// [`Transaction::verify_certificate`].
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::allocate`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
    /// use dralloc::{AllocateOptions, Certified, Change, Engine, Features, Workspace};
    ///
    /// let slice: ResourceSlice = serde_json::from_str(
    ///     r#"{"metadata": {"name": "node-1-gpus"},
    ///         "spec": {"driver": "gpu.example.com", "nodeName": "node-1",
    ///                  "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 1},
    ///                  "devices": [{"name": "gpu-0"}]}}"#,
    /// )?;
    /// let class: DeviceClass = serde_json::from_str(r#"{"metadata": {"name": "gpu"}}"#)?;
    /// let claim: ResourceClaim = serde_json::from_str(
    ///     r#"{"metadata": {"namespace": "default", "name": "training"},
    ///         "spec": {"devices": {"requests": [{"name": "gpu", "exactly":
    ///             {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 2}}]}}}"#,
    /// )?;
    ///
    /// let mut engine = Engine::new(Features::all());
    /// engine.apply(Change::Node(Node::new("node-1", [])))?;
    /// engine.apply(Change::DeviceClass(class))?;
    /// engine.apply(Change::ResourceSlice(slice))?;
    /// let snapshot = engine.snapshot();
    /// let claims = [claim];
    /// let prepared = snapshot.prepare(&claims)?;
    /// let certified = snapshot.transaction().certificate(
    ///     "node-1", &prepared, &AllocateOptions::new(), &mut Workspace::new())?;
    /// let Certified::Infeasible(mut certificate) = certified else { panic!("there is one device") };
    /// assert_eq!(snapshot.verify_certificate("node-1", &claims, &certificate), Ok(()));
    ///
    /// certificate.steps.clear();
    /// assert!(snapshot.verify_certificate("node-1", &claims, &certificate).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn certificate(
        &self,
        node: &str,
        claims: &PreparedClaims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Certified, Error> {
        let call = self.call(claims, options, &mut workspace.reduced)?;
        let releasing_is_free = options.releasing == Releasing::Free;
        let proved = |steps| {
            Certified::Infeasible(Certificate {
                releasing_is_free,
                policies_are_ignored: !call.requires(),
                steps,
            })
        };
        if let Some(reason) = call.refuses(self.inventory().known_node(node)?) {
            return Ok(match reason {
                Reason::Releasing { claim } => proved(vec![Step::Releasing { claim }]),
                Reason::AllocatedElsewhere { claim } => proved(vec![Step::Allocated { claim }]),
                reason => Certified::Unrecorded(Unrecorded::Reason(reason)),
            });
        }
        let view = self.inventory().view(node)?;
        // Where the search knows nothing in the end, the proof may still be found.
        let best = match Self::answer(view, &call, options, workspace)? {
            Outcome::Optimal(best) if !best.objective().is_empty() => Some(best),
            Outcome::Optimal(_) | Outcome::Feasible { .. } => return Ok(Certified::Fits),
            Outcome::Infeasible(_) | Outcome::Unknown(_) => None,
        };
        let scopes = options.scopes(&call.claims);
        let (machines, mut meter) = (&mut workspace.machines, options.budget.meter());
        let known = call.machine(&scopes, view, machines, &mut meter);
        let known = known.and_then(|machine| {
            let required = call.required(view, machines, &mut meter)?;
            Ok((machine, required))
        });
        let (machine, required) = match known {
            Ok(known) => known,
            Err(halt) => return Ok(Certified::Unrecorded(Unrecorded::Stopped(halt.cause()?))),
        };
        let (verdicts, required) = (&mut workspace.verdicts, required.as_ref());
        let mut problem = Problem::with_notes(&call.claims, view, &call.held, verdicts, required)?;
        if let Some(best) = best {
            let values: Vec<i64> = best.objective().iter().map(|value| value.value).collect();
            let goal = call.goal(&scopes, machine.as_ref(), options);
            let bounds = prove_best(&mut problem, &call.held, goal, &values, &mut meter);
            return Ok(match bounds {
                Ok(Some(terms)) => Certified::Optimal(OptimalityCertificate {
                    releasing_is_free,
                    policies_are_ignored: !call.requires(),
                    now: options.now,
                    terms,
                }),
                Ok(None) => Certified::Unrecorded(Unrecorded::Size),
                Err(cause) => Certified::Unrecorded(Unrecorded::Stopped(cause)),
            });
        }
        let proof = prove(&mut problem, &mut meter);
        Ok(match proof {
            Ok(Proof::Steps(steps)) => proved(steps),
            Ok(Proof::TooLarge) => Certified::Unrecorded(Unrecorded::Size),
            Err(cause) => Certified::Unrecorded(Unrecorded::Stopped(cause)),
        })
    }
}
