//! What tools print about accelerator machines, as topology documents.
//!
//! [`import`] reads the text of a [`Source`] and returns a
//! [`Document`](dralloc_topology::Document), from which levels, bandwidths and best sets
//! follow. Texts may be hostile: what is wrong is an [`Error`] with line and column,
//! what is odd a [`Warning`], and what is too large an error.
//!
//! # `nvidia-smi topo -m`
//!
//! The derived levels are the cells. `NVLink`s are direct links, or lead into one switch
//! where devices are linked each to each, a pair has as many links as the device with
//! fewer of them, and direct links would take more than 18 of some device, which no
//! product has: 8 devices with `NV12` everywhere are switched, a DGX-1 is a mesh, and so
//! are 4 devices with `NV4` (12 links each, as on a board without switches).
//!
//! - Two cells of a pair that differ: the weaker counts, with a warning.
//! - Cells that no tree has (`PIX` from the first to the second and from the second to
//!   the third device, but not from the first to the third): a warning. The level in the
//!   document is then farther than the cell, never nearer, so that no set looks better
//!   than it is.
//! - `PHB` is read as `NODE` with a warning, since documents have no host bridges.
//! - What the text does not tell (the `PCIe` level of devices with `NVLink`) follows from
//!   what both share with others, and from the NUMA affinity.
//!
//! # NCCL and RCCL
//!
//! Switches, devices and NICs as they are nested in the XML, with rates of `PCIe` (from
//! `link_speed` and `link_width`, after encoding), C2C and NICs. `nvlink` leads to a device,
//! a processor or a switch; the address that virtual machines show for a switch
//! (`fffffff:ff:ff.0`) is one switch. Devices are bound by
//! `resource.kubernetes.io/pciBusID`, so that one document serves all machines of a make;
//! files of several hosts are not bound.
//!
//! # `ROCm`
//!
//! xGMI pairs that are linked directly have links: those with a bandwidth other than
//! `0-0` where the text has bandwidths (the largest over the least is their number),
//! else those of the least weight. NUMA nodes are from the text, or from hops.
//!
//! # Labels
//!
//! Hosts in `NVLink` domains, racks, blocks and fabrics, by labels that are known; see
//! [`Source::Labels`] and README.md for which.

#![forbid(unsafe_code)]

mod builder;
mod error;
mod import;
mod labels;
mod nccl;
mod nvidia_smi;
mod pci;
mod rocm;
mod source;
mod text;

pub use dralloc_topology::Code;
pub use error::{Error, Warning};
pub use import::{Imported, import};
pub use source::Source;
pub use text::MAX_TEXT;

/// The example of README.md, compiled and run as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
