//! What to make of two answers to one selector.

use dralloc_cel::ErrorKind;

use crate::answer::Answer;
use crate::upstream::UpstreamAnswer;

/// In what two answers differ.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Difference {
    /// In the outcome: that of dralloc and that of Kubernetes.
    Outcome(String, String),
    /// In the runtime cost only.
    Cost,
    /// In the estimated cost only.
    Estimate,
}

/// Why two answers may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    /// Kubernetes' answer varies, since it visits maps in random order, and
    /// dralloc's is one of them.
    RandomOrder,
    /// Kubernetes' CEL crashes.
    Crash,
    /// Kubernetes' CEL does not end in time.
    Timeout,
    /// What the selector makes is larger than dralloc allows for.
    MemoryLimit,
    /// Kubernetes cannot estimate.
    NoEstimate,
    /// Builds of the tz database disagree about local times before 1970.
    OldTime,
    /// Kubernetes changes a quantity that others still use.
    SharedQuantity,
}

impl Reason {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::RandomOrder => "explained: random order",
            Self::Crash => "explained: Kubernetes crashes",
            Self::Timeout => "explained: Kubernetes times out",
            Self::MemoryLimit => "explained: dralloc's memory limit",
            Self::OldTime => "explained: local time before 1970",
            Self::SharedQuantity => "explained: quantity changed in place",
            Self::NoEstimate => "explained: no estimate upstream",
        }
    }
}

/// Compares two answers.
pub(crate) fn difference(ours: &Answer, theirs: &UpstreamAnswer) -> Option<Difference> {
    if ours.outcome != theirs.outcome {
        let (ours, theirs) = (ours.outcome.to_owned(), theirs.outcome.clone());
        return Some(Difference::Outcome(ours, theirs));
    }
    if ours.cost != theirs.cost {
        return Some(Difference::Cost);
    }
    if ours.estimate != theirs.estimate {
        return Some(Difference::Estimate);
    }
    None
}

/// Returns why answers that differ may do so; `theirs` lists all answers that
/// many repetitions gave.
pub(crate) fn reason(ours: &Answer, theirs: &UpstreamAnswer) -> Option<Reason> {
    if is_one_of(ours, theirs) {
        return Some(Reason::RandomOrder);
    }
    match theirs.outcome.as_str() {
        "panic" => return Some(Reason::Crash),
        "timeout" => return Some(Reason::Timeout),
        _ => {}
    }
    if ours.kind == Some(ErrorKind::MemoryLimit) {
        return Some(Reason::MemoryLimit);
    }
    let unknown = theirs.estimate.is_none() && theirs.estimate_error.is_some();
    (unknown && difference(ours, theirs) == Some(Difference::Estimate))
        .then_some(Reason::NoEstimate)
}

/// Returns whether the answers vary and ours can be one of them: the same as
/// one, or of a cost between those seen.
fn is_one_of(ours: &Answer, theirs: &UpstreamAnswer) -> bool {
    let others = theirs.alternatives.iter();
    let alike = others.chain([theirs]).filter(|other| {
        let other = UpstreamAnswer {
            cost: ours.cost,
            ..(*other).clone()
        };
        difference(ours, &other).is_none()
    });
    let costs: Vec<Option<u64>> = alike.map(|answer| answer.cost).collect();
    let between = costs.iter().min() <= Some(&ours.cost) && Some(&ours.cost) <= costs.iter().max();
    !theirs.alternatives.is_empty() && !costs.is_empty() && between
}
