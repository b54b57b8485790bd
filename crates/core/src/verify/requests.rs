//! What claims ask for, and which results are for which request.

use super::violation::{Report, ViolationCode};
use crate::features::Features;
use crate::model::{
    CapacityRequirements, DeviceClass, DeviceDerivedAttribute, DeviceRequest,
    DeviceRequestAllocationResult, DeviceSelector, DeviceToleration, ResourceClaim, Str,
};
use crate::rules::RequestName;
use crate::store::Inventory;

/// Is one way to satisfy a request.
pub(super) struct Alternative<'a> {
    pub(super) name: RequestName,
    pub(super) class: &'a DeviceClass,
    /// Those of the class first, then those of the request.
    pub(super) selectors: Vec<&'a Str>,
    pub(super) needed: Needed,
    pub(super) admin_access: bool,
    pub(super) tolerations: &'a [DeviceToleration],
    pub(super) capacity: Option<&'a CapacityRequirements>,
    pub(super) derived_attributes: &'a [DeviceDerivedAttribute],
}

/// Says how many devices an alternative needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needed {
    Count(usize),
    /// All that qualify, and at least one.
    All,
}

/// Is a request with its alternatives, best first.
pub(super) struct Request<'a> {
    pub(super) name: &'a str,
    pub(super) alternatives: Vec<Alternative<'a>>,
}

/// Is what was given for a request.
pub(super) struct Given {
    /// Place of the alternative in the request.
    pub(super) alternative: usize,
    /// Places of the devices in the results of the claim.
    pub(super) results: Vec<usize>,
}

/// Is what the two shapes of the API have in common.
struct Shape<'a> {
    name: RequestName,
    class: &'a Str,
    selectors: &'a [DeviceSelector],
    mode: &'a str,
    count: i64,
    admin_access: Option<bool>,
    tolerations: &'a [DeviceToleration],
    capacity: Option<&'a CapacityRequirements>,
    derived_attributes: &'a [DeviceDerivedAttribute],
}

/// Is why a part of a claim cannot be satisfied by any answer.
type Fault = (ViolationCode, String, String);

/// Reads the requests of a claim; nothing if no answer to it can be right.
pub(super) fn read<'a>(
    claim: &'a ResourceClaim,
    inventory: &'a Inventory,
    path: &str,
    report: &mut Report,
) -> Option<Vec<Request<'a>>> {
    let mut requests = Vec::new();
    let mut readable = true;
    for (index, request) in claim.spec.devices.requests.iter().enumerate() {
        match read_request(request, inventory) {
            Ok(request) => requests.push(request),
            Err((code, field, message)) => {
                report.add(code, format!("{path}.requests[{index}]{field}"), message);
                readable = false;
            }
        }
    }
    for (index, constraint) in claim.spec.devices.constraints.iter().enumerate() {
        if constraint.match_attribute.is_none() && constraint.distinct_attribute.is_none() {
            let message = "neither `matchAttribute` nor `distinctAttribute` is set, expected one";
            let path = format!("{path}.constraints[{index}]");
            report.add(ViolationCode::Unsupported, path, message);
            readable = false;
        }
    }
    readable.then_some(requests)
}

fn read_request<'a>(
    request: &'a DeviceRequest,
    inventory: &'a Inventory,
) -> Result<Request<'a>, Fault> {
    let features = inventory.features();
    let mut alternatives = Vec::new();
    for (index, subrequest) in request.first_available.iter().enumerate() {
        if !features.prioritized_list {
            return Err(disabled(".firstAvailable", "DRAPrioritizedList"));
        }
        let shape = Shape {
            name: RequestName::new(request.name.clone(), Some(subrequest.name.clone())),
            class: &subrequest.device_class_name,
            selectors: &subrequest.selectors,
            mode: &subrequest.allocation_mode,
            count: subrequest.count,
            admin_access: None,
            tolerations: &subrequest.tolerations,
            capacity: subrequest.capacity.as_ref(),
            derived_attributes: &subrequest.derived_attributes,
        };
        let alternative = read_alternative(shape, inventory);
        let under =
            |(code, field, message)| (code, format!(".firstAvailable[{index}]{field}"), message);
        alternatives.push(alternative.map_err(under)?);
    }
    if alternatives.is_empty() {
        let Some(exactly) = &request.exactly else {
            let message = "neither `exactly` nor `firstAvailable` is set, expected one of them";
            return Err((ViolationCode::Unsupported, String::new(), message.into()));
        };
        let shape = Shape {
            name: RequestName::new(request.name.clone(), None),
            class: &exactly.device_class_name,
            selectors: &exactly.selectors,
            mode: &exactly.allocation_mode,
            count: exactly.count,
            admin_access: exactly.admin_access,
            tolerations: &exactly.tolerations,
            capacity: exactly.capacity.as_ref(),
            derived_attributes: &exactly.derived_attributes,
        };
        let under = |(code, field, message)| (code, format!(".exactly{field}"), message);
        alternatives.push(read_alternative(shape, inventory).map_err(under)?);
    }
    Ok(Request {
        name: &request.name,
        alternatives,
    })
}

