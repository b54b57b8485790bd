//! Which names devices publish in the place of those that are asked for.

use std::collections::BTreeSet;

use dralloc_cel::Kind;

use super::{Question, Trial, selector_place};
use crate::explain::{NamePlace, Remedy, meant_name};
use crate::model::Str;
use crate::rules;

impl Question<'_> {
    /// Tries names that devices publish where claims name what none of them has.
    pub(super) fn names(&self, trial: &mut Trial<'_>) {
        for (claim, prepared) in self.claims.claims().iter().enumerate() {
            for (place, constraint) in prepared.constraints.iter().enumerate() {
                let of = NamePlace::Constraint {
                    claim,
                    constraint: place,
                };
                if let Some(instead) = self.meant(Kind::Attribute, &constraint.attribute) {
                    let name = constraint.attribute.clone();
                    trial.add(Remedy::Name { of, name, instead });
                }
            }
        }
        for (claim, alternative) in self.alternatives() {
            let asked = alternative.capacity.iter();
            for name in asked.flat_map(|capacity| capacity.requests.keys()) {
                let Some(instead) = self.meant_capacity(name) else {
                    continue;
                };
                let request = alternative.name.in_results().into_owned();
                let of = NamePlace::Capacity { claim, request };
                let name = name.clone();
                trial.add(Remedy::Name { of, name, instead });
            }
        }
        for remedy in self.names_in_selectors() {
            trial.add(remedy);
        }
    }

    /// Returns selectors that read what devices publish in the place of what none of them
    /// has, each once.
    pub(super) fn names_in_selectors(&self) -> Vec<Remedy> {
        let mut found: Vec<Remedy> = Vec::new();
        for (claim, alternative) in self.alternatives() {
            for (place, selector) in alternative.selectors.iter().enumerate() {
                let written = self.claims.expression(*selector);
                let Ok(program) = &written.program else {
                    continue;
                };
                for slot in &program.reads().slots {
                    let name: Str = format!("{}/{}", slot.domain, slot.name).into();
                    let Some(instead) = self.meant(slot.kind, &name) else {
                        continue;
                    };
                    let expression = renamed(&written.source, &name, &instead);
                    let of = NamePlace::Selector {
                        of: selector_place(claim, alternative, place),
                        expression: expression.into(),
                    };
                    let remedy = Remedy::Name { of, name, instead };
                    if !found.contains(&remedy) {
                        found.push(remedy);
                    }
                }
            }
        }
        found
    }

    /// Returns the full name that devices publish and that was perhaps meant by one that none
    /// of them has.
    fn meant(&self, kind: Kind, name: &Str) -> Option<Str> {
        let has = |name: &str| {
            self.view.devices.iter().any(|entry| {
                let (device, driver) = (entry.device(), entry.driver());
                match kind {
                    Kind::Attribute => rules::lookup(device, driver, name).is_some(),
                    Kind::Capacity => device
                        .capacity
                        .keys()
                        .any(|known| full(driver, known) == name),
                }
            })
        };
        if has(name) {
            return None;
        }
        let mut published: BTreeSet<String> = BTreeSet::new();
        for entry in &self.view.devices {
            let (device, driver) = (entry.device(), entry.driver());
            match kind {
                Kind::Attribute => {
                    let names = device.attributes.keys();
                    published.extend(names.map(|name| full(driver, name)));
                }
                Kind::Capacity => {
                    let names = device.capacity.keys();
                    published.extend(names.map(|name| full(driver, name)));
                }
            }
        }
        meant_name(name, published.iter().map(String::as_str)).map(Into::into)
    }

    /// The same for capacities that requests ask for, which are compared as they are written.
    fn meant_capacity(&self, name: &Str) -> Option<Str> {
        let devices = self.view.devices.iter();
        let published = devices.flat_map(|entry| entry.device().capacity.keys());
        let published: BTreeSet<&str> = published.map(|known| &**known).collect();
        if published.contains(&**name) {
            return None;
        }
        meant_name(name, published).map(Into::into)
    }
}

/// Returns the full name of what a device publishes.
fn full(driver: &str, name: &str) -> String {
    if name.contains('/') {
        name.to_owned()
    } else {
        format!("{driver}/{name}")
    }
}

/// Returns an expression that reads another name. It goes by the text, so that it may change
/// too much or too little: whether it helps is tried.
fn renamed(source: &str, name: &str, instead: &str) -> String {
    let split = |name: &'_ str| -> (String, String) {
        let (domain, id) = name.split_once('/').unwrap_or(("", name));
        (domain.to_owned(), id.to_owned())
    };
    let ((domain, id), (other_domain, other_id)) = (split(name), split(instead));
    let mut text = source.to_owned();
    for quote in ['"', '\''] {
        let quoted = |text: &str| format!("{quote}{text}{quote}");
        text = text.replace(&quoted(&domain), &quoted(&other_domain));
        text = text.replace(&quoted(&id), &quoted(&other_id));
    }
    if id == other_id {
        return text;
    }
    let mut renamed = String::new();
    let mut rest = text.as_str();
    let read = format!(".{id}");
    while let Some(start) = rest.find(&read) {
        let end = start + read.len();
        let is_whole = !rest[end..].starts_with(|next: char| next.is_alphanumeric() || next == '_');
        renamed.push_str(&rest[..start]);
        if is_whole {
            renamed.push('.');
            renamed.push_str(&other_id);
        } else {
            renamed.push_str(&read);
        }
        rest = &rest[end..];
    }
    renamed + rest
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn domains_and_names_are_replaced_where_they_are_whole() {
        let text = |source| renamed(source, "a.com/model", "b.com/family");
        for (source, expected) in [
            (
                "device.attributes[\"a.com\"].model == 'x'",
                "device.attributes[\"b.com\"].family == 'x'",
            ),
            (
                "'model' in device.attributes['a.com'] && device.attributes['a.com'].modelName",
                "'family' in device.attributes['b.com'] && device.attributes['b.com'].modelName",
            ),
        ] {
            assert_eq!(text(source), expected);
        }
    }
}
