//! The search of questions with one request, which goes back where it must.
//!
//! Here the bounds of the search are few and cheap: each is looked at where the
//! search looks at it, so that the branches are the same.

use super::walk::{Common, Lost, ManyWalk};
use super::{ManyQuestion, Request};
use crate::budget::Meter;
use crate::number::number;
use crate::outcome::Reason;

/// The only request.
const REQUEST: usize = 0;

impl ManyWalk {
    /// Searches all of a question; returns nothing if it found a solution.
    pub(super) fn search(
        &mut self,
        question: &ManyQuestion<'_>,
        meter: &mut Meter<'_>,
        request: &Request,
    ) -> Result<Option<Reason>, Lost> {
        let found = self.seek(question, meter, request);
        if let Ok(true) = found {
            return Ok(None);
        }
        // Where there is a solution these bounds refuse nothing; the search
        // looks at them before it begins.
        if let Some(reason) = self.hopeless(question, meter)? {
            self.branches = 0;
            return Ok(Some(reason));
        }
        for constraint in &request.constraints {
            // Who wants one device had the first candidate, or there was none.
            if !self.any_value_serves(question, meter, *constraint, request.needed)? {
                self.branches = 0;
                return Ok(Some(Reason::Exhausted));
            }
        }
        found.map(|_| Some(Reason::Exhausted))
    }

    /// Returns whether there is a solution.
    fn seek(
        &mut self,
        question: &ManyQuestion<'_>,
        meter: &mut Meter<'_>,
        request: &Request,
    ) -> Result<bool, Lost> {
        let (needed, constraints) = (request.needed, &*request.constraints);
        let width = constraints.len();
        self.common.resize(width, None);
        let mut next = 0;
        loop {
            let left = needed - self.picks.len();
            let level = self.picks.len() * width;
            let mut device = self.next_candidate(question, meter, REQUEST, next)?;
            if let Some(start) = device
                && !self.has_enough_in_common(question, meter, constraints, start, left)?
            {
                device = None;
            }
            let Some(device) = device else {
                // Nothing is left on this level: the one above goes on.
                let (Some(above), Some((_, picked))) = (self.next.pop(), self.picks.pop()) else {
                    return Ok(false);
                };
                next = above;
                let place = question.place(picked);
                if question.pays(place) {
                    self.left.take(place, true, question)?;
                }
                self.forget_from(level);
                continue;
            };
            next = device + 1;
            self.count()?;
            let place = question.place(device);
            let pays = question.pays(place);
            let mut allowed = !pays || self.left.has_room(place, question)?;
            for (column, constraint) in constraints.iter().enumerate() {
                let common = self.common[level + column];
                let shown = question.shown(*constraint, device);
                allowed = allowed && self.agrees(common, shown);
                let joined = self.join(common, shown);
                self.common.push(Some(joined));
                if allowed && left > 2 {
                    allowed =
                        self.a_value_serves(question, meter, *constraint, joined, next, left - 1)?;
                }
            }
            if !allowed {
                self.forget_from(level + width);
                continue;
            }
            self.picks.push((REQUEST, device));
            if left == 1 {
                return Ok(true);
            }
            if pays {
                self.left.take(place, false, question)?;
            }
            self.next.push(next);
        }
    }

    /// Returns whether enough candidates are there from a device on, also of
    /// those that each constraint leaves.
    fn has_enough_in_common(
        &mut self,
        question: &ManyQuestion<'_>,
        meter: &mut Meter<'_>,
        constraints: &[usize],
        start: usize,
        left: usize,
    ) -> Result<bool, Lost> {
        if !self.has_enough(question, meter, REQUEST, start, left)? {
            return Ok(false);
        }
        let level = self.picks.len() * constraints.len();
        for (column, constraint) in constraints.iter().enumerate() {
            if let Some(common) = self.common[level + column]
                && !self.is_shown(question, meter, *constraint, common, start, left)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether so many candidates from a device on show one of some values.
    fn is_shown(
        &mut self,
        question: &ManyQuestion<'_>,
        meter: &mut Meter<'_>,
        constraint: usize,
        common: Common,
        start: usize,
        needed: usize,
    ) -> Result<bool, Lost> {
        let mut found = Vec::new();
        for value in common.0..common.1 {
            let value = self.value(value);
            for place in question.with_value(constraint, value, start) {
                // A device may show several of them.
                if !question.is_candidate(REQUEST, place)
                    || found.contains(&place.device)
                    || !self.is_free(question, meter, REQUEST, place)?
                {
                    continue;
                }
                found.push(place.device);
                if found.len() >= needed {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Returns whether so many candidates from a device on show the same one of
    /// some values.
    fn a_value_serves(
        &mut self,
        question: &ManyQuestion<'_>,
        meter: &mut Meter<'_>,
        constraint: usize,
        common: Common,
        start: usize,
        needed: usize,
    ) -> Result<bool, Lost> {
        for value in common.0..common.1 {
            let value = self.value(value);
            if self.serves(question, meter, constraint, value, start, needed)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether all devices of the request can show one value.
    fn any_value_serves(
        &mut self,
        question: &ManyQuestion<'_>,
        meter: &mut Meter<'_>,
        constraint: usize,
        needed: usize,
    ) -> Result<bool, Lost> {
        for value in 0..question.values(constraint).count() {
            if self.serves(question, meter, constraint, number(value), 0, needed)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn serves(
        &mut self,
        question: &ManyQuestion<'_>,
        meter: &mut Meter<'_>,
        constraint: usize,
        value: u32,
        start: usize,
        needed: usize,
    ) -> Result<bool, Lost> {
        let mut found = 0;
        for place in question.with_value(constraint, value, start) {
            if question.is_candidate(REQUEST, place)
                && self.is_free(question, meter, REQUEST, place)?
            {
                found += 1;
            }
            if found >= needed {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
