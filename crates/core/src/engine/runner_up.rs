//! [`RunnerUp`]: what the best answer is better than.

use std::fmt;

use super::{AllocateOptions, Allocation, Transaction, Workspace};
use crate::claims::PreparedClaims;
use crate::error::Error;
use crate::objective::TermValue;
use crate::outcome::StopCause;

/// Says what comes after the best answer, where answers differ.
#[derive(Clone, Debug)]
pub enum RunnerUp {
    /// The best of the answers that are not as good.
    Found {
        /// What the claims would get.
        allocation: Box<Allocation>,
        /// Place of the first term in which it loses, in [`Allocation::objective`].
        term: usize,
        /// Value of that term for the best answer.
        best: i64,
        /// Its own value.
        value: i64,
    },
    /// There is none: all answers are as good, or there is no answer at all.
    Nothing,
    /// The budget ended before that was known.
    Unknown(StopCause),
}

/// Prints such as ``the next best answer loses in `waste`: 428572 against 0``.
impl fmt::Display for RunnerUp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Found {
                allocation,
                term,
                best,
                value,
            } => {
                formatter.write_str("the next best answer loses")?;
                let Some(TermValue { term, .. }) = allocation.objective().get(*term) else {
                    return write!(formatter, ": {value} against {best}");
                };
                let (value, best) = (term.words(*value), term.words(*best));
                write!(formatter, " in `{term}`: {value} against {best}")
            }
            Self::Nothing => formatter.write_str("no answer is worse than another"),
            Self::Unknown(cause) => {
                write!(formatter, "not known, the search ended early: {cause}")
            }
        }
    }
}

impl Transaction {
    /// Returns the best of the answers that are not as good as the best, and where
    /// it loses: why the best is the best.
    ///
    /// Exact, or not known within the budget, which both searches share. In the
    /// `kubernetes` policy no answer is better than another. Nothing is held.
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::allocate`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
    /// use dralloc::{AllocateOptions, Change, Engine, Features, Policy, Workspace};
    ///
    /// let mut engine = Engine::new(Features::all());
    /// let class: DeviceClass = serde_json::from_str(r#"{"metadata": {"name": "gpu"}}"#)?;
    /// let slice: ResourceSlice = serde_json::from_str(
    ///     r#"{"metadata": {"name": "s"},
    ///         "spec": {"driver": "gpu.example.com", "nodeName": "node-1",
    ///                  "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 1},
    ///                  "devices": [
    ///             {"name": "a", "attributes": {"parentUUID": {"string": "card-0"}}},
    ///             {"name": "b", "attributes": {"parentUUID": {"string": "card-1"}}},
    ///             {"name": "c", "attributes": {"parentUUID": {"string": "card-1"}}}]}}"#,
    /// )?;
    /// engine.apply(Change::Node(Node::new("node-1", [])))?;
    /// engine.apply(Change::DeviceClass(class))?;
    /// engine.apply(Change::ResourceSlice(slice))?;
    /// let claim: ResourceClaim = serde_json::from_str(
    ///     r#"{"metadata": {"namespace": "default", "name": "two"},
    ///         "spec": {"devices": {"requests": [{"name": "gpu", "exactly":
    ///             {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 2}}]}}}"#,
    /// )?;
    ///
    /// let snapshot = engine.snapshot();
    /// let claims = snapshot.prepare(&[claim])?;
    /// let options = AllocateOptions::new().policy(&Policy::Pack);
    /// let mut workspace = Workspace::new();
    /// let second = snapshot.transaction().runner_up("node-1", &claims, &options, &mut workspace)?;
    /// // `b` and `c` are of one card, `a` and `b` are not.
    /// assert_eq!(second.to_string(), "the next best answer loses in `parentsTouched`: 2 against 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn runner_up(
        &self,
        node: &str,
        claims: &PreparedClaims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<RunnerUp, Error> {
        let call = self.call(claims, options, &mut workspace.reduced)?;
        let node = self.inventory().known_node(node)?;
        let view = self.inventory().view(&node.metadata.name)?;
        let scopes = options.scopes(&call.claims);
        if scopes.is_empty() || call.is_granted() || call.refuses(node).is_some() {
            return Ok(RunnerUp::Nothing);
        }
        let (machines, mut meter) = (&mut workspace.machines, options.budget.meter());
        let required = match call.required(view, machines, &mut meter) {
            Ok(required) => required,
            Err(cause) => return Ok(RunnerUp::Unknown(cause)),
        };
        let machine = match call.machine(&scopes, view, machines, &mut meter) {
            Ok(machine) => machine,
            Err(halt) => return Ok(RunnerUp::Unknown(halt.cause()?)),
        };
        let goal = call.goal(&scopes, machine.as_ref(), options);
        let held = (&*call.held, required.as_ref());
        let second = workspace.second_best(&call.claims, view, held, goal, options)?;
        Ok(match second {
            RunnerUp::Found {
                allocation,
                term,
                best,
                value,
            } => RunnerUp::Found {
                allocation: Box::new(allocation.beside(call.granted())),
                term,
                best,
                value,
            },
            other => other,
        })
    }
}