fn disabled(field: &str, gate: &str) -> Fault {
    let message = format!("asked for, expected the gate {gate} to be on");
    (ViolationCode::FeatureDisabled, field.into(), message)
}

fn read_alternative<'a>(
    shape: Shape<'a>,
    inventory: &'a Inventory,
) -> Result<Alternative<'a>, Fault> {
    check_gates(&shape, inventory.features())?;
    let Some(class) = inventory.class(shape.class) else {
        let message = format!(
            "no DeviceClass `{}`, expected the name of one that exists",
            shape.class
        );
        return Err((
            ViolationCode::ClassNotFound,
            ".deviceClassName".into(),
            message,
        ));
    };
    let mut selectors = Vec::new();
    for selector in class.spec.selectors.iter().chain(shape.selectors) {
        let Some(cel) = &selector.cel else {
            let message = "a selector of the class or the request has no `cel`, expected one";
            return Err((
                ViolationCode::Unsupported,
                ".selectors".into(),
                message.into(),
            ));
        };
        selectors.push(&cel.expression);
    }
    let needed = match (shape.mode, usize::try_from(shape.count)) {
        ("All", _) => Needed::All,
        ("ExactCount", Ok(count)) => Needed::Count(count),
        ("ExactCount", Err(_)) => {
            let message = format!("{} devices, expected none or more", shape.count);
            return Err((ViolationCode::Unsupported, ".count".into(), message));
        }
        (mode, _) => {
            let message = format!("`{mode}`, expected ExactCount or All");
            return Err((
                ViolationCode::Unsupported,
                ".allocationMode".into(),
                message,
            ));
        }
    };
    Ok(Alternative {
        name: shape.name,
        class,
        selectors,
        needed,
        admin_access: shape.admin_access == Some(true),
        tolerations: shape.tolerations,
        capacity: shape.capacity,
        derived_attributes: shape.derived_attributes,
    })
}

fn check_gates(shape: &Shape<'_>, features: &Features) -> Result<(), Fault> {
    if shape.admin_access.is_some() && !features.admin_access {
        return Err(disabled(".adminAccess", "DRAAdminAccess"));
    }
    if shape.capacity.is_some() && !features.consumable_capacity {
        return Err(disabled(".capacity", "DRAConsumableCapacity"));
    }
    if !shape.derived_attributes.is_empty() && !features.derived_attributes {
        return Err(disabled(".derivedAttributes", "DRADerivedAttributes"));
    }
    Ok(())
}

/// Finds out which results are for which request, by their names.
///
/// A request without results got the first of its alternatives that needs no
/// device. Of several requests with one name, which the API server refuses,
/// the earlier takes as many results as it needs.
pub(super) fn assign(
    requests: &[Request<'_>],
    results: &[DeviceRequestAllocationResult],
    path: &str,
    report: &mut Report,
    mut needed: impl FnMut(&Alternative<'_>) -> usize,
) -> Vec<Option<Given>> {
    let mut left: Vec<(usize, &Str)> = results
        .iter()
        .map(|result| &result.request)
        .enumerate()
        .collect();
    let mut given = Vec::with_capacity(requests.len());
    for (index, request) in requests.iter().enumerate() {
        let names: Vec<String> = request
            .alternatives
            .iter()
            .map(|one| one.name.to_string())
            .collect();
        let first = left
            .iter()
            .find_map(|(_, name)| names.iter().position(|known| **known == ***name));
        let Some(chosen) = first else {
            let nothing = |one: &Alternative<'_>| one.needed == Needed::Count(0);
            let chosen = request.alternatives.iter().position(nothing);
            if chosen.is_none() {
                let all = request
                    .alternatives
                    .iter()
                    .all(|one| one.needed == Needed::All);
                let code = if all {
                    ViolationCode::NotAll
                } else {
                    ViolationCode::DeviceCount
                };
                let message = format!("no device for request `{}`, expected some", request.name);
                report.add(code, path, message);
            }
            given.push(chosen.map(|alternative| Given {
                alternative,
                results: Vec::new(),
            }));
            continue;
        };
        let is_repeated = requests[index + 1..]
            .iter()
            .any(|later| later.name == request.name);
        let limit = if is_repeated {
            needed(&request.alternatives[chosen])
        } else {
            usize::MAX
        };
        let mut taken = Vec::new();
        left.retain(|(place, name)| {
            let take = taken.len() < limit && ***name == *names[chosen];
            if take {
                taken.push(*place);
            }
            !take
        });
        given.push(Some(Given {
            alternative: chosen,
            results: taken,
        }));
    }
    for (place, name) in left {
        let known = |one: &Alternative<'_>| one.name.to_string() == **name;
        let known = requests
            .iter()
            .flat_map(|request| &request.alternatives)
            .any(known);
        let (code, message) = if known {
            let message = format!("`{name}` beside another alternative, expected one of them");
            (ViolationCode::SeveralAlternatives, message)
        } else {
            let message = format!("no request `{name}` in the claim, expected one that it has");
            (ViolationCode::UnknownRequest, message)
        };
        report.add(code, format!("{path}[{place}].request"), message);
    }
    given
}
