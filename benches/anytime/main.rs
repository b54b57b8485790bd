//! Answers within 100 µs: how long a call takes with a deadline so near, and
//! whether the gap that it states is true.
//!
//! Every shape of `families`, the workload files of `peers` that the command
//! names, and the questions of `policies` are asked, under each policy and each
//! term. A call may take 200 µs. Before each call a device that nobody wants is
//! held or given back, so that no call asks what was asked before. The time is
//! that of the thread on its processor, for the deadline as for the call: what
//! others do on the machine does not count, but for what it costs to be
//! interrupted. So it also measures the longest time between two looks at a
//! deadline that is never over, each the least of several calls.

#![allow(
    clippy::expect_used,
    reason = "a measurement of what is not answered says nothing"
)]

#[path = "../policies/clock.rs"]
mod clock;
mod files;
mod looks;
#[path = "../policies/questions.rs"]
mod questions;
#[path = "../families/shapes.rs"]
mod shapes;

use std::collections::BTreeMap;
use std::fmt;
use std::process::ExitCode;
use std::time::Duration;

use dralloc::{
    AllocateOptions, Budget, Deadline, Outcome, Policy, PreparedClaims, Term, Transaction,
    Workspace,
};

use clock::spent_so_far;
use looks::Longest;
use questions::hold;
use shapes::{NODE, Shape};

/// When the deadline is over, and how long a call may take.
const DEADLINE: Duration = Duration::from_micros(100);
const MOST: Duration = Duration::from_micros(200);

/// Calls of a case with a workspace that knows the question, and with a new one.
const WARM: u32 = 200;
const COLD: u32 = 20;

/// Without a deadline so many branches are spent to find the best.
const FOR_BEST: u64 = 300_000;

/// Is over after some processor time of this thread.
struct Soon(Duration);

impl Deadline for Soon {
    fn is_over(&self) -> bool {
        spent_so_far() >= self.0
    }
}

/// Is a question to one node.
struct Case {
    name: String,
    node: String,
    transaction: Transaction,
    claims: PreparedClaims,
}

/// Counts what calls of a case took and gave.
#[derive(Default)]
struct Calls {
    times: Vec<Duration>,
    best: u32,
    feasible: u32,
    infeasible: u32,
    unknown: u32,
    /// Gaps that are not true.
    wrong: u32,
}

/// Is what is so without a deadline.
enum Truth {
    Values(Vec<i64>),
    Infeasible,
    NotKnown,
}

impl Calls {
    fn count(&mut self, outcome: &Outcome, truth: &Truth) {
        let values = |allocation: &dralloc::Allocation| -> Vec<i64> {
            let terms = allocation.objective().iter();
            terms.map(|term| term.value).collect()
        };
        let is_right = match (outcome, truth) {
            (Outcome::Unknown(_), _)
            | (_, Truth::NotKnown)
            | (Outcome::Infeasible(_), Truth::Infeasible) => true,
            (Outcome::Optimal(allocation), Truth::Values(best)) => values(allocation) == *best,
            (Outcome::Feasible { allocation, gap }, Truth::Values(best)) => {
                let own = values(allocation);
                own >= *best
                    && own.get(gap.term) == Some(&gap.value)
                    && best[..gap.term] == own[..gap.term]
                    && gap.bound <= best[gap.term]
                    && gap.bound < gap.value
            }
            _ => false,
        };
        self.wrong += u32::from(!is_right);
        *match outcome {
            Outcome::Optimal(_) => &mut self.best,
            Outcome::Feasible { .. } => &mut self.feasible,
            Outcome::Infeasible(_) => &mut self.infeasible,
            Outcome::Unknown(_) => &mut self.unknown,
        } += 1;
    }

    fn longest(&self) -> Duration {
        self.times.iter().copied().max().unwrap_or_default()
    }

    fn median(&self) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or_default()
    }

    /// Returns the time that nineteen of twenty calls do not exceed.
    fn usual(&self) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        let place = (times.len() * 19).div_ceil(20).saturating_sub(1);
        times.get(place).copied().unwrap_or_default()
    }

    fn late(&self) -> usize {
        self.times.iter().filter(|time| **time > MOST).count()
    }
}

impl fmt::Display for Calls {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} {} us  {:3} best {:3} gap {:3} no {:3} unknown",
            Micros(self.median()),
            Micros(self.longest()),
            self.best,
            self.feasible,
            self.infeasible,
            self.unknown
        )?;
        if self.wrong > 0 {
            write!(formatter, "  {} WRONG", self.wrong)?;
        }
        Ok(())
    }
}

/// Prints as microseconds with one place after the point.
struct Micros(Duration);

impl fmt::Display for Micros {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = self.0.as_nanos() / 100;
        write!(formatter, "{:5}.{}", tenths / 10, tenths % 10)
    }
}

/// Sums up the calls of a family.
#[derive(Default)]
struct Family {
    calls: usize,
    late: usize,
    /// Of the case for which it is longest.
    median: Duration,
    usual: Duration,
    longest: Duration,
    looks: Longest,
}

impl Family {
    fn add(&mut self, calls: &Calls, looks: Longest) {
        self.calls += calls.times.len();
        self.late += calls.late();
        self.median = self.median.max(calls.median());
        self.usual = self.usual.max(calls.usual());
        self.longest = self.longest.max(calls.longest());
        self.looks.between = self.looks.between.max(looks.between);
        self.looks.after = self.looks.after.max(looks.after);
    }
}

