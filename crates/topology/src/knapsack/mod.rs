//! [`Knapsack`]: the best set in a tree of domains, up to thousands of devices.

mod classes;
mod filter;
mod leaves;
mod line;
mod merge;
mod mesh;
mod parts;
mod pick;
mod potential;
mod tables;

pub(crate) use self::potential::of_domain;

use std::cmp::Reverse;

use self::filter::{Filter, State};
use self::parts::Parts;
use self::tables::{Tables, Weighs};
use crate::domain::{DomainTree, Scope};
use crate::error::{Code, Error};
use crate::ratio::Ratio;
use crate::select::{Choice, Method, Question, Term};
use crate::topology::Topology;
use crate::watch::{Halt, Unwatched, Watch};

/// Answers for racks and clusters which set is the best: devices are linked over switches,
/// or directly inside of domains of up to 16, such as hosts.
///
/// Over switches all that counts follows from how many devices each domain gives, so it is
/// a knapsack over the tree of domains ([`DomainTree`]): the best value of `j` devices of a
/// domain is the best sum over its parts, for all `j` at once. Domains with direct links
/// are its leaves: their best values come from all their sets, by a
/// [`Table`](crate::Table). Exact, and domains that look alike (as many free devices, parts
/// alike) are solved once.
///
/// With `n` devices, `k` of them wanted: at most `n` times `k` steps for each level, and 2^m
/// for each kind of leaf with `m` free devices; where devices of an `NVLink` domain have
/// different numbers of links, `n` times `k` for each number of devices of this domain.
///
/// # Terms
///
/// Any of `ring`, `links`, `span`, `packing`, in this order:
///
/// - Rings are those of a set inside one `NVLink` domain or one leaf; a set over several
///   has none.
/// - Links are summed over pairs inside a domain.
/// - The span is that of the smallest domain with all devices.
/// - Packing potential of the free devices: over all domains with two devices or more,
///   and over the sizes 2, 4, 8, and so on below the size of the domain, and that size:
///   in how many devices sets of that size can still be cut. So broken domains are used
///   up first, and whole ones stay whole: buddy allocation, on every level.
///
/// # Order
///
/// Among equal sets it is the one that takes as many as it can from the first domain of
/// the outermost level where they differ, then from the second, and so on; domains are in
/// the order of their first device.
#[derive(Clone, Debug)]
pub struct Knapsack {
    tree: DomainTree,
    allowed: Vec<Vec<usize>>,
    /// Whom it answers for, ascending.
    devices: Vec<usize>,
    parts: Parts,
    /// What one link counts beside potential.
    worth: i64,
}

impl Knapsack {
    /// Returns the knapsack of a machine or cluster.
    ///
    /// # Errors
    ///
    /// [`Code::Unsupported`] where direct links join devices of a domain of more than 16,
    /// where links into switches have different rates, or where devices of one `NVLink`
    /// domain are on different switches or in no domain of the tree by themselves;
    /// [`Code::LimitExceeded`] where links and potential together do not fit into 60 bits,
    /// where more than 1,024 devices of one `NVLink` domain have different numbers of
    /// links, or where domains with direct links are of more than 64 kinds of 16 devices.
    pub fn new(topology: &Topology) -> Result<Self, Error> {
        Self::of(
            topology,
            &(0..topology.device_count()).collect::<Vec<usize>>(),
        )
    }

    /// Returns the knapsack of some devices of a topology; others are never free.
    ///
    /// # Errors
    ///
    /// Those of [`Knapsack::new`], by the links of these devices.
    pub fn of(topology: &Topology, devices: &[usize]) -> Result<Self, Error> {
        let devices = topology.members(devices);
        let parts = Parts::new(topology, &devices)?;
        let all = potential::of(topology.domains(), |_| true);
        let worth = (all + 1).checked_next_power_of_two();
        let most = worth.and_then(|worth| parts.all_links().checked_mul(worth));
        let worth = worth.and_then(|worth| i64::try_from(worth).ok());
        let Some(worth) = worth.filter(|_| most.is_some_and(|most| most < 1 << 60)) else {
            let message = "expected fewer links between so many devices";
            return Err(Error::new(Code::LimitExceeded, "spec.links", message));
        };
        Ok(Self {
            tree: topology.domains().clone(),
            allowed: topology.allowed_sets().to_vec(),
            devices,
            parts,
            worth,
        })
    }

