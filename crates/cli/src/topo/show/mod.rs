//! `dralloc topo show`: a topology as matrix, tree and drawing.

mod data;
mod legend;
mod matrix;
mod tree;

use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::chosen::{Mark, Marks};
use super::drawing;
use super::machine::{FileOptions, Machine};
use super::measures::Measures;
use super::places::Places;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::style::HEADING;

/// Shows how devices are linked.
///
/// Prints the matrix of `nvidia-smi topo -m` with the ids of the document, what is in
/// what as a tree, and which devices links join; `--svg` draws it. What is odd in the
/// document is a warning.
///
/// Exits with 0, or with 2 if the input cannot be used.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dralloc topo show -f machine.yaml
  dralloc topo show -f machine.yaml --svg machine.svg
  dralloc topo show -f machine.yaml --devices gpu0,gpu2,nic0
  dralloc topo show -f machine.yaml -o json | jq .islands")]
pub(crate) struct Options {
    #[command(flatten)]
    file: FileOptions,
    /// Marks devices and NICs, by their ids, and prints how good the set is.
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    devices: Vec<String>,
    /// Draws it into a file.
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// Prints all of the matrix, also of many devices.
    #[arg(long)]
    matrix: bool,
    /// What to print.
    #[arg(short = 'o', long = "output", value_enum, value_name = "FORM", default_value_t = Form::Text)]
    output: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people.
    Text,
    /// As data: levels, tree, islands, allowed sets, warnings, measures.
    Json,
}

pub(super) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let machine = Machine::read(&options.file)?;
    let mut marks = Marks::none(&machine.topology);
    marks.choose(&machine.topology, &options.devices)?;
    let measures = marks
        .has(Mark::Chosen)
        .then(|| Measures::new(&machine.topology, &marks));
    let places = Places::new(&machine);
    if let Some(file) = &options.svg {
        let headline = measures.as_ref().map(Measures::headline);
        drawing::write(file, &machine, &places, &marks, headline.as_deref())?;
    }
    let mut output = anstream::stdout().lock();
    match options.output {
        Form::Json => data::write(
            &mut output,
            &machine,
            &places,
            measures.as_ref(),
            options.matrix,
        )?,
        Form::Text => {
            machine.warn();
            let text = text(options, &machine, &places, &marks, measures.as_ref());
            output.write_all(text.as_bytes())?;
        }
    }
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns all parts, an empty line between them.
fn text(
    options: &Options,
    machine: &Machine,
    places: &Places,
    marks: &Marks,
    measures: Option<&Measures>,
) -> String {
    let mut parts = vec![format!("{HEADING}{}{HEADING:#}\n", machine.title())];
    let matrix = matrix::matrix(&machine.topology, marks, options.matrix);
    parts.push(legend::legend(&matrix.levels, marks));
    parts.insert(1, matrix.text);
    parts.push(tree::tree(places, marks));
    parts.push(legend::islands(&machine.topology));
    parts.push(legend::allowed(&machine.topology));
    parts.extend(measures.map(Measures::text));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}
