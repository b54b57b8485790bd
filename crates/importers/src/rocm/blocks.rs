//! [`Blocks`]: the matrices of a text.

use std::collections::{BTreeMap, BTreeSet};

use dralloc_topology::Code;

use crate::error::Error;
use crate::pci::bus_id;
use crate::text::{Line, Position, Word, lines, quoted};

/// How many devices a matrix may have.
const MAX_DEVICES: usize = 1024;

/// Says what a matrix is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Topic {
    Weight,
    Hops,
    LinkType,
    Bandwidth,
}

/// Is a matrix: a row for each device, in the order of the columns.
pub(super) type Matrix<'t> = Vec<Option<Vec<Word<'t>>>>;

/// Has what a text says.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks<'t> {
    /// The devices by what the tool calls them: `GPU0`, or an address.
    pub(super) devices: Vec<Word<'t>>,
    pub(super) matrices: BTreeMap<Topic, Matrix<'t>>,
    /// Lines such as `GPU[0] : (Topology) Numa Node: 0`: device, what, value.
    pub(super) notes: Vec<(usize, Word<'t>, Word<'t>)>,
    pub(super) end: Option<Position>,
}

/// Says whether a word names a device.
fn is_device(word: &str) -> bool {
    let number = word.strip_prefix("GPU").unwrap_or_default();
    let numbered = !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit());
    numbered || (word.contains('.') && bus_id(word).is_some())
}

impl<'t> Blocks<'t> {
    /// Reads the matrices of a text; those of other topics, and what is around them, are
    /// passed over.
    pub(super) fn read(text: &'t str) -> Result<Self, Error> {
        let mut reader = Reader::default();
        let mut end = Position::START;
        for line in lines(text) {
            end = line.end;
            reader.line(&line)?;
        }
        reader.close(end)?;
        let blocks = reader.blocks;
        if !blocks.matrices.contains_key(&Topic::LinkType) {
            let message = "expected a matrix of link types, found none";
            return Err(Error::malformed(end, message));
        }
        Ok(Self {
            end: Some(end),
            ..blocks
        })
    }

    /// Returns a cell.
    pub(super) fn cell(&self, topic: Topic, row: usize, column: usize) -> Option<Word<'t>> {
        let row = self.matrices.get(&topic)?.get(row)?.as_ref()?;
        row.get(column).copied()
    }
}

/// Reads line by line.
#[derive(Default)]
struct Reader<'t> {
    blocks: Blocks<'t>,
    numbers: BTreeMap<&'t str, usize>,
    /// The devices that are called by their addresses, in one form.
    addresses: BTreeSet<String>,
    /// What the last title said.
    topic: Option<Topic>,
    /// The matrix that is being read.
    open: Option<Matrix<'t>>,
}

impl<'t> Reader<'t> {
    fn line(&mut self, line: &Line<'t>) -> Result<(), Error> {
        let Some((first, rest)) = line.words.split_first() else {
            return Ok(());
        };
        if let Some(note) = first.text.strip_prefix("GPU[") {
            return self.note(first, note, rest);
        }
        if !is_device(first.text) {
            // A title, or something else; either ends the matrix before it.
            self.close(line.end)?;
            match title(line) {
                Some(Title::Of(topic)) => self.topic = Some(topic),
                Some(Title::Other) => self.topic = None,
                None => {}
            }
            return Ok(());
        }
        if rest.iter().all(|word| is_device(word.text)) && (self.open.is_none() || rest.len() > 1) {
            self.close(line.end)?;
            return self.header(&line.words);
        }
        if self.open.is_some() {
            self.row(first, rest, line.end)
        } else {
            Ok(())
        }
    }

