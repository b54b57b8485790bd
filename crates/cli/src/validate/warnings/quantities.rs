//! Hints about quantities: `16G` where `16Gi` was probably meant.

use std::collections::BTreeSet;

use dralloc::PublishedPool;
use dralloc::model::DeviceSelector;

use super::super::asked::Asked;
use super::super::code::Code;
use super::super::findings::Findings;
use super::Context;
use crate::words::id_of;

/// Knows which capacities devices have in powers of two, and in powers of ten.
#[derive(Debug, Default)]
pub(super) struct Units {
    binary: BTreeSet<String>,
    decimal: BTreeSet<String>,
}

impl Units {
    pub(super) fn new(context: &Context<'_, '_>) -> Self {
        let mut units = Self::default();
        let pools = context.published.pools.iter();
        for found in pools.flat_map(PublishedPool::devices) {
            for (name, capacity) in &found.device.capacity {
                let id = id_of(name);
                let text = capacity.value.to_string();
                if is_decimal(&text) && !units.decimal.contains(id) {
                    units.decimal.insert(id.to_owned());
                } else if text.ends_with('i') && !units.binary.contains(id) {
                    units.binary.insert(id.to_owned());
                }
            }
        }
        units
    }

    /// Returns whether devices have a capacity in powers of two only.
    fn is_binary(&self, name: &str) -> bool {
        let id = id_of(name);
        self.binary.contains(id) && !self.decimal.contains(id)
    }
}

/// Says where powers of ten are asked of what devices have in powers of two.
pub(super) fn check<'c>(units: &Units, asked: &Asked<'c>, findings: &mut Findings<'c>) {
    for place in 0..asked.requests().len() {
        for alternative in asked.alternatives(place) {
            let capacities = alternative
                .capacity
                .iter()
                .flat_map(|one| one.requests.iter());
            for (name, quantity) in capacities {
                let text = quantity.to_string();
                if is_decimal(&text) && units.is_binary(name) {
                    let path = format!("{}.capacity.requests[{name}]", alternative.path);
                    findings.add(Code::DecimalSuffix, asked.object, path, hint(&text));
                }
            }
            for (place, selector) in alternative.selectors.iter().enumerate() {
                if let Some(text) = slip(selector, units) {
                    let path = format!("{}.selectors[{place}].cel.expression", alternative.path);
                    findings.add(Code::DecimalSuffix, asked.object, path, hint(text));
                }
            }
        }
    }
}

fn hint(text: &str) -> String {
    format!("`{text}` counts in powers of ten, devices publish powers of two: is `{text}i` meant?")
}

/// Returns the first quantity in a selector that is in powers of ten, if it reads a
/// capacity that devices have in powers of two.
fn slip<'s>(selector: &'s DeviceSelector, units: &Units) -> Option<&'s str> {
    let expression = &*selector.cel.as_ref()?.expression;
    let mut words = expression.split(|next: char| !next.is_alphanumeric() && next != '_');
    if !expression.contains("capacity") || !words.any(|word| units.is_binary(word)) {
        return None;
    }
    let mut quoted = expression.split("quantity(").skip(1).filter_map(|rest| {
        let quote = rest
            .chars()
            .next()
            .filter(|next| matches!(next, '"' | '\''))?;
        rest[1..].split(quote).next()
    });
    quoted.find(|text| is_decimal(text))
}

/// Returns whether a quantity has a suffix that also comes with an `i`.
fn is_decimal(text: &str) -> bool {
    text.ends_with(['M', 'G', 'T', 'P', 'E'])
}
