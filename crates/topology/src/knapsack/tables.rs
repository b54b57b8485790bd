//! [`Tables`]: the best value of each number of devices, by domain.

use std::collections::{BTreeMap, BTreeSet};

use super::classes::{Class, Classes, leaf_class};
use super::filter::{Filter, State};
use super::merge::{NONE, behind, merge};
use super::parts::Parts;
use super::potential;
use crate::domain::{Domain, DomainTree};
use crate::ratio::Ratio;
use crate::watch::Watch;

/// Has the table of each domain: the best value for each number of devices.
#[derive(Debug)]
pub(super) struct Tables<'a> {
    pub(super) tree: &'a DomainTree,
    pub(super) filter: &'a Filter,
    pub(super) count: usize,
    /// The domain that gives all that are wanted; others outside of it have no table.
    root: usize,
    /// For the root, what its children give behind each of them, from the last on.
    behind: Vec<Vec<i64>>,
    pub(super) packing: bool,
    pub(super) weighs: Weighs<'a>,
    /// What one link counts: more than all potential that there is.
    pub(super) worth: i64,
    /// The class of each domain.
    pub(super) class_of: Vec<u32>,
    pub(super) classes: Classes,
    /// Domains whose tables have a filter of their own for each number of devices:
    /// `NVLink` domains where links count and differ.
    mixed: BTreeSet<usize>,
    /// Whether a domain is inside of an `NVLink` domain.
    inside: Vec<bool>,
    /// The mesh that a domain is, or is inside of.
    pub(super) mesh_of: Vec<Option<u32>>,
}

