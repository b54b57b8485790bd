//! `NVLink`, xGMI and C2C of devices.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use dralloc_topology::{Code, Link, LinkType, Rate, VertexKind};

use super::element::{Element, Kind};
use super::names::Names;
use super::rate;
use super::tree::Tree;
use crate::builder::{Builder, bonded, vertex};
use crate::error::{Error, Warnings};
use crate::text::Position;

/// What virtual machines show as the address of any switch.
const HIDDEN_SWITCH: &str = "fffffff:ff:ff.0";

/// Is what all elements say of the links from one vertex to another.
#[derive(Clone, Debug)]
struct Wire {
    position: Position,
    count: u32,
    generation: Option<i64>,
    /// Rate of one link.
    rate: Option<Rate>,
}

/// Links by both ends, and by what the lower-numbered end says first.
type Wires = BTreeMap<(String, String, LinkType), Wire>;

/// Adds the links to a document, with the switches that they lead to.
pub(super) fn build(
    elements: &[Element<'_>],
    names: &Names,
    tree: &Tree,
    builder: &mut Builder,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    let mut found = Found {
        names,
        tree,
        switches: tree.switches.clone(),
        made: Vec::new(),
        wires: Wires::new(),
        order: Vec::new(),
    };
    for (number, element) in elements.iter().enumerate() {
        match element.kind {
            Kind::NvLink | Kind::Xgmi => found.wire(elements, number, element, warnings)?,
            Kind::C2c => found.c2c(elements, number, element, builder)?,
            _ => {}
        }
    }
    for (id, position) in &found.made {
        builder.vertex(*position, vertex(id, VertexKind::NvSwitch))?;
    }
    found.links(builder, warnings)
}

struct Found<'e> {
    names: &'e Names,
    tree: &'e Tree,
    switches: BTreeMap<(usize, String), String>,
    /// Switches that are no elements.
    made: Vec<(String, Position)>,
    wires: Wires,
    order: Vec<(String, String, LinkType)>,
}

