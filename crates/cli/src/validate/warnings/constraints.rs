//! Warnings about constraints.

use std::collections::BTreeSet;

use dralloc::meant_name;
use dralloc::model::{DeviceConstraint, Str};

use super::super::asked::Asked;
use super::super::code::Code;
use super::super::findings::Findings;
use super::super::matches::Matches;
use super::super::published::{Group, sort_of};
use super::Context;

/// Is what one request brings to a constraint.
struct Side<'c> {
    request: &'c Str,
    /// Types of the attribute, and whether it is a list; none if no device has it.
    sorts: BTreeSet<(&'static str, bool)>,
    /// How many devices match.
    devices: usize,
    /// Full names of the attributes that devices have instead.
    others: BTreeSet<String>,
}

/// Says which constraints do nothing, and which requests nothing names.
pub(super) fn by_themselves<'c>(asked: &Asked<'c>, findings: &mut Findings<'c>) {
    let devices = &asked.spec.devices;
    for (place, constraint) in devices.constraints.iter().enumerate() {
        let mut most = 0_usize;
        for request in
            (0..devices.requests.len()).filter(|place| in_scope(asked, *place, constraint))
        {
            let counts = asked.alternatives(request);
            let counts = counts.iter().map(|one| one.count.unwrap_or(usize::MAX));
            most = most.saturating_add(counts.max().unwrap_or_default());
        }
        if most == 1 {
            let path = asked.path(&format!("constraints[{place}]"));
            let message = "is for a single device, and compares nothing";
            findings.add(Code::ConstraintWithoutEffect, asked.object, path, message);
        }
    }
    let constraints = devices.constraints.iter().map(|one| &*one.requests);
    let configuration = devices.config.iter().map(|one| &*one.requests);
    let named: Vec<&[Str]> = constraints.chain(configuration).collect();
    let mut requests = named.iter().copied().flatten();
    // What names no request was meant for one, perhaps for that which no other names.
    let is_misspelt = requests.any(|name| !is_request(asked, name));
    if is_misspelt || named.is_empty() || named.iter().any(|names| names.is_empty()) {
        return;
    }
    for (place, request) in devices.requests.iter().enumerate() {
        if !named
            .iter()
            .any(|names| names_request(names, &request.name))
        {
            let path = asked.path(&format!("requests[{place}].name"));
            let message = "no constraint and no configuration is for this request, \
                           and there are some for others";
            findings.add(Code::RequestUnmentioned, asked.object, path, message);
        }
    }
}

/// Says which constraints can never hold.
pub(super) fn check<'c>(
    context: &Context<'_, 'c>,
    asked: &Asked<'c>,
    matches: &mut Matches<'_, 'c>,
    findings: &mut Findings<'c>,
) {
    for (place, constraint) in asked.spec.devices.constraints.iter().enumerate() {
        let path = asked.path(&format!("constraints[{place}]"));
        let (name, field) = match (&constraint.match_attribute, &constraint.distinct_attribute) {
            (Some(name), None) => (name, "matchAttribute"),
            (None, Some(name)) => (name, "distinctAttribute"),
            _ => continue,
        };
        let mut sides = Vec::new();
        for request in 0..asked.requests().len() {
            if in_scope(asked, request, constraint) {
                sides.extend(side(context, asked, request, (name, constraint), matches));
            }
        }
        let path = format!("{path}.{field}");
        if let Some(message) = not_published(name, &sides) {
            findings.add(Code::AttributeNotPublished, asked.object, path, message);
        } else if let Some((code, message)) =
            types(&sides, constraint.match_attribute.is_some(), context)
        {
            findings.add(code, asked.object, path, message);
        }
    }
}

/// Returns what a request brings to a constraint; nothing where that cannot be said.
fn side<'c>(
    context: &Context<'_, 'c>,
    asked: &Asked<'c>,
    place: usize,
    (attribute, constraint): (&str, &DeviceConstraint),
    matches: &mut Matches<'_, 'c>,
) -> Option<Side<'c>> {
    let request = &asked.requests().get(place)?.name;
    let mut side = Side {
        request,
        sorts: BTreeSet::new(),
        devices: 0,
        others: BTreeSet::new(),
    };
    let alternatives = asked.alternatives(place);
    for (index, alternative) in alternatives.iter().enumerate() {
        if !includes(asked, place, index, constraint) {
            continue;
        }
        if alternative.derived.contains(&attribute) {
            return None;
        }
        let selected = matches.request(alternative.class, alternative.selectors)?;
        if selected.is_unknown || !selected.failures.is_empty() {
            return None;
        }
        side.devices += context.published.count(&selected.groups);
        for group in &selected.groups {
            let Group { first, .. } = &context.published.groups[*group];
            let driver = &*first.slice.spec.driver;
            if let Some(found) = first.device.attribute(driver, attribute) {
                side.sorts.extend(sort_of(found));
                continue;
            }
            let names = first.device.attributes.keys();
            side.others.extend(names.map(|name| {
                if name.contains('/') {
                    return name.to_string();
                }
                format!("{driver}/{name}")
            }));
        }
    }
    (side.devices > 0).then_some(side)
}