/// Says what counts beside potential.
#[derive(Clone, Copy, Debug)]
pub(super) enum Weighs<'a> {
    /// Nothing: whichever devices may be taken are alike.
    Nothing,
    /// Links.
    Links(&'a Parts),
    /// Of a mesh those sets that have so many rings and, where they count, links; other
    /// devices are alike.
    Rings(&'a Parts, Ratio, Option<u64>),
}

impl<'a> Tables<'a> {
    pub(super) fn new<W: Watch>(
        tree: &'a DomainTree,
        filter: &'a Filter,
        (root, count): (usize, usize),
        packing: bool,
        (weighs, worth): (Weighs<'a>, i64),
        watch: &mut W,
    ) -> Result<Self, W::Stop> {
        let mut tables = Self {
            tree,
            filter,
            count,
            root,
            behind: Vec::new(),
            packing,
            weighs,
            worth,
            class_of: vec![0; tree.domains().len()],
            classes: Classes::new(),
            mixed: BTreeSet::new(),
            inside: vec![false; tree.domains().len()],
            mesh_of: vec![None; tree.domains().len()],
        };
        let mut is_part = vec![false; tree.domains().len()];
        if let Weighs::Links(parts) = weighs {
            for domain in parts.domains() {
                is_part[domain] = true;
            }
        }
        for (number, mesh) in (0..).zip(tables.meshes()) {
            is_part[mesh.domain] = true;
            for domain in mesh.domains() {
                tables.mesh_of[domain] = Some(number);
            }
        }
        for (number, domain) in tree.domains().iter().enumerate() {
            let parent = domain.parent.map(|parent| parent as usize);
            tables.inside[number] = parent.is_some_and(|up| tables.inside[up] || is_part[up]);
        }
        let around = &tree.domains()[root];
        let inside = |domain: &Domain| {
            domain.start >= around.start && domain.start + domain.len <= around.start + around.len
        };
        for number in (root..tree.domains().len()).rev() {
            if inside(&tree.domains()[number]) {
                watch.steps(1)?;
                tables.class_of[number] = tables.class(number, is_part[number], watch)?;
            }
        }
        Ok(tables)
    }

    /// Returns the tables of a domain that gives so many devices under another filter,
    /// without links.
    pub(super) fn under<'b, W: Watch>(
        &'b self,
        filter: &'b Filter,
        (root, count): (usize, usize),
        watch: &mut W,
    ) -> Result<Tables<'b>, W::Stop> {
        Tables::new(
            self.tree,
            filter,
            (root, count),
            self.packing,
            (Weighs::Nothing, self.worth),
            watch,
        )
    }

    /// Returns the best value of a number of devices of a domain.
    pub(super) fn value(&self, domain: usize, count: usize) -> i64 {
        self.table(domain).get(count).copied().unwrap_or(NONE)
    }

    /// Returns the best values of what is behind each child of a domain that gives so
    /// many, from the last child on.
    pub(super) fn behind<W: Watch>(
        &self,
        domain: usize,
        count: usize,
        watch: &mut W,
    ) -> Result<Vec<Vec<i64>>, W::Stop> {
        if domain == self.root && count == self.count && !self.behind.is_empty() {
            return Ok(self.behind.clone());
        }
        behind(&self.children(domain), count, watch)
    }

    /// Returns the tables of the children of a domain.
    pub(super) fn children(&self, domain: usize) -> Vec<&[i64]> {
        let children = self.tree.domains()[domain].children.iter();
        children.map(|&child| self.table(child as usize)).collect()
    }

    /// Returns the table of a domain.
    pub(super) fn table(&self, domain: usize) -> &[i64] {
        &self.classes.all[self.class_of[domain] as usize].table
    }

    /// Returns the links, and the loss of the whole tree, when a domain gives all
    /// devices that are wanted; none where it cannot, or not all that are required of the
    /// root that it is in.
    pub(super) fn whole<W: Watch>(
        &self,
        domain: usize,
        root: usize,
        watch: &mut W,
    ) -> Result<Option<(i64, i64)>, W::Stop> {
        watch.steps(1)?;
        if self.counts(domain).1 != self.counts(root).1 {
            return Ok(None);
        }
        let value = if self.has_own(domain) {
            self.own(domain, self.count, watch)?.unwrap_or(NONE)
        } else {
            self.value(domain, self.count)
        };
        if value == NONE {
            return Ok(None);
        }
        // A value is links times their worth, less a loss below the worth of one.
        let links = value.div_euclid(self.worth) + i64::from(value.rem_euclid(self.worth) != 0);
        let loss = links * self.worth - value;
        let domains = self.tree.domains();
        let up = |&number: &usize| domains[number].parent.map(|up| up as usize);
        let around = std::iter::successors(Some(domain), up).skip(1);
        let around: i64 = around.map(|number| self.loss(number, self.count)).sum();
        Ok(Some((links, loss + around)))
    }

    /// Says whether a domain has a filter for each number.
    pub(super) fn is_mixed(&self, domain: usize) -> bool {
        self.mixed.contains(&domain)
    }

    /// Says whether the devices of a domain depend on how many are wanted of it alone.
    pub(super) fn has_own(&self, domain: usize) -> bool {
        self.mixed.contains(&domain) || self.inside[domain]
    }

    /// Returns the states of the devices of a domain for so many of them with the most
    /// links, and the links between those.
    pub(super) fn sorted_out(&self, domain: usize, count: usize) -> Option<(Filter, u64)> {
        let devices = self.tree.devices(&self.tree.domains()[domain]);
        let devices = devices.iter().map(|&device| device as usize);
        let Weighs::Links(parts) = self.weighs else {
            return None;
        };
        let line = parts.line(devices, self.filter);
        let links = line.pairs(count)?;
        let mut filter = self.filter.clone();
        line.sort_out(count, &mut filter);
        Some((filter, links))
    }

    /// Returns the best value of so many devices of a domain by itself, which is an
    /// `NVLink` domain or inside of one.
    fn own<W: Watch>(
        &self,
        domain: usize,
        count: usize,
        watch: &mut W,
    ) -> Result<Option<i64>, W::Stop> {
        if self.mesh_of[domain].is_some() {
            let best = self.of_mesh(domain, count, watch)?;
            return Ok(best.map(|(value, _)| value));
        }
        let Some((filter, links)) = self.sorted_out(domain, count) else {
            return Ok(None);
        };
        let class = self.below(domain, &filter, watch)?;
        let value = class.and_then(|class| class.table.get(count).copied());
        let value = value.filter(|&value| value != NONE);
        Ok(value.and_then(|value| Some(value + i64::try_from(links).ok()? * self.worth)))
    }

    /// Returns what a domain by itself loses when it gives so many devices.
    fn loss(&self, domain: usize, count: usize) -> i64 {
        let (free, _) = self.counts(domain);
        self.loss_of(self.tree.domains()[domain].len, free, count)
    }

    fn loss_of(&self, len: u32, free: u32, count: usize) -> i64 {
        let left = u32::try_from(count)
            .ok()
            .and_then(|count| free.checked_sub(count));
        let (true, Some(left)) = (self.packing, left) else {
            return 0;
        };
        let lost = potential::of_domain(len, free) - potential::of_domain(len, left);
        i64::try_from(lost).unwrap_or(0)
    }

    /// Returns the class of a domain whose children have theirs.
    fn class<W: Watch>(
        &mut self,
        number: usize,
        is_part: bool,
        watch: &mut W,
    ) -> Result<u32, W::Stop> {
        let domain = &self.tree.domains()[number];
        if self.mesh_of[number].is_some() {
            return if is_part {
                self.mesh_class(number, watch)
            } else {
                Ok(0)
            };
        }
        if domain.children.is_empty() {
            return Ok(self.leaf(number));
        }
        let mut links = 0;
        if let (true, Weighs::Links(parts)) = (is_part, self.weighs) {
            match parts.same_port(self.tree.devices(domain), self.filter) {
                Some(same) => links = same,
                None => return self.mixed_class(number, watch),
            }
        }
        let mut key = vec![1, domain.len, links];
        key.extend(
            domain
                .children
                .iter()
                .map(|&child| self.class_of[child as usize]),
        );
        if number == self.root {
            let class = self.solve_root(links, watch)?;
            return Ok(self.classes.add(key, class));
        }
        key[3..].sort_unstable();
        if let Some(&known) = self.classes.numbers.get(&key) {
            return Ok(known);
        }
        let children = key[3..]
            .iter()
            .map(|&class| &self.classes.all[class as usize]);
        let class = self.solve(domain.len, children, links, watch)?;
        Ok(self.classes.add(key, class))
    }

    /// Returns the class of a domain of one device.
    fn leaf(&self, number: usize) -> u32 {
        let device = self.tree.devices(&self.tree.domains()[number]).first();
        let state = device.map_or(State::Held, |&device| self.filter.get(device as usize));
        Classes::leaf(state)
    }

    /// Returns the class of the root, with the value of all that are wanted alone.
    fn solve_root<W: Watch>(&mut self, links: u32, watch: &mut W) -> Result<Class, W::Stop> {
        let tables = self.children(self.root);
        let behind = behind(&tables, self.count, watch)?;
        let first = tables.first().copied().unwrap_or_default();
        let rest = behind.last().map_or(&[][..], Vec::as_slice);
        let mut class = Class {
            table: merge((first, rest), (self.count, self.count), watch)?,
            free: 0,
            required: 0,
        };
        for &child in &self.tree.domains()[self.root].children {
            let child = &self.classes.all[self.class_of[child as usize] as usize];
            class.free += child.free;
            class.required += child.required;
        }
        self.behind = behind;
        self.value_in(&mut class, self.tree.domains()[self.root].len, links);
        Ok(class)
    }

    /// Returns the table of a domain by those of its children.
    fn solve<'c, W: Watch>(
        &self,
        len: u32,
        children: impl Iterator<Item = &'c Class>,
        links: u32,
        watch: &mut W,
    ) -> Result<Class, W::Stop> {
        let mut class = Class {
            table: vec![0],
            free: 0,
            required: 0,
        };
        for child in children {
            let tables = (&*class.table, &*child.table);
            class.table = merge(tables, (0, self.count), watch)?;
            class.free += child.free;
            class.required += child.required;
        }
        self.value_in(&mut class, len, links);
        Ok(class)
    }

    /// Adds to the values of a domain what it is worth itself.
    fn value_in(&self, class: &mut Class, len: u32, links: u32) {
        for (count, value) in class.table.iter_mut().enumerate() {
            if *value != NONE {
                let pairs = i64::try_from(count * count.saturating_sub(1) / 2).unwrap_or(0);
                *value +=
                    pairs * i64::from(links) * self.worth - self.loss_of(len, class.free, count);
            }
        }
    }

    /// Returns the class of an `NVLink` domain with devices of different links: for each
    /// number of devices others must be taken.
    fn mixed_class<W: Watch>(&mut self, number: usize, watch: &mut W) -> Result<u32, W::Stop> {
        self.mixed.insert(number);
        let plain = self.below(number, self.filter, watch)?;
        let (most, free, required) = plain.map_or((0, 0, 0), |class| {
            (class.table.len(), class.free, class.required)
        });
        let mut table = Vec::with_capacity(most);
        for count in 0..most {
            table.push(self.own(number, count, watch)?.unwrap_or(NONE));
        }
        let class = Class {
            table,
            free,
            required,
        };
        let key = vec![2, u32::try_from(number).unwrap_or(u32::MAX)];
        Ok(self.classes.add(key, class))
    }

    /// Solves a domain and all inside it under another filter, without links.
    fn below<W: Watch>(
        &self,
        number: usize,
        filter: &Filter,
        watch: &mut W,
    ) -> Result<Option<Class>, W::Stop> {
        let domains = self.tree.domains();
        let mut below = vec![number];
        let mut place = 0;
        while let Some(&next) = below.get(place) {
            below.extend(domains[next].children.iter().map(|&child| child as usize));
            place += 1;
        }
        let mut solved: BTreeMap<usize, Class> = BTreeMap::new();
        for &next in below.iter().rev() {
            watch.steps(1)?;
            let domain = &domains[next];
            let class = if domain.children.is_empty() {
                let Some(device) = self.tree.devices(domain).first() else {
                    return Ok(None);
                };
                leaf_class(filter.get(*device as usize))
            } else {
                let children = domain.children.iter();
                let children = children.filter_map(|&child| solved.get(&(child as usize)));
                self.solve(domain.len, children, 0, watch)?
            };
            solved.insert(next, class);
        }
        Ok(solved.remove(&number))
    }
}
