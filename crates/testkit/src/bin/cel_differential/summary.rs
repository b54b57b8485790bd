//! Counts, and the tables at the end.

use std::collections::BTreeMap;
use std::fmt;

use dralloc_testkit::selectors::{RandomSelector, tokens};

use crate::answer::Answer;
use crate::judge::{Difference, Reason};
use crate::shorten::Example;
use crate::upstream::UpstreamAnswer;

/// How often what happened.
#[derive(Default)]
pub(crate) struct Summary {
    pub(crate) outcomes: BTreeMap<String, u64>,
    pub(crate) estimates: u64,
    pub(crate) equal: u64,
    explained: BTreeMap<Reason, Vec<u64>>,
    pub(crate) unexplained: u64,
    /// Examples of differences by kind, with how often the kind was met.
    kinds: BTreeMap<(Difference, String), (u64, Example)>,
}

impl Summary {
    /// Counts a difference that is explained.
    pub(crate) fn explain(&mut self, reason: Reason, seed: u64) {
        self.explained.entry(reason).or_default().push(seed);
    }

    /// Keeps an example; of each kind the shortest stays.
    pub(crate) fn keep(&mut self, example: Example) {
        let kind = (example.difference.clone(), likeness(&example));
        match self.kinds.get_mut(&kind) {
            Some((count, shortest)) => {
                *count += 1;
                if example.selector.expression.len() < shortest.selector.expression.len() {
                    *shortest = example;
                }
            }
            None => {
                self.kinds.insert(kind, (1, example));
            }
        }
    }

    /// Prints the commonest kinds of differences, an example of each.
    pub(crate) fn print_examples(&self, most: usize) {
        let mut kinds: Vec<&(u64, Example)> = self.kinds.values().collect();
        kinds.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        for (count, example) in kinds.into_iter().take(most) {
            print_example(*count, example);
        }
    }
}

/// Prints what both sides say to one selector.
pub(crate) fn print_answers(selector: &RandomSelector, ours: &Answer, theirs: &UpstreamAnswer) {
    println!("{}", selector.expression);
    println!(
        "  dralloc     {} cost {} estimate {} {}",
        ours.outcome,
        number(ours.cost),
        number(ours.estimate),
        ours.error.as_deref().unwrap_or_default()
    );
    let error = theirs.error.as_deref().unwrap_or_default();
    let error: String = error.replace('\n', " ").chars().take(200).collect();
    println!(
        "  Kubernetes  {} cost {} estimate {} {error}",
        theirs.outcome,
        number(theirs.cost),
        number(theirs.estimate),
    );
    for alternative in &theirs.alternatives {
        let cost = number(alternative.cost);
        println!("  or          {} cost {cost}", alternative.outcome);
    }
    if let Some(limit) = selector.cost_limit {
        println!("  cost limit  {limit}");
    }
    if selector.expression.contains("device") {
        let (driver, device) = (selector.device.driver(), selector.device.json());
        println!("  device      {driver} {device}");
    }
}

fn print_example(count: u64, example: &Example) {
    print_answers(&example.selector, &example.ours, &example.theirs);
    println!("  {count} alike, one is seed {}", example.seed);
}

fn number(value: Option<u64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

/// Returns what examples of one kind have in common: their errors, or else
/// their expressions up to literals.
fn likeness(example: &Example) -> String {
    let outside = |error: &Option<String>| {
        let mut error = error.clone().unwrap_or_default();
        error.retain(|character| !character.is_ascii_digit());
        // What is quoted or stands after the first line is the selector's own.
        let parts = error.split('`').step_by(2);
        let parts: Vec<&str> = parts.filter_map(|part| part.lines().next()).collect();
        parts.concat()
    };
    match (&example.ours.error, &example.theirs.error) {
        (None, None) => shape(&example.selector.expression),
        (ours, theirs) => format!("{}|{}", outside(ours), outside(theirs)),
    }
}

/// Returns an expression without its literals, which seldom matter.
fn shape(expression: &str) -> String {
    let shapes: Vec<&str> = tokens(expression)
        .into_iter()
        .map(|token| match token.as_bytes().first() {
            Some(b'"' | b'\'') => "\"\"",
            Some(b'0'..=b'9') => "0",
            _ => token,
        })
        .collect();
    shapes.concat()
}

impl fmt::Display for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cases = self.outcomes.values().sum();
        let outcomes = self.outcomes.iter();
        let counts = outcomes
            .map(|(outcome, count)| (outcome.as_str(), *count))
            .chain([
                ("selectors", cases),
                ("estimates compared", self.estimates),
                ("equal", self.equal),
            ]);
        for (name, count) in counts {
            writeln!(formatter, "{name:<40} {count:>10}")?;
        }
        for (reason, seeds) in &self.explained {
            let (count, first) = (seeds.len(), seeds.first().copied().unwrap_or_default());
            let name = reason.name();
            writeln!(formatter, "{name:<40} {count:>10}   first at seed {first}")?;
        }
        write!(formatter, "{:<40} {:>10}", "unexplained", self.unexplained)
    }
}
