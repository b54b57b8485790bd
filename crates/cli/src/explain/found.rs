//! [`Found`]: what is found out about a pod or a claim. It is what `-o json` prints.

use std::fmt;

use dralloc::model::Str;
use dralloc::{Explanation, Holder, NodeVerdict, Remedy, RequestExplanation};
use serde::{Serialize, Serializer};

use super::survey::Weight;
use super::together::Together;
use crate::cluster::ObjectName;
use crate::cluster::gated::GatesOff;
use crate::cluster::queue::{Subject, Waiting};
use crate::reasons::Reason;

/// Is the answer to all that was asked.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    pub(super) subjects: Vec<Found>,
    /// How many of those that fit by themselves do so together, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) together: Option<Together>,
    /// How many pods and claims wait, explained or not.
    #[serde(serialize_with = "total")]
    pub(super) waiting: Waiting,
    /// How many claims have devices.
    pub(super) allocated: usize,
}

fn total<S: Serializer>(waiting: &Waiting, serializer: S) -> Result<S::Ok, S::Error> {
    waiting.total().serialize(serializer)
}

/// Is what is found out about a pod or a claim.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Found {
    #[serde(flatten)]
    pub(super) subject: Named,
    /// Those that ask for the same of the same nodes, of which all of this is true, too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) others: Vec<Named>,
    pub(super) verdict: Verdict,
    /// The verdict in a sentence.
    pub(super) message: String,
    /// All claims that it needs.
    pub(super) claims: Vec<ClaimName>,
    /// What is asked for, a request a text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) asks: Vec<String>,
    /// What devices have to have in common, or must not, a constraint a text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) constraints: Vec<String>,
    /// How many nodes there are: as many as in all groups together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) nodes: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) groups: Vec<Group>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) remedies: Vec<Suggestion>,
    /// With which feature gates it would fit, which are off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) gates_off: Option<GatesOff>,
    /// What it would get now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) would_get: Option<Devices>,
    /// What its claims have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) has: Vec<Given>,
}

/// Names a pod or a claim.
#[derive(Debug, Serialize)]
pub(super) struct Named {
    pub(super) kind: &'static str,
    #[serde(flatten)]
    pub(super) name: ClaimName,
}

/// Names a claim.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct ClaimName {
    pub(super) namespace: Str,
    pub(super) name: Str,
}

/// Says how it stands with a pod or a claim, or with a node; the names are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Verdict {
    /// All claims have devices.
    Allocated,
    /// It asks for nothing.
    Idle,
    /// A claim has devices that are not published any more.
    DeviceGone,
    Fits,
    AfterRelease,
    Unknown,
    BadInput,
    NeverPossible,
    /// The node is not to be asked, or no node is.
    RuledOut,
}

/// Is nodes with one reason.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Group {
    pub(super) verdict: Verdict,
    /// By name; there is one at least.
    pub(super) nodes: Vec<Str>,
    /// Why, with numbers, and what is so in particular on the node that was explained; none
    /// where it fits.
    #[serde(flatten)]
    pub(super) reason: Option<Reason>,
    /// The node that was explained: of those that were looked at the one where least would
    /// have to be released.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) of: Option<Str>,
    /// What was found out about this node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) explanation: Option<Explanation>,
    /// How much would have to be released on it.
    #[serde(skip)]
    pub(super) weight: Weight,
}

/// Is a change that would make it fit.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Suggestion {
    /// What to do, in words.
    pub(super) text: String,
    /// Of a release: who else would be enough alone, on the same node.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) others: Vec<Holder>,
    /// On how many nodes it fits then.
    pub(super) nodes: usize,
    /// One of these.
    pub(super) example: Str,
    /// The same as data; none for what concerns a pod or a node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) remedy: Option<Remedy>,
}

/// Is devices on a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Devices {
    pub(super) node: Str,
    pub(super) devices: Vec<Pick>,
}

/// Is a device for a request.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Pick {
    /// Name of the claim.
    pub(super) claim: Str,
    /// `request` or `request/subrequest`.
    pub(super) request: Str,
    /// `driver/pool/device`.
    pub(super) device: String,
}

/// Is a claim that has devices.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Given {
    pub(super) claim: ClaimName,
    /// Where they are, if that is one node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) node: Option<Str>,
    pub(super) devices: Vec<Pick>,
    /// Those of its devices that are not published any more, as `driver/pool/device`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) gone: Vec<String>,
    /// The pods that use a claim of which devices are gone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) used_by: Vec<ClaimName>,
    pub(super) why: Why,
    /// The same in words.
    pub(super) message: String,
    /// What today's answer would be, where it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) today: Option<Vec<Pick>>,
    /// What the next best answer is, and what it lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) runner_up: Option<RunnerUp>,
    /// What became of each device, with what the claim has counted as free.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) requests: Vec<RequestExplanation>,
}

/// Says why a claim has what it has; the names are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Why {
    /// They are the first that fit, in canonical order.
    First,
    /// None are better by a policy.
    Best,
    /// Today it would get others.
    Differs,
    /// Today it would get none there.
    NotToday,
    /// That cannot be said.
    Unknown,
}

/// Is the best answer that is not as good.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunnerUp {
    pub(super) devices: Vec<Pick>,
    /// Where it loses, in words.
    pub(super) message: String,
}

impl Named {
    pub(super) fn of(subject: &Subject) -> Self {
        let (kind, name) = match subject {
            Subject::Pod(name) => ("pod", name),
            Subject::Claim(name) => ("claim", name),
        };
        Self {
            kind,
            name: name.into(),
        }
    }
}

impl Named {
    /// Returns what it names.
    pub(super) fn subject(&self) -> Subject {
        let ClaimName { namespace, name } = &self.name;
        let name = ObjectName::new(namespace, name);
        match self.kind {
            "pod" => Subject::Pod(name),
            _ => Subject::Claim(name),
        }
    }
}

/// Prints as `pod namespace/name`.
impl fmt::Display for Named {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, name } = self;
        write!(formatter, "{kind} {}/{}", name.namespace, name.name)
    }
}

impl From<&ObjectName> for ClaimName {
    fn from(name: &ObjectName) -> Self {
        Self {
            namespace: name.namespace.clone(),
            name: name.name.clone(),
        }
    }
}

impl From<NodeVerdict> for Verdict {
    fn from(verdict: NodeVerdict) -> Self {
        match verdict {
            NodeVerdict::Fits => Self::Fits,
            NodeVerdict::AfterRelease => Self::AfterRelease,
            NodeVerdict::BadInput => Self::BadInput,
            NodeVerdict::NeverPossible => Self::NeverPossible,
            _ => Self::Unknown,
        }
    }
}

impl Verdict {
    /// Returns whether nobody has to do anything.
    pub(super) fn is_good(self) -> bool {
        matches!(self, Self::Allocated | Self::Idle | Self::Fits)
    }
}
