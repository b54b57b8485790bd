//! [`ManyWalk`]: finds the first solution among many devices.

use super::left::Left;
use super::{Many, Request, Values};
use crate::model::Quantity;
use crate::outcome::Reason;
use crate::solver::FIRST_TRY;
use crate::solver::budget::Meter;
use crate::solver::shortcut::Short;
use crate::state::{Draft, HeldDevice};
use crate::store::NodeView;

/// Holds the memory of walks, and the picks of the last one.
#[derive(Debug, Default)]
pub(crate) struct ManyWalk {
    left: Left,
    /// What the picks have in common: parts of `values`, by constraint; in the
    /// search of one request by level and constraint.
    common: Vec<Option<(usize, usize)>>,
    values: Vec<u32>,
    /// Where each level goes on.
    next: Vec<usize>,
    /// Place of the request and device.
    picks: Vec<(usize, usize)>,
    branches: u64,
}

/// Nothing is known: the search has to answer.
#[derive(Debug)]
pub(super) struct Lost;

/// Is what is asked.
#[derive(Clone, Copy)]
struct Question<'a> {
    many: &'a Many,
    view: &'a NodeView,
    held: &'a Draft,
}

impl ManyWalk {
    /// Returns place of the request and device of each pick, in order.
    pub(crate) fn picks(&self) -> &[(usize, usize)] {
        &self.picks
    }

    /// Answers a question as the search would, or gives up.
    pub(crate) fn answer(
        &mut self,
        many: &Many,
        view: &NodeView,
        held: &Draft,
        meter: &mut Meter<'_>,
    ) -> Short {
        self.left.start(view);
        self.common.clear();
        self.values.clear();
        self.next.clear();
        self.picks.clear();
        self.branches = 0;
        let question = Question { many, view, held };
        let Ok(answer) = self.walk(question) else {
            return Short::Unsure;
        };
        // What the search counts on its way to the same place.
        for _ in 0..self.branches {
            if let Err(cause) = meter.branch() {
                return Short::Stopped(cause);
            }
        }
        match answer {
            None => Short::First,
            Some(_) if many.has_invalid_pool => Short::Unsure,
            Some(reason) => Short::Infeasible(reason),
        }
    }

    /// Returns nothing if it found a solution.
    fn walk(&mut self, question: Question<'_>) -> Result<Option<Reason>, Lost> {
        if let [one] = &*question.many.requests {
            return self.search(question, one);
        }
        if self.descend(question)? {
            return Ok(None);
        }
        // Requests that find too few for themselves are looked at first.
        self.branches = 0;
        self.hopeless(question)?.ok_or(Lost).map(Some)
    }

    /// Returns the first request that finds too few devices for itself.
    fn hopeless(&mut self, question: Question<'_>) -> Result<Option<Reason>, Lost> {
        for request in &question.many.requests {
            if !self.has_enough(question, request, 0, request.needed)? {
                let (claim, request) = (request.claim, request.place);
                return Ok(Some(Reason::Request { claim, request }));
            }
        }
        Ok(None)
    }