impl fmt::Display for Family {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "median {}, 19 of 20 {}, longest {} us; {} of {} late; {} us between looks, {} after",
            Micros(self.median),
            Micros(self.usual),
            Micros(self.longest),
            self.late,
            self.calls,
            Micros(self.looks.between),
            Micros(self.looks.after)
        )
    }
}

/// Returns the presets, and each term by itself.
fn policies() -> Vec<Policy> {
    let terms = [
        Term::AlternativeRank,
        Term::HealthPenalty,
        Term::Waste,
        Term::PackingPotential,
        Term::ParentsTouched { attribute: None },
        Term::Evenness { attribute: None },
    ];
    let mut policies = vec![Policy::Kubernetes, Policy::Pack, Policy::Spread];
    policies.extend(terms.map(|term| Policy::Terms(vec![term])));
    policies
}

fn case_of(family: &str, shape: &Shape) -> Case {
    let snapshot = shape.engine.snapshot();
    let claims = snapshot.prepare(std::slice::from_ref(&shape.claim));
    let fits = if shape.fits { "fits" } else { "does not fit" };
    Case {
        name: format!("{family}/{}, {fits}", shape.name),
        node: NODE.to_owned(),
        transaction: snapshot.transaction(),
        claims: claims.expect("prepared"),
    }
}

/// Holds a device of the node that no question wants, or gives it back.
fn hold_noise(transaction: &mut Transaction, is_held: bool) {
    let noise = is_held.then(|| "noise".to_owned());
    hold(transaction, "noise", noise.as_slice());
}

/// By family, and whether the workspace is new.
type Families = BTreeMap<(String, bool), Family>;

/// Asks a case under a policy; returns whether all calls are in time and true.
fn ask(case: &mut Case, policy: &Policy, families: &mut Families) -> bool {
    let looks = [false, true].map(|is_cold| looks::longest(case, policy, is_cold));
    let Case {
        name,
        node,
        transaction,
        claims,
    } = case;
    let mut workspace = Workspace::new();
    let enough = AllocateOptions::new()
        .policy(policy)
        .budget(Budget::new().branches(FOR_BEST));
    let truths = [true, false].map(|is_held| {
        hold_noise(transaction, is_held);
        let outcome = transaction.consider(node, claims, &enough, &mut workspace);
        match outcome.expect("an outcome") {
            Outcome::Optimal(best) => {
                Truth::Values(best.objective().iter().map(|term| term.value).collect())
            }
            Outcome::Infeasible(_) => Truth::Infeasible,
            Outcome::Feasible { .. } | Outcome::Unknown(_) => Truth::NotKnown,
        }
    });
    let (mut warm, mut cold) = (Calls::default(), Calls::default());
    for round in 0..WARM + COLD {
        let is_held = round % 2 == 0;
        hold_noise(transaction, is_held);
        let calls = if round < WARM { &mut warm } else { &mut cold };
        if round >= WARM {
            workspace = Workspace::new();
        }
        let start = spent_so_far();
        let soon = Soon(start + DEADLINE);
        let options = AllocateOptions::new()
            .policy(policy)
            .budget(Budget::new().deadline(&soon));
        let outcome = transaction.consider(node, claims, &options, &mut workspace);
        calls.times.push(spent_so_far().saturating_sub(start));
        calls.count(
            &outcome.expect("an outcome"),
            &truths[usize::from(!is_held)],
        );
    }
    let family = name.split('/').next().unwrap_or_default().to_owned();
    let name = format!("{name}, {policy}");
    for (calls, is_cold) in [(&warm, false), (&cold, true)] {
        let looks = looks[usize::from(is_cold)];
        let family = families.entry((family.clone(), is_cold)).or_default();
        family.add(calls, looks);
        let (name, kind) = if is_cold {
            ("", "cold")
        } else {
            (&*name, "warm")
        };
        println!(
            "{name:<64.64} {kind} {calls} {} us between looks, {} after",
            Micros(looks.between),
            Micros(looks.after)
        );
    }
    if warm.late() + cold.late() > 0 {
        println!("{:<64} LATE {} warm, {} cold", "", warm.late(), cold.late());
    }
    warm.late() + cold.late() == 0 && warm.wrong + cold.wrong == 0
}

fn main() -> ExitCode {
    let families = [
        ("b", shapes::pairs()),
        ("c", shapes::partitions()),
        ("d", shapes::counting()),
        ("e", shapes::alternatives()),
        ("f", shapes::shares()),
    ];
    let mut cases = Vec::new();
    for (family, shapes) in &families {
        cases.extend(shapes.iter().map(|shape| case_of(family, shape)));
    }
    let files = std::env::args().skip(1);
    for file in files.filter(|argument| !argument.starts_with('-')) {
        cases.extend(files::cases(&file));
    }
    let (mut asked, mut failed) = (0, 0);
    let mut families = Families::new();
    for case in &mut cases {
        for policy in policies() {
            asked += 1;
            failed += u32::from(!ask(case, &policy, &mut families));
        }
    }
    for question in questions::questions() {
        let mut case = Case {
            name: question.name.to_owned(),
            node: "n".to_owned(),
            transaction: question.transaction,
            claims: question.claims,
        };
        asked += 1;
        failed += u32::from(!ask(&mut case, &question.policy, &mut families));
    }
    for ((family, is_cold), calls) in &families {
        let kind = if *is_cold { "cold" } else { "warm" };
        println!("{family:<10} {kind}: {calls}");
    }
    println!("{asked} cases, {failed} with calls that are late or wrong");
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
