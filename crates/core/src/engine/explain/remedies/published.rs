//! What drivers would have to publish.

use super::literals::literals;
use super::{Question, Trial, refused};
use crate::claims::ConstraintKind;
use crate::explain::Remedy;
use crate::model::{DeviceAttribute, DeviceId, FullyQualifiedName, Str};
use crate::rules;
use crate::solver::{Check, Plan};
use crate::store::{DeviceEntry, Inventory, PoolStatus};

/// So many values of an attribute are tried.
const MAX_VALUES: usize = 8;

impl Question<'_> {
    /// Tries pools that lack slices with those that they have.
    pub(super) fn pools(&self, inventory: &Inventory, trial: &mut Trial<'_>) {
        for pool in &self.view.pools {
            if pool.status != PoolStatus::Incomplete {
                continue;
            }
            let slices = inventory.newest_of_pool(pool.key);
            let counts: Vec<i64> = slices
                .map(|stored| stored.slice.spec.pool.resource_slice_count)
                .collect();
            trial.add(Remedy::Pool {
                driver: pool.driver.clone(),
                pool: pool.name.clone(),
                published: counts.len(),
                expected: counts.into_iter().max().unwrap_or_default(),
            });
        }
    }

    /// Tries attributes with which selectors match, and values that devices would have in
    /// common: for each attribute those that the fewest devices would have to publish.
    pub(super) fn attributes(&self, trial: &mut Trial<'_>) {
        for plan in &self.problem.plans {
            let refused: Vec<usize> = refused(plan, Check::Selector).collect();
            if !refused.is_empty() {
                self.selected(plan, &refused, trial);
            }
        }
        for (claim, prepared) in self.claims.claims().iter().enumerate() {
            for constraint in &prepared.constraints {
                if constraint.kind == ConstraintKind::Match {
                    self.matched(claim, &constraint.attribute, &constraint.requests, trial);
                }
            }
        }
    }

    /// Tries what the selectors of an alternative read.
    fn selected(&self, plan: &Plan<'_>, refused: &[usize], trial: &mut Trial<'_>) {
        let selectors = plan.alternative.selectors.iter();
        for expression in selectors.map(|id| self.claims.expression(*id)) {
            let Ok(program) = &expression.program else {
                continue;
            };
            let named = literals(&expression.source);
            for slot in &program.reads().slots {
                if slot.kind != dralloc_cel::Kind::Attribute {
                    continue;
                }
                let attribute: Str = format!("{}/{}", slot.domain, slot.name).into();
                let mut values = named.clone();
                // A domain is no value.
                values.retain(|value| *value != DeviceAttribute::String((*slot.domain).into()));
                let shown = shown(self.view.devices.iter(), &attribute);
                if let Some(shown) = shown.first() {
                    values = values
                        .iter()
                        .filter_map(|value| like(value, shown))
                        .collect();
                }
                self.fewest(&attribute, likely(&shown, &values), refused, trial);
            }
        }
    }

    /// Tries to give devices a value in common.
    fn matched(
        &self,
        claim: usize,
        attribute: &FullyQualifiedName,
        requests: &[Str],
        trial: &mut Trial<'_>,
    ) {
        let plans = self.problem.plans.iter();
        let plans =
            plans.filter(|plan| plan.claim == claim && plan.alternative.name.is_among(requests));
        let mut devices: Vec<usize> = plans
            .flat_map(|plan| {
                let lacking = refused(plan, Check::Constraint);
                lacking.chain(plan.candidates.iter())
            })
            .collect();
        devices.sort_unstable();
        devices.dedup();
        let entries = devices.iter().map(|device| &self.view.devices[*device]);
        let mut values = shown(entries, attribute);
        if values.is_empty() {
            // Where nobody publishes it anything will do.
            values.push(DeviceAttribute::Int(0));
        }
        self.fewest(attribute, values, &devices, trial);
    }

    /// Tries values, and keeps the one that the fewest devices would have to publish.
    ///
    /// What a device publishes is true: only those that say nothing may say more, and
    /// never who they are.
    fn fewest(
        &self,
        attribute: &FullyQualifiedName,
        mut values: Vec<DeviceAttribute>,
        devices: &[usize],
        trial: &mut Trial<'_>,
    ) {
        let mut best: Option<(Vec<DeviceId>, DeviceAttribute)> = None;
        let lacking = devices.iter().map(|device| &self.view.devices[*device]);
        let lacking = lacking
            .filter(|entry| rules::lookup(entry.device(), entry.driver(), attribute).is_none());
        let lacking: Vec<DeviceId> = lacking.map(DeviceEntry::id).collect();
        if lacking.is_empty() || rules::is_identity(attribute) {
            return;
        }
        values.retain(is_single);
        values.truncate(MAX_VALUES);
        for value in &values {
            let remedy = |devices: Vec<DeviceId>| Remedy::Attribute {
                devices,
                attribute: attribute.clone(),
                value: value.clone(),
            };
            if !trial.fits(&remedy(lacking.clone())) {
                continue;
            }
            let enough = trial.reduced(lacking.clone(), remedy);
            if best
                .as_ref()
                .is_none_or(|(least, _)| enough.len() < least.len())
            {
                best = Some((enough, value.clone()));
            }
        }
        if let Some((devices, value)) = best {
            trial.keep(Remedy::Attribute {
                devices,
                attribute: attribute.clone(),
                value,
            });
        }
    }
}

