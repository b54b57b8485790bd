//! `dralloc topo select`: the devices that work best together.

mod answer;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use dralloc_topology::{Choice, Question, Selector, Term};

use super::chosen::{Mark, Marks};
use super::drawing;
use super::machine::{FileOptions, Machine};
use super::measures::Measures;
use super::places::Places;
use super::words;
use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// Selects the devices that work best together.
///
/// Compares all sets by the terms of the objective, the most important first: `ring`
/// (rings through all devices, in links), `links` (between them), `bottleneck` (the worst
/// pair), `span` (the nearest common place), `packing` (what stays free for others). The
/// answer is proved to be the best, and among equals it is the first. A document with
/// allowed sets allows no others.
///
/// Exits with 0, with 1 if there is no such set, or with 2 if the input cannot be used.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dralloc topo select -f machine.yaml --count 2
  dralloc topo select -f machine.yaml --count 4 --free gpu1,gpu2,gpu3,gpu5,gpu6
  dralloc topo select -f machine.yaml --count 4 --objective ring,packing -o json
  dralloc topo select -f machine.yaml --count 4 --svg four.svg")]
pub(crate) struct Options {
    #[command(flatten)]
    file: FileOptions,
    /// How many devices.
    #[arg(long, value_name = "K")]
    count: usize,
    /// Devices that may be taken, by their ids; without it all.
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    free: Option<Vec<String>>,
    /// Devices that must be among them, by their ids.
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    required: Vec<String>,
    /// What is better, the most important first; `ring,links,packing` without it, or
    /// `ring,links` where direct links join more than 16 devices.
    #[arg(long, value_name = "TERM,…", value_delimiter = ',', value_parser = parse_term)]
    objective: Option<Vec<Term>>,
    /// Draws the choice into a file.
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// What to print.
    #[arg(short = 'o', long = "output", value_enum, value_name = "FORM", default_value_t = Form::Text)]
    output: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people.
    Text,
    /// One line: devices, ring (in links, four digits), links, outcome, nanos.
    Json,
}

fn parse_term(text: &str) -> Result<Term, String> {
    text.trim()
        .parse::<Term>()
        .map_err(|error| error.message().to_owned())
}

pub(super) fn run(options: &Options) -> Result<ExitCode, Failure> {
    check_terms(options.objective.as_deref().unwrap_or_default())?;
    let machine = Machine::read(&options.file)?;
    let topology = &machine.topology;
    let all: Vec<usize> = (0..topology.device_count()).collect();
    let free = match &options.free {
        Some(ids) => numbers(&machine, "--free", ids)?,
        None => all,
    };
    let required = numbers(&machine, "--required", &options.required)?;
    let selector = Selector::new(topology).map_err(|error| machine.fault(&error))?;
    let usual = selector.usual_terms();
    let question = Question {
        free: &free,
        count: options.count,
        required: &required,
        terms: options.objective.as_deref().unwrap_or(usual),
    };
    let (choice, taken) = select(&selector, &question)?;
    let marks = marks(&machine, &free, choice.as_ref());
    let measures = choice.as_ref().map(|_| Measures::new(topology, &marks));
    let places = Places::new(&machine);
    if let Some(file) = &options.svg {
        let headline = measures.as_ref().map(Measures::headline);
        drawing::write(file, &machine, &places, &marks, headline.as_deref())?;
    }
    let mut output = anstream::stdout().lock();
    let text = match options.output {
        Form::Json => answer::json(&machine, choice.as_ref(), taken)?,
        Form::Text => {
            machine.warn();
            answer::text(&machine, &places, &marks, &question, choice.as_ref())
        }
    };
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(match choice {
        Some(_) => ExitCode::SUCCESS,
        None => ExitCode::FAILURE,
    })
}

/// Refuses a term that is there twice, since the second says nothing.
fn check_terms(terms: &[Term]) -> Result<(), Failure> {
    for (place, term) in terms.iter().enumerate() {
        if terms.iter().take(place).any(|before| before == term) {
            let message = format!("term `{term}` is there twice, expected each once");
            return Err(Failure::Input(format!("--objective: {message}")));
        }
    }
    Ok(())
}

/// Selects, and says how long that took without what is made once for a machine.
fn select(
    selector: &Selector,
    question: &Question<'_>,
) -> Result<(Option<Choice>, Duration), Failure> {
    let start = Instant::now();
    let choice = selector.select(question);
    let taken = start.elapsed();
    // The document is right, so it is the question.
    let choice =
        choice.map_err(|error| Failure::Input(format!("--objective: {}", error.message())))?;
    Ok((choice, taken))
}

/// Returns the numbers of devices by their ids, each once.
fn numbers(machine: &Machine, option: &str, ids: &[String]) -> Result<Vec<usize>, Failure> {
    let number = |id: &String| {
        machine.topology.find(id).ok_or_else(|| {
            let id = words::quoted(id);
            Failure::Input(format!("{option}: no device {id}, expected the id of one"))
        })
    };
    let numbers: BTreeSet<usize> = ids.iter().map(number).collect::<Result<_, Failure>>()?;
    Ok(numbers.into_iter().collect())
}

/// Returns which devices are chosen, free and taken.
fn marks(machine: &Machine, free: &[usize], choice: Option<&Choice>) -> Marks {
    let mut marks = Marks::none(&machine.topology);
    marks.devices.fill(Mark::Taken);
    let chosen = choice.map_or(&[][..], |choice| &choice.devices);
    for (set, mark) in [(free, Mark::Free), (chosen, Mark::Chosen)] {
        for &device in set {
            if let Some(entry) = marks.devices.get_mut(device) {
                *entry = mark;
            }
        }
    }
    marks
}
