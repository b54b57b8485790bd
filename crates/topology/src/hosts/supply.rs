//! [`Supply`]: which numbers of units a domain can give at all.

use std::rc::Rc;

use super::tree::Tree;
use super::{Halt, MAX_STATES, Watch, too_many};

/// Says which numbers a host or domain can give if each of its hosts may give any of its
/// own, and how many hosts that takes at least.
#[derive(Clone, Debug, Default)]
pub(super) struct Supply {
    most: u32,
    /// Whether it can give any number up to the most.
    is_gapless: bool,
    /// By number: the fewest hosts, or [`NONE`]; nothing where all numbers can be given and
    /// nobody counts hosts.
    hosts: Option<Rc<[u32]>>,
}

/// Means that a number cannot be given.
const NONE: u32 = u32::MAX;

impl Supply {
    /// Returns what a host gives: these, ascending.
    pub(super) fn of_host(units: &[u32]) -> Self {
        let most = units.last().copied().unwrap_or(0);
        if units.len() == most as usize {
            return Self::gapless(most);
        }
        let mut hosts = vec![NONE; most as usize + 1];
        hosts[0] = 0;
        for &units in units {
            hosts[units as usize] = 1;
        }
        Self::of(hosts)
    }

    fn gapless(most: u32) -> Self {
        Self {
            most,
            is_gapless: true,
            hosts: None,
        }
    }

    fn of(mut hosts: Vec<u32>) -> Self {
        while hosts.last() == Some(&NONE) {
            hosts.pop();
        }
        Self {
            most: u32::try_from(hosts.len().saturating_sub(1)).unwrap_or(u32::MAX),
            is_gapless: !hosts.contains(&NONE),
            hosts: Some(hosts.into()),
        }
    }

    /// Returns the largest number, up to what is wanted.
    pub(super) fn most(&self) -> u32 {
        self.most
    }

    pub(super) fn is_gapless(&self) -> bool {
        self.is_gapless
    }

    /// Returns the fewest hosts for a number, or nothing if it cannot be given; what they
    /// are is told only where hosts are counted.
    pub(super) fn hosts(&self, units: u32) -> Option<u32> {
        if units > self.most {
            return None;
        }
        let hosts = match &self.hosts {
            None => u32::from(units > 0),
            Some(hosts) => *hosts.get(units as usize)?,
        };
        (hosts != NONE).then_some(hosts)
    }
}

impl Tree {
    /// Returns what a domain can give, up to `most`.
    ///
    /// Any number if all of its parts can give any, and as many hosts as are needed may be
    /// used: `j` takes the parts that can give most, until they have `j`.
    pub(super) fn supply_of(
        &self,
        node: usize,
        most: u32,
        watch: Watch<'_>,
    ) -> Result<Supply, Halt> {
        let this = &self.nodes[node];
        let over_hosts = this.level == self.levels;
        let limit = self.limit(this.level);
        let is_gapless = this
            .parts
            .iter()
            .all(|&part| self.nodes[part].supply.is_gapless());
        let counts = self.counts_hosts(this.level);
        if is_gapless && !counts && (limit.is_none() || over_hosts) {
            let parts = limit.map_or(usize::MAX, |limit| limit as usize);
            let sum = this.sums.get(parts).or(this.sums.last()).copied();
            return Ok(Supply::gapless(sum.unwrap_or(0).min(most)));
        }
        // The least sum of hosts, part after part.
        let mut table: Vec<u32> = vec![0];
        for &part in &this.parts {
            let supply = &self.nodes[part].supply;
            let end = (table.len() as u64 + u64::from(supply.most())).min(u64::from(most) + 1);
            if end > MAX_STATES as u64 {
                return Err(too_many());
            }
            let mut next = table.clone();
            next.resize(usize::try_from(end).unwrap_or(0), NONE);
            let gives = (1..=supply.most()).filter_map(|units| {
                let hosts = if over_hosts { Some(1) } else { None };
                Some((
                    units as usize,
                    supply.hosts(units).map(|most| hosts.unwrap_or(most))?,
                ))
            });
            let mut steps = 0;
            for (units, hosts) in gives {
                steps += table.len() as u64;
                for (to, &from) in next.iter_mut().skip(units).zip(&table) {
                    *to = (*to).min(from.saturating_add(hosts));
                }
            }
            if watch(steps) {
                return Err(Halt::Stopped);
            }
            table = next;
        }
        if let Some(limit) = limit {
            for hosts in &mut table {
                if *hosts > limit {
                    *hosts = NONE;
                }
            }
        }
        Ok(Supply::of(table))
    }
}
