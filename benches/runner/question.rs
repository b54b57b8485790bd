//! Questions to one node or many, asked again and again.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use dralloc::model::{ResourceClaim, ResourceSlice};
use dralloc::{
    AllocateOptions, Allocation, Budget, Change, Engine, Error, ErrorMode, Find, NodeList, Outcome,
    PlaceOptions, PreparedClaims, StopCause, Transaction, Workspace,
};

use crate::cores::{Cores, Question};
use crate::digest::digest;
use crate::engine::{Until, load, revised, stir, verify};
use crate::meter::{Cost, Meter, processor, reading};
use crate::options::Options;
use crate::record::Record;
use crate::workload::{Run, Workload};

/// Samples of a record at most.
const MAX_SAMPLES: usize = 2000;

/// Calls that are timed together at most.
const MAX_CALLS: u32 = 64;

/// What a sample is to take at least, so that reading the clock is less than a hundredth.
const SAMPLE: Duration = Duration::from_micros(8);

/// Is one answer.
#[derive(Default)]
struct Answer {
    outcome: Cow<'static, str>,
    tried: usize,
    feasible: usize,
    /// The first answer that says yes.
    allocation: Option<Allocation>,
}

/// Measures a run in the mode of the record.
pub(crate) fn measure(
    workload: &Workload,
    run: &Run,
    options: &Options,
    record: &mut Record,
) -> Result<(), Error> {
    let mode = record.mode();
    Bench::new(workload, run, &mode, options)?.measure(record)
}

struct Bench<'a> {
    workload: &'a Workload,
    run: &'a Run,
    mode: &'a str,
    options: &'a Options,
    engine: Engine,
    claims: Vec<ResourceClaim>,
    prepared: PreparedClaims,
    workspace: Workspace,
    nodes: NodeList,
    cores: Option<Cores>,
    /// Slices that change between calls, in turn.
    changing: Vec<&'a ResourceSlice>,
    changes: usize,
    setup: Duration,
    /// How long engines took to load of which no call was made yet.
    loads: Vec<Duration>,
}

impl<'a> Bench<'a> {
    fn new(
        workload: &'a Workload,
        run: &'a Run,
        mode: &'a str,
        options: &'a Options,
    ) -> Result<Self, Error> {
        let start = Instant::now();
        let engine = load(workload)?;
        let claims = workload.claims_of(run);
        let snapshot = engine.snapshot();
        let prepared = snapshot.prepare(&claims)?;
        let names = workload.names();
        let nodes = snapshot.node_list(names.iter().copied());
        let cores = (mode == "par").then(|| Cores::new(&snapshot, &names));
        Ok(Self {
            workload,
            run,
            mode,
            options,
            engine,
            claims,
            prepared,
            workspace: Workspace::new(),
            nodes,
            cores,
            changing: workload.changing(run),
            changes: 0,
            setup: start.elapsed(),
            loads: Vec::new(),
        })
    }

    /// Takes samples until the time is over, and checks the answer.
    fn measure(&mut self, record: &mut Record) -> Result<(), Error> {
        let (first, mut answer) = self.sample(Meter::Wall, 1)?;
        record.time("setup_ns", self.setup);
        record.time("first_ns", first.time);
        let mut times = vec![first.time];
        if first.time < Duration::from_secs(10) {
            let calls = self.calls()?;
            record.put("calls_per_sample", calls);
            times.clear();
            let start = Instant::now();
            while times.len() < 3
                || (start.elapsed() < self.options.budget && times.len() < MAX_SAMPLES)
            {
                let cost;
                (cost, answer) = self.sample(Meter::Wall, calls)?;
                times.push(cost.time / calls);
                if cost.time > Duration::from_secs(3) {
                    break;
                }
            }
            self.costs(calls, times.len(), record)?;
        }
        record.times(times);
        self.loads.sort_unstable();
        if let Some(load) = self.loads.get(self.loads.len() / 2) {
            record.time("load_ns", *load);
        }
        record.put("tried", answer.tried);
        record.put("feasible", answer.feasible);
        if answer.outcome == "yes" {
            self.check(&mut answer)?;
        }
        if let Some(allocation) = &answer.allocation {
            record.put("digest", digest(allocation));
            record.put("node", allocation.node());
        }
        record.put("outcome", answer.outcome);
        Ok(())
    }

