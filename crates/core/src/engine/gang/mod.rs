//! [`Transaction::gang`]: the members of a gang over several nodes.
//!
//! How many members a node can take is counted by allocating them there, one node of
//! each class; where they go is then a matter of numbers, which `dralloc-topology` knows
//! the best answer to ([`spread_until`]).

mod levels;
mod options;
mod outcome;
mod room;

pub use options::GangOptions;
pub use outcome::{Gang, GangLevel, GangNode, GangOutcome, GangShortage};

use std::collections::BTreeSet;
use std::sync::Arc;

use dralloc_topology::{
    Host, MostHosts, Shortage, Spread, SpreadQuestion, Spreading, spread_until,
};

use self::levels::Levels;
use self::room::Room;
use super::{NodeReason, Outcome, Transaction, Workspace};
use crate::claims::PreparedClaims;
use crate::error::{Code, Error};
use crate::model::Node;
use crate::number::number;
use crate::outcome::StopCause;
use crate::rules::domain_of;

/// The budget is looked at after so many steps.
const POLL_INTERVAL: u64 = 20_000;

impl Transaction {
    /// Allocates the claims of all members of a gang (the pods of a pod group), over
    /// several nodes if need be; what they get is held from then on.
    ///
    /// Each of the members is one pod, with the claims that it alone uses; all are of one
    /// template, so that they ask for the same. Pods of a node share it. How many a node
    /// takes is how many [`Transaction::allocate`] finds room for, one after another.
    ///
    /// Of all ways to give each member a node the answer is the best, exactly:
    ///
    /// 1. from the widest scope to nodes: in as few domains as can be, and then with as
    ///    many members as can be in the domain with the fewest of them (so all are in the
    ///    nearest domain with enough room, and slices are equal);
    /// 2. then what is broken already is used up, and what is whole stays whole; the
    ///    tightest fit before looser ones;
    /// 3. then the first, by what nodes have room for, and in the order of nodes.
    ///
    /// [`dralloc_topology::spread`] has the whole definition. Domains are named by labels
    /// of the nodes ([`DomainScope::labels`](crate::DomainScope::labels)). Scopes whose
    /// domains cut through those of a nearer one are left out, unless the options name
    /// them. Members are dealt to the nodes in order.
    ///
    /// Either all are allocated or none is; [`Transaction::rollback`] and
    /// [`Transaction::commit`](Transaction::commit) do with it what they do with others.
    ///
    /// # Errors
    ///
    /// [`Code::Invalid`] for members of different templates (prepare them by
    /// [`Snapshot::prepare`](crate::Snapshot::prepare)) and for claims that have something
    /// already or are on their way out, [`Code::Duplicate`] for a claim of two members,
    /// [`Code::LimitExceeded`] for more than 65,536 nodes with room or where the question
    /// is too large, [`Code::Unsupported`] where nodes see devices of each other and a
    /// member took what another node was counted with; and those of
    /// [`Transaction::place`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
    /// use dralloc::{Change, DomainScope, Engine, Features, GangOptions, Workspace};
    ///
    /// let mut engine = Engine::new(Features::all());
    /// let class: DeviceClass = serde_json::from_str(r#"{"metadata": {"name": "gpu"}}"#)?;
    /// engine.apply(Change::DeviceClass(class))?;
    /// for (node, rack, devices) in [("a", "r1", 3), ("b", "r1", 3), ("c", "r2", 5), ("d", "r2", 2)] {
    ///     let devices: Vec<_> = (0..devices).map(|gpu| format!(r#"{{"name": "gpu-{gpu}"}}"#)).collect();
    ///     let slice: ResourceSlice = serde_json::from_str(&format!(
    ///         r#"{{"metadata": {{"name": "{node}"}}, "spec": {{
    ///              "driver": "gpu.example.com", "nodeName": "{node}", "devices": [{}],
    ///              "pool": {{"name": "{node}", "generation": 1, "resourceSliceCount": 1}}}}}}"#,
    ///         devices.join(", "),
    ///     ))?;
    ///     engine.apply(Change::Node(Node::new(node, [("nvidia.com/gpu.clique", rack)])))?;
    ///     engine.apply(Change::ResourceSlice(slice))?;
    /// }
    /// let snapshot = engine.snapshot();
    /// let member = |number| {
    ///     let claim: ResourceClaim = serde_json::from_str(&format!(
    ///         r#"{{"metadata": {{"namespace": "default", "name": "worker-{number}"}},
    ///             "spec": {{"devices": {{"requests": [{{"name": "gpu", "exactly":
    ///                 {{"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}}}}]}}}}}}"#,
    ///     ))?;
    ///     Ok::<_, Box<dyn std::error::Error>>(snapshot.prepare(&[claim])?)
    /// };
    /// let members = (0..6).map(member).collect::<Result<Vec<_>, _>>()?;
    ///
    /// let mut transaction = snapshot.transaction();
    /// let options = GangOptions::new().within(DomainScope::NvLinkDomain);
    /// let outcome = transaction.gang(&members, &options, &mut Workspace::new())?;
    /// let gang = outcome.gang().expect("both racks have room");
    /// let nodes: Vec<_> = gang.nodes.iter().map(|node| (&*node.name, node.members.len())).collect();
    /// assert_eq!(nodes, [("a", 3), ("b", 3)]);
    /// transaction.commit(&mut engine)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gang(
        &mut self,
        members: &[PreparedClaims],
        options: &GangOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<GangOutcome, Error> {
        let Some(first) = members.first() else {
            return Ok(GangOutcome::Placed(Gang {
                is_proved: true,
                ..Gang::default()
            }));
        };
        self.check_members(members, options, workspace)?;
        let room = match self.room(first, options, workspace)? {
            Ok(room) => room,
            Err(cause) => return Ok(GangOutcome::Unknown(cause)),
        };
        let nodes = self.nodes_of(&room);
        let levels = Levels::of(&nodes, options);
        let hosts = room.nodes.iter().zip(&levels.domains);
        let hosts: Vec<Host> = hosts
            .map(|(room, domains)| Host {
                domains: domains.clone(),
                devices: room.whole,
                free: room.free,
                counts: None,
            })
            .collect();
        let question = SpreadQuestion {
            within: options.within.and_then(|scope| levels.place(scope)),
            most_hosts: options.most_nodes.and_then(|(scope, hosts)| {
                let level = levels.place(scope)?;
                Some(MostHosts { level, hosts })
            }),
            slices: options.slices,
            ..SpreadQuestion::new(&hosts, levels.scopes.len(), number(members.len()))
        };
        let answer = match answer(&question, options)? {
            Ok(answer) => answer,
            Err(cause) => return Ok(GangOutcome::Unknown(cause)),
        };
        match answer {
            Spreading::Short(_) if !room.is_proved => Ok(GangOutcome::Unknown(StopCause::Branches)),
            Spreading::Short(shortage) => {
                let shortage = shortage_of(&shortage, &nodes, members.len(), room.reasons, options);
                Ok(GangOutcome::Infeasible(shortage))
            }
            Spreading::Found(spread) => {
                let names = nodes.iter().map(|node| node.metadata.name.to_string());
                let names: Vec<String> = names.collect();
                let start = self.savepoint();
                let held = self.hold_members(members, &spread, &names, options, workspace);
                let nodes = match held {
                    Ok(Ok(nodes)) => nodes,
                    Ok(Err(cause)) => {
                        self.rollback(&start)?;
                        return Ok(GangOutcome::Unknown(cause));
                    }
                    Err(error) => {
                        self.rollback(&start)?;
                        return Err(error);
                    }
                };
                Ok(GangOutcome::Placed(gang_of(
                    nodes,
                    &spread,
                    &levels,
                    room.is_proved,
                )))
            }
        }
    }

