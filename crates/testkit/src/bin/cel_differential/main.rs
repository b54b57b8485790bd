//! Compares dralloc's selectors with those of Kubernetes on random ones.
//!
//! Both sides get the same selectors and devices; what differs is asked again
//! of Kubernetes many times over, since its maps are visited in random order.
//! What nothing explains is shortened and printed, one example of each kind,
//! and the exit code is 1. The same arguments give the same output, up to
//! that random order.

mod answer;
mod arguments;
mod feed;
mod judge;
mod old_time;
mod shared_quantity;
mod shorten;
mod shuffled;
mod summary;
mod upstream;

use std::process::ExitCode;

use dralloc_testkit::selectors::RandomSelector;
use indicatif::{ProgressBar, ProgressStyle};

use answer::Answer;
use arguments::{Arguments, USAGE};
use feed::Feed;
use shorten::{Example, shorten};
use summary::Summary;
use upstream::{Upstream, UpstreamAnswer};

/// Unexplained differences after which the run ends.
const ENOUGH: u64 = 20;

/// How often Kubernetes is asked about a difference.
const REPEAT: u32 = 60;

/// Orders of a device's maps that are tried to explain a difference.
const ORDERS: u64 = 1000;

/// Unexplained differences that are shortened; the others are counted only.
const SHORTENED: u64 = 400;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--help" || word == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match Arguments::parse(words).and_then(|arguments| run(&arguments)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("dralloc-cel-differential: {message}");
            ExitCode::from(2)
        }
    }
}

/// Compares all selectors; returns the number of unexplained differences.
fn run(arguments: &Arguments) -> Result<u64, String> {
    let mut summary = Summary::default();
    let mut judges = Judges {
        repeating: Upstream::start(&arguments.upstream, REPEAT)?,
        // The text of an example is tried often, and need not be certain.
        shortening: Upstream::start(&arguments.upstream, 3)?,
    };
    if let Some(expression) = &arguments.expression {
        let selector = RandomSelector {
            expression: expression.clone(),
            cost_limit: None,
            ..RandomSelector::new(arguments.seed, arguments.minor)
        };
        let theirs = judges.repeating.ask(&selector)?;
        let ours = Answer::new(&selector, arguments.minor);
        summary::print_answers(&selector, &ours, &theirs);
        return Ok(u64::from(judge::difference(&ours, &theirs).is_some()));
    }
    let seeds = arguments.seed..arguments.seed.saturating_add(arguments.cases);
    // Hidden by itself where standard error is no terminal.
    let bar = ProgressBar::new(arguments.cases);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg} {eta} left") {
        bar.set_style(style);
    }
    let minor = arguments.minor;
    let mut upstream = Feed::start(&arguments.upstream, seeds.clone(), minor)?;
    for seed in seeds.clone() {
        let selector = RandomSelector::new(seed, minor);
        let ours = Answer::new(&selector, minor);
        let theirs = match upstream.next() {
            Ok(theirs) => theirs,
            Err(_) if upstream.has_ended() => {
                upstream = Feed::start(&arguments.upstream, seed + 1..seeds.end, minor)?;
                UpstreamAnswer::ended()
            }
            Err(error) => return Err(format!("at seed {seed}: {error}")),
        };
        judges.judge(seed, selector, ours, theirs, minor, &mut summary)?;
        bar.inc(1);
        if summary.unexplained >= ENOUGH && !arguments.keep_going {
            break;
        }
    }
    drop(upstream);
    bar.finish_and_clear();
    summary.print_examples(arguments.examples);
    println!("{summary}");
    Ok(summary.unexplained)
}

/// Further processes, which are asked about differences.
struct Judges {
    repeating: Upstream,
    shortening: Upstream,
}

impl Judges {
    /// Counts a selector and how it compares.
    fn judge(
        &mut self,
        seed: u64,
        selector: RandomSelector,
        ours: Answer,
        theirs: UpstreamAnswer,
        minor: u32,
        summary: &mut Summary,
    ) -> Result<(), String> {
        *summary.outcomes.entry(theirs.outcome.clone()).or_default() += 1;
        summary.estimates += u64::from(ours.estimate.is_some());
        if judge::difference(&ours, &theirs).is_none() {
            summary.equal += 1;
            return Ok(());
        }
        let theirs = match judge::reason(&ours, &theirs) {
            Some(_) => theirs,
            None => self.repeating.ask(&selector)?,
        };
        let Some(difference) = judge::difference(&ours, &theirs) else {
            summary.explain(judge::Reason::RandomOrder, seed);
            return Ok(());
        };
        let reason = judge::reason(&ours, &theirs).or_else(|| {
            let mut orders = (0..ORDERS).map(|order| Answer::shuffled(&selector, minor, order));
            orders
                .any(|answer| judge::difference(&answer, &theirs).is_none())
                .then_some(judge::Reason::RandomOrder)
        });
        let is_shared = || shared_quantity::is_involved(&selector, minor, &ours, &theirs);
        let reason = reason.or_else(|| is_shared().then_some(judge::Reason::SharedQuantity));
        let is_old = || old_time::is_involved(&selector, &ours, &theirs);
        let reason = reason.or_else(|| is_old().then_some(judge::Reason::OldTime));
        if let Some(reason) = reason {
            summary.explain(reason, seed);
            return Ok(());
        }
        summary.unexplained += 1;
        if summary.unexplained <= SHORTENED {
            let example = Example {
                seed,
                selector,
                difference,
                ours,
                theirs,
            };
            let shorter = shorten(example, minor, &mut self.shortening)?;
            summary.keep(shorter);
        }
        Ok(())
    }
}
