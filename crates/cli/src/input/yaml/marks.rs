//! [`Marks`]: which place of the YAML text made which place of the JSON text.

/// Pairs of offsets, two or three bytes each: a large file has millions.
#[derive(Debug, Default)]
pub(in crate::input) struct Marks {
    deltas: Vec<u8>,
    last: Pair,
}

#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    json: usize,
    yaml: usize,
}

/// Is a state of the marks to return to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checkpoint {
    length: usize,
    last: Pair,
}

impl Marks {
    /// Notes that what follows in the JSON text comes from a place in the YAML text.
    ///
    /// Offsets in the JSON text must not decrease.
    pub(super) fn push(&mut self, json: usize, yaml: usize) {
        push_number(&mut self.deltas, json.abs_diff(self.last.json));
        let distance = yaml.abs_diff(self.last.yaml);
        let is_back = usize::from(yaml < self.last.yaml);
        push_number(&mut self.deltas, (distance << 1) | is_back);
        self.last = Pair { json, yaml };
    }

    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            length: self.deltas.len(),
            last: self.last,
        }
    }

    pub(super) fn restore(&mut self, checkpoint: Checkpoint) {
        self.deltas.truncate(checkpoint.length);
        self.last = checkpoint.last;
    }
}

/// Looks up marks, cheaply if asked for in ascending order.
#[derive(Debug)]
pub(in crate::input) struct Locator<'m> {
    marks: &'m Marks,
    place: usize,
    now: Pair,
}

impl<'m> Locator<'m> {
    pub(in crate::input) fn new(marks: &'m Marks) -> Self {
        Self {
            marks,
            place: 0,
            now: Pair::default(),
        }
    }

    /// Returns the place in the YAML text of a place in the JSON text.
    pub(in crate::input) fn yaml(&mut self, json: usize) -> usize {
        if json < self.now.json {
            *self = Self::new(self.marks);
        }
        while let Some((next, place)) = self.next() {
            if next.json > json {
                break;
            }
            self.now = next;
            self.place = place;
        }
        self.now.yaml
    }

    fn next(&self) -> Option<(Pair, usize)> {
        let (json, place) = read_number(&self.marks.deltas, self.place)?;
        let (distance, place) = read_number(&self.marks.deltas, place)?;
        let yaml = match distance & 1 {
            0 => self.now.yaml + (distance >> 1),
            _ => self.now.yaml - (distance >> 1),
        };
        Some((
            Pair {
                json: self.now.json + json,
                yaml,
            },
            place,
        ))
    }
}

/// Appends a number in groups of seven bits, the lowest first.
fn push_number(bytes: &mut Vec<u8>, number: usize) {
    let mut rest = number;
    while rest >= 0x80 {
        bytes.push(low_bits(rest) | 0x80);
        rest >>= 7;
    }
    bytes.push(low_bits(rest));
}

fn low_bits(number: usize) -> u8 {
    u8::try_from(number & 0x7f).unwrap_or_default()
}

fn read_number(bytes: &[u8], place: usize) -> Option<(usize, usize)> {
    let mut number = 0;
    for (index, byte) in bytes.get(place..)?.iter().enumerate() {
        number |= usize::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((number, place + index + 1));
        }
    }
    None
}