impl Found<'_> {
    fn wire(
        &mut self,
        elements: &[Element<'_>],
        number: usize,
        element: &Element<'_>,
        warnings: &mut Warnings,
    ) -> Result<(), Error> {
        let target = element.bus_id("target")?;
        let Some(count) = count(element, warnings)? else {
            return Ok(());
        };
        let Some((gpu, own)) = self.device(elements, element.parent) else {
            return Ok(());
        };
        let host = self.tree.host(number);
        let class = element.text("tclass").trim().to_lowercase();
        let class = class.strip_prefix("0x").unwrap_or(&class);
        let other = match self.tree.device(host, &target) {
            Some(device) => self.tree.id(device).map(str::to_owned),
            None => None,
        };
        let is_xgmi = element.kind == Kind::Xgmi;
        let (other, link_type) = if let Some(other) = other {
            if other == own {
                let message = "a link that leads back to its own device is passed over";
                warnings.add(element.position, message);
                return Ok(());
            }
            let direct = if is_xgmi {
                LinkType::XGMI
            } else {
                LinkType::NVLink
            };
            (other, direct)
        } else if class.starts_with("068001")
            && let Some((_, cpu)) = self.tree.cpu_of(elements, number)
        {
            (cpu.to_owned(), LinkType::NVLinkCPU)
        } else if class.starts_with("0680") || target == HIDDEN_SWITCH {
            (
                self.switch(host, &target, element.position),
                LinkType::NVSwitch,
            )
        } else {
            let message = format!("a link to `{target}` is passed over, since no device has it");
            warnings.add(element.position, message);
            return Ok(());
        };
        let known = if is_xgmi { None } else { rate::nv_link(gpu) };
        let wire = Wire {
            position: element.position,
            count,
            generation: known.map(|(generation, _)| generation),
            rate: known.map(|(_, rate)| rate).or_else(|| {
                let rate = rate::xgmi(gpu);
                rate.filter(|_| is_xgmi)
            }),
        };
        match self.wires.entry((own.clone(), other.clone(), link_type)) {
            Entry::Vacant(entry) => {
                entry.insert(wire);
                self.order.push((own, other, link_type));
            }
            // Several elements of one device with one target are several links.
            Entry::Occupied(mut entry) => {
                let count = entry.get().count.saturating_add(count).min(MOST_LINKS);
                entry.get_mut().count = count;
            }
        }
        Ok(())
    }

    /// Adds the link of a device to its processor.
    fn c2c(
        &self,
        elements: &[Element<'_>],
        number: usize,
        element: &Element<'_>,
        builder: &mut Builder,
    ) -> Result<(), Error> {
        let count: u32 = element.number("count")?.unwrap_or(1);
        let device = self.device(elements, element.parent);
        let (Some((_, own)), Some((_, cpu))) = (device, self.tree.cpu_of(elements, number)) else {
            return Ok(());
        };
        if !(1..=MOST_LINKS).contains(&count) {
            return Err(wrong_count(element));
        }
        let rate = rate::c2c(element, count)?;
        builder.link(
            element.position,
            bonded(&own, cpu, LinkType::C2C, count, rate),
        )
    }

    /// Returns a `gpu` and its vertex; none for another part of a device that is there.
    fn device<'a, 't>(
        &self,
        elements: &'a [Element<'t>],
        gpu: usize,
    ) -> Option<(&'a Element<'t>, String)> {
        let element = elements.get(gpu)?;
        let id = self.tree.id(element.parent)?;
        let is_first = self.names.inside(element.parent) == Some(gpu);
        is_first.then(|| (element, id.to_owned()))
    }

    /// Returns the switch with an address.
    fn switch(&mut self, host: usize, target: &str, position: Position) -> String {
        // Machines of one rack are on the same switches, and none of them sees which.
        let host = if target == HIDDEN_SWITCH { 0 } else { host };
        let next = self.switches.len();
        let id = self
            .switches
            .entry((host, target.to_owned()))
            .or_insert_with(|| {
                let id = format!("nvswitch{next}");
                self.made.push((id.clone(), position));
                id
            });
        id.clone()
    }

    /// Adds the links; what two ends report of one is one link, the weaker.
    fn links(&self, builder: &mut Builder, warnings: &mut Warnings) -> Result<(), Error> {
        for key in &self.order {
            let (a, b, link_type) = key;
            let Some(wire) = self.wires.get(key) else {
                continue;
            };
            let back = self.wires.get(&(b.clone(), a.clone(), *link_type));
            let mut count = wire.count;
            if let Some(back) = back {
                let is_second = (back.position.line, back.position.column)
                    < (wire.position.line, wire.position.column);
                if is_second {
                    continue;
                }
                if back.count != wire.count {
                    let message = format!(
                        "`{b}` has {} links to `{a}`, which has {} back, the fewer count",
                        back.count, wire.count
                    );
                    warnings.add(back.position, message);
                }
                count = count.min(back.count);
            }
            let rate = wire.rate.map(|rate| rate.thousandths() * u64::from(count));
            let rate = rate
                .filter(|&rate| rate <= 1_000_000_000)
                .map(Rate::from_thousandths);
            let link = Link {
                generation: wire.generation,
                ..bonded(a, b, *link_type, count, rate)
            };
            builder.link(wire.position, link)?;
        }
        Ok(())
    }
}

/// The most links that a document may bond.
const MOST_LINKS: u32 = 1_000_000;

/// Returns how many links an element is; none for no link at all.
fn count(element: &Element<'_>, warnings: &mut Warnings) -> Result<Option<u32>, Error> {
    element.required("count")?;
    match element.number::<u32>("count")? {
        Some(0) => {
            let message = "an element with a count of 0 is passed over";
            warnings.add(element.position, message);
            Ok(None)
        }
        Some(count) if count <= MOST_LINKS => Ok(Some(count)),
        _ => Err(wrong_count(element)),
    }
}

fn wrong_count(element: &Element<'_>) -> Error {
    let found = element.attribute("count");
    let position = found.map_or(element.position, |found| found.position);
    let message = format!("expected 1 to {MOST_LINKS} links");
    Error::new(Code::Invalid, position, message)
}
