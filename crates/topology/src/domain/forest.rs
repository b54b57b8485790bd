//! [`DomainTree`]: domains inside domains, down to the devices.

use std::collections::BTreeMap;

use super::{Labels, Scope};

/// Is a tree of domains: every device is in one domain of each level.
///
/// A domain that holds the same devices as the one around it is the same one, under the
/// nearer scope; so the scope of a domain is the nearest that all its devices have in
/// common, and two devices have in common what the smallest domain with both says.
/// Children are in the order of their first device.
///
/// An `NVLink` domain is a level of the tree only where it holds whole hosts (a rack);
/// inside of hosts links are a mesh, not a tree.
#[derive(Clone, Debug)]
pub struct DomainTree {
    domains: Vec<Domain>,
    /// The devices in the order of the tree: a domain holds a range of it.
    order: Vec<u32>,
    /// The smallest domain of each device.
    leaves: Vec<u32>,
}

/// Is one domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The nearest scope that its devices have in common.
    pub scope: Scope,
    /// The domain around it; none for the root.
    pub parent: Option<u32>,
    /// The domains inside it.
    pub children: Vec<u32>,
    /// Where its devices begin in [`DomainTree::order`].
    pub start: u32,
    /// How many devices it holds.
    pub len: u32,
}

impl DomainTree {
    /// Returns the tree of the first `devices` places.
    pub(crate) fn new(labels: &Labels, devices: usize) -> Self {
        let fabrics = fabric_of_hosts(labels, devices);
        let label = |device: usize, scope: Scope| match (scope, &fabrics) {
            (Scope::NvLinkDomain, None) => None,
            (Scope::NvLinkDomain, Some(of_host)) => {
                of_host.get(&labels.get(device, Scope::Host)?).copied()
            }
            _ => labels.get(device, scope),
        };
        let scopes: Vec<Scope> = Scope::ALL.into_iter().rev().skip(1).collect();
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let root = Domain {
            scope: Scope::Fabric,
            parent: None,
            children: Vec::new(),
            start: 0,
            len: count(devices),
        };
        let mut tree = Self {
            domains: vec![root],
            order: (0..count(devices)).collect(),
            leaves: vec![0; devices],
        };
        // Domains are split scope by scope, from far to near.
        let mut current: Vec<usize> = vec![0];
        for place in 0..scopes.len() {
            let scopes = &scopes[place..];
            let mut next = Vec::new();
            for domain in current {
                tree.split(domain, scopes, &label, &mut next);
            }
            current = next;
        }
        for (number, domain) in tree.domains.iter().enumerate() {
            if domain.children.is_empty() {
                let range = domain.start as usize..(domain.start + domain.len) as usize;
                for &device in &tree.order[range] {
                    tree.leaves[device as usize] = count(number);
                }
            }
        }
        tree
    }

    /// Splits a domain by the first of some scopes, and notes what is to be split
    /// further. A device of which that scope is not known stands beside the domains of
    /// the scope, in its domain of the widest nearer one.
    fn split(
        &mut self,
        number: usize,
        scopes: &[Scope],
        label: &dyn Fn(usize, Scope) -> Option<u32>,
        next: &mut Vec<usize>,
    ) {
        let (start, len) = (self.domains[number].start, self.domains[number].len);
        let range = start as usize..(start + len) as usize;
        let mut groups: Vec<(Scope, Vec<u32>)> = Vec::new();
        let mut places = BTreeMap::new();
        for &device in &self.order[range] {
            let mut known = scopes
                .iter()
                .filter_map(|&scope| Some((scope, label(device as usize, scope)?)));
            let key = known.next().unwrap_or((Scope::Device, device));
            let place = *places.entry(key).or_insert(groups.len());
            if place == groups.len() {
                groups.push((key.0, Vec::new()));
            }
            groups[place].1.push(device);
        }
        if let [(scope, _)] = &*groups {
            self.domains[number].scope = *scope;
            next.push(number);
            return;
        }
        let mut at = start;
        for (scope, devices) in groups {
            let child = self.domains.len();
            let (Ok(child_number), Ok(parent)) = (u32::try_from(child), u32::try_from(number))
            else {
                return;
            };
            let len = u32::try_from(devices.len()).unwrap_or(u32::MAX);
            for (offset, device) in devices.into_iter().enumerate() {
                self.order[at as usize + offset] = device;
            }
            self.domains.push(Domain {
                scope,
                parent: Some(parent),
                children: Vec::new(),
                start: at,
                len,
            });
            self.domains[number].children.push(child_number);
            at += len;
            next.push(child);
        }
    }

    /// Returns the domains; the root is the first, and parents come before children.
    pub fn domains(&self) -> &[Domain] {
        &self.domains
    }

    /// Returns the devices in the order of the tree.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Returns the devices of a domain, in the order of the tree.
    pub fn devices(&self, domain: &Domain) -> &[u32] {
        let (start, len) = (domain.start as usize, domain.len as usize);
        self.order.get(start..start + len).unwrap_or_default()
    }

    /// Returns the smallest domain that holds a device.
    pub fn leaf(&self, device: usize) -> Option<u32> {
        self.leaves.get(device).copied()
    }

    /// Returns the smallest domain that holds all of some devices; none for no device.
    pub fn smallest(&self, set: &[usize]) -> Option<&Domain> {
        self.domains.get(self.smallest_number(set)?)
    }

    /// Returns the nearest scope that all devices of a set have in common.
    pub(crate) fn span(&self, set: &[usize]) -> Scope {
        match set {
            [] | [_] => Scope::Device,
            _ => self
                .smallest(set)
                .map_or(Scope::Fabric, |domain| domain.scope),
        }
    }

    /// Returns the number of the smallest domain that holds all of some devices.
    pub(crate) fn smallest_number(&self, set: &[usize]) -> Option<usize> {
        let mut leaves = set.iter().map(|&device| self.leaf(device));
        let mut common = leaves.next()?? as usize;
        for leaf in leaves {
            let leaf = self.domains.get(leaf? as usize)?;
            loop {
                let domain = self.domains.get(common)?;
                let inside = domain.start <= leaf.start
                    && leaf.start + leaf.len <= domain.start + domain.len;
                if inside {
                    break;
                }
                common = domain.parent? as usize;
            }
        }
        Some(common)
    }
}

/// Returns the `NVLink` domain of each host, where every host is in one at most.
///
/// A device that has lost its links stays with those of its host.
fn fabric_of_hosts(labels: &Labels, devices: usize) -> Option<BTreeMap<u32, u32>> {
    let mut of_host = BTreeMap::new();
    for device in 0..devices {
        let host = labels.get(device, Scope::Host)?;
        if let Some(domain) = labels.get(device, Scope::NvLinkDomain)
            && *of_host.entry(host).or_insert(domain) != domain
        {
            return None;
        }
    }
    Some(of_host)
}
