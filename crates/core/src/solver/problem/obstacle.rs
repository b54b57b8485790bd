//! [`Obstacle`]: what exactly refuses a device.

use std::fmt;

use super::Problem;
use super::plan::{Check, Plan};
use crate::claims::PreparedClaims;
use crate::eligible::Verdicts;
use crate::model::{QualifiedName, Quantity};

/// Names what it is that a check found in the way of a device.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Obstacle {
    /// A selector of the class, by its place there.
    ClassSelector {
        /// Name of the class.
        class: String,
        /// Place of the selector in the class.
        selector: usize,
    },
    /// A selector of the request or of its alternative, by its place there.
    Selector {
        /// Place of the selector.
        selector: usize,
    },
    /// A capacity that the device lacks, or has too little of.
    Capacity {
        /// Name of the capacity, as the device publishes it or the request names it.
        capacity: String,
    },
    /// A counter of which too little is left.
    Counter {
        /// Name of the counter set.
        set: String,
        /// Name of the counter.
        counter: String,
    },
    /// Another check, as a whole.
    Check(Check),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClassSelector { class, selector } => {
                write!(formatter, "selector {selector} of class `{class}`")
            }
            Self::Selector { selector } => {
                write!(formatter, "selector {selector} of the request")
            }
            Self::Capacity { capacity } => write!(formatter, "capacity `{capacity}`"),
            Self::Counter { set, counter } => {
                write!(formatter, "counter `{counter}` of set `{set}`")
            }
            Self::Check(check) => formatter.write_str(check.as_str()),
        }
    }
}

impl Problem<'_> {
    /// Returns what refuses the devices that are no candidates of a plan, with
    /// the number of devices; in the order of the checks, then of the names.
    ///
    /// The problem must have notes.
    pub(crate) fn obstacles(
        &self,
        plan: &Plan<'_>,
        claims: &PreparedClaims,
        verdicts: &mut Verdicts,
    ) -> Vec<(Obstacle, usize)> {
        let mut found: Vec<(Check, Obstacle, usize)> = Vec::new();
        let mut add = |check: Check, obstacle: Obstacle, count: usize| {
            let same = |(_, other, _): &&mut (Check, Obstacle, usize)| *other == obstacle;
            match found.iter_mut().find(same) {
                Some((_, _, sum)) => *sum += count,
                None if count > 0 => found.push((check, obstacle, count)),
                None => {}
            }
        };
        for (device, check) in plan.refused.iter().enumerate() {
            let obstacle = match check {
                // Those are counted selector by selector.
                None | Some(Check::Selector) => continue,
                Some(Check::Capacity) => self.short_capacity(plan, device),
                Some(Check::Counters) => self.short_counter(device),
                Some(_) => None,
            };
            if let Some(check) = *check {
                add(check, obstacle.unwrap_or(Obstacle::Check(check)), 1);
            }
        }
        for (obstacle, count) in self.refusing_selectors(plan, claims, verdicts) {
            add(Check::Selector, obstacle, count);
        }
        found.sort_unstable();
        found
            .into_iter()
            .map(|(_, obstacle, count)| (obstacle, count))
            .collect()
    }

    /// Counts by selector the devices that it refuses first.
    fn refusing_selectors(
        &self,
        plan: &Plan<'_>,
        claims: &PreparedClaims,
        verdicts: &mut Verdicts,
    ) -> Vec<(Obstacle, usize)> {
        let refused = plan.refused.iter().enumerate();
        let mut left: Vec<usize> = refused
            .filter(|(_, check)| **check == Some(Check::Selector))
            .map(|(device, _)| device)
            .collect();
        let class = &plan.alternative.class;
        let of_class = class.spec.selectors.len();
        let selectors = &plan.alternative.selectors;
        let mut counts = Vec::new();
        for place in 0..selectors.len() {
            // All of it was evaluated before.
            let first = &selectors[..=place];
            let Ok(selected) = verdicts.select(claims, first, self.view, &mut |_| Ok(())) else {
                break;
            };
            let before = left.len();
            left.retain(|device| selected.matches.contains(*device));
            let obstacle = match place.checked_sub(of_class) {
                Some(selector) => Obstacle::Selector { selector },
                None => Obstacle::ClassSelector {
                    class: class.metadata.name.to_string(),
                    selector: place,
                },
            };
            counts.push((obstacle, before - left.len()));
        }
        counts.push((Obstacle::Check(Check::Selector), left.len()));
        counts
    }

    fn short_capacity(&self, plan: &Plan<'_>, device: usize) -> Option<Obstacle> {
        let declared = &self.view.devices[device].device().capacity;
        let asked = plan.alternative.capacity.as_ref();
        let mut asked = asked.into_iter().flat_map(|asked| asked.requests.iter());
        let name = if let Some(amounts) = plan.amounts.get(&device)
            && let Some(place) = self.state.capacity.short(device, amounts)
        {
            declared.keys().nth(place)?
        } else {
            // It is too little also if nobody has any of it.
            let is_short = |(name, amount): &(&QualifiedName, &Quantity)| {
                let declared = declared.get(*name);
                declared.is_none_or(|declared| declared.value < **amount)
            };
            asked.find(is_short)?.0
        };
        let capacity = name.to_string();
        Some(Obstacle::Capacity { capacity })
    }

    /// Returns what is left of a capacity of a device that can be shared.
    pub(crate) fn left_of(&self, device: usize, capacity: &QualifiedName) -> Option<Quantity> {
        let declared = &self.view.devices[device].device().capacity;
        let place = declared.position(&**capacity)?;
        let left = self.state.capacity.left_of(device).get(place)?;
        let format = declared.get(&**capacity)?.value.format();
        Some(Quantity::new(left.clone(), format))
    }

    fn short_counter(&self, device: usize) -> Option<Obstacle> {
        let (set, counter) = self.state.counters.short(device, self.view)?;
        Some(Obstacle::Counter {
            set: set.to_string(),
            counter: counter.to_string(),
        })
    }
}