    /// Refuses what is no gang.
    fn check_members(
        &self,
        members: &[PreparedClaims],
        options: &GangOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<(), Error> {
        let mut owners = BTreeSet::new();
        for (place, member) in members.iter().enumerate() {
            let invalid = |message| {
                let error = Error::new(Code::Invalid, message);
                Err(error.at(format!("members[{place}]")))
            };
            if members.first().is_some_and(|first| !first.is_same(member)) {
                return invalid(
                    "the claims ask for something else, expected those of one template",
                );
            }
            for owner in member.owners() {
                if !owners.insert(owner) {
                    let message =
                        format!("claim `{owner}` is there twice, expected each claim once");
                    let error = Error::new(Code::Duplicate, message);
                    return Err(error.at(format!("members[{place}]")));
                }
            }
            let call = self.call(member, &options.place.on_a_node, &mut workspace.reduced)?;
            if !call.is_plain() {
                return invalid(
                    "a claim has something or is to go, expected claims without devices",
                );
            }
        }
        Ok(())
    }

    fn nodes_of(&self, room: &Room) -> Vec<Arc<Node>> {
        let nodes = self.inventory().numbered();
        let nodes = room.nodes.iter().filter_map(|room| nodes.get(room.key));
        nodes.filter_map(|entry| entry.node.clone()).collect()
    }

    /// Allocates members on the nodes that were found.
    fn hold_members(
        &mut self,
        members: &[PreparedClaims],
        spread: &Spread,
        names: &[String],
        options: &GangOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Result<Vec<GangNode>, StopCause>, Error> {
        let mut nodes = Vec::with_capacity(spread.slices.len());
        let mut members = members.iter().enumerate();
        for &(host, count) in &spread.slices {
            let Some(name) = names.get(host) else {
                continue;
            };
            let mut of_node = GangNode {
                name: name.clone(),
                members: Vec::with_capacity(count as usize),
            };
            for (place, member) in members.by_ref().take(count as usize) {
                let outcome = self.allocate(name, member, &options.place.on_a_node, workspace)?;
                if let Outcome::Unknown(cause) = outcome {
                    return Ok(Err(cause));
                }
                let Some(allocation) = outcome.allocation() else {
                    let message = format!(
                        "node `{name}` has less room beside others, expected nodes that do not share devices"
                    );
                    return Err(Error::new(Code::Unsupported, message).at("nodes"));
                };
                of_node.members.push((place, allocation.clone()));
            }
            nodes.push(of_node);
        }
        Ok(Ok(nodes))
    }
}

/// Returns where members go by their number, or what ended the search.
fn answer(
    question: &SpreadQuestion<'_>,
    options: &GangOptions<'_>,
) -> Result<Result<Spreading, StopCause>, Error> {
    let budget = options.place.on_a_node.budget;
    let (mut steps, mut cause) = (0, None);
    let mut stop = |more: u64| {
        steps += more;
        if steps >= POLL_INTERVAL {
            steps = 0;
            cause = budget.stop();
        }
        cause.is_some()
    };
    match spread_until(question, &mut stop) {
        Ok(Some(answer)) => Ok(Ok(answer)),
        Ok(None) => Ok(Err(cause.unwrap_or(StopCause::Cancelled))),
        Err(error) => {
            let code = match error.code() {
                dralloc_topology::Code::LimitExceeded => Code::LimitExceeded,
                _ => Code::Invalid,
            };
            Err(Error::new(code, error.message()).at("nodes"))
        }
    }
}

fn gang_of(nodes: Vec<GangNode>, spread: &Spread, levels: &Levels, is_proved: bool) -> Gang {
    let used = levels.scopes.iter().zip(&spread.levels);
    let used = used.map(|(&scope, level)| GangLevel {
        scope,
        domains: level.domains as usize,
        smallest: level.smallest as usize,
    });
    Gang {
        nodes,
        levels: used.collect(),
        smallest: spread
            .levels
            .last()
            .map_or(0, |level| level.smallest as usize),
        is_proved,
    }
}

fn shortage_of(
    shortage: &Shortage,
    nodes: &[Arc<Node>],
    members: usize,
    reasons: Vec<NodeReason>,
    options: &GangOptions<'_>,
) -> GangShortage {
    let best = shortage.host.and_then(|host| nodes.get(host));
    GangShortage {
        members,
        most: shortage.most as usize,
        within: options.within.map(|scope| {
            let name = best.and_then(|node| domain_of(node, scope, options.labels));
            (scope, name.map(str::to_owned))
        }),
        limit: shortage.limit,
        reasons,
    }
}
