//! Warnings about fields that count for nothing while a feature is off.

use std::collections::BTreeMap;

use dralloc::validate::dropped;
use dralloc::{Error, Features};

use super::super::asked::Asked;
use super::super::code::Code;
use super::super::finding::Object;
use super::super::findings::Findings;
use crate::cluster::gated::field;
use crate::cluster::kind::Kind;
use crate::cluster::{Cluster, Objects};
use crate::gates::{Gates, TAINT_RULES};

/// Says what an API server drops; once for all objects of a kind that lose the same.
pub(super) fn check<'c>(
    cluster: &'c Cluster,
    asked: &[Asked<'c>],
    gates: &Gates,
    findings: &mut Findings<'c>,
) {
    let features = &gates.features;
    let mut all = Features::gates();
    if gates.taint_rules && all.all(|gate| features.get(gate) == Some(true)) {
        return;
    }
    for one in asked {
        for error in dropped::resource_claim_spec(one.spec, features) {
            let path = one.of_spec(error.path());
            findings.add(Code::FeatureOff, one.object, path, error.message());
        }
    }
    let slice = |slice: &_| dropped::resource_slice(slice, features);
    of_kind(&cluster.resource_slices, slice, findings);
    let class = |class: &_| dropped::device_class(class, features);
    of_kind(&cluster.device_classes, class, findings);
    let gate = match (gates.taint_rules, features.device_taints) {
        (false, _) => TAINT_RULES,
        (true, false) => "DRADeviceTaints",
        (true, true) => return,
    };
    let message = format!("it taints nothing while the feature gate `{gate}` is off");
    let rule = |_: &_| vec![Error::new(dralloc::Code::FeatureDisabled, message.as_str())];
    of_kind(&cluster.device_taint_rules, rule, findings);
}

/// Looks at the objects of a kind in the order of the input.
fn of_kind<'c, T: Kind>(
    objects: &'c Objects<T>,
    dropped: impl Fn(&T) -> Vec<Error>,
    findings: &mut Findings<'c>,
) {
    let mut objects: Vec<_> = objects.iter().collect();
    objects.sort_by_key(|(_, given)| given.place);
    let mut told: BTreeMap<String, (Object<'c>, Error)> = BTreeMap::new();
    for (name, given) in objects {
        for error in dropped(&given.object) {
            told.entry(field(error.path()))
                .and_modify(|(first, _)| first.others += 1)
                .or_insert_with(|| (Object::of(name, given), error));
        }
    }
    for (object, error) in told.into_values() {
        findings.add(Code::FeatureOff, object, error.path(), error.message());
    }
}
