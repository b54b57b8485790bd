//! [`Remedy`]: a small change that makes claims fit.

use std::fmt::{self, Display};

use serde::Serialize;

use super::{Holder, text::Listed};
use crate::model::{
    DeviceAttribute, DeviceId, DeviceTaint, DeviceToleration, FullyQualifiedName, QualifiedName,
    Quantity, Str,
};
use crate::rules;

/// Is one change with which claims fit on a node; the names are stable.
///
/// Requests are named `request`, or `request/subrequest` where they have alternatives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[non_exhaustive]
pub enum Remedy {
    /// Something is called as devices publish it: none of them has the name that is written.
    Name {
        /// Where the name is.
        of: NamePlace,
        /// The name that is written, in full.
        name: Str,
        /// The name that devices publish.
        instead: Str,
    },
    /// These give back what they hold; none of them can be left out.
    Release {
        /// By owner.
        holders: Vec<Holder>,
    },
    /// Requests tolerate taints; none of either can be left out.
    Toleration {
        /// Place of the claim in the question.
        claim: usize,
        /// Names of the requests.
        requests: Vec<Str>,
        /// What each of them tolerates then.
        tolerations: Vec<DeviceToleration>,
    },
    /// A selector asks whether a device has what it reads, and refuses it otherwise.
    Guard {
        /// Which selector.
        of: SelectorPlace,
        /// How it may be written.
        expression: Str,
    },
    /// A request asks for fewer devices: for as many as it can get.
    Count {
        /// Place of the claim in the question.
        claim: usize,
        /// Name of the request.
        request: Str,
        /// How many it asks for.
        asked: usize,
        /// How many it can get.
        instead: usize,
    },
    /// A request asks for less of a capacity.
    Capacity {
        /// Place of the claim in the question.
        claim: usize,
        /// Name of the request.
        request: Str,
        /// Name of the capacity, as the request has it.
        capacity: QualifiedName,
        /// How much it asks for.
        asked: Quantity,
        /// How much it can get.
        instead: Quantity,
    },
    /// A claim has no such constraint.
    Constraint {
        /// Place of the claim in the question.
        claim: usize,
        /// Place of the constraint in the claim.
        constraint: usize,
        /// The attribute that it compares.
        attribute: FullyQualifiedName,
        /// Whether it demands different values.
        distinct: bool,
    },
    /// A placement policy does not require this.
    Policy {
        /// Place of the claim in the question.
        claim: usize,
        /// Place among what the policies of the claim require.
        place: usize,
        /// What it requires, as [`ConflictPolicy`](super::ConflictPolicy) says it.
        requires: String,
    },
    /// A pool has all of its slices: with those that are published it is enough.
    Pool {
        /// Driver of the pool.
        driver: Str,
        /// Name of the pool.
        pool: Str,
        /// How many slices of its last generation there are.
        published: usize,
        /// How many there are to be, by its slices.
        expected: i64,
    },
    /// Devices that publish nothing of an attribute publish it; none of them can be left out.
    Attribute {
        /// In canonical order.
        devices: Vec<DeviceId>,
        /// Its full name.
        attribute: FullyQualifiedName,
        /// The value that they publish then.
        value: DeviceAttribute,
    },
    /// There is no such selector.
    Selector {
        /// Which selector.
        of: SelectorPlace,
        /// What it says.
        expression: Str,
    },
}

/// Says where a name of an attribute or a capacity is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum NamePlace {
    /// In a constraint of a claim, which compares the attribute.
    Constraint {
        /// Place of the claim in the question.
        claim: usize,
        /// Place of the constraint in the claim.
        constraint: usize,
    },
    /// Among the capacities that a request asks for.
    Capacity {
        /// Place of the claim in the question.
        claim: usize,
        /// Name of the request.
        request: Str,
    },
    /// In a selector.
    Selector {
        /// Which selector.
        of: SelectorPlace,
        /// What it says with the other name.
        expression: Str,
    },
}

/// Says where a selector is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum SelectorPlace {
    /// In a class.
    Class {
        /// Name of the class.
        class: Str,
        /// Place of the selector in it.
        selector: usize,
    },
    /// In a request of a claim.
    Request {
        /// Place of the claim in the question.
        claim: usize,
        /// Name of the request.
        request: Str,
        /// Place of the selector in it.
        selector: usize,
    },
}

