//! [`Gated`]: what would fit if feature gates that are off were on.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use dralloc::model::{
    Amounts, DeviceAttribute, DeviceClass, Pod, ResourceClaim, ResourceSlice, Str,
};
use dralloc::validate::{self, dropped};
use dralloc::{
    Budget, Change, Code, Engine, Error, Features, Find, NodeUse, PlaceOptions, Snapshot, Workspace,
};
use serde::Serialize;

use super::extended::Extended;
use super::kind::Kind;
use super::load::load_again;
use super::question::{Asked, Question};
use super::questions::Questions;
use super::queue::{Subject, Work};
use super::{Cluster, ObjectName, nodes};
use crate::words::listed;

/// What is switched on only ever keeps devices away.
const TAINTS: &str = "DRADeviceTaints";
/// Where nothing is dropped, but names of extended resources are not resolved.
const EXTENDED_RESOURCES: &str = "DRAExtendedResource";
/// Where nothing is dropped, but amounts are rounded up.
const FRACTIONS: &str = "DRAFractionalCapacityRange";
/// Where nothing is dropped, but devices with lists are refused.
const LISTS: &str = "DRAListTypeAttributes";

/// Branches of the search on a node.
const BRANCHES: u64 = 1_000_000;

/// Is gates with which something would fit, which was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GatesOff {
    /// None of them can be left off.
    gates: Vec<&'static str>,
    /// The first node where it would fit.
    node: Str,
    /// What counts for nothing while they are off.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dropped: Vec<Dropped>,
}

/// Is fields of objects that count for nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Dropped {
    kind: &'static str,
    /// The first of them.
    name: String,
    /// How many others of the kind are like it.
    #[serde(skip_serializing_if = "is_none")]
    others: usize,
    /// Without places in lists and keys of maps.
    fields: BTreeSet<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_none(others: &usize) -> bool {
    *others == 0
}

impl fmt::Display for GatesOff {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gates: Vec<String> = self.gates.iter().map(|gate| format!("`{gate}`")).collect();
        let (plural, are) = match gates.as_slice() {
            [_] => ("", "it is"),
            _ => ("s", "they are"),
        };
        let (gates, node) = (listed(&gates, "and"), &self.node);
        write!(
            formatter,
            "it would fit if the feature gate{plural} {gates} were on (tried on {node})"
        )?;
        let texts: Vec<String> = self.dropped.iter().map(ToString::to_string).collect();
        match texts.as_slice() {
            [] => Ok(()),
            texts => write!(
                formatter,
                "; while {are} off nothing comes of {}",
                texts.join(", nor of ")
            ),
        }
    }
}

impl fmt::Display for Dropped {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.fields.iter().map(|path| {
            let step = path.rsplit('.').next();
            format!("`{}`", step.unwrap_or(path))
        });
        let steps: Vec<String> = steps.collect();
        let of = match (self.kind, self.others) {
            (ResourceClaim::KIND, 0) => "the claim",
            (ResourceClaim::KIND, _) => "the claims",
            (DeviceClass::KIND, 0) => "the class",
            (DeviceClass::KIND, _) => "the classes",
            (_, 0) => "the slice",
            _ => "the slices",
        };
        write!(formatter, "{} of {of}", listed(&steps, "and"))
    }
}

/// Tries what does not fit under feature gates that are off.
#[derive(Debug)]
pub(crate) struct Gated {
    features: Features,
    /// Whether it is only asked what would fit if nothing were held.
    nothing_held: bool,
    /// Gates that are off and that what is published has use for; not known before the
    /// first question.
    offered: Option<BTreeSet<&'static str>>,
    /// Engines by the gates that are on in addition; none where there cannot be one.
    engines: BTreeMap<Vec<&'static str>, Option<Engine>>,
    /// What pods were given of nodes beside devices.
    uses: Vec<NodeUse>,
    /// Questions with which no gate helps: devices are only ever taken.
    hopeless: BTreeSet<String>,
    workspace: Workspace,
}

/// Is where something fits.
struct Fit {
    node: Str,
    claims: Vec<ResourceClaim>,
    /// Of the devices, by driver and name.
    pools: BTreeSet<(Str, Str)>,
}