/// Says which request has no device with the attribute.
fn not_published(name: &str, sides: &[Side<'_>]) -> Option<String> {
    let lacking: Vec<_> = sides.iter().filter(|side| side.sorts.is_empty()).collect();
    let first = lacking.first()?;
    let others = lacking.iter().flat_map(|side| &side.others);
    let hint = match meant_name(name, others.map(String::as_str)) {
        Some(name) => format!("; they publish `{name}`"),
        None => String::new(),
    };
    if lacking.len() == sides.len() {
        return Some(format!("no device that matches publishes it{hint}"));
    }
    Some(format!(
        "no device for request `{}` publishes it, those for other requests do{hint}",
        first.request
    ))
}

/// Says which requests have the attribute in types that are never equal.
fn types(sides: &[Side<'_>], is_match: bool, context: &Context<'_, '_>) -> Option<(Code, String)> {
    let of = |side: &Side<'_>| {
        let mut types = side.sorts.iter();
        match (types.next(), types.next()) {
            (Some(one), None) => Some(*one),
            _ => None,
        }
    };
    let known = sides
        .iter()
        .filter_map(|side| Some((side.request, of(side)?)));
    let known: Vec<_> = known.collect();
    let (first, (sort, is_list)) = *known.first()?;
    let describe = |(sort, is_list): (&str, bool)| {
        if is_list {
            format!("a list of `{sort}`")
        } else {
            format!("one `{sort}`")
        }
    };
    let differing = known.iter().find(|(_, (other, _))| *other != sort);
    if let (Some((request, other)), true) = (differing, is_match) {
        let message = format!(
            "devices for request `{first}` publish {}, those for `{request}` {}: \
             they are never equal",
            describe((sort, is_list)),
            describe(*other)
        );
        return Some((Code::AttributeTypesDiffer, message));
    }
    let (request, other) = known.iter().find(|(_, (_, other))| *other != is_list)?;
    let needs = if context.features.list_type_attributes {
        "they are compared only where the feature gate `DRAListTypeAttributes` is on"
    } else {
        "they are not compared while the feature gate `DRAListTypeAttributes` is off"
    };
    let message = format!(
        "devices for request `{first}` publish {}, those for `{request}` {}: {needs}",
        describe((sort, is_list)),
        describe(*other)
    );
    Some((Code::ListAgainstScalar, message))
}

/// Returns whether a constraint is for the request at a place, or one of its alternatives.
fn in_scope(asked: &Asked<'_>, place: usize, constraint: &DeviceConstraint) -> bool {
    let names = &constraint.requests;
    let request = asked.requests().get(place);
    names.is_empty() || request.is_some_and(|request| names_request(names, &request.name))
}

/// Returns whether a constraint is for an alternative of a request.
fn includes(asked: &Asked<'_>, place: usize, index: usize, constraint: &DeviceConstraint) -> bool {
    let names = &constraint.requests;
    let Some(request) = asked.requests().get(place) else {
        return false;
    };
    let alternative = request.first_available.get(index);
    let full = alternative.map(|one| format!("{}/{}", request.name, one.name));
    names.is_empty()
        || names.contains(&request.name)
        || full.is_some_and(|full| names.iter().any(|name| **name == *full))
}

/// Returns whether there is a request of a name, or such an alternative of one.
fn is_request(asked: &Asked<'_>, name: &str) -> bool {
    let (request, alternative) = match name.split_once('/') {
        Some((request, alternative)) => (request, Some(alternative)),
        None => (name, None),
    };
    let mut requests = asked.requests().iter();
    requests.any(|one| {
        let mut alternatives = one.first_available.iter();
        *one.name == *request
            && alternative.is_none_or(|name| alternatives.any(|one| *one.name == *name))
    })
}

/// Returns whether one of some names is that of a request or of one of its alternatives.
fn names_request(names: &[Str], request: &str) -> bool {
    names
        .iter()
        .any(|name| name.split('/').next() == Some(request))
}
