//! [`Usual`]: what usual questions say of the devices of a node.
//!
//! Both short ways are compiled from it. They differ in which devices they can
//! take, and in how they keep them.

use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::claims::{Alternative, ConstraintKind, Needed, PreparedClaims, PreparedConstraint};
use crate::constraint::{AttributeSets, SetId};
use crate::eligible::Verdicts;
use crate::outcome::StopCause;
use crate::rules::{self, AttributeSet, MAX_DEVICES};
use crate::solver::problem::Judge;
use crate::store::{NodeView, PoolStatus};

/// With more alternatives of all requests than this a question is not usual.
///
/// A claim may have 32 requests with 8 alternatives each.
const MAX_CHOICES: usize = 256;

/// Is a usual question with what can be said of it without what is held.
pub(super) struct Usual<'a, S> {
    /// What evaluating the selectors is worth.
    pub(super) branches: u64,
    /// The alternatives of all requests, in order.
    pub(super) choices: Vec<Selected<'a, S>>,
    /// The constraints of all claims, in order.
    pub(super) columns: Vec<Column<'a>>,
}

/// Is one alternative of a request with the devices that it can have.
pub(super) struct Selected<'a, S> {
    pub(super) claim: usize,
    /// Place of the request in its claim.
    pub(super) request: usize,
    /// Place in its request.
    pub(super) place: usize,
    pub(super) alternative: &'a Alternative,
    pub(super) devices: S,
    /// Places of the constraints for it.
    pub(super) constraints: Box<[usize]>,
}

/// Is a set of devices from which some are taken out.
pub(super) trait Devices {
    /// Takes out the devices that are not to be kept.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    fn retain(
        &mut self,
        keep: impl FnMut(usize) -> Result<bool, StopCause>,
    ) -> Result<(), StopCause>;
}

impl<'a, S: Devices> Usual<'a, S> {
    /// Reads claims on a node; nothing if the question is not usual.
    ///
    /// `qualify` returns those of the devices that match which qualify and are
    /// refused by nothing but what is held; nothing if one of them is unusual.
    ///
    /// # Errors
    ///
    /// If it is stopped while selectors are evaluated. Nothing else can be wrong
    /// with a usual question, so the search would be stopped there, too.
    pub(super) fn read(
        claims: &'a PreparedClaims,
        view: &NodeView,
        verdicts: &mut Verdicts,
        meter: &mut Meter<'_>,
        mut qualify: impl FnMut(
            &Judge<'_>,
            &Bitmap,
            &Alternative,
            &mut Meter<'_>,
        ) -> Result<Option<S>, StopCause>,
    ) -> Result<Option<Self>, StopCause> {
        if !are_usual(claims) || uses_groups(view, meter)? {
            return Ok(None);
        }
        let judge = Judge {
            features: claims.features(),
            view,
        };
        let mut usual = Self {
            branches: 0,
            choices: Vec::new(),
            columns: Vec::new(),
        };
        let mut is_usual = true;
        for (claim, prepared) in claims.claims().iter().enumerate() {
            let first = usual.columns.len();
            let constraints = prepared.constraints.iter();
            usual
                .columns
                .extend(constraints.map(|one| Column::new(one, view)));
            let requests = prepared.requests.iter().enumerate();
            let alternatives = requests.flat_map(|(request, prepared)| {
                let alternatives = prepared.alternatives.iter().enumerate();
                alternatives.map(move |(place, alternative)| (request, place, alternative))
            });
            for (request, place, alternative) in alternatives {
                let branches = &mut usual.branches;
                let mut charge = |worth: u64| {
                    *branches = branches.saturating_add(worth);
                    meter.evaluation(worth)
                };
                let selected =
                    verdicts.select(claims, &alternative.selectors, view, &mut charge)?;
                let qualified = if selected.errors.is_empty() {
                    qualify(&judge, &selected.matches, alternative, meter)?
                } else {
                    None
                };
                // The selectors of all alternatives count, whatever comes of the question.
                let Some(mut devices) = qualified else {
                    is_usual = false;
                    continue;
                };
                let mut places = Vec::new();
                for (number, column) in usual.columns.iter_mut().enumerate().skip(first) {
                    if alternative.name.is_among(&column.constraint.requests) {
                        devices.retain(|device| {
                            meter.effort(1)?;
                            Ok(column.show(view, claims, device))
                        })?;
                        places.push(number);
                    }
                }
                usual.choices.push(Selected {
                    claim,
                    request,
                    place,
                    alternative,
                    devices,
                    constraints: places.into(),
                });
            }
        }
        Ok(is_usual.then_some(usual))
    }
}