    /// Returns the best set; none where there are not enough free devices.
    ///
    /// # Errors
    ///
    /// [`Code::Unsupported`] for terms in another order, or others.
    pub fn select(&self, question: &Question<'_>) -> Result<Option<Choice>, Error> {
        let choice = self.select_until(question, &mut Unwatched);
        choice.map_err(Halt::error)
    }

    /// Returns what [`Knapsack::select`] does, unless it is stopped.
    pub(crate) fn select_until<W: Watch>(
        &self,
        question: &Question<'_>,
        watch: &mut W,
    ) -> Result<Option<Choice>, Halt<W::Stop>> {
        check(question.terms)?;
        let Some(free) = self.states(question) else {
            return Ok(None);
        };
        let devices = if self.allowed.is_empty() {
            self.best(&free, question, watch)
        } else {
            self.best_allowed(&free, question, watch)
        };
        let devices = devices.map_err(Halt::Stopped)?;
        let packing = question.terms.contains(&Term::Packing);
        Ok(devices.map(|devices| self.choice(devices, &free, packing)))
    }

    /// Returns the best set, ascending.
    fn best<W: Watch>(
        &self,
        free: &Filter,
        question: &Question<'_>,
        watch: &mut W,
    ) -> Result<Option<Vec<usize>>, W::Stop> {
        let has = |term: Term| question.terms.contains(&term);
        let tree = &self.tree;
        // Where a set with rings fits into one `NVLink` domain, links are settled by
        // which devices of a domain may be taken; else they are weighed in the tree.
        let mut inside = None;
        if has(Term::Ring) {
            let links = has(Term::Links);
            inside = self.parts.inside(free, question.count, links, watch)?;
        }
        let (filter, mut roots): (Filter, Vec<usize>) = match &inside {
            Some(inside) => (
                self.parts
                    .filter(free, &inside.parts, question.count, has(Term::Links)),
                inside
                    .parts
                    .iter()
                    .map(|&part| self.parts.domain(part))
                    .collect(),
            ),
            None => (free.clone(), vec![0]),
        };
        let weighs = match &inside {
            Some(inside) => {
                let links = has(Term::Links).then_some(inside.links);
                Weighs::Rings(&self.parts, inside.rings, links)
            }
            None if has(Term::Links) => Weighs::Links(&self.parts),
            None => Weighs::Nothing,
        };
        roots.sort_unstable();
        let tables = Tables::new(
            tree,
            &filter,
            (0, question.count),
            has(Term::Packing),
            (weighs, self.worth),
            watch,
        )?;
        let Some(root) = self.root(&tables, &roots, has(Term::Span), watch)? else {
            return Ok(None);
        };
        let mut devices = tables.pick(root, question.count, watch)?;
        devices.sort_unstable();
        Ok(Some(devices))
    }

    /// Returns the best of the allowed sets.
    fn best_allowed<W: Watch>(
        &self,
        free: &Filter,
        question: &Question<'_>,
        watch: &mut W,
    ) -> Result<Option<Vec<usize>>, W::Stop> {
        let required = free.required() as usize;
        let fits = |set: &&Vec<usize>| {
            let must = set
                .iter()
                .filter(|&&device| free.get(device) == State::Must);
            set.len() == question.count
                && set.iter().all(|&device| free.is_free(device))
                && must.count() == required
        };
        let value = |set: &[usize]| -> Vec<Ratio> {
            let farthest = Scope::Fabric as u64;
            let values = question.terms.iter().map(|term| match term {
                Term::Ring => self.parts.rings(set).rings,
                Term::Links => Ratio::whole(self.parts.links(set)),
                Term::Span => Ratio::whole(farthest - self.tree.span(set) as u64),
                _ => Ratio::whole(self.left(free, set)),
            });
            values.collect()
        };
        let mut best = None;
        for set in self.allowed.iter().filter(fits) {
            // What is left may be all devices.
            watch.steps(self.devices.len() as u64)?;
            best = best.max(Some((value(set), Reverse(set))));
        }
        Ok(best.map(|(_, Reverse(set))| set.clone()))
    }