impl Gated {
    pub(crate) fn new(features: Features, nothing_held: bool) -> Self {
        Self {
            features,
            nothing_held,
            offered: None,
            engines: BTreeMap::new(),
            uses: Vec::new(),
            hopeless: BTreeSet::new(),
            workspace: Workspace::new(),
        }
    }

    /// Notes what was given to somebody.
    pub(crate) fn take<'c>(
        &mut self,
        node: &Str,
        owner: Option<&str>,
        amounts: &Amounts,
        claims: impl Iterator<Item = &'c ResourceClaim>,
    ) {
        let claims: Vec<&ResourceClaim> = claims.collect();
        let owner = owner.filter(|_| !amounts.is_empty());
        let used = owner.map(|owner| NodeUse {
            owner: owner.into(),
            node: node.clone(),
            amounts: amounts.clone(),
        });
        self.uses.extend(used.clone());
        for known in self.engines.values_mut() {
            let Some(engine) = known else { continue };
            let claims = claims.iter().copied().cloned();
            let claims = claims.map(Change::ResourceClaim);
            let mut changes = claims.chain(used.clone().map(Change::NodeUse));
            if changes.any(|change| engine.apply(change).is_err()) {
                *known = None;
            }
        }
    }

    /// Returns with which gates something would fit that does not: with one if that is
    /// enough, and nothing if no gate helps.
    pub(crate) fn ask(
        &mut self,
        cluster: &Cluster,
        now: &Snapshot,
        work: &Work,
    ) -> Option<GatesOff> {
        let off = self.off();
        let names = work.claims.as_ref().ok().filter(|_| !off.is_empty())?;
        let claims = names.iter().filter_map(|name| cluster.claim(name));
        let claims: Vec<&ResourceClaim> = claims.collect();
        let offered = self.offered.take().unwrap_or_else(|| offered(now, &off));
        let mut gates: Vec<&'static str> = off
            .iter()
            .filter(|gate| {
                offered.contains(*gate)
                    || claims.iter().any(|claim| asks_for(claim, gate))
                    || (**gate == EXTENDED_RESOURCES && work.extended.is_some())
            })
            .copied()
            .collect();
        self.offered = Some(offered);
        let pod = match &work.subject {
            Subject::Pod(name) => cluster.pod(name),
            Subject::Claim(_) => None,
        };
        let key = work.extended.is_none().then(|| {
            let specs: Vec<_> = claims.iter().map(|claim| &claim.spec).collect();
            let has = claims.iter().map(|claim| &claim.status.allocation);
            let has = has.flatten().collect::<Vec<_>>();
            let nodes = pod.map(|pod| (&pod.spec.node_selector, &pod.spec.node_name));
            format!("{specs:?} {has:?} {nodes:?}")
        });
        if gates.is_empty() || key.as_ref().is_some_and(|key| self.hopeless.contains(key)) {
            return None;
        }
        let mut fits = |gates: &[&'static str]| self.fits(gates, cluster, now, (work, names, pod));
        let alone = gates
            .iter()
            .find_map(|gate| Some((vec![*gate], fits(&[*gate])?)));
        let found = alone.or_else(|| {
            let mut fit = fits(&gates).filter(|_| gates.len() > 1)?;
            for gate in gates.clone() {
                let others: Vec<_> = gates.iter().filter(|one| **one != gate).copied().collect();
                if let Some(with_less) = fits(&others) {
                    (gates, fit) = (others, with_less);
                }
            }
            Some((gates, fit))
        });
        let Some((gates, fit)) = found else {
            self.hopeless.extend(key);
            return None;
        };
        let dropped = self.dropped(now, &gates, &fit);
        Some(GatesOff {
            gates,
            node: fit.node,
            dropped,
        })
    }

    /// Returns the gates that are off and might help.
    fn off(&self) -> Vec<&'static str> {
        let gates = Features::gates().filter(|gate| *gate != TAINTS);
        gates
            .filter(|gate| self.features.get(gate) == Some(false))
            .collect()
    }

    /// Tries whether something fits on some node with gates that are on in addition.
    fn fits(
        &mut self,
        gates: &[&'static str],
        cluster: &Cluster,
        now: &Snapshot,
        (work, names, pod): (&Work, &[ObjectName], Option<&Pod>),
    ) -> Option<Fit> {
        let (features, nothing_held) = (with(self.features, gates, true), self.nothing_held);
        if !self.engines.contains_key(gates) {
            let is_held =
                |claim: &ResourceClaim| claim.status.allocation.is_some() && !nothing_held;
            let mut engine = load_again(now, cluster, features, is_held).ok()?;
            let mut uses = self.uses.iter().cloned().map(Change::NodeUse);
            let is_refused = uses.any(|change| engine.apply(change).is_err());
            let engine = (!is_refused).then_some(engine);
            self.engines.insert(gates.to_vec(), engine);
        }
        let snapshot = self.engines.get(gates)?.as_ref()?.snapshot();
        let asked = Asked {
            names,
            pod,
            anew: nothing_held,
        };
        let question = Question::of(cluster, &asked, &features).ok()?;
        let extended = match (pod, &work.extended) {
            (Some(pod), Some(_)) => {
                let classes: Vec<_> = snapshot.device_classes().collect();
                Extended::of(pod, classes, &features, cluster).ok()?
            }
            _ => None,
        };
        let mut questions = Questions::new(question, extended.as_ref(), &snapshot).ok()?;
        let mut kinds: BTreeMap<usize, Vec<&ObjectName>> = BTreeMap::new();
        for (name, given) in &cluster.nodes {
            if nodes::ruled_out(&given.object, pod, questions.selectors()).is_none() {
                let posed = questions.on(&given.object, &snapshot).ok()?;
                kinds.entry(posed.place).or_default().push(name);
            }
        }
        let user = pod.map(|pod| ObjectName::of(&pod.metadata).to_string());
        let nodes = kinds.into_values();
        nodes
            .filter_map(|names| {
                let first = cluster.nodes.get(*names.first()?)?;
                let posed = questions.on(&first.object, &snapshot).ok()?;
                let claims = posed.question.claims.clone();
                let list = snapshot.node_list(names.iter().map(|name| &*name.name));
                let budget = Budget::new().branches(BRANCHES);
                let options = PlaceOptions::new().node_list(&list).budget(budget);
                let options = options.find(Find::First).amounts(&posed.question.amounts);
                let options = match &user {
                    Some(user) => options.user(user),
                    None => options,
                };
                let transaction = snapshot.transaction();
                let placed = transaction.place(&posed.prepared, &options, &mut self.workspace);
                let placed = placed.ok()?;
                let first = placed.nodes().first()?;
                let results = first.allocation().results();
                let devices = results.iter().flat_map(|result| &result.devices.results);
                let pools = devices.map(|one| (one.driver.clone(), one.pool.clone()));
                Some(Fit {
                    node: first.name().into(),
                    claims,
                    pools: pools.collect(),
                })
            })
            .min_by(|one, other| one.node.cmp(&other.node))
    }

    /// Lists what counts for nothing without gates, of what an answer is made of.
    fn dropped(&self, now: &Snapshot, gates: &[&str], fit: &Fit) -> Vec<Dropped> {
        let on = with(self.features, gates, true);
        let off = with(on, gates, false);
        let claims = fit.claims.iter().filter_map(|claim| {
            let lost = |features: &Features| of_claim(claim, features);
            dropped_of(claim, &lost(&off), &lost(&on))
        });
        let requests = fit.claims.iter().flat_map(|one| &one.spec.devices.requests);
        let classes: BTreeSet<&Str> = requests
            .flat_map(|request| {
                let exactly = request.exactly.iter().map(|one| &one.device_class_name);
                let alternatives = request.first_available.iter();
                exactly.chain(alternatives.map(|one| &one.device_class_name))
            })
            .collect();
        let classes = now
            .device_classes()
            .filter(|class| classes.contains(&class.metadata.name));
        let classes = classes.filter_map(|class| {
            let lost = |features: &Features| dropped::device_class(class, features);
            dropped_of(class, &lost(&off), &lost(&on))
        });
        let slices = now.resource_slices().filter(|slice| {
            let pool = (slice.spec.driver.clone(), slice.spec.pool.name.clone());
            fit.pools.contains(&pool)
        });
        let slices = slices.filter_map(|slice| {
            let lost = |features: &Features| of_slice(slice, features);
            dropped_of(slice, &lost(&off), &lost(&on))
        });
        let mut all: Vec<Dropped> = Vec::new();
        for one in claims.chain(classes).chain(slices) {
            match all.iter_mut().find(|known| known.kind == one.kind) {
                Some(known) => {
                    known.others += 1;
                    known.fields.extend(one.fields);
                }
                None => all.push(one),
            }
        }
        all
    }
}