/// Returns whether nothing about claims asks for more than the short way can do.
fn are_usual(claims: &PreparedClaims) -> bool {
    let mut matches = claims.claims().iter().flat_map(|claim| &claim.constraints);
    let mut claims_with_requests = claims.claims().iter().map(|claim| &claim.requests);
    (1..=MAX_CHOICES).contains(&claims.alternatives().count())
        && matches.all(|constraint| constraint.kind == ConstraintKind::Match)
        && claims.alternatives().all(|one| {
            let count = (1..=MAX_DEVICES).contains(&needed(one));
            count && !one.admin_access && one.derived_attributes.is_empty()
        })
        && claims_with_requests.all(|requests| {
            let least = requests.iter().map(|request| {
                let alternatives = request.alternatives.iter();
                alternatives.map(needed).min().unwrap_or(0)
            });
            least.sum::<usize>() <= MAX_DEVICES
        })
}

/// Returns whether a request has several alternatives.
pub(super) fn have_choice(claims: &PreparedClaims) -> bool {
    let mut requests = claims.claims().iter().flat_map(|claim| &claim.requests);
    requests.any(|request| request.alternatives.len() != 1)
}

/// Returns the number of devices that an alternative asks for; none for all.
pub(super) fn needed(alternative: &Alternative) -> usize {
    match alternative.needed {
        Needed::Count(count) => count,
        Needed::All => 0,
    }
}

/// Returns the places of the pools of a view that are invalid: they make "no" an error.
pub(super) fn invalid_pools(view: &NodeView) -> impl Iterator<Item = usize> + '_ {
    let pools = view.pools.iter().enumerate();
    let invalid = pools.filter(|(_, pool)| matches!(pool.status, PoolStatus::Invalid(_)));
    invalid.map(|(place, _)| place)
}

/// Returns whether devices that a node may see have compatibility groups.
fn uses_groups(view: &NodeView, meter: &mut Meter<'_>) -> Result<bool, StopCause> {
    let pools = view.pools.iter();
    for stored in pools.flat_map(|pool| pool.slices.iter().chain(&pool.elsewhere)) {
        meter.look_at(stored.devices.len())?;
        if rules::uses_compatibility_groups(&stored.slice) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Is a constraint while what devices show to it is written down.
pub(super) struct Column<'a> {
    pub(super) constraint: &'a PreparedConstraint,
    pub(super) sets: AttributeSets,
    /// By device; none also for those that were not looked at.
    pub(super) shown: Vec<Option<SetId>>,
}

impl<'a> Column<'a> {
    /// Returns one to which no device has shown anything.
    pub(super) fn new(constraint: &'a PreparedConstraint, view: &NodeView) -> Self {
        Self {
            constraint,
            sets: AttributeSets::default(),
            shown: vec![None; view.devices.len()],
        }
    }

    /// Writes down what a device shows; returns whether that is anything.
    pub(super) fn show(&mut self, view: &NodeView, claims: &PreparedClaims, device: usize) -> bool {
        let lists = claims.features().list_type_attributes;
        let entry = &view.devices[device];
        let attribute = rules::lookup(entry.device(), entry.driver(), &self.constraint.attribute);
        let Some(set) = attribute.and_then(|attribute| AttributeSet::of(attribute, lists)) else {
            return false;
        };
        self.shown[device] = Some(self.sets.add(set));
        true
    }
}
