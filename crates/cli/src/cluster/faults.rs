//! What an API server would refuse of the objects of a cluster.

use std::fmt;

use dralloc::model::{DeviceTaintRule, Topology};
use dralloc::{Error, Features, validate};

use super::kind::Kind;
use super::{Cluster, Given, ObjectName, Objects};
use crate::failure::Failure;
use crate::input::{self, Origin, Start, Text};
use crate::style;

/// Most faults that are printed where it is about something else.
const FAULTS_MAX: usize = 20;

/// Is one thing that an API server would refuse; prints as ``Kind `name`: path: message``.
#[derive(Debug)]
pub(crate) struct Fault<'c> {
    pub(crate) kind: &'static str,
    pub(crate) name: &'c ObjectName,
    /// None for what the input only implies.
    pub(crate) start: Option<&'c Start>,
    pub(crate) error: Error,
}

impl fmt::Display for Fault<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} `{}`: {}", self.kind, self.name, self.error)
    }
}

/// Collects faults of objects that come from hands, or of all objects.
struct Search<'c> {
    features: &'c Features,
    is_all: bool,
    faults: Vec<Fault<'c>>,
}

impl<'c> Search<'c> {
    fn check<T: Kind>(
        &mut self,
        objects: &'c Objects<T>,
        check: impl Fn(&T, &Features) -> Vec<Error>,
    ) {
        for (name, given) in objects {
            if self.is_all || given.object.metadata().uid.is_none() {
                let found = check(&given.object, self.features);
                self.faults.extend(found.into_iter().map(|error| Fault {
                    kind: T::KIND,
                    name,
                    start: given.origin.as_ref(),
                    error,
                }));
            }
        }
    }

    /// Looks at what a cluster offers.
    fn offers(&mut self, cluster: &'c Cluster) {
        self.check(&cluster.device_classes, validate::device_class);
        self.check(&cluster.resource_slices, validate::resource_slice);
        self.check(&cluster.device_taint_rules, validate::device_taint_rule);
        self.check(&cluster.topologies, |one, _| validate::topology(one));
        self.check(&cluster.attribute_overlays, validate::attribute_overlay);
        self.check(&cluster.device_healths, |one, _| {
            validate::device_health(one)
        });
        self.check(&cluster.device_holds, validate::device_hold);
    }
}

/// Lists what an API server would refuse of all objects.
pub(crate) fn faults<'c>(cluster: &'c Cluster, features: &'c Features) -> Vec<Fault<'c>> {
    let mut search = Search {
        features,
        is_all: true,
        faults: Vec::new(),
    };
    search.offers(cluster);
    search.check(&cluster.templates, validate::resource_claim_template);
    search.check(&cluster.claims, validate::resource_claim);
    search.check(&cluster.pods, |one, _| validate::pod(one));
    search.faults
}

/// Checks what was written by hand, but for claims, as an API server would.
///
/// Objects with a uid come from a server, which let them through.
pub(crate) fn refuse(cluster: &Cluster, features: &Features) -> Result<(), Failure> {
    for (name, Given { object, .. }) in &cluster.device_taint_rules {
        if taints_nothing(object) {
            style::warn(&format!(
                "DeviceTaintRule `{name}` has no `deviceSelector`: it taints no device"
            ));
        }
    }
    for (name, Given { object, .. }) in &cluster.topologies {
        if names_no_device(object) {
            style::warn(&format!(
                "Topology `{name}` finds no device: none of its vertices has `match` or `device`"
            ));
        }
    }
    let mut search = Search {
        features,
        is_all: false,
        faults: Vec::new(),
    };
    search.offers(cluster);
    let mut faults = search.faults;
    if faults.is_empty() {
        return Ok(());
    }
    let more = faults.len().saturating_sub(FAULTS_MAX);
    faults.truncate(FAULTS_MAX);
    let origins = locate(faults.iter().map(|fault| (fault.start, fault.error.path())));
    let lines = faults
        .iter()
        .zip(origins)
        .map(|(fault, origin)| match origin {
            Some(origin) => format!("{origin}: {fault}"),
            None => fault.to_string(),
        });
    let mut lines: Vec<String> = lines.collect();
    if more > 0 {
        lines.push(format!("{more} more faults"));
    }
    Err(Failure::Input(lines.join("\n")))
}

/// Warns of kinds of which no object was read, without which nothing can be had.
pub(crate) fn warn_of_missing_kinds(cluster: &Cluster) {
    if cluster.resource_slices.is_empty() {
        style::warn(
            "no ResourceSlice is given: there are no devices; \
             `kubectl get resourceslices -o yaml` prints those of a cluster",
        );
    }
    if cluster.device_classes.is_empty() {
        style::warn(
            "no DeviceClass is given: requests have nothing to refer to; \
             `kubectl get deviceclasses -o yaml` prints those of a cluster",
        );
    }
}

/// Finds where paths are in objects; none for an object that was not read.
pub(crate) fn locate<'c>(
    wanted: impl Iterator<Item = (Option<&'c Start>, &'c str)>,
) -> Vec<Option<Origin>> {
    let wanted: Vec<_> = wanted.collect();
    let known = wanted
        .iter()
        .filter_map(|(start, path)| Some((start.as_ref()?.text(), *path)));
    let known: Vec<(&Text, &str)> = known.collect();
    let mut origins = input::places(&known).into_iter();
    let place = |(start, _): &(Option<&Start>, &str)| start.and_then(|_| origins.next());
    wanted.iter().map(place).collect()
}

/// Returns whether a rule taints no device whatever there is.
pub(crate) fn taints_nothing(rule: &DeviceTaintRule) -> bool {
    rule.spec.device_selector.is_none()
}

/// Returns whether a topology finds no device whatever there is.
pub(crate) fn names_no_device(topology: &Topology) -> bool {
    let mut vertices = topology.spec.vertices.iter();
    vertices.all(|vertex| vertex.matches.is_none() && vertex.device.is_none())
}
