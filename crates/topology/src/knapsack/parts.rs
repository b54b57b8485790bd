//! [`Parts`]: the `NVLink` domains, as switches that devices have ports into.

use std::collections::BTreeMap;

use super::filter::{Filter, State};
use super::line::{Line, pairs};
use crate::domain::Scope;
use crate::error::{Code, Error};
use crate::topology::Topology;

/// How many devices an `NVLink` domain may have where their links differ: each number of
/// devices wanted of it is a knapsack of its own.
const MOST_MIXED: usize = 1024;

/// Has the `NVLink` domains of a tree.
///
/// A pair has as many links as the device with fewer of them has into its switches, so
/// of `j` devices those with the most are the best by rings and by links at once: raising
/// one port lowers no minimum.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    /// Links of each device into switches.
    ports: Vec<u32>,
    /// The part of each device that has any.
    of: Vec<Option<u32>>,
    /// The devices of each part.
    members: Vec<Vec<usize>>,
    /// The domain of the tree of each part.
    domains: Vec<usize>,
}

impl Parts {
    pub(super) fn new(topology: &Topology) -> Result<Self, Error> {
        let devices = topology.device_count();
        let unsupported = |message: &str| Err(Error::new(Code::Unsupported, "spec.links", message));
        if !topology.unit().is_link() {
            return unsupported("expected links of one rate between more than 16 devices");
        }
        let mut numbers: BTreeMap<u32, usize> = BTreeMap::new();
        let mut parts = Self {
            ports: vec![0; devices],
            of: vec![None; devices],
            members: Vec::new(),
            domains: Vec::new(),
        };
        for device in 0..devices {
            if !topology.fabric.peers(device).is_empty() {
                return unsupported(
                    "expected at most 16 devices where some are linked directly, without switches",
                );
            }
            let (Some(port), Some(domain)) = (
                topology.fabric.port(device),
                topology.domain(device, Scope::NvLinkDomain),
            ) else {
                continue;
            };
            let number = *numbers.entry(domain).or_insert(parts.members.len());
            if number == parts.members.len() {
                parts.members.push(Vec::new());
            }
            parts.members[number].push(device);
            parts.ports[device] = port.count;
            parts.of[device] = u32::try_from(number).ok();
        }
        for members in &parts.members {
            if !topology.on_the_same_planes(members) {
                return unsupported(
                    "expected all devices of an `NVLink` domain on the same switches",
                );
            }
            parts
                .domains
                .push(topology.domains().smallest_number(members).unwrap_or(0));
        }
        for &number in &parts.domains {
            let devices = topology
                .domains()
                .devices(&topology.domains().domains()[number]);
            let port = |device: u32| parts.ports[device as usize];
            let mixed = devices
                .windows(2)
                .any(|pair| port(pair[0]) != port(pair[1]));
            if mixed && devices.len() > MOST_MIXED {
                let message = format!(
                    "expected at most {MOST_MIXED} devices in an `NVLink` domain where some have \
                     fewer links than others, found {}",
                    devices.len()
                );
                return Err(Error::new(Code::LimitExceeded, "spec.links", message));
            }
        }
        let domains = topology.domains().domains();
        let range = |number: usize| {
            (
                domains[number].start,
                domains[number].start + domains[number].len,
            )
        };
        let mut ranges: Vec<(u32, u32)> =
            parts.domains.iter().map(|&number| range(number)).collect();
        ranges.sort_unstable();
        if ranges.windows(2).any(|pair| pair[0].1 > pair[1].0) {
            return unsupported("expected `NVLink` domains side by side in the tree of domains");
        }
        Ok(parts)
    }

    /// Returns the domain of the tree that holds a part.
    pub(super) fn domain(&self, part: usize) -> usize {
        self.domains[part]
    }

    /// Returns the domains of the tree of all parts.
    pub(super) fn domains(&self) -> impl Iterator<Item = usize> {
        self.domains.iter().copied()
    }

    /// Returns some devices in the order in which they serve rings and links.
    pub(super) fn line(&self, devices: impl Iterator<Item = usize>, filter: &Filter) -> Line {
        Line::new(devices, &self.ports, filter)
    }

    fn line_of(&self, part: usize, filter: &Filter) -> Line {
        self.line(self.members[part].iter().copied(), filter)
    }

    /// Returns the parts that have the best set inside, by rings and then, where they
    /// count, links; none where no part has a set with a ring.
    pub(super) fn inside(&self, filter: &Filter, count: usize, links: bool) -> Option<Vec<usize>> {
        if count < 2 {
            return None;
        }
        let required = filter.required() as usize;
        let mut best: Option<((u32, u64), Vec<usize>)> = None;
        for number in 0..self.members.len() {
            let line = self.line_of(number, filter);
            let Some(least) = line.least(count).filter(|_| line.required() == required) else {
                continue;
            };
            let sum = if links { line.pairs(count) } else { None };
            let value = (least, sum.unwrap_or(0));
            match &mut best {
                Some((most, found)) if *most == value => found.push(number),
                Some((most, _)) if *most > value => {}
                _ => best = Some((value, vec![number])),
            }
        }
        best.map(|(_, found)| found)
    }

    /// Returns the states of devices for the best sets inside chosen parts.
    pub(super) fn filter(
        &self,
        free: &Filter,
        chosen: &[usize],
        count: usize,
        links: bool,
    ) -> Filter {
        let mut filter = Filter::held(free.len());
        for device in (0..free.len()).filter(|&device| free.is_free(device)) {
            filter.set(device, State::Left);
        }
        for &number in chosen {
            let line = self.line_of(number, free);
            if links {
                line.sort_out(count, &mut filter);
            } else {
                line.allow(line.least(count).unwrap_or(0), &mut filter);
            }
        }
        filter
    }

    /// Returns how many links each device that may be taken has into switches, if all
    /// of some devices have as many.
    pub(super) fn same_port(&self, devices: &[u32], filter: &Filter) -> Option<u32> {
        let open = devices.iter().map(|&device| device as usize);
        let mut ports = open
            .filter(|&device| filter.is_open(device))
            .map(|device| self.ports[device]);
        let first = ports.next().unwrap_or(0);
        ports.all(|port| port == first).then_some(first)
    }

    /// Returns the rings of a set.
    pub(super) fn rings(&self, devices: &[usize]) -> u64 {
        let Some((&first, rest)) = devices.split_first().filter(|(_, rest)| !rest.is_empty())
        else {
            return 0;
        };
        if self.of[first].is_none() || rest.iter().any(|&device| self.of[device] != self.of[first])
        {
            return 0;
        }
        let ports = devices.iter().map(|&device| u64::from(self.ports[device]));
        ports.min().unwrap_or(0)
    }

    /// Returns the links of all devices together.
    pub(super) fn all_links(&self) -> u64 {
        self.links(&(0..self.ports.len()).collect::<Vec<usize>>())
    }

    /// Returns the links of a set.
    pub(super) fn links(&self, devices: &[usize]) -> u64 {
        let mut ports: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &device in devices {
            if let Some(part) = self.of[device] {
                ports.entry(part).or_default().push(self.ports[device]);
            }
        }
        let sums = ports.values_mut().map(|ports| pairs(ports));
        sums.fold(0, u64::saturating_add)
    }
}