/// Returns the values of an attribute that devices publish, each once.
fn shown<'d>(
    devices: impl Iterator<Item = &'d DeviceEntry>,
    attribute: &str,
) -> Vec<DeviceAttribute> {
    let mut values: Vec<DeviceAttribute> = Vec::new();
    for entry in devices {
        let shown = rules::lookup(entry.device(), entry.driver(), attribute);
        values.extend(shown.filter(|value| !values.contains(value)).cloned());
    }
    values
}

/// Returns values that devices show and a selector names, each once, the likely first: those
/// that are both, and then one of each in turn.
fn likely(shown: &[DeviceAttribute], named: &[DeviceAttribute]) -> Vec<DeviceAttribute> {
    let both = shown.iter().filter(|value| named.contains(value));
    let longest = shown.len().max(named.len());
    let in_turn = (0..longest).flat_map(|place| [shown.get(place), named.get(place)]);
    let mut likely: Vec<DeviceAttribute> = Vec::new();
    for value in both.chain(in_turn.flatten()) {
        if !likely.contains(value) {
            likely.push(value.clone());
        }
    }
    likely
}

fn is_single(value: &DeviceAttribute) -> bool {
    matches!(
        value,
        DeviceAttribute::Int(_)
            | DeviceAttribute::Bool(_)
            | DeviceAttribute::String(_)
            | DeviceAttribute::Version(_)
    )
}

/// Returns a value as one of the type of another, if it can be that.
fn like(value: &DeviceAttribute, other: &DeviceAttribute) -> Option<DeviceAttribute> {
    match (value, other) {
        (DeviceAttribute::String(text), DeviceAttribute::Version(_)) => {
            Some(DeviceAttribute::Version(text.clone()))
        }
        (DeviceAttribute::Int(_), DeviceAttribute::Int(_))
        | (DeviceAttribute::Bool(_), DeviceAttribute::Bool(_))
        | (DeviceAttribute::String(_), DeviceAttribute::String(_)) => Some(value.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{DeviceAttribute, likely};

    #[test]
    fn likely_values_come_first_and_once() {
        let ints = |values: &[i64]| -> Vec<DeviceAttribute> {
            values.iter().copied().map(DeviceAttribute::Int).collect()
        };
        let found = likely(&ints(&[1, 2, 3]), &ints(&[7, 8, 7, 3, 9]));
        assert_eq!(found, ints(&[3, 1, 7, 2, 8, 9]));
        assert_eq!(likely(&[], &ints(&[4, 4])), ints(&[4]));
    }
}
