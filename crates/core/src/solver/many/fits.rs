//! [`Fits`]: which devices have enough left for a request.
//!
//! What is held of shared devices is a matter of exact amounts by name, too dear
//! to look at for every full device in every call. So it is kept as a bit, by what
//! was held below when it was found out; the books say of which devices to find it
//! out anew. What a draft lies over that is looked at anew in each call.

use std::ops::Range;

use super::walk::Lost;
use super::{Many, Part};
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::model::Quantity;
use crate::number::number;
use crate::outcome::StopCause;
use crate::state::{Draft, HeldDevice};
use crate::store::{DeviceEntry, Seen};

/// So many runs that are passed take as long as a branch.
const RUNS: usize = 16;

/// Devices in a row that are so in one block of the books, too.
#[derive(Debug)]
pub(super) struct Run {
    first: u32,
    /// At most 64.
    length: u32,
    block: u32,
    /// Bit of the first device in the word of the block.
    shift: u32,
    /// Those that several can share.
    shareable: u64,
}

/// Keeps verdicts by class of requests and run.
#[derive(Debug, Default)]
pub(super) struct Fits {
    /// Is another for each question.
    question: u64,
    known: Vec<Known>,
}

/// Is what is known of a run; bits are counted from its first device.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// The question for which `now` holds.
    question: u64,
    now: u64,
    /// What was held below, and the number of the last change of shares there;
    /// nothing before the first look.
    by: Option<(u64, u64)>,
    /// What fits beside that.
    below: u64,
}

impl Run {
    /// Returns the runs of all devices of a part.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(super) fn all(seen: &Seen, meter: &mut Meter<'_>) -> Result<Box<[Self]>, StopCause> {
        let mut runs: Vec<Self> = Vec::new();
        for (device, entry) in seen.devices.iter().enumerate() {
            meter.come_to(device)?;
            let block = number(entry.key.block());
            let shift = entry.key.bit().trailing_zeros();
            let shareable = u64::from(seen.shareable.contains(device));
            match runs.last_mut() {
                Some(run) if run.block == block && run.shift + run.length == shift => {
                    run.shareable |= shareable << run.length;
                    run.length += 1;
                }
                _ => runs.push(Self {
                    first: number(device),
                    length: 1,
                    block,
                    shift,
                    shareable,
                }),
            }
        }
        Ok(runs.into())
    }

    fn end(&self) -> usize {
        (self.first + self.length) as usize
    }

    /// Returns the bits of the run in a word of its block.
    fn of_word(&self, word: u64) -> u64 {
        word >> self.shift & u64::MAX >> (u64::BITS - self.length)
    }

    /// Returns the devices of bits.
    fn devices(&self, mut bits: u64) -> impl Iterator<Item = (usize, u64)> + use<> {
        let first = self.first;
        std::iter::from_fn(move || {
            let place = (bits != 0).then(|| bits.trailing_zeros())?;
            bits &= bits - 1;
            Some(((first + place) as usize, 1 << place))
        })
    }
}

impl Fits {
    /// Begins another question: what is held may have changed.
    pub(super) fn begin(&mut self) {
        self.question += 1;
    }

    /// Returns the first candidate of a request from a device on that fits beside
    /// what is held, before another.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(super) fn next(
        &mut self,
        part: Part<'_>,
        held: &Draft,
        request: usize,
        within: Range<usize>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<usize>, Lost> {
        let candidates = &part.many.requests[request].candidates;
        let runs = &part.many.runs;
        let Some(mut device) = candidates.next(within.start) else {
            return Ok(None);
        };
        let mut place = runs.partition_point(|run| run.end() <= device);
        while device < within.end
            && let Some(run) = runs.get(place)
        {
            if run.end() <= device {
                place += 1;
                if place % RUNS == 0 && meter.effort(1).is_err() {
                    return Err(Lost);
                }
                continue;
            }
            let word = self.word(part, held, (request, place), meter)?;
            let from = device - run.first as usize;
            let rest = word & u64::MAX << from;
            let next = if rest == 0 {
                run.end()
            } else {
                run.first as usize + rest.trailing_zeros() as usize
            };
            if next == device {
                return Ok(Some(device));
            }
            let Some(later) = candidates.next(next) else {
                break;
            };
            device = later;
        }
        Ok(None)
    }

    /// Returns whether a device fits beside what is held.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(super) fn contains(
        &mut self,
        part: Part<'_>,
        held: &Draft,
        request: usize,
        device: usize,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Lost> {
        let runs = &part.many.runs;
        let place = runs.partition_point(|run| run.end() <= device);
        let first = runs.get(place).map_or(0, |run| run.first as usize);
        let word = self.word(part, held, (request, place), meter)?;
        Ok(word >> (device - first) & 1 == 1)
    }

