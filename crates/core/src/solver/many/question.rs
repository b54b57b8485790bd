//! [`ManyQuestion`]: what claims say of the parts of what a node sees, and what
//! is held of them.

use std::sync::Arc;

use super::walk::Lost;
use super::{Many, Request, Values};
use crate::budget::Meter;
use crate::model::Quantity;
use crate::state::{Draft, HeldDevice};
use crate::store::{DeviceEntry, Seen, Segment, locate};

/// Is what is asked; devices are numbered in canonical order over all parts.
pub(crate) struct ManyQuestion<'a> {
    pub(super) parts: Vec<Part<'a>>,
    pub(super) segments: &'a [Segment],
    pub(super) held: &'a Draft,
    /// Whether an invalid pool is seen, which makes "no" an error.
    pub(super) has_invalid_pool: bool,
    /// By constraint: the part of which devices show something.
    pub(super) shown_by: Vec<usize>,
}

/// Is a part of what the node sees.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) many: &'a Many,
    pub(super) seen: &'a Arc<Seen>,
}

/// Is a device as its part knows it.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) part: usize,
    pub(super) device: usize,
}

impl<'a> ManyQuestion<'a> {
    /// Returns nothing if devices of several parts show something to one constraint.
    pub(super) fn new(
        parts: Vec<Part<'a>>,
        segments: &'a [Segment],
        held: &'a Draft,
    ) -> Option<Self> {
        for part in &parts {
            part.many.fits.borrow_mut().begin();
        }
        let count = parts.first()?.many.constraints.len();
        let mut shown_by = Vec::with_capacity(count);
        for constraint in 0..count {
            let shows = |part: &Part<'_>| part.many.constraints[constraint].is_shown();
            let mut showing = (0..parts.len()).filter(|part| shows(&parts[*part]));
            shown_by.push(showing.next().unwrap_or(0));
            if showing.next().is_some() {
                return None;
            }
        }
        let has_invalid_pool = segments.iter().any(|segment| {
            let invalid = &parts[segment.part].many.invalid_pools;
            invalid.iter().any(|pool| segment.pools.contains(pool))
        });
        Some(Self {
            parts,
            segments,
            held,
            has_invalid_pool,
            shown_by,
        })
    }

    /// Returns the requests, of which candidates and amounts are those of one part.
    pub(super) fn requests(&self) -> &'a [Request] {
        self.parts.first().map_or(&[], |part| &part.many.requests)
    }

    pub(crate) fn request(&self, place: usize) -> &'a Request {
        &self.requests()[place]
    }

    pub(super) fn constraints(&self) -> usize {
        self.shown_by.len()
    }

    pub(super) fn values(&self, constraint: usize) -> &'a Values {
        &self.parts[self.shown_by[constraint]].many.constraints[constraint]
    }

    pub(super) fn place(&self, device: usize) -> Place {
        let (part, device) = locate(self.segments, device);
        Place { part, device }
    }

    /// Returns the first device after the pool of a device.
    pub(super) fn after_pool(&self, device: usize) -> usize {
        let place = self.place(device);
        let seen = self.parts[place.part].seen;
        let end = seen.of_pool(self.entry(place).pool()).end;
        device + (end - place.device).max(1)
    }

    pub(super) fn entry(&self, place: Place) -> &'a DeviceEntry {
        &self.parts[place.part].seen.devices[place.device]
    }

    pub(super) fn held(&self, place: Place) -> Option<&'a HeldDevice> {
        self.held.device(self.entry(place).key)
    }

    pub(super) fn is_shareable(&self, place: Place) -> bool {
        self.parts[place.part].seen.shareable.contains(place.device)
    }

    /// Returns what a request takes of the capacities of a shared device.
    pub(crate) fn amounts(&self, request: usize, device: usize) -> Arc<[Quantity]> {
        let place = self.place(device);
        let amounts = self.parts[place.part].many.amounts(request, place.device);
        amounts.map_or_else(Arc::default, Arc::clone)
    }

    pub(super) fn amounts_of(&self, request: usize, place: Place) -> &'a [Quantity] {
        let amounts = self.parts[place.part].many.amounts(request, place.device);
        amounts.map_or(&[], |amounts| amounts)
    }

    /// Returns what a device shows to a constraint.
    pub(super) fn shown(&self, constraint: usize, device: usize) -> &'a [u32] {
        let place = self.place(device);
        if place.part == self.shown_by[constraint] {
            self.values(constraint).shown(place.device)
        } else {
            &[]
        }
    }

    /// Returns the first device from a place on that a request might have and
    /// that fits beside what is held; its counters may still be short.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(super) fn next(
        &self,
        request: usize,
        start: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<usize>, Lost> {
        let after = self
            .segments
            .partition_point(|segment| segment.first <= start);
        let rest = self.segments.get(after.saturating_sub(1)..);
        for segment in rest.unwrap_or_default() {
            let from = segment.devices.start + start.saturating_sub(segment.first);
            if from >= segment.devices.end {
                continue;
            }
            let part = self.parts[segment.part];
            let mut fits = part.many.fits.borrow_mut();
            let range = from..segment.devices.end;
            if let Some(device) = fits.next(part, self.held, request, range, meter)? {
                return Ok(Some(segment.first + (device - segment.devices.start)));
            }
        }
        Ok(None)
    }

    /// Returns whether what is held leaves a device to a request, whose counters
    /// may still be short.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(super) fn fits(
        &self,
        request: usize,
        place: Place,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Lost> {
        let part = self.parts[place.part];
        let mut fits = part.many.fits.borrow_mut();
        fits.contains(part, self.held, request, place.device, meter)
    }

    /// Returns whether a device draws on counters.
    pub(super) fn draws(&self, place: Place) -> bool {
        self.parts[place.part].many.drawing.contains(place.device)
    }

    /// Returns whether a request might have a device.
    pub(super) fn is_candidate(&self, request: usize, place: Place) -> bool {
        let many = self.parts[place.part].many;
        many.requests[request].candidates.contains(place.device)
    }

    /// Returns the devices from a place on that show a value to a constraint.
    pub(super) fn with_value(
        &self,
        constraint: usize,
        value: u32,
        start: usize,
    ) -> impl Iterator<Item = Place> + '_ {
        let part = self.shown_by[constraint];
        let segments = self.segments.iter();
        let segments = segments.filter(move |segment| segment.part == part);
        segments.flat_map(move |segment| {
            let from = segment.devices.start + start.saturating_sub(segment.first);
            let devices = self.values(constraint).with(value, from);
            let devices = devices.iter().map(|device| *device as usize);
            let devices = devices.take_while(|device| *device < segment.devices.end);
            devices.map(move |device| Place { part, device })
        })
    }
}
