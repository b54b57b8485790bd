//! [`Source`]: which tool a text is from.

use std::fmt;
use std::str::FromStr;

/// Says what printed a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Source {
    /// `nvidia-smi topo -m`: a matrix of levels.
    NvidiaSmi,
    /// A topology file of NCCL or RCCL (`NCCL_TOPO_DUMP_FILE`, `NCCL_TOPO_FILE`): XML.
    Nccl,
    /// `rocm-smi --showtopo` or `amd-smi topology`: matrices of links.
    Rocm,
    /// Labels of nodes: `kubectl get nodes -o json`.
    Labels,
}

impl Source {
    /// All sources.
    pub const ALL: [Self; 4] = [Self::NvidiaSmi, Self::Nccl, Self::Rocm, Self::Labels];

    /// Returns the name, as the command line has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NvidiaSmi => "nvidia-smi",
            Self::Nccl => "nccl",
            Self::Rocm => "rocm",
            Self::Labels => "labels",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Reads the name of a source.
impl FromStr for Source {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|source| source.as_str() == name);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join(", ");
            format!("expected one of {names}")
        })
    }
}
