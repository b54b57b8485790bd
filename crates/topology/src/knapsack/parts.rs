//! [`Parts`]: the `NVLink` domains, as switches that devices have ports into.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::filter::{Filter, State};
use super::line::{Line, pairs};
use super::mesh::Mesh;
use crate::domain::Scope;
use crate::error::{Code, Error};
use crate::ratio::Ratio;
use crate::ring::Ring;
use crate::table::{Shape, Table, USUAL_MIX};
use crate::topology::Topology;
use crate::watch::Watch;

/// How many devices an `NVLink` domain may have where their links differ: each number of
/// devices wanted of it is a knapsack of its own.
const MOST_MIXED: usize = 1024;

/// How many sets all kinds of meshes may have together: 64 kinds of 16 devices.
const MOST_SETS: u64 = 64 << 16;

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
    /// What has direct links inside.
    meshes: Vec<Mesh>,
    /// The mesh of each device.
    mesh_of: Vec<Option<u32>>,
}

/// Has the parts with the best set inside.
pub(super) struct Inside {
    pub(super) rings: Ratio,
    pub(super) links: u64,
    pub(super) parts: Vec<usize>,
}

fn unsupported<T>(message: &str) -> Result<T, Error> {
    Err(Error::new(Code::Unsupported, "spec.links", message))
}

impl Parts {
    /// Returns the parts of some devices.
    pub(super) fn new(topology: &Topology, devices: &[usize]) -> Result<Self, Error> {
        let count = topology.device_count();
        let mut parts = Self {
            ports: vec![0; count],
            of: vec![None; count],
            members: Vec::new(),
            domains: Vec::new(),
            meshes: Vec::new(),
            mesh_of: vec![None; count],
        };
        parts.add_meshes(topology, devices)?;
        parts.add_switched(topology, devices)?;
        let domains = topology.domains().domains();
        let meshes = parts.meshes.iter().map(|mesh| mesh.domain);
        let all = parts.domains.iter().copied().chain(meshes);
        let mut ranges: Vec<(u32, u32)> = all
            .map(|number| {
                let start = domains[number].start;
                (start, start + domains[number].len)
            })
            .collect();
        ranges.sort_unstable();
        if ranges.windows(2).any(|pair| pair[0].1 > pair[1].0) {
            return unsupported("expected `NVLink` domains side by side in the tree of domains");
        }
        Ok(parts)
    }

    /// Adds the smallest domains that hold all devices that direct links join.
    fn add_meshes(&mut self, topology: &Topology, devices: &[usize]) -> Result<(), Error> {
        let tree = topology.domains();
        let mut joined: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for &device in devices {
            if let Some(part) = topology.domain(device, Scope::NvLinkDomain) {
                joined.entry(part).or_default().push(device);
            }
        }
        let is_direct = |device: &usize| !topology.fabric.peers(*device).is_empty();
        joined.retain(|_, members| members.iter().any(is_direct));
        let smallest = |members: &Vec<usize>| tree.smallest_number(members);
        let mut numbers: Vec<usize> = joined.values().filter_map(smallest).collect();
        // The wider ones first, and what is inside of another is a part of that.
        numbers.sort_unstable();
        numbers.dedup();
        let mut shapes: BTreeMap<Shape, (u32, Arc<Table>)> = BTreeMap::new();
        let mut sets = 0_u64;
        for number in numbers {
            let domain = &tree.domains()[number];
            let within = tree.devices(domain).iter().map(|&device| device as usize);
            let within: Vec<usize> = within.collect();
            if within.iter().any(|&device| self.mesh_of[device].is_some()) {
                continue;
            }
            let Some(shape) = Shape::of(topology, &within) else {
                return unsupported(
                    "expected at most 16 devices in the domain around direct links, or 32 in all",
                );
            };
            if !shapes.contains_key(&shape) {
                sets += 1 << shape.len();
                if sets > MOST_SETS {
                    let message = "expected fewer kinds of domains with direct links";
                    return Err(Error::new(Code::LimitExceeded, "spec.links", message));
                }
            }
            let next = u32::try_from(shapes.len()).unwrap_or(u32::MAX);
            let (shape, table) = shapes.entry(shape).or_insert_with_key(|shape| {
                let table = Table::of_shape(shape.clone(), &USUAL_MIX);
                (next, Arc::new(table))
            });
            for &device in &within {
                self.mesh_of[device] = u32::try_from(self.meshes.len()).ok();
            }
            let mesh = Mesh::new(tree, number, Arc::clone(table), *shape);
            self.meshes.push(mesh);
        }
        Ok(())
    }

