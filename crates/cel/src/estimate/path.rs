//! Where a value comes from, as far as the declarations of `device` tell its size.

use std::cell::Cell;
use std::rc::Rc;

use super::size::Size;

/// One step from a value to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Segment<'t> {
    /// A name: of a variable at first, of a field after that.
    Name(&'t str),
    /// The elements of a list.
    Items,
    /// The values of a map.
    Values,
    /// The keys of a map.
    Keys,
    /// The indices of a list.
    Indices,
}

/// The steps from a variable to a value.
///
/// cel-go appends to slices that share memory, so of two paths that go on from
/// one common path the later one overwrites the earlier one, now and then. The
/// sizes of loop variables depend on it, so the memory is shared here as well:
/// a path is the first `length` segments of a buffer whose size is the
/// capacity that the slice has in Go.
#[derive(Clone, Debug)]
pub(super) enum Path<'t> {
    /// Nothing is known.
    None,
    /// A path that no declaration has.
    Foreign,
    Known {
        buffer: Rc<[Cell<Segment<'t>>]>,
        length: usize,
    },
}

/// Longest path kept; no declaration is that deep.
const MAX_LENGTH: usize = 8;

impl<'t> Path<'t> {
    /// The path of a variable of the environment.
    pub(super) fn variable(name: &'t str) -> Self {
        if name != DEVICE {
            return Self::Foreign;
        }
        Self::Known {
            buffer: Rc::from([Cell::new(Segment::Name(name))]),
            length: 1,
        }
    }

    /// Goes one step on.
    pub(super) fn append(&self, segment: Segment<'t>) -> Self {
        match self {
            Self::None => match segment {
                Segment::Name(name) => Self::variable(name),
                _ => Self::Foreign,
            },
            Self::Foreign => Self::Foreign,
            Self::Known { buffer, length } => {
                if let Some(cell) = buffer.get(*length) {
                    cell.set(segment);
                    return Self::Known {
                        buffer: Rc::clone(buffer),
                        length: length + 1,
                    };
                }
                if *length >= MAX_LENGTH {
                    return Self::Foreign;
                }
                // Go doubles the capacity.
                let rest = std::iter::repeat_n(segment, *length);
                let buffer = buffer.iter().map(Cell::get).chain(rest);
                Self::Known {
                    buffer: buffer.map(Cell::new).collect(),
                    length: length + 1,
                }
            }
        }
    }

    /// The path of the elements of the list at this path; nothing is overwritten.
    pub(super) fn items(&self) -> Self {
        match self {
            Self::Known { buffer, length } => {
                let before = buffer.iter().take(*length).map(Cell::get);
                let buffer = before.chain([Segment::Items]).map(Cell::new);
                Self::Known {
                    buffer: buffer.collect(),
                    length: length + 1,
                }
            }
            other => other.clone(),
        }
    }

    /// Returns the declared size of what is at this path.
    pub(super) fn size(&self) -> Option<Size> {
        let Self::Known { buffer, length } = self else {
            return None;
        };
        let mut segments = buffer.iter().take(*length).map(Cell::get);
        if segments.next() != Some(Segment::Name(DEVICE)) {
            return None;
        }
        segments
            .try_fold(Declared::Device, Declared::part)
            .map(|declared| Size::up_to(declared.size()))
    }
}

const DEVICE: &str = "device";

/// The declarations of the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Declared {
    Device,
    Driver,
    MultipleAllocations,
    AttributeDomains,
    Attributes,
    Attribute,
    CapacityDomains,
    Capacities,
    Capacity,
    Domain,
    Identifier,
}

impl Declared {
    fn part(self, segment: Segment<'_>) -> Option<Self> {
        match segment {
            Segment::Items | Segment::Values => self.element(),
            Segment::Keys => self.key(),
            Segment::Name(name) => self.field(name),
            // Not a name of anything, so it counts as one of an attribute.
            Segment::Indices => self.field("@indices"),
        }
    }

    fn element(self) -> Option<Self> {
        Some(match self {
            Self::AttributeDomains => Self::Attributes,
            Self::Attributes => Self::Attribute,
            Self::CapacityDomains => Self::Capacities,
            Self::Capacities => Self::Capacity,
            _ => return None,
        })
    }

    fn key(self) -> Option<Self> {
        Some(match self {
            Self::AttributeDomains | Self::CapacityDomains => Self::Domain,
            Self::Attributes | Self::Capacities => Self::Identifier,
            _ => return None,
        })
    }

    fn field(self, name: &str) -> Option<Self> {
        Some(match (self, name) {
            (Self::Device, "driver") => Self::Driver,
            (Self::Device, "allowMultipleAllocations") => Self::MultipleAllocations,
            (Self::Device, "attributes") => Self::AttributeDomains,
            (Self::Device, "capacity") => Self::CapacityDomains,
            // Attributes are found under every name; capacities are not.
            (Self::Attributes, _) => Self::Attribute,
            _ => return None,
        })
    }

    /// The greatest size: limits of resource/v1, and 0 where none is declared.
    fn size(self) -> u64 {
        match self {
            Self::Device | Self::Capacity => 0,
            Self::MultipleAllocations => 1,
            Self::Driver | Self::Domain => 63,
            Self::Attribute => 64,
            Self::AttributeDomains
            | Self::Attributes
            | Self::CapacityDomains
            | Self::Capacities
            | Self::Identifier => 32,
        }
    }
}