impl Remedy {
    /// Returns the stable name of the kind.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Name { .. } => "name",
            Self::Release { .. } => "release",
            Self::Toleration { .. } => "toleration",
            Self::Guard { .. } => "guard",
            Self::Count { .. } => "count",
            Self::Capacity { .. } => "capacity",
            Self::Constraint { .. } => "constraint",
            Self::Policy { .. } => "policy",
            Self::Pool { .. } => "pool",
            Self::Attribute { .. } => "attribute",
            Self::Selector { .. } => "selector",
        }
    }

    /// Returns the place of the kind among all: what is plainly wrong comes first, then what
    /// asks least of people. A toleration comes last: a taint has its reason.
    pub fn rank(&self) -> usize {
        match self {
            Self::Name { .. } => 0,
            Self::Release { .. } => 1,
            Self::Guard { .. } => 2,
            Self::Count { .. } => 3,
            Self::Capacity { .. } => 4,
            Self::Constraint { .. } => 5,
            Self::Policy { .. } => 6,
            Self::Pool { .. } => 7,
            Self::Attribute { .. } => 8,
            Self::Selector { .. } => 9,
            Self::Toleration { .. } => 10,
        }
    }

    /// Returns the same with larger counts, the largest first: all that a claim can have,
    /// below what is asked for. Other kinds than counts have none.
    pub fn larger_counts(&self) -> impl Iterator<Item = Self> + use<> {
        let (least, most) = match self {
            Self::Count { asked, instead, .. } => {
                let most = asked.saturating_sub(1).min(rules::MAX_DEVICES);
                (*instead + 1, most)
            }
            _ => (1, 0),
        };
        let remedy = self.clone();
        (least..=most).rev().map(move |count| {
            let mut larger = remedy.clone();
            if let Self::Count { instead, .. } = &mut larger {
                *instead = count;
            }
            larger
        })
    }

    /// Returns the place of the claim that it changes, if it changes one.
    pub fn claim(&self) -> Option<usize> {
        match self {
            Self::Toleration { claim, .. }
            | Self::Count { claim, .. }
            | Self::Capacity { claim, .. }
            | Self::Constraint { claim, .. }
            | Self::Policy { claim, .. } => Some(*claim),
            Self::Guard { of, .. } | Self::Selector { of, .. } => of.claim(),
            Self::Name { of, .. } => of.claim(),
            Self::Release { .. } | Self::Pool { .. } | Self::Attribute { .. } => None,
        }
    }

    /// Returns whether it changes what is asked, so that it is the same on all nodes.
    pub fn is_about_the_question(&self) -> bool {
        !matches!(
            self,
            Self::Release { .. } | Self::Pool { .. } | Self::Attribute { .. }
        )
    }
}

impl NamePlace {
    fn claim(&self) -> Option<usize> {
        match self {
            Self::Constraint { claim, .. } | Self::Capacity { claim, .. } => Some(*claim),
            Self::Selector { of, .. } => of.claim(),
        }
    }
}

impl SelectorPlace {
    fn claim(&self) -> Option<usize> {
        match self {
            Self::Class { .. } => None,
            Self::Request { claim, .. } => Some(*claim),
        }
    }
}

/// Prints such as ``selector 0 of request `gpu` ``.
impl Display for SelectorPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class { class, selector } => {
                write!(formatter, "selector {selector} of class `{class}`")
            }
            Self::Request {
                request, selector, ..
            } => write!(formatter, "selector {selector} of request `{request}`"),
        }
    }
}

