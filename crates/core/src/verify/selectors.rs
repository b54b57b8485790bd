//! Expressions, compiled and evaluated for one device at a time.

use std::collections::BTreeMap;

use dralloc_cel::{Options, Program, Scratch, Verdict};

use super::pools::Offer;
use crate::eligible::{Row, derive};
use crate::model::{DeviceAttribute, Str};

/// Keeps compiled expressions for one check of an answer.
#[derive(Default)]
pub(super) struct Expressions {
    selectors: BTreeMap<Str, Result<Program, String>>,
    derived: BTreeMap<Str, Result<Program, String>>,
    scratch: Scratch,
}

impl Expressions {
    /// Returns whether a selector matches a device, or why that cannot be known.
    pub(super) fn matches(&mut self, source: &Str, offer: &Offer<'_>) -> Result<bool, String> {
        let program = compiled(&mut self.selectors, source, Options::selector())?;
        let row = Row::new(&offer.spec.driver, offer.device).map_err(|error| error.to_string())?;
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
        let program = compiled(&mut self.derived, source, Options::derived_attribute())?;
        derive(program, &offer.spec.driver, offer.device, &mut self.scratch)
            .map_err(|error| error.to_string())
    }
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
