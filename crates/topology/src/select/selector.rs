//! [`Selector`]: whoever answers for a machine.

use super::{Choice, Method, Question, Term};
use crate::error::{Code, Error};
use crate::knapsack::Knapsack;
use crate::search::Search;
use crate::table::{Table, mask, members};
use crate::topology::Topology;
use crate::watch::{Halt, Unwatched, Watch};

/// Answers which set is the best: by a [`Table`] up to 16 devices, else by a
/// [`Knapsack`], and where direct links join more than 16 devices, up to 32 of them, by
/// branch and bound over `ring` and `links`.
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
pub struct Selector {
    /// Whom it answers for, ascending.
    devices: Vec<usize>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Table(Box<Table>),
    Tree(Box<Knapsack>),
    Search(Box<Search>),
}

impl Selector {
    /// Returns the selector of a machine.
    ///
    /// # Errors
    ///
    /// Those of [`Knapsack::new`], for more than 16 devices, or 32 with direct links.
    pub fn new(topology: &Topology) -> Result<Self, Error> {
        Self::of(
            topology,
            &(0..topology.device_count()).collect::<Vec<usize>>(),
        )
    }

    /// Returns the selector of some devices of a topology, such as a tray of a rack.
    ///
    /// Numbers stay those of the topology. It answers as if all other devices were not
    /// free; [`Table::of`] says what is different for packing potential of up to 16.
    ///
    /// # Errors
    ///
    /// Those of [`Knapsack::new`], for more than 16 devices, or 32 with direct links.
    pub fn of(topology: &Topology, devices: &[usize]) -> Result<Self, Error> {
        let devices = topology.members(devices);
        let kind = match Table::of(topology, &devices) {
            Some(table) => Kind::Table(Box::new(table)),
            None => match (
                Knapsack::of(topology, &devices),
                Search::of(topology, &devices),
            ) {
                (Ok(knapsack), _) => Kind::Tree(Box::new(knapsack)),
                (Err(_), Some(search)) => Kind::Search(Box::new(search)),
                (Err(error), None) => return Err(error),
            },
        };
        Ok(Self { devices, kind })
    }

    /// Returns the usual order of terms, as far as it can be weighed: [`Term::USUAL`], or
    /// rings and links alone where direct links join more than 16 devices.
    pub fn usual_terms(&self) -> &'static [Term] {
        match self.kind {
            Kind::Table(_) | Kind::Tree(_) => &Term::USUAL,
            Kind::Search(_) => &[Term::Ring, Term::Links],
        }
    }

    /// Returns the best set; none where there is no set of that size among the free
    /// devices.
    ///
    /// # Errors
    ///
    /// [`Code::Duplicate`] for a term that is there twice. Those of [`Knapsack::select`], for
    /// more than 16 devices. Where direct links join more, [`Code::Unsupported`] for other
    /// terms than `ring` and `links`, and [`Code::LimitExceeded`] after 131,072 steps.
    pub fn select(&self, question: &Question<'_>) -> Result<Option<Choice>, Error> {
        let Ok(answer) = self.select_until(question, &mut Unwatched);
        answer
    }

    /// Returns what [`Selector::select`] does, unless it is stopped.
    ///
    /// # Errors
    ///
    /// Outside that it was stopped, inside those of [`Selector::select`].
    pub fn select_until<W: Watch>(
        &self,
        question: &Question<'_>,
        watch: &mut W,
    ) -> Result<Result<Option<Choice>, Error>, W::Stop> {
        match self.answer(question, watch) {
            Ok(choice) => Ok(Ok(choice)),
            Err(Halt::Error(error)) => Ok(Err(error)),
            Err(Halt::Stopped(stop)) => Err(stop),
        }
    }

    fn answer<W: Watch>(
        &self,
        question: &Question<'_>,
        watch: &mut W,
    ) -> Result<Option<Choice>, Halt<W::Stop>> {
        // The second of two equal ones decides nothing, so another was meant.
        let terms = || question.terms.iter();
        let is_again = |(place, term): &(usize, &Term)| terms().take(*place).any(|it| it == *term);
        if let Some((_, term)) = terms().enumerate().find(is_again) {
            let message = format!("term `{term}` is there twice, expected each once");
            return Err(Error::new(Code::Duplicate, "", message).into());
        }
        match &self.kind {
            Kind::Table(table) => {
                let choice = self.of_table(table, question, watch);
                choice.map_err(Halt::Stopped)
            }
            Kind::Tree(knapsack) => knapsack.select_until(question, watch),
            Kind::Search(search) => {
                let (free, required) = (self.places(question.free), self.places(question.required));
                if required.len() < question.required.len() {
                    return Ok(None);
                }
                let question = Question {
                    free: &free,
                    required: &required,
                    ..*question
                };
                let choice = search.select(&question, watch)?;
                Ok(choice.map(|choice| Choice {
                    devices: self.devices(&choice.devices),
                    ..choice
                }))
            }
        }
    }

    /// Returns the place of a device among those that it answers for.
    fn place(&self, device: usize) -> Option<usize> {
        self.devices.binary_search(&device).ok()
    }

    /// Returns the places of those devices that it answers for.
    fn places(&self, devices: &[usize]) -> Vec<usize> {
        let places = devices.iter().filter_map(|&device| self.place(device));
        places.collect()
    }

    /// Returns the devices at some places.
    fn devices(&self, places: &[usize]) -> Vec<usize> {
        let devices = places.iter();
        devices
            .filter_map(|&place| self.devices.get(place).copied())
            .collect()
    }

    fn of_table<W: Watch>(
        &self,
        table: &Table,
        question: &Question<'_>,
        watch: &mut W,
    ) -> Result<Option<Choice>, W::Stop> {
        let (free, required) = (self.places(question.free), self.places(question.required));
        if required.len() < question.required.len() {
            return Ok(None);
        }
        let (free, required) = (mask(&free), mask(&required));
        let sets = (free, free, required);
        let set = table.best_until(sets, question.count, question.terms, watch)?;
        let packing = question.terms.contains(&Term::Packing);
        Ok(set.map(|set| Choice {
            devices: self.devices(&members(usize::from(set))),
            ring: table.ring(set),
            links: table.links(set),
            span: table.span(set),
            potential: packing.then(|| table.potential(free & !set)),
            method: Method::Sets,
        }))
    }
}
