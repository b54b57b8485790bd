//! Pods one after the other, each of which takes what it gets.

use std::time::{Duration, Instant};

use dralloc::model::{ResourceClaim, ResourceSlice};
use dralloc::{
    Budget, Change, Engine, Error, ErrorMode, NodeList, PlaceOptions, StopCause, Workspace,
};

use crate::digest;
use crate::engine::{Until, load, revised, verify};
use crate::meter::{Cost, Meter, processor};
use crate::options::Options;
use crate::record::Record;
use crate::workload::{Run, Workload};

/// Is how long a round takes at most that is made again to see what it costs.
const MAX_ROUND: Duration = Duration::from_secs(2);

/// What pods of one round got.
#[derive(Default)]
struct Round {
    times: Vec<Duration>,
    placed: u64,
    misses: u64,
    tried: usize,
    cost: Cost,
    /// Why it ended early.
    ended: Option<String>,
}

struct Pods<'a> {
    claims: &'a [ResourceClaim],
    names: Vec<&'a str>,
    /// Slices that are replaced before pods, in turn; none but in mode `rebuild`.
    changing: Vec<&'a ResourceSlice>,
    changes: usize,
    workspace: Workspace,
    timeout: Duration,
    /// When the whole is to end.
    end: Instant,
}

/// Every claim is a pod: nodes are tried in turn from where the last pod
/// stopped, and what it gets is committed. A pod brings its claim, so that it is
/// prepared as a part of the call.
pub(crate) fn measure(
    workload: &Workload,
    run: &Run,
    options: &Options,
    record: &mut Record,
) -> Result<(), Error> {
    let claims = match run.range[..] {
        [first, end] => workload.claims.get(first..end).unwrap_or_default(),
        _ => &[],
    };
    let is_rebuild = record.mode() == "rebuild";
    let start = Instant::now();
    let mut pods = Pods {
        claims,
        names: workload.names(),
        changing: if is_rebuild {
            workload.changing(run)
        } else {
            Vec::new()
        },
        changes: 0,
        workspace: Workspace::new(),
        timeout: options.timeout,
        end: start + options.sequence,
    };
    let mut digest = digest::Sequence::default();
    let mut engine = load(workload)?;
    let first = pods.round(&mut engine, Meter::Wall, Some(&mut digest))?;
    let first_total = first.times.iter().sum::<Duration>();
    let (mut rounds, mut times, mut total) = (1, first.times, first_total);
    if first.ended.is_none() && run.repeat {
        times.clear();
        rounds = 0;
        while rounds == 0 || start.elapsed() < Duration::from_secs(1) {
            pods.take_back(&mut engine)?;
            let round = pods.round(&mut engine, Meter::Wall, None)?;
            if round.ended.is_some() || round.placed != first.placed {
                record.put("outcome", "error: a later round placed another number");
                return Ok(());
            }
            times.extend(round.times);
            rounds += 1;
        }
        total = times.iter().sum::<Duration>() / rounds;
    }
    if first.ended.is_none() && total < MAX_ROUND {
        pods.costs(&mut engine, record)?;
    }
    record.time("first_round_ns", first_total);
    record.times(times);
    record.time("total_ns", total);
    record.put("rounds", rounds);
    record.put("placed", first.placed);
    record.put("misses", first.misses);
    record.put("tried", first.tried);
    record.put("digest", digest.finish());
    record.put("outcome", first.ended.unwrap_or_else(|| "done".to_owned()));
    Ok(())
}

impl Pods<'_> {
    /// Makes a round; the first one is digested and checked, between the times
    /// that are measured.
    fn round(
        &mut self,
        engine: &mut Engine,
        meter: Meter,
        mut digest: Option<&mut digest::Sequence>,
    ) -> Result<Round, Error> {
        let nodes = engine.snapshot().node_list(self.names.iter().copied());
        let (changing, before) = (self.changing.iter().cycle(), self.changes);
        let mut slices: Vec<_> = changing
            .take(self.claims.len())
            .enumerate()
            .map(|(number, slice)| revised(slice, before + number + 1))
            .collect();
        self.changes += slices.len();
        let mut slices = slices.drain(..);
        let mut round = Round::default();
        round.times.reserve(self.claims.len());
        let mut next = 0;
        let start = meter.start();
        for claim in self.claims {
            let before = Instant::now();
            if before > self.end {
                let number = round.times.len();
                round.ended = Some(format!(">sequence cap after {number} claims"));
                break;
            }
            if let Some(slice) = slices.next() {
                engine.apply(Change::ResourceSlice(slice))?;
            }
            let until = Until(before + self.timeout);
            let claim = std::slice::from_ref(claim);
            let placed = place(engine, claim, &nodes, next, until, &mut self.workspace)?;
            round.times.push(before.elapsed());
            round.tried += placed.asked();
            next = placed.next();
            if placed.stopped() == Some(StopCause::Deadline) {
                round.ended = Some(">timeout".to_owned());
                break;
            }
            let Some(node) = placed.nodes().first() else {
                round.misses += 1;
                continue;
            };
            round.placed += 1;
            if let Some(digest) = &mut digest {
                let allocation = node.allocation();
                digest.add(&allocation);
                if let Err(violation) = verify(&engine.snapshot(), claim, &allocation) {
                    round.ended = Some(format!("error: {violation}"));
                    break;
                }
            }
        }
        round.cost = start.stop();
        Ok(round)
    }

    /// Takes back what pods got, so that the next round finds what the first one found.
    fn take_back(&self, engine: &mut Engine) -> Result<(), Error> {
        let mut transaction = engine.snapshot().transaction();
        for claim in self.claims {
            transaction.release(claim);
        }
        transaction.commit(engine).map(drop)
    }

    /// Measures what a pod takes of processors and memory, in rounds of their own.
    fn costs(&mut self, engine: &mut Engine, record: &mut Record) -> Result<(), Error> {
        let pods = u32::try_from(self.claims.len().max(1)).unwrap_or(u32::MAX);
        if processor().is_some() {
            self.take_back(engine)?;
            let round = self.round(engine, Meter::Processor, None)?;
            record.time("cpu_ns_per_call", round.cost.time / pods);
        }
        self.take_back(engine)?;
        let cost = self.round(engine, Meter::Heap, None)?.cost;
        record.put("bytes_per_call", cost.bytes as u64 / u64::from(pods));
        record.put("allocs_per_call", cost.allocations as u64 / u64::from(pods));
        Ok(())
    }
}

/// Places a pod as a scheduler does.
fn place(
    engine: &mut Engine,
    claim: &[ResourceClaim],
    nodes: &NodeList,
    next: usize,
    until: Until,
    workspace: &mut Workspace,
) -> Result<dralloc::Placement, Error> {
    let mut transaction = engine.snapshot().transaction();
    let claims = transaction.snapshot().prepare(claim)?;
    let options = PlaceOptions::new()
        .node_list(nodes)
        .start(next)
        .budget(Budget::new().deadline(&until))
        .errors(ErrorMode::Abort);
    let placement = transaction.place_and_allocate(&claims, &options, workspace)?;
    if placement.nodes().first().is_some() {
        transaction.commit(engine)?;
    }
    Ok(placement)
}
