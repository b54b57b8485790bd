//! [`Verdicts`]: what selectors say of slices, evaluated once.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use dralloc_cel::{Scratch, Verdict};

use super::Row;
use crate::bitmap::Bitmap;
use crate::claims::{Expression, ExpressionId, PreparedClaims};
use crate::error::{Code, Error};
use crate::model::Str;
use crate::store::{NodeView, StoredSlice};

/// More verdicts than this are forgotten all at once: those of slices that
/// are gone would stay forever otherwise.
const MAX_ENTRIES: usize = 1 << 20;

/// Keeps what each selector says of the devices of each slice.
///
/// A verdict depends on the text of the expression and on the content of the
/// slice, and on nothing else.
#[derive(Debug, Default)]
pub(crate) struct Verdicts {
    sources: BTreeMap<Str, u32>,
    /// Numbers of the expressions of the claims that were asked about last.
    last: Option<(PreparedClaims, Vec<u32>)>,
    slices: BTreeMap<(u32, u64), Arc<SliceVerdicts>>,
    scratch: Scratch,
}

#[derive(Debug)]
struct SliceVerdicts {
    /// Revisions are counted by each engine for itself: the slice must be the same, too.
    stored: Weak<StoredSlice>,
    matches: Bitmap,
    /// Devices on which the selector fails, in order.
    errors: Vec<(usize, Error)>,
}

/// Is what the selectors of a request say of the devices of a node.
#[derive(Debug)]
pub(crate) struct Selected {
    /// Devices that all selectors match.
    pub(crate) matches: Bitmap,
    /// Devices on which a selector fails before another says no, in order, with
    /// the place of the selector.
    pub(crate) errors: Vec<(usize, usize, Error)>,
}

impl Verdicts {
    /// Returns what selectors say of all devices of a node, each asked only
    /// where those before it match.
    pub(crate) fn select(
        &mut self,
        claims: &PreparedClaims,
        selectors: &[ExpressionId],
        view: &NodeView,
    ) -> Selected {
        self.number(claims);
        let mut selected = Selected {
            matches: Bitmap::full(view.devices.len()),
            errors: Vec::new(),
        };
        for (place, id) in selectors.iter().enumerate() {
            let mut first = 0;
            let mut matches = Bitmap::new(view.devices.len());
            while let Some(entry) = view.devices.get(first) {
                let verdicts = self.of_slice(claims, *id, &entry.stored);
                for device in verdicts.matches.iter() {
                    matches.insert(first + device);
                }
                for (device, error) in &verdicts.errors {
                    if selected.matches.contains(first + device) {
                        selected.errors.push((first + device, place, error.clone()));
                    }
                }
                first += entry.stored.devices.len();
            }
            selected.matches.intersect(&matches);
        }
        selected.errors.sort_by_key(|(device, ..)| *device);
        selected
    }

    /// Gives numbers to the expressions of claims, unless they are those of the last call.
    fn number(&mut self, claims: &PreparedClaims) {
        if self
            .last
            .as_ref()
            .is_some_and(|(last, _)| last.is_same(claims))
        {
            return;
        }
        let mut numbers = Vec::with_capacity(claims.expressions().len());
        for expression in claims.expressions() {
            let next = u32::try_from(self.sources.len()).unwrap_or(u32::MAX);
            numbers.push(
                *self
                    .sources
                    .entry(expression.source.clone())
                    .or_insert(next),
            );
        }
        self.last = Some((claims.clone(), numbers));
    }

    fn of_slice(
        &mut self,
        claims: &PreparedClaims,
        id: ExpressionId,
        stored: &Arc<StoredSlice>,
    ) -> Arc<SliceVerdicts> {
        let numbers = self.last.as_ref().map(|(_, numbers)| numbers);
        let number = numbers.and_then(|numbers| numbers.get(id.index())).copied();
        let key = (number.unwrap_or(u32::MAX), stored.revision);
        if let Some(verdicts) = self.slices.get(&key)
            && std::ptr::eq(verdicts.stored.as_ptr(), Arc::as_ptr(stored))
        {
            return Arc::clone(verdicts);
        }
        let verdicts = Arc::new(evaluate(claims.expression(id), stored, &mut self.scratch));
        if self.slices.len() >= MAX_ENTRIES {
            self.slices.clear();
        }
        self.slices.insert(key, Arc::clone(&verdicts));
        verdicts
    }
}

fn evaluate(
    expression: &Expression,
    stored: &Arc<StoredSlice>,
    scratch: &mut Scratch,
) -> SliceVerdicts {
    let spec = &stored.slice.spec;
    let mut verdicts = SliceVerdicts {
        stored: Arc::downgrade(stored),
        matches: Bitmap::new(spec.devices.len()),
        errors: Vec::new(),
    };
    for (place, device) in spec.devices.iter().enumerate() {
        let verdict = match (&expression.program, Row::new(&spec.driver, device)) {
            (Err(error), _) => Err(error.clone()),
            (Ok(_), Err(error)) => Err(Error::new(Code::Attribute, error.to_string())),
            (Ok(program), Ok(row)) => match program.matches(&row, scratch) {
                Verdict::Match => Ok(true),
                Verdict::NoMatch => Ok(false),
                Verdict::Error(error) => Err(Error::new(Code::CelEvaluation, error.to_string())),
            },
        };
        match verdict {
            Ok(true) => verdicts.matches.insert(place),
            Ok(false) => {}
            Err(error) => verdicts.errors.push((place, error)),
        }
    }
    verdicts
}
