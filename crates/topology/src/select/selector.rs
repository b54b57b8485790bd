//! [`Selector`]: whoever answers for a machine.

use super::{Choice, Method, Question, Term};
use crate::error::Error;
use crate::knapsack::Knapsack;
use crate::table::{Table, mask, members};
use crate::topology::Topology;

/// Answers which set is the best: by a [`Table`] up to 16 devices, else by a
/// [`Knapsack`].
///
/// # Examples
///
/// Half of a rack of 72 devices, of which some are taken:
///
/// ```
/// # use dralloc_topology::{Document, Question, Selector, Term, Topology};
/// # let text = include_str!("../../../../testdata/topologies/gb200-nvl72-rack.json");
/// let rack = Topology::new(&Document::read(text)?)?;
/// let selector = Selector::new(&rack)?;
/// let free: Vec<usize> = (3..72).collect();
/// let terms = &Term::USUAL;
/// let choice = selector.select(&Question { free: &free, count: 36, required: &[], terms })?;
/// let choice = choice.expect("enough are free");
/// assert_eq!(choice.ring.rings.to_string(), "18");
/// // The host that is broken already gives its last device to whoever needs only one.
/// let one = Question { free: &free, count: 1, required: &[], terms };
/// assert_eq!(selector.select(&one)?.map(|choice| choice.devices), Some(vec![3]));
/// # Ok::<(), dralloc_topology::Error>(())
/// ```
#[derive(Debug)]
pub struct Selector(Kind);

#[derive(Debug)]
enum Kind {
    Table(Box<Table>),
    Tree(Box<Knapsack>),
}

impl Selector {
    /// Returns the selector of a machine.
    ///
    /// # Errors
    ///
    /// Those of [`Knapsack::new`], for more than 16 devices.
    pub fn new(topology: &Topology) -> Result<Self, Error> {
        Ok(Self(match Table::new(topology) {
            Some(table) => Kind::Table(Box::new(table)),
            None => Kind::Tree(Box::new(Knapsack::new(topology)?)),
        }))
    }

    /// Returns the best set; none where there is no set of that size among the free
    /// devices.
    ///
    /// # Errors
    ///
    /// Those of [`Knapsack::select`], for more than 16 devices.
    pub fn select(&self, question: &Question<'_>) -> Result<Option<Choice>, Error> {
        match &self.0 {
            Kind::Table(table) => Ok(of_table(table, question)),
            Kind::Tree(knapsack) => knapsack.select(question),
        }
    }
}

fn of_table(table: &Table, question: &Question<'_>) -> Option<Choice> {
    let known = |device: &&usize| **device < table.len();
    if question.required.iter().any(|device| !known(&device)) {
        return None;
    }
    let free: Vec<usize> = question.free.iter().filter(known).copied().collect();
    let free = mask(&free);
    let set = table.best(
        free,
        mask(question.required),
        question.count,
        question.terms,
    )?;
    Some(Choice {
        devices: members(usize::from(set)),
        ring: table.ring(set),
        links: table.links(set),
        span: table.span(set),
        potential: question
            .terms
            .contains(&Term::Packing)
            .then(|| table.potential(free & !set)),
        method: Method::Sets,
    })
}
