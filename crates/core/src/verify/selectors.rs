//! Expressions, compiled and evaluated for one device at a time.

use std::collections::BTreeMap;

use dralloc_cel::{Options, Program, Scratch, Verdict};

use super::pools::Offer;
use crate::eligible::{Row, derive};
use crate::features::Features;
use crate::model::{DeviceAttribute, Str};
use crate::store::Rows;

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
        let rows = Rows::new(std::slice::from_ref(offer.device));
        let row = row(offer, &rows)?;
        match program.matches(&row, &mut self.scratch) {
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
        let rows = Rows::new(std::slice::from_ref(offer.device));
        derive(program, &row(offer, &rows)?, &mut self.scratch).map_err(|error| error.to_string())
    }
}

/// Shows the only device of the rows.
fn row<'a>(offer: &'a Offer<'_>, rows: &'a Rows) -> Result<Row<'a>, String> {
    Row::new(&offer.spec.driver, offer.device, rows, 0).map_err(ToString::to_string)
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
