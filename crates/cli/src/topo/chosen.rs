//! [`Marks`]: which devices are chosen, free and taken.

use dralloc_topology::Topology;

use super::words;
use crate::failure::Failure;

/// Says what a device or NIC is to the question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    #[default]
    Free,
    Chosen,
    Taken,
}

/// Has the mark of each device and each NIC.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    pub(super) devices: Vec<Mark>,
    pub(super) nics: Vec<Mark>,
}

impl Marks {
    /// Returns the marks of a machine of which nothing is chosen or taken.
    pub(super) fn none(topology: &Topology) -> Self {
        Self {
            devices: vec![Mark::Free; topology.device_count()],
            nics: vec![Mark::Free; topology.nic_count()],
        }
    }

    /// Marks devices and NICs by their ids.
    ///
    /// # Errors
    ///
    /// If there is neither a device nor a NIC with an id.
    pub(super) fn choose(&mut self, topology: &Topology, ids: &[String]) -> Result<(), Failure> {
        for id in ids {
            let nic = (0..topology.nic_count())
                .find(|&nic| topology.nic(nic).is_some_and(|vertex| vertex.id == *id));
            let mark = match (topology.find(id), nic) {
                (Some(device), _) => self.devices.get_mut(device),
                (None, Some(nic)) => self.nics.get_mut(nic),
                (None, None) => None,
            };
            let Some(mark) = mark else {
                let id = words::quoted(id);
                let message = format!("no device or NIC {id}, expected the id of one");
                return Err(Failure::Input(format!("--devices: {message}")));
            };
            *mark = Mark::Chosen;
        }
        Ok(())
    }

    /// Returns the numbers of the devices with a mark.
    pub(super) fn devices(&self, mark: Mark) -> Vec<usize> {
        let marks = self.devices.iter().enumerate();
        marks
            .filter(|(_, found)| **found == mark)
            .map(|(number, _)| number)
            .collect()
    }

    /// Says whether anything has a mark.
    pub(super) fn has(&self, mark: Mark) -> bool {
        self.devices
            .iter()
            .chain(&self.nics)
            .any(|found| *found == mark)
    }
}