/// Returns features with gates that are switched.
fn with(mut features: Features, gates: &[&str], on: bool) -> Features {
    for gate in gates {
        features.set(gate, on);
    }
    features
}

/// Returns the gates of some that are off which what is published has use for.
fn offered(now: &Snapshot, off: &[&'static str]) -> BTreeSet<&'static str> {
    let has_use = |gate: &&str| {
        let features = with(Features::all(), &[*gate], false);
        let has_lists = |slice: &ResourceSlice| {
            let mut attributes = slice.spec.devices.iter().flat_map(|one| &one.attributes);
            attributes.any(|(_, value)| is_list(value))
        };
        let is_dropped = |slice| !dropped::resource_slice(slice, &features).is_empty();
        let mut classes = now.device_classes();
        let mut slices = now.resource_slices();
        classes.any(|class| !dropped::device_class(class, &features).is_empty())
            || slices.any(|slice| is_dropped(slice) || (*gate == LISTS && has_lists(slice)))
    };
    off.iter().copied().filter(has_use).collect()
}

/// Returns whether a claim has use for a gate.
fn asks_for(claim: &ResourceClaim, gate: &str) -> bool {
    let features = with(Features::all(), &[gate], false);
    let consumed = with(Features::all(), &["DRAConsumableCapacity"], false);
    !of_claim(claim, &features).is_empty()
        || (gate == FRACTIONS && !of_claim(claim, &consumed).is_empty())
}

fn is_list(value: &DeviceAttribute) -> bool {
    matches!(
        value,
        DeviceAttribute::Ints(_)
            | DeviceAttribute::Bools(_)
            | DeviceAttribute::Strings(_)
            | DeviceAttribute::Versions(_)
    )
}

/// Lists what counts for nothing of a claim, also where something is missing without it.
fn of_claim(claim: &ResourceClaim, features: &Features) -> Vec<Error> {
    let mut errors = dropped::resource_claim_spec(&claim.spec, features);
    errors.extend(disabled(validate::resource_claim(claim, features)));
    errors
}

/// Lists what counts for nothing of a slice, also where something is missing without it.
fn of_slice(slice: &ResourceSlice, features: &Features) -> Vec<Error> {
    let mut errors = dropped::resource_slice(slice, features);
    errors.extend(disabled(validate::resource_slice(slice, features)));
    errors
}

fn disabled(errors: Vec<Error>) -> impl Iterator<Item = Error> {
    let errors = errors.into_iter();
    errors.filter(|error| error.code() == Code::FeatureDisabled)
}

/// Returns what an object loses in one way that it does not in another.
fn dropped_of<T: Kind>(object: &T, lost: &[Error], anyway: &[Error]) -> Option<Dropped> {
    let fields = lost.iter().filter(|error| !anyway.contains(error));
    let fields = fields.map(|error| field(error.path()));
    let fields: BTreeSet<String> = fields
        .map(|path| match path.strip_prefix("spec.") {
            Some(path) => path.to_owned(),
            None => path,
        })
        .collect();
    (!fields.is_empty()).then(|| Dropped {
        kind: T::KIND,
        name: ObjectName::of(object.metadata()).to_string(),
        others: 0,
        fields,
    })
}

/// Returns a path without places in lists and keys of maps.
pub(crate) fn field(path: &str) -> String {
    let steps = path.split('[').enumerate();
    let steps = steps.map(|(place, step)| match step.split_once(']') {
        Some((_, rest)) if place > 0 => rest,
        _ => step,
    });
    steps.collect()
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn fields_have_no_places() {
        for (path, expected) in [
            ("", ""),
            ("spec.taint", "spec.taint"),
            (
                "spec.devices[12].capacity[example.com/memory].requestPolicy",
                "spec.devices.capacity.requestPolicy",
            ),
        ] {
            assert_eq!(field(path), expected);
        }
    }
}
