//! [`Arithmetic`]: what is needed against what is there, in numbers.

mod measure;
mod sums;
mod text;

pub(crate) use measure::measure;

use serde::Serialize;

use crate::model::{DeviceId, FullyQualifiedName, QualifiedName, Quantity, Str};

/// Compares what requests need with what there is for them.
///
/// Each is short by itself: what is needed is more than what there is. What there
/// would be after a release is what the holders of
/// [`Class::AfterRelease`](crate::Class::AfterRelease) make of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Arithmetic {
    /// Requests need more devices than can serve them.
    Count {
        /// The alternative of a request that this is about, where it has several.
        #[serde(skip_serializing_if = "Option::is_none")]
        alternative: Option<Str>,
        /// How many devices they need.
        needed: usize,
        /// How many of these there are devices for.
        available: usize,
        /// How many there would be after a release.
        #[serde(skip_serializing_if = "Option::is_none")]
        after_release: Option<usize>,
    },
    /// Requests need more devices with a value in common than have any one value.
    Values {
        /// Place of the claim in the question.
        claim: usize,
        /// Place of the constraint in the claim.
        constraint: usize,
        /// The attribute of a `matchAttribute` constraint.
        attribute: FullyQualifiedName,
        /// How many requests they are.
        requests: usize,
        /// How many devices they need.
        needed: usize,
        /// How many of these the devices of the best value can serve.
        available: usize,
        /// How many there would be after a release.
        #[serde(skip_serializing_if = "Option::is_none")]
        after_release: Option<usize>,
    },
    /// Requests need more devices than there are different values.
    Distinct {
        /// Place of the claim in the question.
        claim: usize,
        /// Place of the constraint in the claim.
        constraint: usize,
        /// The attribute of a `distinctAttribute` constraint.
        attribute: FullyQualifiedName,
        /// How many devices they need.
        needed: usize,
        /// How many values there are for them.
        available: usize,
        /// How many there would be after a release.
        #[serde(skip_serializing_if = "Option::is_none")]
        after_release: Option<usize>,
    },
    /// Requests take more of a counter than is left of it.
    Counters {
        /// The device, if it is one device that lacks it.
        #[serde(skip_serializing_if = "Option::is_none")]
        device: Option<DeviceId>,
        /// The counter set of the device; else it is summed over all sets.
        #[serde(skip_serializing_if = "Option::is_none")]
        counter_set: Option<Str>,
        /// Name of the counter.
        counter: Str,
        /// What they take at least.
        needed: Quantity,
        /// What is left.
        left: Quantity,
        /// What would be left after a release.
        #[serde(skip_serializing_if = "Option::is_none")]
        after_release: Option<Quantity>,
    },
    /// Requests take more of a capacity than is left of it.
    Capacities {
        /// The device, if it is one device that lacks it.
        #[serde(skip_serializing_if = "Option::is_none")]
        device: Option<DeviceId>,
        /// Name of the capacity.
        capacity: QualifiedName,
        /// What they take at least, rounded up as devices demand.
        needed: Quantity,
        /// What is left.
        left: Quantity,
        /// What would be left after a release.
        #[serde(skip_serializing_if = "Option::is_none")]
        after_release: Option<Quantity>,
    },
    /// Requests need rings that carry more than those of any devices that they can have.
    Rings {
        /// Place of the claim in the question.
        claim: usize,
        /// How many devices the rings run through.
        devices: usize,
        /// What they are to carry at least, in GB/s.
        needed: Quantity,
        /// What the best of them carry, in GB/s, rounded down to a thousandth.
        available: Quantity,
        /// What they would after a release.
        #[serde(skip_serializing_if = "Option::is_none")]
        after_release: Option<Quantity>,
    },
    /// Requests need more devices than can be had at once, for several reasons.
    AtOnce {
        /// The attributes that constraints compare.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        attributes: Vec<FullyQualifiedName>,
        /// How many devices they need.
        needed: usize,
        /// How many can be had.
        available: usize,
    },
}

impl Arithmetic {
    /// Returns whether another is of the same things, in another state.
    fn is_about_the_same(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Count { alternative, .. },
                Self::Count {
                    alternative: other, ..
                },
            ) => alternative == other,
            (
                Self::Values {
                    claim, constraint, ..
                }
                | Self::Distinct {
                    claim, constraint, ..
                },
                Self::Values {
                    claim: other_claim,
                    constraint: other,
                    ..
                }
                | Self::Distinct {
                    claim: other_claim,
                    constraint: other,
                    ..
                },
            ) => claim == other_claim && constraint == other,
            (
                Self::Counters {
                    device,
                    counter_set,
                    counter,
                    ..
                },
                Self::Counters {
                    device: other_device,
                    counter_set: other_set,
                    counter: other,
                    ..
                },
            ) => device == other_device && counter_set == other_set && counter == other,
            (
                Self::Capacities {
                    device, capacity, ..
                },
                Self::Capacities {
                    device: other_device,
                    capacity: other,
                    ..
                },
            ) => device == other_device && capacity == other,
            (
                Self::Rings { claim, needed, .. },
                Self::Rings {
                    claim: other_claim,
                    needed: other,
                    ..
                },
            ) => claim == other_claim && needed == other,
            _ => false,
        }
    }

    /// Notes what there would be after a release, as it was measured then.
    pub(crate) fn compare(&mut self, released: &[Self]) {
        let same = |other: &&Self| self.is_about_the_same(other);
        let Some(then) = released.iter().find(same) else {
            return;
        };
        match (self, then) {
            (
                Self::Count { after_release, .. }
                | Self::Values { after_release, .. }
                | Self::Distinct { after_release, .. },
                Self::Count { available, .. }
                | Self::Values { available, .. }
                | Self::Distinct { available, .. },
            ) => *after_release = Some(*available),
            (
                Self::Counters { after_release, .. } | Self::Capacities { after_release, .. },
                Self::Counters { left, .. } | Self::Capacities { left, .. },
            ) => *after_release = Some(left.clone()),
            (Self::Rings { after_release, .. }, Self::Rings { available, .. }) => {
                *after_release = Some(available.clone());
            }
            _ => {}
        }
    }

    /// Returns whether it says that something is short.
    pub(crate) fn is_short(&self) -> bool {
        match self {
            Self::Count {
                needed, available, ..
            }
            | Self::Values {
                needed, available, ..
            }
            | Self::Distinct {
                needed, available, ..
            }
            | Self::AtOnce {
                needed, available, ..
            } => needed > available,
            Self::Counters { needed, left, .. }
            | Self::Capacities { needed, left, .. }
            | Self::Rings {
                needed,
                available: left,
                ..
            } => needed > left,
        }
    }
}