    /// Returns how many calls are timed together.
    fn calls(&mut self) -> Result<u32, Error> {
        if self.mode != "held" {
            return Ok(1);
        }
        let mut shortest = SAMPLE;
        for _ in 0..3 {
            shortest = shortest.min(self.sample(Meter::Wall, 1)?.0.time);
        }
        let calls = SAMPLE.as_nanos().div_ceil(shortest.as_nanos().max(1));
        Ok(u32::try_from(calls).unwrap_or(MAX_CALLS).min(MAX_CALLS))
    }

    /// Measures what a call takes of processors and memory, apart from its time.
    fn costs(&mut self, calls: u32, samples: usize, record: &mut Record) -> Result<(), Error> {
        if processor().is_some() {
            let (reading, mut sum, mut taken) = (reading(), Duration::ZERO, 0);
            let start = Instant::now();
            while taken == 0
                || (taken < samples.try_into().unwrap_or(u32::MAX)
                    && start.elapsed() < self.options.budget / 4)
            {
                let (cost, _) = self.sample(Meter::Processor, calls)?;
                sum += cost.time.saturating_sub(reading);
                taken += 1;
            }
            record.time("cpu_ns_per_call", sum / (taken * calls));
        }
        // What a thread takes is counted for that thread.
        if self.cores.is_none() {
            let (cost, _) = self.sample(Meter::Heap, calls)?;
            record.put("bytes_per_call", cost.bytes as u64 / u64::from(calls));
            record.put(
                "allocs_per_call",
                cost.allocations as u64 / u64::from(calls),
            );
        }
        Ok(())
    }

    /// Measures calls as the mode says. The state changes before each of them,
    /// which is a part of what is measured in mode `rebuild` alone.
    fn sample(&mut self, meter: Meter, calls: u32) -> Result<(Cost, Answer), Error> {
        let until = Until(Instant::now() + self.options.timeout * calls);
        match self.mode {
            "held" => {
                let mut transactions = Vec::new();
                for _ in 0..calls {
                    self.stir()?;
                    transactions.push(self.engine.snapshot().transaction());
                }
                let mut answer = Answer::default();
                let start = meter.start();
                for transaction in &mut transactions {
                    answer = self.ask(transaction, until)?;
                }
                Ok((start.stop(), answer))
            }
            "par" => {
                self.stir()?;
                let Some(cores) = &self.cores else {
                    return Ok(Default::default());
                };
                let start = meter.start();
                let count = cores.ask(&Question {
                    snapshot: self.engine.snapshot(),
                    claims: self.prepared.clone(),
                    until,
                })?;
                let cost = start.stop();
                let answer = Answer {
                    outcome: word(count.is_stopped, count.feasible),
                    tried: count.tried,
                    feasible: count.feasible,
                    allocation: None,
                };
                Ok((cost, answer))
            }
            "perpod" => {
                self.stir()?;
                let start = meter.start();
                let mut transaction = self.engine.snapshot().transaction();
                let answer = self.ask(&mut transaction, until)?;
                Ok((start.stop(), answer))
            }
            "rebuild" => {
                let revision = self.changes + 1;
                let slice = self.next_slice().map(|slice| revised(slice, revision));
                let start = meter.start();
                if let Some(slice) = slice {
                    self.engine.apply(Change::ResourceSlice(slice))?;
                }
                let mut transaction = self.engine.snapshot().transaction();
                let answer = self.ask(&mut transaction, until)?;
                Ok((start.stop(), answer))
            }
            _ => {
                let loading = Instant::now();
                self.engine = load(self.workload)?;
                self.loads.push(loading.elapsed());
                let names = self.workload.names();
                self.nodes = self.engine.snapshot().node_list(names);
                let start = meter.start();
                let mut workspace = Workspace::new();
                std::mem::swap(&mut workspace, &mut self.workspace);
                let snapshot = self.engine.snapshot();
                self.prepared = snapshot.prepare(&self.claims)?;
                let answer = self.ask(&mut snapshot.transaction(), until)?;
                let cost = start.stop();
                drop(workspace);
                Ok((cost, answer))
            }
        }
    }