    /// Reads the columns of a matrix.
    fn header(&mut self, words: &[Word<'t>]) -> Result<(), Error> {
        let Some(topic) = self.topic else {
            return Ok(());
        };
        if self.blocks.devices.is_empty() {
            for word in words {
                if self.numbers.len() == MAX_DEVICES {
                    let message = format!("expected at most {MAX_DEVICES} devices");
                    return Err(Error::limit(word.position, message));
                }
                let place = self.numbers.len();
                let address = bus_id(word.text);
                let is_new = match address {
                    Some(address) => self.addresses.insert(address),
                    None => self.addresses.is_empty(),
                };
                let is_mixed = !self.addresses.is_empty() && self.addresses.len() != place + 1;
                if is_mixed && is_new {
                    let found = quoted(word.text);
                    let message = format!("expected all devices by address or none, found {found}");
                    return Err(Error::new(Code::Invalid, word.position, message));
                }
                if self.numbers.insert(word.text, place).is_some() || !is_new {
                    let found = quoted(word.text);
                    let message = format!("column {found} is there twice, expected once");
                    return Err(Error::new(Code::Duplicate, word.position, message));
                }
            }
            self.blocks.devices = words.to_vec();
        }
        let devices = &self.blocks.devices;
        for (place, word) in words.iter().enumerate() {
            if devices.get(place).map(|device| device.text) != Some(word.text) {
                let found = quoted(word.text);
                let message = format!("expected the devices of the matrix before, found {found}");
                return Err(Error::new(Code::Invalid, word.position, message));
            }
        }
        if let (Some(word), true) = (words.last(), words.len() < devices.len()) {
            let message = format!("expected {} devices, found {}", devices.len(), words.len());
            return Err(Error::malformed(word.position, message));
        }
        if self.blocks.matrices.contains_key(&topic) {
            let position = words.first().map_or(Position::START, |word| word.position);
            let message = "this matrix is there already, expected it once";
            return Err(Error::new(Code::Duplicate, position, message));
        }
        self.open = Some(vec![None; devices.len()]);
        Ok(())
    }

    /// Reads a row of the matrix.
    fn row(&mut self, first: &Word<'t>, rest: &[Word<'t>], end: Position) -> Result<(), Error> {
        let count = self.blocks.devices.len();
        let number = self.numbers.get(first.text);
        let open = self.open.as_mut();
        let row = number.and_then(|&number| open?.get_mut(number));
        let found = quoted(first.text);
        let Some(row) = row else {
            let message = format!("expected the row of a device of the header, found {found}");
            return Err(Error::new(Code::NotFound, first.position, message));
        };
        if row.is_some() {
            let message = format!("row {found} is there twice, expected once");
            return Err(Error::new(Code::Duplicate, first.position, message));
        }
        if rest.len() != count {
            let position = rest.get(count).map_or(end, |word| word.position);
            let message = format!(
                "expected {count} cells in row {found}, found {}",
                rest.len()
            );
            return Err(Error::malformed(position, message));
        }
        *row = Some(rest.to_vec());
        Ok(())
    }

    /// Ends the matrix that is being read.
    fn close(&mut self, end: Position) -> Result<(), Error> {
        let (Some(matrix), Some(topic)) = (self.open.take(), self.topic) else {
            return Ok(());
        };
        let missing = matrix.iter().position(Option::is_none);
        if let Some(device) = missing.and_then(|missing| self.blocks.devices.get(missing)) {
            let name = quoted(device.text);
            let message = format!("expected the row of {name}, found the end of the matrix");
            return Err(Error::malformed(end, message));
        }
        self.blocks.matrices.insert(topic, matrix);
        Ok(())
    }

    /// Reads what is told of one device.
    fn note(&mut self, first: &Word<'t>, note: &'t str, rest: &[Word<'t>]) -> Result<(), Error> {
        let Some((number, _)) = note.split_once(']') else {
            return Ok(());
        };
        // `: (Topology) Numa Node: 0`
        let mut words = rest.iter().skip_while(|word| word.text != "Numa").skip(1);
        let (Some(what), Some(value)) = (words.next(), words.next()) else {
            return Ok(());
        };
        let name = format!("GPU{number}");
        let Some(&place) = self.numbers.get(&*name) else {
            let message = format!("expected a device of the matrices, found {}", quoted(&name));
            return Err(Error::new(Code::NotFound, first.position, message));
        };
        if self.blocks.notes.len() < 2 * MAX_DEVICES {
            self.blocks.notes.push((place, *what, *value));
        }
        Ok(())
    }
}

/// Is a line that says what the next matrix is about.
enum Title {
    Of(Topic),
    /// It is about something else.
    Other,
}

/// Returns the title that a line is.
fn title(line: &Line<'_>) -> Option<Title> {
    let words = line.words.iter();
    let words = words.map(|word| word.text.trim_matches(['=', '*']));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_ruled = line.words.first()?.text.starts_with("===");
    Some(match &*words {
        ["Weight", "between", ..] | ["WEIGHT", "TABLE:"] => Title::Of(Topic::Weight),
        ["Hops", "between", ..] | ["HOPS", "TABLE:"] => Title::Of(Topic::Hops),
        ["Link", "Type", "between", ..] | ["LINK", "TYPE", "TABLE:"] => Title::Of(Topic::LinkType),
        ["Bandwidth"] | ["NUMA", "BW", "TABLE:"] => Title::Of(Topic::Bandwidth),
        [.., "TABLE:"] | ["Legend:"] => Title::Other,
        _ if is_ruled => Title::Other,
        _ => return None,
    })
}
