//! [`Header`]: the columns of the matrix.

use std::collections::BTreeSet;

use dralloc_topology::Code;

use super::matrix::{Device, MAX_DEVICES};
use crate::error::Error;
use crate::text::{Line, Word, quoted};

/// Is what the first line of the matrix says.
#[derive(Clone, Debug)]
pub(super) struct Header<'t> {
    pub(super) devices: Vec<Device<'t>>,
    /// The columns after the devices, by the first words of their titles.
    pub(super) titles: Vec<Title>,
}

/// Is a column that is about a device by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Title {
    /// Processors that are near.
    CpuAffinity,
    /// The NUMA node of those.
    NumaAffinity,
    /// The NUMA node of the device's own memory.
    GpuNumaId,
}

/// Says whether a name is a word with a number, as `GPU7`.
pub(super) fn numbered(name: &str, word: &str) -> bool {
    let number = name.strip_prefix(word).unwrap_or_default();
    !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit())
}

impl<'t> Header<'t> {
    /// Returns the header that a line is; none for another line.
    ///
    /// A header begins with two devices, or with one and a title: a row has cells there.
    pub(super) fn read(line: &Line<'t>) -> Result<Option<Self>, Error> {
        let is_device = |name: &str| numbered(name, "GPU") || numbered(name, "NIC");
        let Some((first, rest)) = line.words.split_first() else {
            return Ok(None);
        };
        let second = rest.first().map_or("", |word| word.text);
        let follows = ["", "CPU", "NUMA"].contains(&second) || is_device(second);
        let is_nic = second.contains('_') && !second.ends_with(':');
        if !is_device(first.text) || !(follows || is_nic) {
            return Ok(None);
        }
        let mut devices = Vec::new();
        let mut names = BTreeSet::new();
        let mut words = line.words.iter();
        let titles = loop {
            let Some(word) = words.next() else {
                break Vec::new();
            };
            if ["CPU", "NUMA", "GPU"].contains(&word.text) {
                break titles(word, words.as_slice())?;
            }
            // Other vertices of the document have these names.
            let name = word.text.to_lowercase();
            let places = ["host", "nvswitch", "numa", "pcieswitch"];
            if places.iter().any(|place| name.starts_with(place)) {
                let found = quoted(word.text);
                let message =
                    format!("expected a device such as `NIC0` or `mlx5_0`, found {found}");
                return Err(Error::malformed(word.position, message));
            }
            if devices.len() == MAX_DEVICES {
                let message = format!("expected at most {MAX_DEVICES} devices");
                return Err(Error::limit(word.position, message));
            }
            if !names.insert(name) {
                let found = quoted(word.text);
                let message = format!("column {found} is there twice, expected once");
                return Err(Error::new(Code::Duplicate, word.position, message));
            }
            devices.push(Device {
                name: word.text,
                is_gpu: numbered(word.text, "GPU"),
                position: word.position,
                numa_node: None,
                title: None,
            });
        };
        Ok(Some(Self { devices, titles }))
    }
}

/// Returns the titles that some words are.
fn titles(first: &Word<'_>, rest: &[Word<'_>]) -> Result<Vec<Title>, Error> {
    let mut words: Vec<Word<'_>> = vec![*first];
    words.extend_from_slice(rest);
    let mut titles = Vec::new();
    let mut left = &*words;
    while let [first, ..] = left {
        let known: [(&[&str], Title); 3] = [
            (&["CPU", "Affinity"], Title::CpuAffinity),
            (&["NUMA", "Affinity"], Title::NumaAffinity),
            (&["GPU", "NUMA", "ID"], Title::GpuNumaId),
        ];
        let found = known.iter().find(|(title, _)| {
            let words = left.iter().map(|word| word.text);
            left.len() >= title.len() && words.zip(*title).all(|(word, part)| word == *part)
        });
        let Some((title, column)) = found else {
            let found = quoted(first.text);
            let message =
                format!("expected `CPU Affinity`, `NUMA Affinity` or `GPU NUMA ID`, found {found}");
            return Err(Error::malformed(first.position, message));
        };
        titles.push(*column);
        left = left.get(title.len()..).unwrap_or_default();
    }
    Ok(titles)
}