    fn stir(&mut self) -> Result<(), Error> {
        let slice = self.next_slice();
        stir(&mut self.engine, slice)
    }

    fn next_slice(&mut self) -> Option<&'a ResourceSlice> {
        self.changes += 1;
        let place = self.changes * 7919 % self.changing.len().max(1);
        self.changing.get(place).copied()
    }

    fn ask(&mut self, transaction: &mut Transaction, until: Until) -> Result<Answer, Error> {
        let budget = Budget::new().deadline(&until);
        if self.run.kind == "node" {
            let options = AllocateOptions::new().budget(budget);
            let (node, workspace) = (&self.run.node, &mut self.workspace);
            let outcome = transaction.allocate(node, &self.prepared, &options, workspace);
            return Ok(answer(outcome));
        }
        let find = if self.run.kind == "place" {
            Find::First
        } else {
            Find::Count
        };
        let options = PlaceOptions::new()
            .node_list(&self.nodes)
            .find(find)
            .budget(budget)
            .errors(ErrorMode::Abort);
        let placement = transaction.place(&self.prepared, &options, &mut self.workspace)?;
        let is_stopped = placement.stopped() == Some(StopCause::Deadline);
        let first = placement.nodes().first();
        Ok(Answer {
            outcome: word(is_stopped, placement.feasible()),
            tried: placement.asked(),
            feasible: placement.feasible(),
            allocation: first.map(|node| node.allocation()),
        })
    }

    /// Checks every answer that says yes by definition.
    fn check(&mut self, answer: &mut Answer) -> Result<(), Error> {
        let snapshot = self.engine.snapshot();
        if self.run.kind != "score" {
            if let Some(allocation) = &answer.allocation
                && let Err(violation) = verify(&snapshot, &self.claims, allocation)
            {
                answer.outcome = format!("error: {violation}").into();
            }
            return Ok(());
        }
        let options = PlaceOptions::new().node_list(&self.nodes).find(Find::All);
        let placement = snapshot.place(&self.prepared, &options, &mut self.workspace)?;
        for node in placement.nodes() {
            if let Err(violation) = verify(&snapshot, &self.claims, &node.allocation()) {
                answer.outcome = format!("error: {violation}").into();
            }
        }
        if placement.nodes().len() != answer.feasible {
            answer.outcome = format!("error: {} nodes were counted", answer.feasible).into();
        }
        let first = placement.nodes().first();
        answer.allocation = first.map(|node| node.allocation());
        Ok(())
    }
}

/// Returns how an answer for many nodes is written in a record.
fn word(is_stopped: bool, feasible: usize) -> Cow<'static, str> {
    let word = match feasible {
        _ if is_stopped => ">timeout",
        0 => "no",
        _ => "yes",
    };
    word.into()
}

fn answer(outcome: Result<Outcome, Error>) -> Answer {
    let mut answer = Answer {
        tried: 1,
        ..Answer::default()
    };
    match outcome {
        Ok(Outcome::Optimal(allocation) | Outcome::Feasible { allocation, .. }) => {
            answer.outcome = "yes".into();
            answer.feasible = 1;
            answer.allocation = Some(allocation);
        }
        Ok(Outcome::Infeasible(_)) => answer.outcome = "no".into(),
        Ok(Outcome::Unknown(_)) => answer.outcome = ">timeout".into(),
        Err(error) => answer.outcome = format!("error: {error}").into(),
    }
    answer
}
