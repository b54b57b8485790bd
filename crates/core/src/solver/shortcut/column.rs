//! [`Column`]: what devices show to a match constraint.

use crate::claims::{PreparedClaims, PreparedConstraint};
use crate::constraint::{AttributeSets, SetId};
use crate::rules::{self, AttributeSet};
use crate::store::NodeView;

/// Is a constraint while what devices show to it is written down.
pub(in crate::solver) struct Column<'a> {
    pub(in crate::solver) constraint: &'a PreparedConstraint,
    pub(in crate::solver) sets: AttributeSets,
    /// By device; none also for those that were not looked at.
    pub(in crate::solver) shown: Vec<Option<SetId>>,
}

impl<'a> Column<'a> {
    /// Returns one to which no device has shown anything.
    pub(in crate::solver) fn new(constraint: &'a PreparedConstraint, view: &NodeView) -> Self {
        Self {
            constraint,
            sets: AttributeSets::default(),
            shown: vec![None; view.devices.len()],
        }
    }

    /// Writes down what a device shows; returns whether that is anything.
    pub(in crate::solver) fn show(
        &mut self,
        view: &NodeView,
        claims: &PreparedClaims,
        device: usize,
    ) -> bool {
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
