//! Pods one after the other, each of which takes what it gets.

use std::time::{Duration, Instant};

use dralloc::model::{ResourceClaim, ResourceSlice};
use dralloc::{
    Budget, Change, Engine, Error, ErrorMode, NodeList, PlaceOptions, StopCause, Workspace,
};

use crate::digest;
use crate::engine::{Until, load, revised, verify};
use crate::meter::{Meter, processor};
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
    /// Why it ended early.
    ended: Option<String>,
}

struct Pods<'a> {
    claims: &'a [ResourceClaim],
    names: Vec<&'a str>,
    /// What a slice becomes before each pod, in mode `rebuild`.
    slices: Vec<ResourceSlice>,
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
    let mut slices = Vec::new();
    if record.mode() == "rebuild" {
        let changing = workload.changing(run);
        let revisions = changing.iter().cycle().take(claims.len()).enumerate();
        slices.extend(revisions.map(|(number, slice)| revised(slice, number + 1)));
    }
    let start = Instant::now();
    let mut pods = Pods {
        claims,
        names: workload.names(),
        slices,
        workspace: Workspace::new(),
        timeout: options.timeout,
        end: start + options.sequence,
    };
    let mut digest = digest::Sequence::default();
    let first = pods.round(&mut load(workload)?, Some(&mut digest))?;
    let (mut rounds, mut times) = (1, first.times);
    if first.ended.is_none() && run.repeat {
        while start.elapsed() < Duration::from_secs(1) {
            let round = pods.round(&mut load(workload)?, None)?;
            if round.ended.is_some() {
                break;
            }
            times.extend(round.times);
            rounds += 1;
        }
    }
    let total = times.iter().sum::<Duration>() / rounds;
    if first.ended.is_none() && total < MAX_ROUND {
        pods.costs(workload, record)?;
    }
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
        mut digest: Option<&mut digest::Sequence>,
    ) -> Result<Round, Error> {
        let nodes = engine.snapshot().node_list(self.names.iter().copied());
        let mut slices = self.slices.clone().into_iter();
        let mut round = Round::default();
        round.times.reserve(self.claims.len());
        let mut next = 0;
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
        Ok(round)
    }

    /// Measures what a pod takes of processors and memory, in rounds of their own.
    fn costs(&mut self, workload: &Workload, record: &mut Record) -> Result<(), Error> {
        let pods = self.claims.len().max(1) as u64;
        if processor().is_some() {
            let mut engine = load(workload)?;
            let start = Meter::Processor.start();
            self.round(&mut engine, None)?;
            let pods = u32::try_from(pods).unwrap_or(u32::MAX);
            record.time("cpu_ns_per_call", start.stop().time / pods);
        }
        let mut engine = load(workload)?;
        let start = Meter::Heap.start();
        self.round(&mut engine, None)?;
        let cost = start.stop();
        record.put("bytes_per_call", cost.bytes as u64 / pods);
        record.put("allocs_per_call", cost.allocations as u64 / pods);
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
