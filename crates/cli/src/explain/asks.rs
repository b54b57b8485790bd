//! What is asked for, in words.

use dralloc::model::{CapacityRequirements, DeviceConstraint, DeviceSelector, Str};

use crate::cluster::question::Question;
use crate::words::listed;

/// More of a selector is left out.
const SELECTOR_MAX: usize = 120;

/// Returns what is asked for, a request a text.
pub(super) fn requests(question: &Question) -> Vec<String> {
    let mut asks = Vec::new();
    for (name, claim) in question.names.iter().zip(&question.claims) {
        for request in &claim.spec.devices.requests {
            let of_claim = of_claim(question, &name.name);
            let wanted = if let Some(exactly) = &request.exactly {
                let (mode, class) = (&exactly.allocation_mode, &exactly.device_class_name);
                let mut wanted = devices_of(mode, exactly.count, class);
                wanted += &amounts(exactly.capacity.as_ref(), is_one(mode, exactly.count));
                wanted += &selected(&exactly.selectors);
                if exactly.admin_access == Some(true) {
                    wanted += " for administration";
                }
                wanted
            } else {
                let alternatives = request.first_available.iter().map(|one| {
                    let (mode, class) = (&one.allocation_mode, &one.device_class_name);
                    let capacity = amounts(one.capacity.as_ref(), is_one(mode, one.count));
                    devices_of(mode, one.count, class) + &capacity + &selected(&one.selectors)
                });
                alternatives.collect::<Vec<_>>().join(", or else ")
            };
            asks.push(format!("{wanted} (request `{}`{of_claim})", request.name));
        }
    }
    asks
}

/// Returns what devices have to have in common, or must not, a constraint a text.
pub(super) fn constraints(question: &Question) -> Vec<String> {
    let mut texts = Vec::new();
    for (name, claim) in question.names.iter().zip(&question.claims) {
        for constraint in &claim.spec.devices.constraints {
            let of_claim = of_claim(question, &name.name);
            texts.extend(constraint_text(constraint).map(|text| text + &of_claim));
        }
    }
    texts
}

fn constraint_text(constraint: &DeviceConstraint) -> Option<String> {
    let (same, name) = match (&constraint.match_attribute, &constraint.distinct_attribute) {
        (Some(name), None) => ("one value", name),
        (None, Some(name)) => ("different values", name),
        _ => return None,
    };
    let requests = constraint.requests.iter();
    let requests: Vec<String> = requests.map(|name| format!("`{name}`")).collect();
    let devices = match requests.len() {
        0 => "all devices".to_owned(),
        1 => format!("the devices of request {}", requests[0]),
        _ => format!("the devices of requests {}", listed(&requests, "and")),
    };
    Some(format!("{devices} need {same} of `{name}`"))
}

/// Names a claim, where there are several.
fn of_claim(question: &Question, name: &str) -> String {
    if question.names.len() > 1 {
        format!(" of claim `{name}`")
    } else {
        String::new()
    }
}

fn devices_of(mode: &str, count: i64, class: &str) -> String {
    match (mode, count) {
        ("All", _) => format!("all devices of class `{class}`"),
        (_, 1) => format!("1 device of class `{class}`"),
        _ => format!("{count} devices of class `{class}`"),
    }
}

fn is_one(mode: &str, count: i64) -> bool {
    mode != "All" && count == 1
}

/// Returns such as `` with 20Gi of `memory` each``.
fn amounts(capacity: Option<&CapacityRequirements>, is_one: bool) -> String {
    let amounts = capacity.into_iter().flat_map(|all| all.requests.iter());
    let amounts: Vec<String> = amounts
        .map(|(name, amount)| format!("{amount} of `{name}`"))
        .collect();
    if amounts.is_empty() {
        return String::new();
    }
    let each = if is_one { "" } else { " each" };
    format!(" with {}{each}", listed(&amounts, "and"))
}

/// Returns what selectors say, in one line and not in full if that is long.
fn selected(selectors: &[DeviceSelector]) -> String {
    let expressions = selectors.iter().filter_map(|one| one.cel.as_ref());
    let texts: Vec<String> = expressions
        .map(|cel| format!("`{}`", shortened(&cel.expression)))
        .collect();
    if texts.is_empty() {
        return String::new();
    }
    format!(" where {}", listed(&texts, "and"))
}

/// Returns an expression in one line, not in full if that is long.
fn shortened(expression: &Str) -> String {
    let line = expression.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SELECTOR_MAX) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_selectors_are_shortened_to_one_line() {
        let selector = |text: &str| shortened(&text.into());
        assert_eq!(selector("a ==\n   1"), "a == 1");
        let long = "device.driver == \"gpu.example.com\" && ".repeat(9);
        let short = selector(&long);
        assert_eq!(short.chars().count(), SELECTOR_MAX + 1);
        assert!(short.ends_with('…'), "{short}");
    }
}