    /// Returns the potential of what a set leaves.
    fn left(&self, free: &Filter, set: &[usize]) -> u64 {
        let mut left = free.clone();
        for &device in set {
            left.set(device, State::Held);
        }
        potential::of(&self.tree, |device| left.is_free(device))
    }

    /// Returns the potential of free devices, by the definition of [`Knapsack`].
    pub fn potential(&self, free: &[usize]) -> u64 {
        let question = Question {
            free,
            ..Question::default()
        };
        let states = self.states(&question);
        states.map_or(0, |states| {
            potential::of(&self.tree, |device| states.is_free(device))
        })
    }

    /// Returns what may become of each device; none where a required one is not free.
    fn states(&self, question: &Question<'_>) -> Option<Filter> {
        let mut filter = Filter::held(self.tree.order().len());
        for &device in question.free {
            if self.devices.binary_search(&device).is_ok() {
                filter.set(device, State::Open);
            }
        }
        for &device in question.required {
            if !filter.is_free(device) {
                return None;
            }
            filter.set(device, State::Must);
        }
        Some(filter)
    }

    /// Returns the domain to take the set from: the best by the terms, the first among
    /// equals.
    fn root<W: Watch>(
        &self,
        tables: &Tables<'_>,
        roots: &[usize],
        spans: bool,
        watch: &mut W,
    ) -> Result<Option<usize>, W::Stop> {
        let domains = self.tree.domains();
        let root_of = |number: usize| {
            // The way up is short: there are nine scopes.
            let up = |&number: &usize| domains[number].parent.map(|up| up as usize);
            std::iter::successors(Some(number), up).find(|up| roots.binary_search(up).is_ok())
        };
        let candidates: Vec<usize> = if spans {
            (0..domains.len()).collect()
        } else {
            roots.to_vec()
        };
        let mut best = None;
        for number in candidates {
            let Some(root) = root_of(number) else {
                continue;
            };
            let Some((links, loss)) = tables.whole(number, root, watch)? else {
                continue;
            };
            let scope = if spans {
                domains[number].scope
            } else {
                Scope::Fabric
            };
            let start = domains[number].start;
            let key = (links, Reverse(scope), -loss, Reverse(start));
            best = best.max(Some((key, Reverse(number))));
        }
        Ok(best.map(|(_, Reverse(number))| number))
    }

    /// Returns the answer for a set.
    fn choice(&self, devices: Vec<usize>, free: &Filter, packing: bool) -> Choice {
        let potential = packing.then(|| self.left(free, &devices));
        Choice {
            ring: self.parts.rings(&devices),
            links: self.parts.links(&devices),
            span: self.tree.span(&devices),
            potential,
            devices,
            method: Method::Tree,
        }
    }
}

/// Refuses terms that the tree cannot weigh.
fn check(terms: &[Term]) -> Result<(), Error> {
    const ORDER: [Term; 4] = [Term::Ring, Term::Links, Term::Span, Term::Packing];
    let mut left = ORDER.iter();
    for term in terms {
        if !left.any(|known| known == term) {
            let message = format!(
                "expected terms out of `ring`, `links`, `span`, `packing` in this order for more \
                 than 16 devices, found `{term}`"
            );
            return Err(Error::new(Code::Unsupported, "", message));
        }
    }
    Ok(())
}