    /// Adds the parts whose devices are linked over switches.
    fn add_switched(&mut self, topology: &Topology, devices: &[usize]) -> Result<(), Error> {
        let mut numbers: BTreeMap<u32, usize> = BTreeMap::new();
        for &device in devices {
            let (Some(port), Some(domain), None) = (
                topology.fabric.port(device),
                topology.domain(device, Scope::NvLinkDomain),
                self.mesh_of[device],
            ) else {
                continue;
            };
            if !topology.unit().is_link() {
                return unsupported("expected links of one rate between more than 16 devices");
            }
            let number = *numbers.entry(domain).or_insert(self.members.len());
            if number == self.members.len() {
                self.members.push(Vec::new());
            }
            self.members[number].push(device);
            self.ports[device] = port.count;
            self.of[device] = u32::try_from(number).ok();
        }
        let tree = topology.domains();
        for members in &self.members {
            if !topology.on_the_same_planes(members) {
                return unsupported(
                    "expected all devices of an `NVLink` domain on the same switches",
                );
            }
            self.domains
                .push(tree.smallest_number(members).unwrap_or(0));
        }
        for &number in &self.domains {
            let devices = tree.devices(&tree.domains()[number]);
            let port = |device: u32| self.ports[device as usize];
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
        Ok(())
    }

    /// Returns the domain of the tree that holds a part: switched ones come first.
    pub(super) fn domain(&self, part: usize) -> usize {
        match self.domains.get(part) {
            Some(&domain) => domain,
            None => self.meshes[part - self.domains.len()].domain,
        }
    }

    /// Returns the domains of the tree of all switched parts.
    pub(super) fn domains(&self) -> impl Iterator<Item = usize> {
        self.domains.iter().copied()
    }

    /// Returns the meshes.
    pub(super) fn meshes(&self) -> &[Mesh] {
        &self.meshes
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
    pub(super) fn inside<W: Watch>(
        &self,
        filter: &Filter,
        count: usize,
        links: bool,
        watch: &mut W,
    ) -> Result<Option<Inside>, W::Stop> {
        if count < 2 {
            return Ok(None);
        }
        let required = filter.required() as usize;
        let switched = |number: usize| {
            let line = self.line_of(number, filter);
            let least = line.least(count).filter(|_| line.required() == required)?;
            let sum = if links { line.pairs(count) } else { None };
            Some((Ratio::whole(u64::from(least)), sum.unwrap_or(0)))
        };
        let mut best: Option<Inside> = None;
        for number in 0..self.members.len() + self.meshes.len() {
            let mesh = self.meshes.get(number.wrapping_sub(self.members.len()));
            let value = if let Some(mesh) = mesh {
                mesh.best_rings(filter, (count, required), links, watch)?
            } else {
                watch.steps(self.members[number].len() as u64)?;
                switched(number)
            };
            let Some((rings, sum)) = value else {
                continue;
            };
            match &mut best {
                Some(best) if (best.rings, best.links) == (rings, sum) => best.parts.push(number),
                Some(best) if (best.rings, best.links) > (rings, sum) => {}
                _ => {
                    best = Some(Inside {
                        rings,
                        links: sum,
                        parts: vec![number],
                    });
                }
            }
        }
        Ok(best)
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
            if let Some(mesh) = self.meshes.get(number.wrapping_sub(self.members.len())) {
                for &device in &mesh.devices {
                    filter.set(device, free.get(device));
                }
                continue;
            }
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
    pub(super) fn rings(&self, devices: &[usize]) -> Ring {
        let Some((&first, rest)) = devices.split_first().filter(|(_, rest)| !rest.is_empty())
        else {
            return Ring::NONE;
        };
        if let Some(mesh) = self.mesh(first) {
            let apart = |&device: &usize| self.mesh_of[device] != self.mesh_of[first];
            if rest.iter().any(apart) {
                return Ring::NONE;
            }
            return mesh.table.ring(mesh.mask(devices));
        }
        if self.of[first].is_none() || rest.iter().any(|&device| self.of[device] != self.of[first])
        {
            return Ring::NONE;
        }
        let ports = devices.iter().map(|&device| u64::from(self.ports[device]));
        Ring::exact(Ratio::whole(ports.min().unwrap_or(0)))
    }

    /// Returns the mesh of a device.
    fn mesh(&self, device: usize) -> Option<&Mesh> {
        self.meshes.get(self.mesh_of[device]? as usize)
    }

    /// Returns the links of all devices together.
    pub(super) fn all_links(&self) -> u64 {
        self.links(&(0..self.ports.len()).collect::<Vec<usize>>())
    }

    /// Returns the links of a set.
    pub(super) fn links(&self, devices: &[usize]) -> u64 {
        let mut ports: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut meshes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for &device in devices {
            if let Some(mesh) = self.mesh_of[device] {
                meshes.entry(mesh).or_default().push(device);
            }
            if let Some(part) = self.of[device] {
                ports.entry(part).or_default().push(self.ports[device]);
            }
        }
        let sums = ports.values_mut().map(|ports| pairs(ports));
        let meshes = meshes.values().map(|devices| {
            let mesh = devices.first().and_then(|&device| self.mesh(device));
            mesh.map_or(0, |mesh| mesh.table.links(mesh.mask(devices)))
        });
        sums.chain(meshes).fold(0, u64::saturating_add)
    }
}
