//! [`Published`]: the devices of a cluster, with those together that look the same to
//! everything that is asked.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use dralloc::model::{Device, DeviceAttribute};
use dralloc::{DeviceRow, PublishedDevice, PublishedPool};
use dralloc_cel::{EvaluationError, Kind, Program, Reads};

/// Is what is of interest of devices: what selectors read, and which attributes and
/// capacities anybody names.
#[derive(Debug, Default)]
pub(super) struct Interest<'c> {
    slots: BTreeSet<Name>,
    domains: BTreeSet<(bool, String)>,
    everything: bool,
    attributes: BTreeSet<&'c str>,
    capacities: BTreeSet<&'c str>,
}

/// Is an attribute or a capacity that a selector reads.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    is_attribute: bool,
    domain: String,
    id: String,
    /// Domain and id in one.
    full: String,
}

/// Holds what drivers publish.
#[derive(Debug)]
pub(super) struct Published<'s> {
    pub(super) pools: &'s [PublishedPool<'s>],
    /// In the order of their first devices.
    pub(super) groups: Vec<Group<'s>>,
    /// How many devices there are.
    pub(super) devices: usize,
}

/// Is some devices that look the same to everything that is asked.
#[derive(Debug)]
pub(super) struct Group<'s> {
    pub(super) first: PublishedDevice<'s>,
    pub(super) count: usize,
    /// How many of them are on a node of their own.
    pub(super) by_node: BTreeMap<&'s str, usize>,
    /// How many of them may be on several nodes.
    pub(super) anywhere: usize,
    /// The first device as selectors read it.
    pub(super) row: Result<DeviceRow<'s>, EvaluationError>,
}

impl<'c> Interest<'c> {
    /// Adds what a selector reads.
    pub(super) fn add_program(&mut self, program: &Program) {
        let Reads {
            slots,
            domains,
            everything,
            ..
        } = program.reads();
        let names = slots.iter().map(|slot| Name {
            is_attribute: slot.kind == Kind::Attribute,
            domain: slot.domain.clone(),
            id: slot.name.clone(),
            full: format!("{}/{}", slot.domain, slot.name),
        });
        self.slots.extend(names);
        let domains = domains.iter();
        self.domains
            .extend(domains.map(|(kind, domain)| (*kind == Kind::Attribute, domain.clone())));
        self.everything |= everything;
    }

    /// Adds an attribute that a constraint compares.
    pub(super) fn add_attribute(&mut self, name: &'c str) {
        self.attributes.insert(name);
    }

    /// Adds a capacity that a request asks for.
    pub(super) fn add_capacity(&mut self, name: &'c str) {
        self.capacities.insert(name);
    }

    /// Describes a device as far as anybody is interested in it.
    fn describe(&self, driver: &str, device: &Device, text: &mut String) {
        // Texts cannot be written to without success.
        let _ = write!(text, "{driver} {:?}", device.allow_multiple_allocations);
        if self.everything {
            let _ = write!(text, "{:?}{:?}", device.attributes, device.capacity);
            return;
        }
        for name in &self.slots {
            // The two spellings of a name are one to selectors.
            let full = name.full.as_str();
            let own = (name.domain == driver).then_some(name.id.as_str());
            if name.is_attribute {
                let found = device.attributes.get(full);
                let found = found.or_else(|| device.attributes.get(own?));
                let _ = write!(text, "|{found:?}");
            } else {
                let found = device.capacity.get(full);
                let found = found.or_else(|| device.capacity.get(own?));
                let _ = write!(text, "|{:?}", found.map(|found| &found.value));
            }
        }
        for (is_attribute, domain) in &self.domains {
            let is_in = |name: &str| match name.split_once('/') {
                Some((own, _)) => own == domain,
                None => driver == domain,
            };
            let has = if *is_attribute {
                device.attributes.iter().any(|(name, _)| is_in(name))
            } else {
                device.capacity.iter().any(|(name, _)| is_in(name))
            };
            let _ = write!(text, "|{has}");
        }
        for name in &self.attributes {
            let sort = device.attribute(driver, name).map(sort_of);
            let _ = write!(text, "|{sort:?}");
        }
        for name in &self.capacities {
            let _ = write!(text, "|{}", device.capacity.get(*name).is_some());
        }
        // An attribute without a usable value makes each selector fail.
        let mut attributes = device.attributes.iter();
        let is_unusable = attributes.any(|(_, value)| *value == DeviceAttribute::Unknown);
        let _ = write!(text, "|{is_unusable}");
    }
}

impl<'s> Published<'s> {
    /// Puts the devices of pools together.
    pub(super) fn new(pools: &'s [PublishedPool<'s>], interest: &Interest<'_>) -> Self {
        let mut published = Self {
            pools,
            groups: Vec::new(),
            devices: 0,
        };
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        let mut text = String::new();
        for found in pools.iter().flat_map(PublishedPool::devices) {
            published.devices += 1;
            let driver = &*found.slice.spec.driver;
            text.clear();
            interest.describe(driver, found.device, &mut text);
            let place = known.get(&text).copied().unwrap_or_else(|| {
                published.groups.push(Group {
                    first: found,
                    count: 0,
                    by_node: BTreeMap::new(),
                    anywhere: 0,
                    row: DeviceRow::new(driver, found.device),
                });
                let place = published.groups.len() - 1;
                known.insert(text.clone(), place);
                place
            });
            let group = &mut published.groups[place];
            group.count += 1;
            match found.node() {
                Some(node) => *group.by_node.entry(node).or_default() += 1,
                None => group.anywhere += 1,
            }
        }
        published
    }

    /// Counts the devices of some groups.
    pub(super) fn count(&self, groups: &[usize]) -> usize {
        groups.iter().map(|group| self.groups[*group].count).sum()
    }

    /// Returns how many devices of some groups one node can have at most, and the first
    /// such node if it has any of its own.
    pub(super) fn most_on_a_node(&self, groups: &[usize]) -> (usize, Option<&'s str>) {
        let groups = groups.iter().map(|group| &self.groups[*group]);
        let anywhere: usize = groups.clone().map(|group| group.anywhere).sum();
        let mut by_node: BTreeMap<&str, usize> = BTreeMap::new();
        for (node, count) in groups.flat_map(|group| &group.by_node) {
            *by_node.entry(node).or_default() += count;
        }
        let mut most = (0, None);
        for (node, count) in by_node {
            if count > most.0 {
                most = (count, Some(node));
            }
        }
        (most.0 + anywhere, most.1)
    }
}

/// Returns the full name of a device, as `driver/pool/device`.
pub(super) fn name_of(found: &PublishedDevice<'_>) -> String {
    let spec = &found.slice.spec;
    format!("{}/{}/{}", spec.driver, spec.pool.name, found.device.name)
}

/// Returns what an attribute is: the type of one value, and whether it is a list of them.
pub(super) fn sort_of(attribute: &DeviceAttribute) -> Option<(&'static str, bool)> {
    Some(match attribute {
        DeviceAttribute::Int(_) => ("int", false),
        DeviceAttribute::Bool(_) => ("bool", false),
        DeviceAttribute::String(_) => ("string", false),
        DeviceAttribute::Version(_) => ("version", false),
        DeviceAttribute::Ints(_) => ("int", true),
        DeviceAttribute::Bools(_) => ("bool", true),
        DeviceAttribute::Strings(_) => ("string", true),
        DeviceAttribute::Versions(_) => ("version", true),
        DeviceAttribute::Unknown => return None,
    })
}
