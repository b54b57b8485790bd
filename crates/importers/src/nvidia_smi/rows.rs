//! The rows below a header, and the legend of NICs.

use std::collections::BTreeMap;

use dralloc_topology::{Code, Level};

use super::cell;
use super::header::{Header, Title, numbered};
use super::matrix::Matrix;
use crate::error::{Error, Warnings};
use crate::text::{Line, Position, lines, quoted};

/// Reads the matrix of a text; what is around it, such as a prompt, is passed over.
pub(super) fn read<'t>(text: &'t str, warnings: &mut Warnings) -> Result<Matrix<'t>, Error> {
    let mut end = Position::START;
    let mut lines = lines(text).inspect(|line| end = line.end);
    let mut header = None;
    for line in lines.by_ref() {
        header = Header::read(&line)?;
        if header.is_some() {
            break;
        }
    }
    let Some(header) = header else {
        drop(lines);
        let message = "expected a line of devices such as `GPU0 GPU1`, found none";
        return Err(Error::malformed(end, message));
    };
    let mut rows = Rows::new(header);
    for line in lines {
        rows.read(&line, warnings)?;
    }
    rows.finish(end)
}

struct Rows<'t> {
    matrix: Matrix<'t>,
    titles: Vec<Title>,
    numbers: BTreeMap<&'t str, usize>,
    /// How many rows of `GPU`s are still to come.
    missing: usize,
    /// The matrix is over.
    is_done: bool,
}

impl<'t> Rows<'t> {
    fn new(header: Header<'t>) -> Self {
        let devices = header.devices;
        let names = devices.iter().enumerate();
        Self {
            numbers: names
                .map(|(number, device)| (device.name, number))
                .collect(),
            missing: devices.iter().filter(|device| device.is_gpu).count(),
            matrix: Matrix {
                rows: vec![None; devices.len()],
                devices,
            },
            titles: header.titles,
            is_done: false,
        }
    }

    /// Reads a line below the header.
    fn read(&mut self, line: &Line<'t>, warnings: &mut Warnings) -> Result<(), Error> {
        let Some(first) = line.words.first() else {
            return Ok(());
        };
        if let [name, title, ..] = &*line.words
            && let Some(name) = name.text.strip_suffix(':')
            && let Some(&number) = self.numbers.get(name)
            && let Some(device) = self.matrix.devices.get_mut(number)
        {
            device.title = Some(title.text);
            return Ok(());
        }
        // What follows may be another matrix (`topo -p2p`) with the same devices.
        self.is_done |= first.text == "Legend:" || (self.missing == 0 && is_header(line));
        if self.is_done {
            return Ok(());
        }
        let Some(&number) = self.numbers.get(first.text) else {
            return other(line);
        };
        if self.matrix.rows.get(number).is_none_or(Option::is_some) {
            let found = quoted(first.text);
            let message = format!("row {found} is there twice, expected once");
            return Err(Error::new(Code::Duplicate, first.position, message));
        }
        self.row(number, line, warnings)
    }

    /// Reads a row.
    fn row(
        &mut self,
        number: usize,
        line: &Line<'t>,
        warnings: &mut Warnings,
    ) -> Result<(), Error> {
        let count = self.matrix.devices.len();
        let mut cells = Vec::with_capacity(count);
        let mut words = line.words.iter().skip(1);
        while cells.len() < count {
            let Some(word) = words.next() else {
                let device = self.matrix.devices.get(number);
                let name = quoted(device.map_or("", |device| device.name));
                let found = cells.len();
                let message = format!("expected {count} levels in row {name}, found {found}");
                return Err(Error::malformed(line.end, message));
            };
            cell::cells(word, &mut cells)?;
        }
        let rest: Vec<_> = words.collect();
        if let Some(cell) = cells.get(count) {
            let message = format!("expected {count} levels in the row, found more");
            return Err(Error::malformed(cell.position, message));
        }
        for (column, cell) in cells.iter().enumerate() {
            let is_same = cell.level == Some(Level::Same);
            if is_same != (column == number) {
                let expected = if is_same {
                    "expected the level of two devices, found `X`"
                } else {
                    "expected `X`, the device itself"
                };
                return Err(Error::new(Code::Invalid, cell.position, expected));
            }
            let gpus = [number, column].map(|of| self.matrix.devices.get(of));
            let both = gpus.iter().all(|of| of.is_some_and(|device| device.is_gpu));
            if matches!(cell.level, Some(Level::NvLink(_))) && !both {
                let message = "expected `PIX`, `PXB`, `PHB`, `NODE` or `SYS`, since NICs have no \
                               `NVLink`";
                return Err(Error::new(Code::Invalid, cell.position, message));
            }
        }
        if let Some(device) = self.matrix.devices.get_mut(number) {
            self.missing -= usize::from(device.is_gpu);
            // Blanks do not tell which column is empty.
            if rest.len() == self.titles.len() {
                for (title, word) in self.titles.iter().zip(&rest) {
                    if *title == Title::NumaAffinity {
                        device.numa_node = word.text.parse().ok().filter(|&node: &i64| node >= 0);
                    }
                }
            } else if rest.len() < self.titles.len() && rest.iter().any(|word| word.text != "N/A") {
                let message = "the affinities are passed over, since one of them is empty";
                warnings.add(rest.first().map_or(line.end, |word| word.position), message);
            }
        }
        if let Some(row) = self.matrix.rows.get_mut(number) {
            *row = Some(cells);
        }
        Ok(())
    }

    fn finish(self, end: Position) -> Result<Matrix<'t>, Error> {
        let devices = self.matrix.devices.iter().zip(&self.matrix.rows);
        let mut missing = devices.filter(|(device, row)| device.is_gpu && row.is_none());
        if let Some((device, _)) = missing.next() {
            let message = format!("expected the row of {}, found the end", quoted(device.name));
            return Err(Error::malformed(end, message));
        }
        Ok(self.matrix)
    }
}

/// Passes over a line that is no row of the matrix, or refuses it.
fn other(line: &Line<'_>) -> Result<(), Error> {
    let Some(first) = line.words.first() else {
        return Ok(());
    };
    let is_row = numbered(first.text, "GPU") || numbered(first.text, "NIC");
    let second = line.words.get(1).map_or("", |word| word.text);
    let has_cells = ["X", "PIX", "PXB", "PHB", "NODE", "SYS", "SOC"].contains(&second);
    if is_row || has_cells {
        let found = quoted(first.text);
        let message = format!("expected the row of a device of the header, found {found}");
        return Err(Error::new(Code::NotFound, first.position, message));
    }
    // Parts of devices, and whatever else is printed between.
    Ok(())
}

/// Says whether a line is the header of another matrix.
fn is_header(line: &Line<'_>) -> bool {
    matches!(Header::read(line), Ok(Some(_)))
}