/// Prints what somebody would have to do, such as ``ask for 3 devices instead of 4 in
/// request `gpu` ``.
impl Display for Remedy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name { of, name, instead } => write_name(formatter, of, name, instead),
            Self::Release { holders } => write!(formatter, "release {}", Listed(holders)),
            Self::Toleration {
                requests,
                tolerations,
                ..
            } => {
                let plural = if tolerations.len() == 1 { "" } else { "s" };
                write!(formatter, "tolerate the taint{plural} ")?;
                write_all(formatter, tolerations, write_taint)?;
                let plural = if requests.len() == 1 { "" } else { "s" };
                write!(formatter, " in request{plural} ")?;
                write_all(formatter, requests, |formatter, request| {
                    write!(formatter, "`{request}`")
                })
            }
            Self::Guard { of, expression } => {
                write!(
                    formatter,
                    "guard {of}, so that it first asks whether the device has what it reads: \
                     `{expression}`"
                )
            }
            Self::Count {
                request,
                asked,
                instead,
                ..
            } => {
                let plural = if *instead == 1 { "" } else { "s" };
                write!(
                    formatter,
                    "ask for {instead} device{plural} instead of {asked} in request `{request}`"
                )
            }
            Self::Capacity {
                request,
                capacity,
                asked,
                instead,
                ..
            } => write!(
                formatter,
                "ask for {instead} of `{capacity}` instead of {asked} in request `{request}`"
            ),
            Self::Constraint {
                attribute,
                distinct,
                ..
            } => {
                let field = if *distinct { "distinct" } else { "match" };
                write!(
                    formatter,
                    "drop the constraint `{field}Attribute: {attribute}`"
                )
            }
            Self::Policy { requires, .. } => {
                write!(formatter, "let the policy not require {requires}")
            }
            Self::Pool {
                driver,
                pool,
                published,
                expected,
            } => {
                let are = if *published == 1 { "is" } else { "are" };
                write!(
                    formatter,
                    "let driver `{driver}` publish all of pool `{pool}`: \
                     {published} of {expected} slices {are} there"
                )
            }
            Self::Attribute {
                devices,
                attribute,
                value,
            } => {
                write!(formatter, "publish `{attribute}` as {}", Value(value))?;
                match devices.as_slice() {
                    [] => Ok(()),
                    [one] => write!(formatter, " on device `{one}`"),
                    [first, ..] => {
                        let count = devices.len();
                        write!(formatter, " on {count} devices, such as `{first}`")
                    }
                }
            }
            Self::Selector { of, expression } => {
                write!(formatter, "drop {of}: `{expression}`")
            }
        }
    }
}

/// Prints which name is to be written where.
fn write_name(
    formatter: &mut fmt::Formatter<'_>,
    of: &NamePlace,
    name: &str,
    instead: &str,
) -> fmt::Result {
    let verb = match of {
        NamePlace::Constraint { .. } => "compare",
        NamePlace::Capacity { .. } => "ask for",
        NamePlace::Selector { .. } => "read",
    };
    write!(
        formatter,
        "{verb} `{instead}`, which devices publish, instead of `{name}`"
    )?;
    match of {
        NamePlace::Constraint { .. } => Ok(()),
        NamePlace::Capacity { request, .. } => write!(formatter, " in request `{request}`"),
        NamePlace::Selector { of, .. } => write!(formatter, " in {of}"),
    }
}

/// Prints the value of an attribute, texts in quotes.
struct Value<'a>(&'a DeviceAttribute);

impl Display for Value<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            DeviceAttribute::Int(value) => value.fmt(formatter),
            DeviceAttribute::Bool(value) => value.fmt(formatter),
            DeviceAttribute::String(value) => write!(formatter, "\"{value}\""),
            DeviceAttribute::Version(value) => write!(formatter, "version {value}"),
            // Only single values are tried.
            _ => formatter.write_str("another value"),
        }
    }
}

/// Prints the taint that is tolerated.
fn write_taint(formatter: &mut fmt::Formatter<'_>, tolerated: &DeviceToleration) -> fmt::Result {
    let taint = DeviceTaint {
        key: tolerated.key.clone(),
        value: tolerated.value.clone(),
        effect: tolerated.effect.clone(),
        time_added: None,
    };
    write!(formatter, "`{taint}`")
}

/// Joins things as people do.
fn write_all<T>(
    formatter: &mut fmt::Formatter<'_>,
    all: &[T],
    write: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (place, one) in all.iter().enumerate() {
        formatter.write_str(match place {
            0 => "",
            _ if place + 1 == all.len() => " and ",
            _ => ", ",
        })?;
        write(formatter, one)?;
    }
    Ok(())
}
