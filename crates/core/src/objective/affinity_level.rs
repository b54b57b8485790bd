//! [`AffinityLevel`]: the nearest of some levels that all picks have in common.

use std::sync::Arc;

use crate::topology::{AffinityScope, Machine};

/// Says how far down a list of scopes the first is that all picks share; the length of
/// the list where none is.
///
/// Bound: the value so far. Admissible: what picks do not share they do not share beside
/// others, so the first that is shared only moves down.
#[derive(Debug)]
pub(crate) struct AffinityLevel {
    machine: Arc<Machine>,
    levels: Vec<AffinityScope>,
    picked: Vec<usize>,
    /// By pick: for each level what is in common of all until then.
    common: Vec<Vec<Common>>,
}

/// Is what picks have in common for one level.
#[derive(Clone, Debug)]
enum Common {
    Nothing,
    /// They are linked, each two of them.
    Links,
    Domains(Vec<u32>),
}

impl AffinityLevel {
    pub(super) fn new(machine: Arc<Machine>, levels: Vec<AffinityScope>) -> Self {
        Self {
            machine,
            levels,
            picked: Vec::new(),
            common: Vec::new(),
        }
    }

    /// Adds a pick of a device; returns by how much the value grows.
    pub(super) fn add(&mut self, device: usize) -> i64 {
        let before = self.value();
        let levels = self.levels.iter().enumerate();
        let common = levels.map(|(place, level)| {
            let last = self.common.last().and_then(|levels| levels.get(place));
            self.join(last, *level, device)
        });
        let common = common.collect();
        self.common.push(common);
        self.picked.push(device);
        self.value() - before
    }

    fn join(&self, last: Option<&Common>, level: AffinityScope, device: usize) -> Common {
        match (last, level) {
            (Some(Common::Nothing), _) => Common::Nothing,
            (_, AffinityScope::NvLink) => {
                let mut picked = self.picked.iter();
                if picked.all(|other| self.machine.share(level, *other, device)) {
                    Common::Links
                } else {
                    Common::Nothing
                }
            }
            (last, AffinityScope::Domain(scope)) => {
                let mut domains = self.machine.domains().of(scope, device).to_vec();
                if let Some(Common::Domains(known)) = last {
                    domains.retain(|domain| known.contains(domain));
                }
                if domains.is_empty() {
                    Common::Nothing
                } else {
                    Common::Domains(domains)
                }
            }
        }
    }

    /// Writes what tells a device apart from others.
    pub(super) fn describe(&self, device: usize, key: &mut Vec<i128>) {
        self.machine.describe(&self.levels, device, key);
    }

    /// Takes the latest pick back.
    pub(super) fn take_back(&mut self) {
        self.common.pop();
        self.picked.pop();
    }

    fn value(&self) -> i64 {
        let Some(common) = self.common.last() else {
            return 0;
        };
        let mut levels = common.iter();
        let first = levels.position(|common| !matches!(common, Common::Nothing));
        i64::try_from(first.unwrap_or(common.len())).unwrap_or(i64::MAX)
    }
}
