//! [`Tree`]: processors, switches, devices and NICs, each in the place around it.

use std::collections::{BTreeMap, BTreeSet};

use dralloc_topology::{Code, Link, LinkType, Vertex, VertexKind};

use super::element::{Element, Kind};
use super::hosts::Hosts;
use super::names::Names;
use super::rate;
use crate::builder::{Builder, by_bus_id, link, vertex};
use crate::error::{Error, Warnings};
use crate::text::{Position, quoted};

/// Has the vertices of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// The vertex of each `cpu` and `pci`.
    ids: Vec<Option<String>>,
    /// Devices by host and address: the place of the `pci`.
    devices: BTreeMap<(usize, String), usize>,
    /// Switch chips that are `pci` elements.
    pub(super) switches: BTreeMap<(usize, String), String>,
    hosts: Vec<usize>,
    bound: BTreeSet<(usize, String)>,
    virtual_nics: BTreeSet<(usize, String)>,
    counts: BTreeMap<(&'static str, usize), usize>,
}

impl Tree {
    /// Adds the vertices to a document, in the order of the text, with the links that say
    /// what is in what.
    pub(super) fn build(
        elements: &[Element<'_>],
        hosts: &Hosts,
        names: &Names,
        builder: &mut Builder,
        warnings: &mut Warnings,
    ) -> Result<Self, Error> {
        let mut tree = Self {
            ids: vec![None; elements.len()],
            hosts: (0..elements.len()).map(|number| hosts.of(number)).collect(),
            ..Self::default()
        };
        for (number, element) in elements.iter().enumerate() {
            match element.kind {
                Kind::Cpu => tree.cpu(number, element, hosts, builder)?,
                Kind::Pci => tree.pci(elements, number, hosts, names, builder)?,
                Kind::Nic => tree.nic(elements, number, hosts, names, builder)?,
                Kind::Net => tree.net(elements, number, hosts, builder, warnings)?,
                _ => {}
            }
        }
        Ok(tree)
    }

    /// Returns the vertex of a `cpu` or `pci`.
    pub(super) fn id(&self, number: usize) -> Option<&str> {
        self.ids.get(number)?.as_deref()
    }

    /// Returns the host of an element.
    pub(super) fn host(&self, number: usize) -> usize {
        self.hosts.get(number).copied().unwrap_or(0)
    }

    /// Returns the `pci` of the device with an address.
    pub(super) fn device(&self, host: usize, bus_id: &str) -> Option<usize> {
        self.devices.get(&(host, bus_id.to_owned())).copied()
    }

    /// Counts things of one sort in the host of an element, from 0.
    fn count(&mut self, sort: &'static str, number: usize) -> usize {
        let host = self.host(number);
        let count = self.counts.entry((sort, host)).or_default();
        let place = *count;
        *count += 1;
        place
    }

    fn set(&mut self, number: usize, id: String) {
        if let Some(entry) = self.ids.get_mut(number) {
            *entry = Some(id);
        }
    }

    fn cpu(
        &mut self,
        number: usize,
        cpu: &Element<'_>,
        hosts: &Hosts,
        builder: &mut Builder,
    ) -> Result<(), Error> {
        let numa_node = cpu.number::<i64>("numaid")?.filter(|&node| node >= 0);
        let name = match numa_node {
            Some(node) => format!("numa{node}"),
            None => "numa".to_owned(),
        };
        let id = hosts.local(number, &name);
        let is_new = self.bound.insert((self.host(number), name));
        self.set(number, id.clone());
        if !is_new {
            return Ok(());
        }
        let vertex = Vertex {
            numa_node,
            ..vertex(&id, VertexKind::NumaNode)
        };
        builder.vertex(cpu.position, vertex)?;
        let host = hosts.id(hosts.of(number));
        builder.link(cpu.position, link(&id, &host, LinkType::Host))
    }

    fn pci(
        &mut self,
        elements: &[Element<'_>],
        number: usize,
        hosts: &Hosts,
        names: &Names,
        builder: &mut Builder,
    ) -> Result<(), Error> {
        let (Some(pci), Some(kind)) = (elements.get(number), names.kind(number)) else {
            return Ok(());
        };
        if kind == VertexKind::Nic && names.inside(number).is_some() {
            // `nic` and `net` say more.
            return Ok(());
        }
        let bus_id = pci.bus_id("busid")?;
        let inside = names.inside(number).and_then(|inside| elements.get(inside));
        let name = match kind {
            VertexKind::Gpu => {
                let place = self.count("gpu", number);
                names.device(inside, place)?
            }
            VertexKind::Nic => format!("nic{}", self.count("nic", number)),
            VertexKind::NvSwitch => format!("nvswitch{}", self.count("nvswitch", number)),
            _ => format!("pcieswitch{}", self.count("pcieswitch", number)),
        };
        let id = hosts.local(number, &name);
        let model = inside.map_or("", |gpu| gpu.text("gcn"));
        let mut vertex = vertex(&id, kind);
        vertex.model = (!model.is_empty()).then(|| model.to_owned());
        let host = self.host(number);
        match kind {
            VertexKind::Gpu | VertexKind::Nic => {
                if !self.bound.insert((host, bus_id.clone())) {
                    return Err(twice(pci, &bus_id));
                }
                vertex.matches = (!hosts.are_many()).then(|| by_bus_id(&bus_id));
                vertex.numa_node = self.numa_node(elements, number);
                self.devices.insert((host, bus_id.clone()), number);
            }
            VertexKind::NvSwitch => {
                let key = (host, bus_id.clone());
                let before = self.switches.insert(key, id.clone());
                before.map_or(Ok(()), |_| Err(twice(pci, &bus_id)))?;
            }
            _ => {}
        }
        vertex.pci_bus_id = Some(bus_id);
        builder.vertex(pci.position, vertex)?;
        self.set(number, id.clone());
        self.up(elements, number, &id, builder)
    }

    /// Links a vertex, which an element is about, with the place around that element.
    fn up(
        &self,
        elements: &[Element<'_>],
        number: usize,
        id: &str,
        builder: &mut Builder,
    ) -> Result<(), Error> {
        let Some(element) = elements.get(number) else {
            return Ok(());
        };
        let mut place = element.parent;
        // What is passed over is no place, nor is a device one for others.
        loop {
            let parent = elements.get(place).map(|parent| parent.kind);
            let is_device = self.device_at(elements, place);
            if parent == Some(Kind::System) {
                return Ok(());
            }
            if let Some(above) = self.id(place)
                && !is_device
            {
                let link = Link {
                    bandwidth: rate::pcie(element)?,
                    ..link(id, above, LinkType::PCIe)
                };
                return builder.link(element.position, link);
            }
            place = elements.get(place).map_or(0, |element| element.parent);
        }
    }

    /// Says whether a `pci` is a device, in which nothing else is.
    fn device_at(&self, elements: &[Element<'_>], number: usize) -> bool {
        let bus_id = elements
            .get(number)
            .map(|element| element.text("busid").trim());
        let bus_id = bus_id.and_then(crate::pci::bus_id);
        let key = bus_id.map(|bus_id| (self.host(number), bus_id));
        key.is_some_and(|key| self.devices.contains_key(&key) || self.switches.contains_key(&key))
    }

    /// Returns the number of the NUMA node that an element is in.
    fn numa_node(&self, elements: &[Element<'_>], number: usize) -> Option<i64> {
        let (cpu, _) = self.cpu_of(elements, number)?;
        let node = cpu.number::<i64>("numaid").ok().flatten();
        node.filter(|&node| node >= 0)
    }

    /// Returns the processor that an element is in, and its vertex.
    pub(super) fn cpu_of<'e, 't>(
        &self,
        elements: &'e [Element<'t>],
        number: usize,
    ) -> Option<(&'e Element<'t>, &str)> {
        let mut place = number;
        loop {
            let element = elements.get(place)?;
            match element.kind {
                Kind::Cpu => return Some((element, self.id(place)?)),
                Kind::System => return None,
                _ => place = element.parent,
            }
        }
    }

    /// Adds a `nic` that has no `net`.
    fn nic(
        &mut self,
        elements: &[Element<'_>],
        number: usize,
        hosts: &Hosts,
        names: &Names,
        builder: &mut Builder,
    ) -> Result<(), Error> {
        let Some(nic) = elements.get(number) else {
            return Ok(());
        };
        let next = elements.get(number + 1);
        let has_net = next.is_some_and(|next| next.kind == Kind::Net && next.parent == number);
        let is_nic = names.kind(nic.parent) == Some(VertexKind::Nic);
        if has_net || !is_nic {
            return Ok(());
        }
        self.port(elements, number, nic.parent, None, hosts, builder)
    }

    /// Adds a port of a NIC.
    fn net(
        &mut self,
        elements: &[Element<'_>],
        number: usize,
        hosts: &Hosts,
        builder: &mut Builder,
        warnings: &mut Warnings,
    ) -> Result<(), Error> {
        let Some(net) = elements.get(number) else {
            return Ok(());
        };
        let nic = elements.get(net.parent);
        let around = nic.map_or(0, |nic| nic.parent);
        let in_pci = elements
            .get(around)
            .is_some_and(|around| around.kind == Kind::Pci);
        let name = net.text("name");
        if !in_pci && !name.is_empty() {
            let key = (self.host(number), name.to_owned());
            if !self.virtual_nics.insert(key) {
                let message = format!("NIC {} is there already, the first counts", quoted(name));
                warnings.add(net.position, message);
                return Ok(());
            }
        }
        self.port(elements, number, around, Some(net), hosts, builder)
    }

    fn port(
        &mut self,
        elements: &[Element<'_>],
        number: usize,
        around: usize,
        net: Option<&Element<'_>>,
        hosts: &Hosts,
        builder: &mut Builder,
    ) -> Result<(), Error> {
        let name = format!("nic{}", self.count("nic", number));
        let id = hosts.local(number, &name);
        let title = net.map_or("", |net| net.text("name"));
        let mut vertex = Vertex {
            name: (!title.is_empty()).then(|| title.to_owned()),
            numa_node: self.numa_node(elements, number),
            bandwidth: net.map(rate::net).transpose()?.flatten(),
            ..vertex(&id, VertexKind::Nic)
        };
        let pci = elements
            .get(around)
            .filter(|around| around.kind == Kind::Pci);
        if let Some(pci) = pci {
            let bus_id = pci.bus_id("busid")?;
            // Of several ports with one address only the first can be found by it.
            let is_first = self.bound.insert((self.host(number), bus_id.clone()));
            vertex.matches = (is_first && !hosts.are_many()).then(|| by_bus_id(&bus_id));
            vertex.pci_bus_id = Some(bus_id);
        }
        let position = net
            .or(pci)
            .map_or(Position::START, |element| element.position);
        builder.vertex(position, vertex)?;
        match pci {
            Some(_) => self.up(elements, around, &id, builder),
            None => match self.id(around) {
                Some(cpu) => builder.link(position, link(&id, cpu, LinkType::PCIe)),
                None => Ok(()),
            },
        }
    }
}

fn twice(pci: &Element<'_>, bus_id: &str) -> Error {
    let found = pci.attribute("busid");
    let position = found.map_or(pci.position, |found| found.position);
    let message = format!("address `{bus_id}` is there already, expected each device once");
    Error::new(Code::Duplicate, position, message)
}
