//! [`Asked`]: what claims and templates ask for, each sort of claim once.

use std::collections::BTreeMap;

use dralloc::model::{CapacityRequirements, DeviceRequest, DeviceSelector, ResourceClaimSpec, Str};

use super::finding::Object;
use crate::cluster::Cluster;

/// Is what one claim or template asks for, or several that ask for the same.
#[derive(Debug)]
pub(super) struct Asked<'c> {
    /// The first of them as it was given.
    pub(super) object: Object<'c>,
    /// Where the spec is in the object: `spec` or `spec.spec`.
    base: &'static str,
    pub(super) spec: &'c ResourceClaimSpec,
}

/// Is one way to satisfy a request.
#[derive(Debug)]
pub(super) struct Alternative<'c> {
    /// Where it is in the object.
    pub(super) path: String,
    pub(super) class: &'c Str,
    pub(super) selectors: &'c [DeviceSelector],
    /// How many devices; none for all that match, and where that cannot be.
    pub(super) count: Option<usize>,
    pub(super) capacity: Option<&'c CapacityRequirements>,
    /// Attributes that are computed for constraints.
    pub(super) derived: Vec<&'c str>,
}

/// Makes an alternative of a request or of one of its alternatives: the API has two types
/// with the same fields.
macro_rules! alternative {
    ($one:expr, $path:expr) => {
        Alternative {
            path: $path,
            class: &$one.device_class_name,
            selectors: &$one.selectors,
            count: count(&$one.allocation_mode, $one.count),
            capacity: $one.capacity.as_ref(),
            derived: $one
                .derived_attributes
                .iter()
                .map(|derived| &*derived.name)
                .collect(),
        }
    };
}

impl<'c> Asked<'c> {
    /// Returns the path of a field of what is asked for of devices.
    pub(super) fn path(&self, field: &str) -> String {
        format!("{}.devices.{field}", self.base)
    }

    /// Returns the path of a field of the spec.
    pub(super) fn of_spec(&self, field: &str) -> String {
        format!("{}.{field}", self.base)
    }

    /// Returns the ways to satisfy the request at a place, the best first.
    pub(super) fn alternatives(&self, place: usize) -> Vec<Alternative<'c>> {
        let Some(request) = self.spec.devices.requests.get(place) else {
            return Vec::new();
        };
        let path = self.path(&format!("requests[{place}]"));
        let mut alternatives = Vec::new();
        if let Some(one) = &request.exactly {
            alternatives.push(alternative!(one, format!("{path}.exactly")));
        }
        for (index, one) in request.first_available.iter().enumerate() {
            alternatives.push(alternative!(one, format!("{path}.firstAvailable[{index}]")));
        }
        alternatives
    }

    /// Returns the requests.
    pub(super) fn requests(&self) -> &'c [DeviceRequest] {
        &self.spec.devices.requests
    }
}

fn count(mode: &str, count: i64) -> Option<usize> {
    let count = usize::try_from(count).ok();
    count.filter(|count| mode == "ExactCount" && *count > 0)
}

/// Lists what templates ask for, and claims that have no devices yet.
pub(super) fn asked(cluster: &Cluster) -> Vec<Asked<'_>> {
    let templates = cluster.templates.iter().map(|(name, given)| {
        let object = Object::of(name, given);
        (given.place, object, "spec.spec", &given.object.spec.spec)
    });
    let waiting = cluster.claims.iter().filter(|(_, given)| {
        let claim = &given.object;
        claim.status.allocation.is_none() && claim.metadata.deletion_timestamp.is_none()
    });
    let claims = waiting.map(|(name, given)| {
        let object = Object::of(name, given);
        (given.place, object, "spec", &given.object.spec)
    });
    let mut all: Vec<_> = templates.chain(claims).collect();
    all.sort_by_key(|(place, ..)| *place);
    let mut asked: Vec<Asked<'_>> = Vec::new();
    let mut known: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for (_, object, base, spec) in all {
        // What cannot be written is equal to nothing but itself.
        let text = serde_json::to_string(spec).unwrap_or_else(|_| object.name.to_string());
        let place = *known.entry((object.kind, text)).or_insert(asked.len());
        match asked.get_mut(place) {
            Some(same) => same.object.others += 1,
            None => asked.push(Asked { object, base, spec }),
        }
    }
    asked
}
