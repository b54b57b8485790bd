//! Which pairs have xGMI links of their own, and how many.

use dralloc_topology::{Code, Rate};

use super::blocks::{Blocks, Topic};
use crate::error::{Error, Warnings};
use crate::text::{Word, quoted};

/// The fastest rate of a document, in thousandths of GB/s.
const LARGEST: u64 = 1_000_000_000;
/// The most links that a document may bond.
const MOST_LINKS: u64 = 1_000_000;

/// Links two devices directly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Xgmi {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) count: u32,
    pub(super) rate: Option<Rate>,
}

/// Is what one cell says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Xgmi,
    Pcie,
    Unknown,
}

/// Returns the direct links.
///
/// The tool says `XGMI` for all pairs of a hive, also for those that are linked over
/// others. Bandwidths tell them apart (`0-0`), unless the driver tells none at all; else
/// weights do, which are those of the links on the way.
pub(super) fn links(blocks: &Blocks<'_>, warnings: &mut Warnings) -> Result<Vec<Xgmi>, Error> {
    let count = blocks.devices.len();
    let mut pairs = Vec::new();
    for a in 0..count {
        for b in 0..count {
            let Some(cell) = blocks.cell(Topic::LinkType, a, b) else {
                continue;
            };
            if a == b {
                continue;
            }
            let kind = kind(&cell)?;
            let back = blocks.cell(Topic::LinkType, b, a);
            if a < b {
                let back = back.map(|back| self::kind(&back)).transpose()?;
                if kind == Kind::Xgmi && back == Some(Kind::Xgmi) {
                    pairs.push((a, b));
                }
            } else if back.map(|back| self::kind(&back)).transpose()? != Some(kind) {
                let message = format!(
                    "{} here, but {} the other way, so they have no link",
                    quoted(cell.text),
                    back.map_or_else(String::new, |back| quoted(back.text)),
                );
                warnings.add(cell.position, message);
            }
        }
    }
    let mut bandwidths = Vec::with_capacity(pairs.len());
    let mut weights = Vec::with_capacity(pairs.len());
    for &(a, b) in &pairs {
        let there = bandwidth(blocks, a, b)?;
        let back = bandwidth(blocks, b, a)?;
        bandwidths.push(there.zip(back).map(|(there, back)| there.min(back)));
        weights.push(weight(blocks, a, b)?.max(weight(blocks, b, a)?));
    }
    let are_told = bandwidths
        .iter()
        .any(|told| told.is_some_and(|(most, _)| most > 0));
    let least = weights.iter().flatten().min().copied();
    let mut links = Vec::new();
    let mut indirect = None;
    for ((&(a, b), told), weight) in pairs.iter().zip(bandwidths).zip(weights) {
        let told = told.filter(|&(most, _)| are_told && most > 0);
        let is_direct = if are_told {
            told.is_some()
        } else {
            weight == least
        };
        if !is_direct {
            let position = blocks.cell(Topic::LinkType, a, b).map(|cell| cell.position);
            let (first, count) = indirect.unwrap_or((position, 0_usize));
            indirect = Some((first, count + 1));
            continue;
        }
        let (count, rate) = match told {
            Some((most, least)) => (most / least.max(1), Some(Rate::from_thousandths(most))),
            None => (1, None),
        };
        let count = u32::try_from(count.clamp(1, MOST_LINKS)).unwrap_or(1);
        links.push(Xgmi { a, b, count, rate });
    }
    if let Some((Some(position), count)) = indirect {
        let pairs = if count == 1 { "pair has" } else { "pairs have" };
        let message = format!("{count} `XGMI` {pairs} no link of their own, only over others");
        warnings.add(position, message);
    }
    Ok(links)
}

fn kind(cell: &Word<'_>) -> Result<Kind, Error> {
    match cell.text {
        "XGMI" => Ok(Kind::Xgmi),
        "PCIE" => Ok(Kind::Pcie),
        "N/A" | "XXXX" | "UNKNOWN" => Ok(Kind::Unknown),
        other => {
            let found = quoted(other);
            let message = format!("expected `XGMI` or `PCIE`, found {found}");
            Err(Error::malformed(cell.position, message))
        }
    }
}

/// Returns the most and the least bandwidth of a pair in MB/s, where they are told.
fn bandwidth(blocks: &Blocks<'_>, a: usize, b: usize) -> Result<Option<(u64, u64)>, Error> {
    let Some(cell) = blocks
        .cell(Topic::Bandwidth, a, b)
        .filter(|cell| cell.text != "N/A")
    else {
        return Ok(None);
    };
    let number = |text: &str| text.parse::<u64>().ok();
    let both = cell.text.split_once('-');
    let both = both.and_then(|(least, most)| Some((number(most)?, number(least)?)));
    match both {
        Some((most, least)) if least <= most && most <= LARGEST => Ok(Some((most, least))),
        _ => {
            let found = quoted(cell.text);
            let message = format!("expected a bandwidth such as `50000-200000`, found {found}");
            Err(Error::new(Code::Invalid, cell.position, message))
        }
    }
}

/// Returns the weight of a pair, where it is told.
fn weight(blocks: &Blocks<'_>, a: usize, b: usize) -> Result<Option<u64>, Error> {
    let cell = blocks.cell(Topic::Weight, a, b);
    let Some(cell) = cell.filter(|cell| !matches!(cell.text, "N/A" | "XXXX")) else {
        return Ok(None);
    };
    cell.text.parse().map(Some).map_err(|_| {
        let message = format!("expected a number, found {}", quoted(cell.text));
        Error::new(Code::Invalid, cell.position, message)
    })
}