    /// Returns whether a request has so many candidates from a device on.
    fn has_enough(
        &mut self,
        question: Question<'_>,
        request: &Request,
        start: usize,
        needed: usize,
    ) -> Result<bool, Lost> {
        let mut next = start;
        for _ in 0..needed {
            match self.next_candidate(question, request, next)? {
                Some(device) => next = device + 1,
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Returns the first device from a place on that nothing but other picks
    /// can keep away.
    fn next_candidate(
        &mut self,
        question: Question<'_>,
        request: &Request,
        start: usize,
    ) -> Result<Option<usize>, Lost> {
        let mut next = start;
        while let Some(device) = request.candidates.next(next) {
            if self.is_candidate(question, request, device)? {
                return Ok(Some(device));
            }
            next = device + 1;
        }
        Ok(None)
    }

    fn is_candidate(
        &mut self,
        Question { many, view, held }: Question<'_>,
        request: &Request,
        device: usize,
    ) -> Result<bool, Lost> {
        let entry = &view.devices[device];
        let shareable = view.shareable.contains(device);
        let of_device = held.device(entry.key);
        if of_device.is_some_and(|held| held.is_whole() || !shareable) {
            return Ok(false);
        }
        if shareable {
            let amounts = many.amounts_of(request, device);
            if !has_room(amounts, &[], device, view, of_device) {
                return Ok(false);
            }
            if of_device.is_some_and(HeldDevice::is_shared) {
                // Its counters are paid, unless those of its pool cannot be known.
                self.left.had_room(device, view, held)?;
                return Ok(true);
            }
        }
        self.left.had_room(device, view, held)
    }

    /// Picks the first devices that fit; returns false where there are none.
    ///
    /// A solution that is found without going back is the first. The bounds of
    /// the search refuse nothing on the way to it, since they are admissible,
    /// so that the search counts the same branches.
    fn descend(&mut self, question: Question<'_>) -> Result<bool, Lost> {
        let Question { many, view, .. } = question;
        self.common.resize(many.constraints.len(), None);
        for (place, request) in many.requests.iter().enumerate() {
            let mut next = 0;
            let mut needed = request.needed;
            while needed > 0 {
                let Some(device) = self.next_candidate(question, request, next)? else {
                    return Ok(false);
                };
                next = device + 1;
                let is_taken = self.picks.iter().any(|(_, other)| *other == device);
                if is_taken && !view.shareable.contains(device) {
                    continue;
                }
                self.count()?;
                if self.pick(question, place, device, is_taken)? {
                    needed -= 1;
                }
            }
        }
        Ok(true)
    }

    /// Picks a device if what is picked allows it.
    fn pick(
        &mut self,
        question: Question<'_>,
        place: usize,
        device: usize,
        is_taken: bool,
    ) -> Result<bool, Lost> {
        let Question { many, view, held } = question;
        let request = &many.requests[place];
        let entry = &view.devices[device];
        let shareable = view.shareable.contains(device);
        let of_device = held.device(entry.key);
        let is_paid = shareable && (is_taken || of_device.is_some_and(HeldDevice::is_shared));
        if !is_paid && !self.left.has_room(device, view, held)? {
            return Ok(false);
        }
        for constraint in &request.constraints {
            let shown = many.constraints[*constraint].shown(device);
            if !self.agrees(self.common[*constraint], shown) {
                return Ok(false);
            }
        }
        if shareable {
            let picks = self.picks.iter().filter(|(_, other)| *other == device);
            let taken: Vec<&[Quantity]> = picks
                .map(|(place, _)| many.amounts(*place, device))
                .collect();
            if !has_room(many.amounts(place, device), &taken, device, view, of_device) {
                return Ok(false);
            }
        }
        for constraint in &request.constraints {
            let shown = many.constraints[*constraint].shown(device);
            self.common[*constraint] = Some(self.join(self.common[*constraint], shown));
        }
        if !is_paid {
            self.left.take(device, false, view, held)?;
        }
        self.picks.push((place, device));
        Ok(true)
    }

    /// Searches all of a question with one request.
    ///
    /// Here the bounds of the search are few and cheap: each is looked at where
    /// the search looks at it, so that the branches are the same.
    fn search(
        &mut self,
        question: Question<'_>,
        request: &Request,
    ) -> Result<Option<Reason>, Lost> {
        let Question { many, view, held } = question;
        let width = request.constraints.len();
        let constraints = || {
            request
                .constraints
                .iter()
                .map(|place| &many.constraints[*place])
        };
        if request.needed > 1 {
            for values in constraints() {
                if !self.serves_any(question, request, values)? {
                    return self.no(question);
                }
            }
        }
        self.common.resize(width, None);
        let mut next = 0;
        loop {
            let left = request.needed - self.picks.len();
            let level = self.picks.len() * width;
            let mut device = self.next_candidate(question, request, next)?;
            if let Some(start) = device
                && !self.is_enough(question, request, start, left)?
            {
                device = None;
            }
            let Some(device) = device else {
                // Nothing is left on this level: the one above goes on.
                let (Some(above), Some((_, picked))) = (self.next.pop(), self.picks.pop()) else {
                    return self.no(question);
                };
                next = above;
                if self.pays(question, picked) {
                    self.left.take(picked, true, view, held)?;
                }
                self.forget_from(level);
                continue;
            };
            next = device + 1;
            self.count()?;
            let pays = self.pays(question, device);
            let mut allowed = !pays || self.left.has_room(device, view, held)?;
            for (place, values) in constraints().enumerate() {
                let common = self.common[level + place];
                let shown = values.shown(device);
                allowed = allowed && self.agrees(common, shown);
                let joined = self.join(common, shown);
                self.common.push(Some(joined));
                if allowed && left > 2 {
                    allowed = self.serves(question, request, values, joined, next, left - 1)?;
                }
            }
            if !allowed {
                self.forget_from(level + width);
                continue;
            }
            if left > 1 && pays {
                self.left.take(device, false, view, held)?;
            }
            self.picks.push((0, device));
            if left == 1 {
                return Ok(None);
            }
            self.next.push(next);
        }
    }

    /// Says no after everything was looked at.
    fn no(&mut self, question: Question<'_>) -> Result<Option<Reason>, Lost> {
        let hopeless = self.hopeless(question)?;
        if hopeless.is_some() {
            self.branches = 0;
        }
        Ok(Some(hopeless.unwrap_or(Reason::Exhausted)))
    }

    /// Returns whether a device takes counters; if a share of it is held, they are paid.
    fn pays(&self, Question { view, held, .. }: Question<'_>, device: usize) -> bool {
        let of_device = held.device(view.devices[device].key);
        !(view.shareable.contains(device) && of_device.is_some_and(HeldDevice::is_shared))
    }

    /// Forgets what picks from a level on have in common.
    fn forget_from(&mut self, level: usize) {
        let first = self.common.get(level).copied().flatten();
        if let Some((first, _)) = first {
            self.values.truncate(first);
        }
        self.common.truncate(level);
    }

    /// Returns whether a device may follow what was picked, and enough
    /// candidates are there from it on.
    fn is_enough(
        &mut self,
        question: Question<'_>,
        request: &Request,
        start: usize,
        left: usize,
    ) -> Result<bool, Lost> {
        if !self.has_enough(question, request, start, left)? {
            return Ok(false);
        }
        let level = self.picks.len() * request.constraints.len();
        for (place, constraint) in request.constraints.iter().enumerate() {
            let values = &question.many.constraints[*constraint];
            if let Some(common) = self.common[level + place]
                && !self.is_shown(question, request, values, common, start, left)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether so many candidates from a device on show one of some values.
    fn is_shown(
        &mut self,
        question: Question<'_>,
        request: &Request,
        values: &Values,
        (first, end): (usize, usize),
        start: usize,
        needed: usize,
    ) -> Result<bool, Lost> {
        let mut found = Vec::new();
        for place in first..end {
            for device in values.with(self.values[place], start) {
                let device = *device as usize;
                if !request.candidates.contains(device)
                    || (end - first > 1 && found.contains(&device))
                    || !self.is_candidate(question, request, device)?
                {
                    continue;
                }
                found.push(device);
                if found.len() >= needed {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Returns whether so many candidates from a device on show the same one of
    /// some values.
    fn serves(
        &mut self,
        question: Question<'_>,
        request: &Request,
        values: &Values,
        (first, end): (usize, usize),
        start: usize,
        needed: usize,
    ) -> Result<bool, Lost> {
        for place in first..end {
            let value = self.values[place];
            if self.serves_value(question, request, values, value, start, needed)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether all devices of a request can show one value.
    fn serves_any(
        &mut self,
        question: Question<'_>,
        request: &Request,
        values: &Values,
    ) -> Result<bool, Lost> {
        for value in 0..values.count() {
            let value = crate::number::number(value);
            if self.serves_value(question, request, values, value, 0, request.needed)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn serves_value(
        &mut self,
        question: Question<'_>,
        request: &Request,
        values: &Values,
        value: u32,
        start: usize,
        needed: usize,
    ) -> Result<bool, Lost> {
        let devices = values.with(value, start);
        let mut found = 0;
        for (place, device) in devices.iter().enumerate() {
            if found + devices.len() - place < needed {
                break;
            }
            let device = *device as usize;
            if request.candidates.contains(device)
                && self.is_candidate(question, request, device)?
            {
                found += 1;
            }
            if found >= needed {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether a device shows something that the picks have in common.
    fn agrees(&self, common: Option<(usize, usize)>, shown: &[u32]) -> bool {
        match common {
            // One that cannot be compared has nothing in common with others.
            None => true,
            Some((first, end)) => {
                let mut common = self.values[first..end].iter();
                common.any(|value| shown.contains(value))
            }
        }
    }

    /// Writes down what is in common after a pick.
    fn join(&mut self, common: Option<(usize, usize)>, shown: &[u32]) -> (usize, usize) {
        let start = self.values.len();
        match common {
            None => self.values.extend_from_slice(shown),
            Some((first, end)) => {
                for place in first..end {
                    let value = self.values[place];
                    if shown.contains(&value) {
                        self.values.push(value);
                    }
                }
            }
        }
        (start, self.values.len())
    }

    /// Counts a branch; after as many the search looks at errors first.
    fn count(&mut self) -> Result<(), Lost> {
        self.branches += 1;
        if self.branches > FIRST_TRY {
            return Err(Lost);
        }
        Ok(())
    }
}

impl Many {
    fn amounts_of(&self, request: &Request, device: usize) -> &[Quantity] {
        let found = request
            .amounts
            .binary_search_by_key(&device, |(other, _)| *other as usize);
        let list = found.ok().and_then(|place| {
            let (_, list) = request.amounts.get(place)?;
            self.amounts.get(*list as usize)
        });
        list.map_or(&[], |list| list)
    }
}

/// Returns whether amounts, in the order of the device's capacities, are left
/// after what is held and what was taken.
fn has_room(
    amounts: &[Quantity],
    taken: &[&[Quantity]],
    device: usize,
    view: &NodeView,
    held: Option<&HeldDevice>,
) -> bool {
    let declared = view.devices[device].device().capacity.iter();
    declared
        .zip(amounts)
        .enumerate()
        .all(|(place, ((name, declared), amount))| {
            let consumed = held.and_then(|held| held.consumed(name));
            if consumed.is_none() && taken.is_empty() {
                return amount.amount() <= declared.value.amount();
            }
            let taken = taken.iter().filter_map(|amounts| amounts.get(place));
            let mut left = declared.value.amount().clone();
            if let Some(consumed) = consumed {
                left -= consumed;
            }
            for amount in taken {
                left -= amount.amount();
            }
            *amount.amount() <= left
        })
}
