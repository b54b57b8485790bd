//! [`import`]: a text to a document.

use dralloc_topology::Document;

use crate::error::{Error, Warning, Warnings};
use crate::source::Source;
use crate::text::{self, MAX_TEXT, Position};
use crate::{labels, nccl, nvidia_smi, rocm};

/// Is what a text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The document; [`Topology::new`](dralloc_topology::Topology::new) accepts it.
    pub document: Document,
    /// What is odd in the text, at most 51 warnings.
    pub warnings: Vec<Warning>,
}

/// Reads what a tool printed as a topology document.
///
/// The text may be any bytes: UTF-8, or UTF-16 with a byte order mark (as a shell of
/// Windows writes it). Ids of vertices are what the tool prints, in lower case and in
/// the order of the text; `metadata.name` is the name of the source.
///
/// Takes time and memory in proportion to the text (`topo -m`: to the number of cells),
/// and the stack does not grow with it.
///
/// # Errors
///
/// The first thing that is wrong, with line and column: text that is cut short or not
/// of the source (`malformed`), a value that cannot be (`invalid`), a thing told twice
/// (`duplicate`) or missing (`not-found`), a matrix of another kind (`unsupported`), and
/// too much of anything (`limit-exceeded`; a text may have 256 MiB).
///
/// # Examples
///
/// ```
/// use dralloc_importers::{Source, import};
/// use dralloc_topology::Topology;
///
/// let imported = import(Source::NvidiaSmi, "
///         GPU0  GPU1  NIC0  CPU Affinity  NUMA Affinity
///   GPU0   X    NV4   PIX   0-31          0
///   GPU1  NV4    X    NODE  0-31          0
///   NIC0  PIX   NODE   X
/// ")?;
/// let topology = Topology::new(&imported.document).unwrap();
/// assert_eq!(topology.level(0, 1).to_string(), "NV4");
/// assert_eq!(topology.nic_level(0, 0).to_string(), "PIX");
/// assert_eq!(topology.nic_level(1, 0).to_string(), "NODE");
///
/// let error = import(Source::NvidiaSmi, "\tGPU0\tGPU1\nGPU0\t X \tPIN\n").unwrap_err();
/// assert_eq!((error.line(), error.column()), (2, 10));
/// assert_eq!(error.message(), "expected a level such as `PIX` or `NV4`, found `PIN`");
/// # Ok::<(), dralloc_importers::Error>(())
/// ```
pub fn import(source: Source, text: impl AsRef<[u8]>) -> Result<Imported, Error> {
    let bytes = text.as_ref();
    if bytes.len() > MAX_TEXT {
        let message = format!("expected at most {MAX_TEXT} bytes, found {}", bytes.len());
        return Err(Error::limit(Position::START, message));
    }
    let text = text::decode(bytes)?;
    let mut warnings = Warnings::default();
    let mut document = match source {
        Source::NvidiaSmi => nvidia_smi::import(&text, &mut warnings)?,
        Source::Nccl => nccl::import(&text, &mut warnings)?,
        Source::Rocm => rocm::import(&text, &mut warnings)?,
        Source::Labels => labels::import(&text, &mut warnings)?,
    }
    .into_document();
    source.as_str().clone_into(&mut document.metadata.name);
    Ok(Imported {
        document,
        warnings: warnings.into_vec(),
    })
}
