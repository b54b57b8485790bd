//! [`GangOutcome`]: where the members of a gang go.

use std::fmt;

use dralloc_topology::SpreadLimit;

use crate::engine::{Allocation, NodeReason};
use crate::outcome::StopCause;
use crate::rules::DomainScope;

/// Answers where the members of a gang go.
#[derive(Clone, Debug)]
pub enum GangOutcome {
    /// All have a node; what they got is held.
    Placed(Gang),
    /// Not all of them fit.
    Infeasible(GangShortage),
    /// The call ended before it knew.
    Unknown(StopCause),
}

impl GangOutcome {
    /// Returns where the members are; nothing if they are nowhere.
    pub fn gang(&self) -> Option<&Gang> {
        match self {
            Self::Placed(gang) => Some(gang),
            Self::Infeasible(_) | Self::Unknown(_) => None,
        }
    }
}

/// Is a gang with all of its members on nodes.
#[derive(Clone, Debug, Default)]
pub struct Gang {
    /// The nodes with members, in the order of the caller.
    pub nodes: Vec<GangNode>,
    /// How domains are used, the widest first: those scopes that tell nodes apart and
    /// do not cut through domains of a nearer one.
    pub levels: Vec<GangLevel>,
    /// The fewest members of a node.
    pub smallest: usize,
    /// Whether it is the best; not known if a budget of branches ended on some node.
    pub is_proved: bool,
}

/// Is a node with members of a gang.
#[derive(Clone, Debug)]
pub struct GangNode {
    /// The name of the node.
    pub name: String,
    /// Its members by their place in the question, ascending, with what each got.
    pub members: Vec<(usize, Allocation)>,
}

/// Says how the domains of a scope are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GangLevel {
    /// The scope.
    pub scope: DomainScope,
    /// How many of its domains have members; a node that is in none counts as one.
    pub domains: usize,
    /// The fewest members of one of these.
    pub smallest: usize,
}

/// Says why the members of a gang do not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GangShortage {
    /// How many members were asked for.
    pub members: usize,
    /// How many fit at most: in one domain if they must be in one.
    pub most: usize,
    /// The scope of which one domain must have all, and the name of the domain where most
    /// fit; no name if a node without such a label is the best, or nothing fits anywhere.
    pub within: Option<(DomainScope, Option<String>)>,
    /// What is in the way.
    pub limit: SpreadLimit,
    /// Why not even one member fits on a node, with the number of nodes, as
    /// [`Placement::reasons`](crate::Placement::reasons) has it.
    pub reasons: Vec<NodeReason>,
}

impl fmt::Display for GangShortage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { members, most, .. } = self;
        write!(formatter, "{most} of {members} members fit")?;
        match &self.within {
            Some((scope, Some(name))) => write!(formatter, " within {scope} `{name}`")?,
            Some((scope, None)) => write!(formatter, " within one {scope}")?,
            None => {}
        }
        match self.limit {
            SpreadLimit::Free => formatter.write_str(", there are too few devices"),
            SpreadLimit::Within => formatter.write_str(", elsewhere there are enough"),
            SpreadLimit::MostHosts => formatter.write_str(", a domain may give no more nodes"),
            SpreadLimit::Slices => formatter.write_str(", nodes may have no other numbers"),
            _ => formatter.write_str(", several limits are in the way"),
        }
    }
}
