//! What a node is, counted by the definitions of terms and nothing else.

use dralloc::Term;
use dralloc_topology::{NO_RING, Nics, Scope, Spec, Table, Topology};

/// The worst level: no way that is known.
const NET: i64 = 70_000_000_000;

/// A device: its driver, what it is in the document, and what is wrong with it.
#[derive(Clone, Debug)]
pub(crate) struct Device {
    pub(crate) driver: &'static str,
    pub(crate) name: String,
    pub(crate) gpu: Option<usize>,
    pub(crate) nic: Option<usize>,
    pub(crate) penalty: i64,
}

impl Device {
    pub(crate) fn id(&self) -> String {
        format!("{}/{}", self.driver, self.name)
    }
}

pub(crate) struct Machine {
    pub(crate) devices: Vec<Device>,
    pub(crate) held: Vec<bool>,
    topology: Topology,
    vertices: Vec<usize>,
    nics: Vec<usize>,
    table: Table,
    alignment: Option<Nics>,
    free: u16,
}

impl Machine {
    pub(crate) fn new(devices: Vec<Device>, held: Vec<bool>, spec: &Spec) -> Self {
        let topology = Topology::of(spec).unwrap();
        let distinct = |of: fn(&Device) -> Option<usize>| {
            let mut all: Vec<usize> = devices.iter().filter_map(of).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let vertices = distinct(|device| device.gpu);
        let nics = distinct(|device| device.nic);
        let mut machine = Self {
            table: Table::of(&topology, &vertices).unwrap(),
            alignment: Nics::of(&topology, &vertices, &nics).filter(|_| !nics.is_empty()),
            free: 0,
            devices,
            held,
            topology,
            vertices,
            nics,
        };
        let all: Vec<usize> = (0..machine.devices.len()).collect();
        let taken: Vec<usize> = all.iter().copied().filter(|it| machine.held[*it]).collect();
        machine.free = machine.gpus(&all) & !machine.gpus(&taken);
        machine
    }

    /// The vertices of some devices.
    fn gpus(&self, devices: &[usize]) -> u16 {
        let gpus = devices.iter().filter_map(|it| self.devices[*it].gpu);
        gpus.fold(0, |mask, gpu| {
            mask | 1 << self.vertices.iter().position(|it| *it == gpu).unwrap()
        })
    }

    /// The value of a term, of picks and the places of alternatives.
    pub(crate) fn value(&self, term: &Term, picks: &[usize], rank: i64) -> i64 {
        let set = self.gpus(picks);
        let count = i64::from(set.count_ones());
        let has_gpus = |driver: &str| {
            let mut devices = self.devices.iter();
            devices.any(|it| it.driver == driver && it.gpu.is_some())
        };
        let is_outsider = |it: &&usize| {
            let device = &self.devices[**it];
            device.gpu.is_none() && device.nic.is_none() && has_gpus(device.driver)
        };
        let outsiders = i64::try_from(picks.iter().filter(is_outsider).count()).unwrap();
        let is_alone = count + outsiders < 2;
        let cost = |set: u16, term| self.table.cost(self.free, set, term);
        match term {
            Term::AlternativeRank => rank,
            Term::HealthPenalty => picks.iter().map(|it| self.devices[*it].penalty).sum(),
            Term::Ring | Term::Bottleneck if is_alone => 0,
            Term::Ring if outsiders > 0 => NO_RING,
            Term::Ring => cost(set, dralloc_topology::Term::Ring),
            Term::Bottleneck if outsiders > 0 => NET,
            Term::Bottleneck => cost(set, dralloc_topology::Term::Bottleneck),
            Term::Links => {
                let pairs = outsiders * count + outsiders * (outsiders - 1) / 2;
                cost(set, dralloc_topology::Term::Links) + self.most_links() * pairs
            }
            Term::LinkPotential => cost(set & self.free, dralloc_topology::Term::Packing),
            Term::NicAlignment => self.alignment.as_ref().map_or(0, |alignment| {
                let nics = picks.iter().filter_map(|it| self.devices[*it].nic);
                let nics = nics.fold(0, |mask, nic| {
                    mask | 1 << self.nics.iter().position(|it| *it == nic).unwrap()
                });
                alignment.alignment(set.into(), nics)
            }),
            Term::HostUplink => {
                let alignment = self.alignment.as_ref();
                alignment.map_or(0, |alignment| alignment.uplink_cost(set.into()))
            }
            Term::Span => self.span(picks) as i64,
            _ => panic!("{term}"),
        }
    }

    fn most_links(&self) -> i64 {
        let pairs = self.vertices.iter().flat_map(|a| {
            let others = self.vertices.iter();
            others.map(move |b| (*a, *b))
        });
        let links = pairs.filter_map(|(a, b)| self.topology.wire(a, b));
        links.map(|wire| i64::from(wire.count)).max().unwrap_or(0)
    }

    /// The nearest scope, where devices tell nothing but that they are on the node.
    fn span(&self, picks: &[usize]) -> Scope {
        if picks.iter().all(|it| Some(it) == picks.first()) {
            return Scope::Device;
        }
        let domain = |it: &usize, scope| match (self.devices[*it].gpu, self.devices[*it].nic) {
            (Some(gpu), _) => self.topology.domain(gpu, scope),
            (_, Some(nic)) => self.topology.nic_domain(nic, scope),
            _ => None,
        };
        let scopes = [Scope::PcieSwitch, Scope::PcieRoot, Scope::NumaNode];
        let shared = scopes.into_iter().find(|scope| {
            let first = domain(&picks[0], *scope);
            first.is_some() && picks.iter().all(|it| domain(it, *scope) == first)
        });
        shared.unwrap_or(Scope::Host)
    }
}
