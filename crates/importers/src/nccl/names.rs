//! [`Names`]: what each element is in the document, and its id there.

use std::collections::BTreeSet;

use dralloc_topology::VertexKind;

use super::element::{Element, Kind};
use super::hosts::Hosts;
use crate::error::{Error, Warnings};
use crate::text::quoted;

/// Has what each `pci` is.
#[derive(Clone, Debug)]
pub(super) struct Names {
    kinds: Vec<Option<VertexKind>>,
    /// The element `gpu` or `nic` in each `pci`.
    inside: Vec<Option<usize>>,
    /// Devices are named by the attribute `dev`, which tells all of them apart.
    by_dev: bool,
}

impl Names {
    /// Finds out what the elements are.
    ///
    /// A `pci` with a `gpu` or a `nic` in it is one; for others the class tells, as in
    /// files that clouds write by hand.
    pub(super) fn new(
        elements: &[Element<'_>],
        hosts: &Hosts,
        warnings: &mut Warnings,
    ) -> Result<Self, Error> {
        let mut names = Self {
            kinds: vec![None; elements.len()],
            inside: vec![None; elements.len()],
            by_dev: true,
        };
        let mut nested = vec![false; elements.len()];
        let mut devs = BTreeSet::new();
        for (number, element) in elements.iter().enumerate() {
            if element.kind == Kind::Pci
                && let Some(nested) = nested.get_mut(element.parent)
            {
                *nested = true;
            }
            if !matches!(element.kind, Kind::Gpu | Kind::Nic) {
                continue;
            }
            let Some(inside) = names.inside.get_mut(element.parent) else {
                continue;
            };
            if inside.is_some() {
                // Parts of a device, or several ranks on one.
                if element.kind == Kind::Gpu {
                    let message = "another `gpu` of one device is passed over";
                    warnings.add(element.position, message);
                }
                continue;
            }
            *inside = Some(number);
            if element.kind == Kind::Gpu {
                let dev = element.number::<u32>("dev")?;
                let is_new = dev.is_some_and(|dev| devs.insert((hosts.of(number), dev)));
                names.by_dev &= is_new;
            }
        }
        for (number, element) in elements.iter().enumerate() {
            if element.kind != Kind::Pci {
                continue;
            }
            let inside = names.inside.get(number).copied().flatten();
            let kind = match inside.and_then(|inside| elements.get(inside)) {
                Some(inside) if inside.kind == Kind::Gpu => Some(VertexKind::Gpu),
                Some(_) => Some(VertexKind::Nic),
                None if nested.get(number).copied().unwrap_or(false) => {
                    Some(VertexKind::PcieSwitch)
                }
                None => of_class(element.text("class")),
            };
            // Without `gpu` there is no `dev`.
            names.by_dev &= kind != Some(VertexKind::Gpu) || inside.is_some();
            if kind.is_none() {
                let found = quoted(element.text("class"));
                let message = format!("a `pci` of class {found} is passed over");
                warnings.add(element.position, message);
            }
            if let Some(entry) = names.kinds.get_mut(number) {
                *entry = kind;
            }
        }
        Ok(names)
    }

    /// Returns what a `pci` is.
    pub(super) fn kind(&self, number: usize) -> Option<VertexKind> {
        self.kinds.get(number).copied().flatten()
    }

    /// Returns the `gpu` or `nic` in a `pci`.
    pub(super) fn inside(&self, number: usize) -> Option<usize> {
        self.inside.get(number).copied().flatten()
    }

    /// Returns the number of a device: its `dev`, or its place in the text.
    pub(super) fn device(&self, gpu: Option<&Element<'_>>, place: usize) -> Result<String, Error> {
        let dev = gpu.filter(|_| self.by_dev);
        let dev = dev
            .map(|gpu| gpu.number::<u32>("dev"))
            .transpose()?
            .flatten();
        Ok(dev.map_or_else(|| format!("gpu{place}"), |dev| format!("gpu{dev}")))
    }
}

/// Returns what devices of a PCI class are.
fn of_class(class: &str) -> Option<VertexKind> {
    let class = class.trim().to_lowercase();
    let digits = class.strip_prefix("0x").unwrap_or(&class);
    [
        ("0604", VertexKind::PcieSwitch),
        ("0680", VertexKind::NvSwitch),
        ("02", VertexKind::Nic),
        ("03", VertexKind::Gpu),
        ("12", VertexKind::Gpu),
    ]
    .into_iter()
    .find_map(|(start, kind)| digits.starts_with(start).then_some(kind))
}
