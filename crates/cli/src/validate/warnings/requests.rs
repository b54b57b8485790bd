//! Warnings about requests.

use dralloc::meant_name;
use dralloc::model::DeviceClass;

use super::super::asked::{Alternative, Asked};
use super::super::code::Code;
use super::super::findings::Findings;
use super::super::matches::{Matches, Selected};
use super::Context;
use super::classes::failure;
use crate::cluster::kind::Kind as _;
use crate::cluster::{ObjectName, meant};
use crate::words::{counted, finds_none};

/// Is why an alternative can never be had.
struct Problem {
    code: Code,
    path: String,
    message: String,
}

/// Says which classes do not exist.
pub(super) fn unknown_class<'c>(
    context: &Context<'_, 'c>,
    asked: &Asked<'c>,
    findings: &mut Findings<'c>,
) {
    let classes = &context.cluster.device_classes;
    if classes.is_empty() {
        return;
    }
    for place in 0..asked.requests().len() {
        for alternative in asked.alternatives(place) {
            let class = alternative.class;
            let name = ObjectName::new("", class);
            if class.is_empty() || classes.contains_key(&name) {
                continue;
            }
            let path = format!("{}.deviceClassName", alternative.path);
            let message = meant::absent(DeviceClass::KIND, &name, classes);
            findings.add(Code::UnknownClass, asked.object, path, message);
        }
    }
}

/// Says which selectors fail, and which requests can never be had.
pub(super) fn check<'c>(
    context: &Context<'_, 'c>,
    asked: &Asked<'c>,
    matches: &mut Matches<'_, 'c>,
    findings: &mut Findings<'c>,
) {
    for place in 0..asked.requests().len() {
        let alternatives = asked.alternatives(place);
        let mut problems = Vec::new();
        for alternative in &alternatives {
            let selected = matches.request(alternative.class, alternative.selectors);
            let Some(selected) = selected else { continue };
            for (place, failures) in &selected.failures {
                let path = format!("{}.selectors[{place}].cel.expression", alternative.path);
                let message = failure(failures, context.published);
                findings.add(Code::SelectorFails, asked.object, path, message);
            }
            if selected.failures.is_empty() && !selected.is_unknown {
                problems.extend(problem(context, alternative, &selected, matches));
            }
        }
        // What comes after an alternative that cannot be had is there for that.
        if problems.len() == alternatives.len() {
            for Problem {
                code,
                path,
                message,
            } in problems
            {
                findings.add(code, asked.object, path, message);
            }
        }
    }
}

/// Returns why an alternative can never be had, if that is plain.
fn problem<'c>(
    context: &Context<'_, 'c>,
    alternative: &Alternative<'c>,
    selected: &Selected,
    matches: &mut Matches<'_, 'c>,
) -> Option<Problem> {
    let published = context.published;
    let of_class = matches.class(alternative.class)?;
    if of_class.groups.is_empty() {
        // That is told of the class.
        return None;
    }
    if selected.groups.is_empty() {
        let devices = published.count(&of_class.groups);
        let none = finds_none(("match", "matches"), devices, "device");
        return Some(Problem {
            code: Code::RequestWithoutDevice,
            path: format!("{}.selectors", alternative.path),
            message: format!("{none} of class `{}`", alternative.class),
        });
    }
    if let Some(problem) = capacity(context, alternative, selected) {
        return Some(problem);
    }
    let (most, node) = published.most_on_a_node(&selected.groups);
    let count = alternative.count?;
    if count <= most {
        return None;
    }
    let at = node.map(|node| format!(" (`{node}`)")).unwrap_or_default();
    Some(Problem {
        code: Code::CountTooLarge,
        path: format!("{}.count", alternative.path),
        message: format!(
            "asks for {}, and no node has more than {most} that match{at}",
            counted(count, "device")
        ),
    })
}

/// Returns which capacity no device has under the name that is asked for.
fn capacity(
    context: &Context<'_, '_>,
    alternative: &Alternative<'_>,
    selected: &Selected,
) -> Option<Problem> {
    if !context.features.consumable_capacity {
        return None;
    }
    let groups = || {
        selected
            .groups
            .iter()
            .map(|group| &context.published.groups[*group])
    };
    let mut names = alternative.capacity?.requests.keys();
    let has = |name: &str| groups().any(|group| group.first.device.capacity.get(name).is_some());
    let name = names.find(|name| !has(name))?;
    let capacities = groups().flat_map(|group| group.first.device.capacity.keys());
    let hint = match meant_name(name, capacities.map(|known| &**known)) {
        Some(known) => format!("; they have `{known}`, and names are compared as written"),
        None => String::new(),
    };
    Some(Problem {
        code: Code::CapacityNotPublished,
        path: format!("{}.capacity.requests[{name}]", alternative.path),
        message: format!("no device that matches has this capacity{hint}"),
    })
}
