//! `dralloc topo import`: what a tool printed, as a topology document.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dralloc_importers::{Source, import};

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::input::{Position, Printed};
use crate::style;
use crate::yaml_output::to_yaml;

/// Prints what a tool says about a machine as a document of kind `Topology`.
///
/// Reads the matrix of `nvidia-smi topo -m`, topology files of NCCL and RCCL (what they
/// write to `NCCL_TOPO_DUMP_FILE`), the matrices of `rocm-smi --showtopo` and
/// `amd-smi topology`, and labels of nodes (`kubectl get nodes -o json` or `yaml`). What
/// is odd in the text is told on standard error.
///
/// Exits with 0, or with 2 if the text cannot be used.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nvidia-smi topo -m | dralloc topo import --from nvidia-smi - > machine.json
  dralloc topo import --from nccl -o yaml --name hgx-h200 topology.xml
  kubectl get nodes -o json | dralloc topo import --from labels -")]
pub(super) struct Options {
    /// What printed the text.
    #[arg(long, value_enum)]
    from: From,
    /// Format of the document.
    #[arg(short, long, value_enum, default_value_t = Format::Json)]
    output: Format,
    /// Name of the document; without it that of the tool.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// File with the text; `-` reads standard input.
    #[arg(value_name = "FILE|-")]
    file: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum From {
    /// `nvidia-smi topo -m`.
    NvidiaSmi,
    /// A topology file of NCCL or RCCL.
    Nccl,
    /// `rocm-smi --showtopo` or `amd-smi topology`.
    Rocm,
    /// Labels of nodes.
    Labels,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Json,
    Yaml,
}

impl From {
    fn source(self) -> Source {
        match self {
            Self::NvidiaSmi => Source::NvidiaSmi,
            Self::Nccl => Source::Nccl,
            Self::Rocm => Source::Rocm,
            Self::Labels => Source::Labels,
        }
    }
}

pub(super) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let printed = match options.from {
        From::Labels => Printed::read_objects(&options.file)?,
        _ => Printed::read(&options.file)?,
    };
    let told = |line: usize, column: usize, message: &str| {
        let Position { line, column } = printed.position(line, column);
        format!("{}:{line}:{column}: {message}", printed.file)
    };
    let imported = import(options.from.source(), &printed.bytes)
        .map_err(|error| Failure::Input(told(error.line(), error.column(), error.message())))?;
    for warning in &imported.warnings {
        let text = told(warning.line(), warning.column(), warning.message());
        style::warn(&style::harmless(&text));
    }
    let mut document = imported.document;
    if let Some(name) = &options.name {
        document.metadata.name.clone_from(name);
    }
    let json = serde_json::to_string_pretty(&document).map_err(io::Error::other)?;
    let text = match options.output {
        Format::Json => json + "\n",
        Format::Yaml => to_yaml(&json).map_err(io::Error::other)?,
    };
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}
