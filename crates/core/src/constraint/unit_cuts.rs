//! [`UnitCuts`]: devices can be cut into equal groups where domains cross.

use dralloc_topology::{Unwatched, Watch};

use crate::topology::Grouping;

/// Keeps the best cut of the devices of all requests with groups.
///
/// A device may join while what is picked can be cut into groups that are not full yet:
/// what is refused is part of no answer. In the end all groups are full.
#[derive(Debug)]
pub(crate) struct UnitCuts {
    /// By request of the question, its place among those with groups.
    members: Vec<Option<usize>>,
    grouping: Grouping,
    /// By device, whether its request has groups.
    counted: Vec<bool>,
}

impl UnitCuts {
    /// Returns one with nothing picked.
    pub(crate) fn new(members: Vec<Option<usize>>, grouping: Grouping) -> Self {
        Self {
            members,
            grouping,
            counted: Vec::new(),
        }
    }

    fn member(&self, request: usize) -> Option<usize> {
        self.members.get(request).copied().flatten()
    }

    /// Returns whether a device of a request may join.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(crate) fn admits<W: Watch>(
        &mut self,
        request: usize,
        device: usize,
        watch: &mut W,
    ) -> Result<bool, W::Stop> {
        match self.member(request) {
            Some(member) => self.grouping.admits(member, device, watch),
            None => Ok(false),
        }
    }

    /// Lets a device of a request join, which was just asked about: so its cut is known, and
    /// nothing is left to do of which a meter would have to be told.
    pub(crate) fn add(&mut self, request: usize, device: usize) {
        let member = self.member(request);
        self.counted.push(member.is_some());
        if let Some(member) = member {
            self.grouping.add(member, device, &mut Unwatched);
        }
    }

    /// Takes the last device back.
    pub(crate) fn undo(&mut self) {
        if self.counted.pop() == Some(true) {
            self.grouping.take_back();
        }
    }
}
