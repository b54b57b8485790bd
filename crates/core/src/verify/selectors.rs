//! Expressions, compiled and evaluated for one device at a time.

use std::collections::BTreeMap;

use dralloc_cel::{Options, Program, Scratch, Verdict};

use super::pools::Offer;
use crate::eligible::{DeviceRow, derive};
use crate::features::Features;
use crate::model::{DeviceAttribute, Str};

/// Keeps compiled expressions for one check of an answer.
pub(super) struct Expressions {
    features: Features,
    selectors: BTreeMap<Str, Result<Program, String>>,
    derived: BTreeMap<Str, Result<Program, String>>,
    scratch: Scratch,
}

impl Expressions {
    pub(super) fn new(features: Features) -> Self {
        Self {
            features,
            selectors: BTreeMap::new(),
            derived: BTreeMap::new(),
            scratch: Scratch::new(),
        }
    }

    /// Returns whether a selector matches a device, or why that cannot be known.
    pub(super) fn matches(&mut self, source: &Str, offer: &Offer<'_>) -> Result<bool, String> {
        let program = compiled(
            &mut self.selectors,
            source,
            self.features.selector_options(),
        )?;
        match program.matches(&row(offer)?, &mut self.scratch) {
            Verdict::Match => Ok(true),
            Verdict::NoMatch => Ok(false),
            Verdict::Error(error) => Err(error.to_string()),
        }
    }

    /// Returns a derived attribute of a device, or why it has none.
    pub(super) fn derive(
        &mut self,
        source: &Str,
        offer: &Offer<'_>,
    ) -> Result<DeviceAttribute, String> {
        let program = compiled(
            &mut self.derived,
            source,
            self.features.derived_attribute_options(),
        )?;
        derive(program, &row(offer)?, &mut self.scratch).map_err(|error| error.to_string())
    }
}

fn row<'a>(offer: &Offer<'a>) -> Result<DeviceRow<'a>, String> {
    DeviceRow::new(&offer.spec.driver, offer.device).map_err(|error| error.to_string())
}

fn compiled<'p>(
    programs: &'p mut BTreeMap<Str, Result<Program, String>>,
    source: &Str,
    options: Options,
) -> Result<&'p Program, String> {
    let compile = || Program::compile(source, &options).map_err(|error| error.to_string());
    let program = programs.entry(source.clone()).or_insert_with(compile);
    program.as_ref().map_err(Clone::clone)
}