    fn word(
        &mut self,
        part: Part<'_>,
        held: &Draft,
        (request, place): (usize, usize),
        meter: &mut Meter<'_>,
    ) -> Result<u64, Lost> {
        let Part { many, seen } = part;
        let Some(run) = many.runs.get(place) else {
            return Ok(0);
        };
        if run.shareable == 0 {
            return Ok(run.of_word(!held.held_word(run.block as usize)));
        }
        let class = many.requests[request].class;
        let slot = class * many.runs.len() + place;
        if self.known.len() <= slot {
            self.known
                .resize((class + 1) * many.runs.len(), Known::default());
        }
        let known = &mut self.known[slot];
        if known.question != self.question {
            let looked_at = known.look(
                run,
                held,
                |device, held| {
                    let entry = &seen.devices[device];
                    let shareable = seen.shareable.contains(device);
                    let amounts = many.amounts(request, device);
                    fits(entry, shareable, amounts.map_or(&[], |list| list), held)
                },
                seen,
            );
            known.question = self.question;
            if meter.effort(u64::from(looked_at)).is_err() {
                return Err(Lost);
            }
        }
        Ok(known.now)
    }

    pub(super) fn weight(many: &Many) -> usize {
        // Of each class, which are as many as the requests at most.
        many.runs.len() * (3 + 7 * many.requests.len())
    }
}

impl Known {
    /// Finds out what fits now; returns how many devices it looked at.
    fn look(
        &mut self,
        run: &Run,
        held: &Draft,
        fits: impl Fn(usize, Option<&HeldDevice>) -> bool,
        seen: &Seen,
    ) -> u32 {
        let block = run.block as usize;
        let word = run.of_word(held.word_below(block));
        let all = run.of_word(u64::MAX << run.shift);
        let change = self.by.map_or(0, |(_, change)| change);
        let (last, written) = held.written_below(block, change);
        let stale = match (self.by, written) {
            (Some((before, _)), Some(written)) => (word ^ before) | run.of_word(written),
            _ => all,
        };
        let set = |bits: &mut u64, bit: u64, fits: bool| {
            *bits = if fits { *bits | bit } else { *bits & !bit };
        };
        for (device, bit) in run.devices(stale) {
            let below = held.device_below(seen.devices[device].key);
            set(&mut self.below, bit, fits(device, below));
        }
        self.by = Some((word, last));
        self.now = self.below;
        let drafted = run.of_word(held.drafted(block));
        for (device, bit) in run.devices(drafted) {
            let now = held.device(seen.devices[device].key);
            set(&mut self.now, bit, fits(device, now));
        }
        stale.count_ones() + drafted.count_ones()
    }
}

/// Returns whether a device is left to somebody who takes these amounts of its
/// capacities, if it is shared, and all of it otherwise.
fn fits(
    entry: &DeviceEntry,
    shareable: bool,
    amounts: &[Quantity],
    held: Option<&HeldDevice>,
) -> bool {
    match held {
        Some(held) if held.is_whole() || !shareable => false,
        _ if !shareable => true,
        held => has_room(entry, amounts, held, &std::iter::empty()),
    }
}

/// Returns whether amounts, in the order of the device's capacities, are left
/// after what is held and what was taken.
pub(super) fn has_room<'a>(
    entry: &DeviceEntry,
    amounts: &[Quantity],
    held: Option<&HeldDevice>,
    taken: &(impl Iterator<Item = &'a [Quantity]> + Clone),
) -> bool {
    let declared = entry.device().capacity.iter();
    let mut pairs = declared.zip(amounts).enumerate();
    pairs.all(|(number, ((name, declared), amount))| {
        let mut left = declared.value.amount().clone();
        if let Some(consumed) = held.and_then(|held| held.consumed(name)) {
            left -= consumed;
        }
        for amount in taken.clone().filter_map(|amounts| amounts.get(number)) {
            left -= amount.amount();
        }
        *amount.amount() <= left
    })
}

/// Returns the devices of a part that draw on counters.
///
/// # Errors
///
/// If it is stopped.
pub(super) fn drawing(seen: &Seen, meter: &mut Meter<'_>) -> Result<Bitmap, StopCause> {
    let mut drawing = Bitmap::new(seen.devices.len());
    for (device, entry) in seen.devices.iter().enumerate() {
        meter.come_to(device)?;
        if !entry.device().consumes_counters.is_empty() {
            drawing.insert(device);
        }
    }
    Ok(drawing)
}
