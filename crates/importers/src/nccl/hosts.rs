//! [`Hosts`]: which machine an element is in.

use std::collections::BTreeMap;

use super::element::{Element, Kind};

/// Has the host of each element; a file made of several has `host_hash`.
#[derive(Clone, Debug)]
pub(super) struct Hosts {
    of: Vec<usize>,
    count: usize,
}

impl Hosts {
    pub(super) fn new(elements: &[Element<'_>]) -> Self {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut of: Vec<usize> = Vec::with_capacity(elements.len());
        for element in elements {
            let host = if element.kind == Kind::Cpu {
                let next = numbers.len();
                *numbers.entry(element.text("host_hash")).or_insert(next)
            } else {
                of.get(element.parent).copied().unwrap_or(0)
            };
            of.push(host);
        }
        Self {
            of,
            count: numbers.len().max(1),
        }
    }

    /// Returns the host of an element.
    pub(super) fn of(&self, element: usize) -> usize {
        self.of.get(element).copied().unwrap_or(0)
    }

    /// Says whether there are several hosts.
    pub(super) fn are_many(&self) -> bool {
        self.count > 1
    }

    /// Returns the id of a host.
    pub(super) fn id(&self, host: usize) -> String {
        if self.are_many() {
            format!("host{host}")
        } else {
            "host".to_owned()
        }
    }

    /// Returns the ids of all hosts.
    pub(super) fn ids(&self) -> impl Iterator<Item = String> + use<'_> {
        (0..self.count).map(|host| self.id(host))
    }

    /// Returns the id of something in the host of an element.
    pub(super) fn local(&self, element: usize, name: &str) -> String {
        if self.are_many() {
            format!("{}-{name}", self.id(self.of(element)))
        } else {
            name.to_owned()
        }
    }
}
