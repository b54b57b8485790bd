//! One record: a run in a mode, sampled.

use std::hint::black_box;
use std::time::{Duration, Instant};

use dralloc::model::ResourceClaim;
use dralloc::{
    AllocateOptions, Allocation, Budget, Change, Deadline, Engine, Error, ErrorMode, Find,
    NodeList, Outcome, PlaceOptions, PreparedClaims, Snapshot, StopCause, Transaction, Workspace,
};
use serde_json::{Map, Value, json};

use crate::digest::{self, Sequence};
use crate::engine::{load, stir, word};
use crate::options::Options;
use crate::workload::{Run, Workload};

/// Samples of a record at most.
const MAX_SAMPLES: usize = 2000;

/// Samples between which the state that is held changes.
const STIR_INTERVAL: usize = 8;

/// Is over at a moment.
struct Until(Instant);

impl Deadline for Until {
    fn is_over(&self) -> bool {
        Instant::now() >= self.0
    }
}

/// Is what one sample gave.
#[derive(Default)]
struct Sample {
    outcome: String,
    tried: usize,
    feasible: usize,
    /// The first answer that says yes.
    allocation: Option<Allocation>,
}

/// Measures a run in a mode; what goes wrong is told in the record.
pub(crate) fn measure(workload: &Workload, run: &Run, mode: &str, options: &Options) -> Value {
    let mut record = Map::new();
    for (name, value) in [
        ("workload", &workload.name),
        ("family", &workload.family),
        ("run", &run.name),
        ("kind", &run.kind),
        ("expect", &run.expect),
        ("variant", &options.variant),
    ] {
        record.insert(name.to_owned(), json!(value));
    }
    record.insert("peer".to_owned(), json!("dralloc"));
    record.insert("mode".to_owned(), json!(mode));
    record.insert("devices".to_owned(), json!(workload.devices()));
    record.insert("nodes".to_owned(), json!(workload.nodes.len()));
    record.insert("calib_ns".to_owned(), json!(calibrate()));
    let known = ["held", "perpod", "rebuild", "coldcel"].contains(&mode);
    let measured = if !known {
        record.insert("outcome".to_owned(), json!(format!("unsupported: {mode}")));
        Ok(())
    } else if run.kind == "sequence" {
        sequence(workload, run, mode, options, &mut record)
    } else {
        Bench::new(workload, run, mode, options).and_then(|mut bench| bench.sample_all(&mut record))
    };
    if let Err(error) = measured {
        record.insert("outcome".to_owned(), json!(format!("error: {error}")));
    }
    Value::Object(record)
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
    setup: Duration,
    samples: usize,
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
        let prepared = engine.snapshot().prepare(&claims)?;
        let nodes = engine.snapshot().node_list(names(workload));
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
            setup: start.elapsed(),
            samples: 0,
        })
    }

    /// Takes samples until the time is over, and checks the answer.
    fn sample_all(&mut self, record: &mut Map<String, Value>) -> Result<(), Error> {
        let nanoseconds =
            |time: Duration| json!(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        let (first, mut sample) = self.sample()?;
        record.insert("setup_ns".to_owned(), nanoseconds(self.setup));
        record.insert("first_ns".to_owned(), nanoseconds(first));
        let mut times = vec![first];
        if first < Duration::from_secs(10) {
            times.clear();
            let start = Instant::now();
            while times.len() < 3
                || (start.elapsed() < self.options.budget && times.len() < MAX_SAMPLES)
            {
                let (time, next) = self.sample()?;
                times.push(time);
                sample = next;
                if time > Duration::from_secs(3) {
                    break;
                }
            }
        }
        statistics(&mut times, record);
        for (name, value) in [("tried", sample.tried), ("feasible", sample.feasible)] {
            record.insert(name.to_owned(), json!(value));
        }
        if sample.outcome == "yes" {
            self.check(&mut sample)?;
        }
        if let Some(allocation) = &sample.allocation {
            record.insert("digest".to_owned(), json!(digest::digest(allocation)));
            record.insert("node".to_owned(), json!(allocation.node()));
        }
        record.insert("outcome".to_owned(), json!(sample.outcome));
        Ok(())
    }

    /// Times one call as the mode says.
    fn sample(&mut self) -> Result<(Duration, Sample), Error> {
        self.samples += 1;
        let slices = &self.workload.resource_slices;
        let slice = slices.get(self.samples % slices.len().max(1));
        match self.mode {
            "held" => {
                if self.samples.is_multiple_of(STIR_INTERVAL) {
                    stir(&mut self.engine, slice)?;
                }
                let mut transaction = self.engine.snapshot().transaction();
                let start = Instant::now();
                let sample = self.ask(&mut transaction)?;
                Ok((start.elapsed(), sample))
            }
            "perpod" => {
                if self.samples.is_multiple_of(STIR_INTERVAL) {
                    stir(&mut self.engine, slice)?;
                }
                let start = Instant::now();
                let mut transaction = self.engine.snapshot().transaction();
                let sample = self.ask(&mut transaction)?;
                Ok((start.elapsed(), sample))
            }
            "rebuild" => {
                let slice = slice.cloned();
                let start = Instant::now();
                if let Some(slice) = slice {
                    self.engine.apply(Change::ResourceSlice(slice))?;
                }
                let mut transaction = self.engine.snapshot().transaction();
                let sample = self.ask(&mut transaction)?;
                Ok((start.elapsed(), sample))
            }
            _ => {
                let start = Instant::now();
                self.engine = load(self.workload)?;
                self.workspace = Workspace::new();
                let snapshot = self.engine.snapshot();
                self.nodes = snapshot.node_list(names(self.workload));
                self.prepared = snapshot.prepare(&self.claims)?;
                let sample = self.ask(&mut snapshot.transaction())?;
                Ok((start.elapsed(), sample))
            }
        }
    }

    fn ask(&mut self, transaction: &mut Transaction) -> Result<Sample, Error> {
        let until = Until(Instant::now() + self.options.timeout);
        let budget = Budget::new().deadline(&until);
        if self.run.kind == "node" {
            let options = AllocateOptions::new().budget(budget);
            let (node, workspace) = (&self.run.node, &mut self.workspace);
            let outcome = transaction.allocate(node, &self.prepared, &options, workspace);
            let mut sample = Sample {
                outcome: word(&outcome),
                tried: 1,
                ..Sample::default()
            };
            if let Ok(Outcome::Optimal(allocation)) = outcome {
                sample.feasible = 1;
                sample.allocation = Some(allocation);
            }
            return Ok(sample);
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
        let outcome = match placement.stopped() {
            Some(StopCause::Deadline) => ">timeout",
            _ if placement.feasible() > 0 => "yes",
            _ => "no",
        };
        let first = placement.nodes().first();
        Ok(Sample {
            outcome: outcome.to_owned(),
            tried: placement.asked(),
            feasible: placement.feasible(),
            allocation: first.map(|node| node.allocation()),
        })
    }

    /// Checks every answer that says yes by definition.
    fn check(&mut self, sample: &mut Sample) -> Result<(), Error> {
        let snapshot = self.engine.snapshot();
        if self.run.kind != "score" {
            if let Some(allocation) = &sample.allocation
                && let Err(violation) = verify(&snapshot, &self.claims, allocation)
            {
                sample.outcome = format!("error: {violation}");
            }
            return Ok(());
        }
        let options = PlaceOptions::new().node_list(&self.nodes).find(Find::All);
        let placement = snapshot.place(&self.prepared, &options, &mut self.workspace)?;
        for node in placement.nodes() {
            if let Err(violation) = verify(&snapshot, &self.claims, &node.allocation()) {
                sample.outcome = format!("error: {violation}");
            }
        }
        if placement.nodes().len() != sample.feasible {
            sample.outcome = format!("error: {} nodes were counted", sample.feasible);
        }
        let first = placement.nodes().first();
        sample.allocation = first.map(|node| node.allocation());
        Ok(())
    }
}

/// Returns the first rule that an answer breaks; what the claims themselves hold
/// does not stand in their way.
fn verify(
    snapshot: &Snapshot,
    claims: &[ResourceClaim],
    allocation: &Allocation,
) -> Result<(), String> {
    let verified = snapshot.verify(allocation.node(), claims, &allocation.results());
    verified.map_err(|violations| {
        let first = violations.first();
        first.map_or_else(String::new, |first| format!("verify: {first:?}"))
    })
}

/// Returns the nodes in their order.
fn names(workload: &Workload) -> impl Iterator<Item = &str> {
    workload.nodes.iter().map(|node| &*node.metadata.name)
}

/// Every claim is a pod: nodes are tried in turn from where the last pod
/// stopped, and what it gets is committed.
fn sequence(
    workload: &Workload,
    run: &Run,
    mode: &str,
    options: &Options,
    record: &mut Map<String, Value>,
) -> Result<(), Error> {
    let [first, end] = run.range[..] else {
        record.insert("outcome".to_owned(), json!("error: no range"));
        return Ok(());
    };
    let mut workspace = Workspace::new();
    let (mut times, mut rounds, mut total) = (Vec::new(), 0_u64, Duration::ZERO);
    let (mut placed, mut misses, mut tried, mut next) = (0_u64, 0_u64, 0, 0);
    let mut digest = Sequence::default();
    let start = Instant::now();
    let mut outcome = "done".to_owned();
    'rounds: loop {
        let mut engine = load(workload)?;
        let nodes = engine.snapshot().node_list(names(workload));
        for (number, claim) in workload.claims[first..end].iter().enumerate() {
            if start.elapsed() > options.sequence {
                outcome = format!(">{}s after {number} claims", options.sequence.as_secs());
                break 'rounds;
            }
            let slices = &workload.resource_slices;
            let slice = slices.get(number % slices.len().max(1)).cloned();
            let claim = std::slice::from_ref(claim);
            let before = Instant::now();
            if let ("rebuild", Some(slice)) = (mode, slice) {
                engine.apply(Change::ResourceSlice(slice))?;
            }
            let mut transaction = engine.snapshot().transaction();
            let claims = transaction.snapshot().prepare(claim)?;
            let order = PlaceOptions::new()
                .node_list(&nodes)
                .start(next)
                .errors(ErrorMode::Abort);
            let placement = transaction.place_and_allocate(&claims, &order, &mut workspace)?;
            let fits = placement.nodes().first();
            if fits.is_some() {
                transaction.commit(&mut engine)?;
            }
            let time = before.elapsed();
            total += time;
            times.push(time);
            tried += placement.asked();
            match fits {
                Some(node) => {
                    placed += 1;
                    next = placement.next();
                    digest.add(&node.allocation());
                    if rounds == 0
                        && let Err(violation) =
                            verify(&engine.snapshot(), claim, &node.allocation())
                    {
                        outcome = format!("error: {violation}");
                        break 'rounds;
                    }
                }
                None => misses += 1,
            }
        }
        rounds += 1;
        if !run.repeat || start.elapsed() > Duration::from_secs(1) {
            break;
        }
    }
    statistics(&mut times, record);
    let rounds = rounds.max(1);
    let total = u64::try_from(total.as_nanos()).unwrap_or(u64::MAX);
    for (name, value) in [
        ("total_ns", json!(total / rounds)),
        ("rounds", json!(rounds)),
        ("placed", json!(placed / rounds)),
        ("misses", json!(misses / rounds)),
        ("tried", json!(tried)),
        ("digest", json!(digest.finish())),
        ("outcome", json!(outcome)),
    ] {
        record.insert(name.to_owned(), value);
    }
    Ok(())
}

fn statistics(times: &mut [Duration], record: &mut Map<String, Value>) {
    times.sort_unstable();
    let at = |place: usize| {
        let time = times.get(place).copied().unwrap_or_default();
        u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
    };
    let last = times.len().saturating_sub(1);
    for (name, value) in [
        ("n", times.len() as u64),
        ("min_ns", at(0)),
        ("median_ns", at(times.len() / 2)),
        ("p99_ns", at((last * 99 + 50) / 100)),
        ("max_ns", at(last)),
    ] {
        record.insert(name.to_owned(), json!(value));
    }
}

/// Times a fixed amount of work, to tell a busy machine.
fn calibrate() -> u64 {
    let time = || {
        let start = Instant::now();
        let mut x = 1_u64;
        for _ in 0..8_000_000 {
            x = black_box(x)
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
        }
        black_box(x);
        u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    };
    time().min(time()).min(time())
}
