//! [`Element`]: what is between `<` and `>`.

use std::str::FromStr;

use dralloc_topology::Code;

use crate::error::Error;
use crate::text::{Position, quoted};

/// Is what an element is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    System,
    Cpu,
    Pci,
    Gpu,
    Nic,
    Net,
    /// `nvlink`.
    NvLink,
    Xgmi,
    C2c,
    /// Something that is passed over, with all that is in it.
    Other,
}

impl Kind {
    pub(super) fn of(name: &str) -> Self {
        match name {
            "system" => Self::System,
            "cpu" => Self::Cpu,
            "pci" => Self::Pci,
            "gpu" => Self::Gpu,
            "nic" => Self::Nic,
            "net" => Self::Net,
            "nvlink" => Self::NvLink,
            "xgmi" => Self::Xgmi,
            "c2c" => Self::C2c,
            _ => Self::Other,
        }
    }

    /// Returns the kinds that it may be in, with their names.
    pub(super) fn places(self) -> (&'static [Self], &'static str) {
        match self {
            Self::Cpu => (&[Self::System], "`system`"),
            Self::Pci | Self::Nic => (&[Self::Cpu, Self::Pci], "`cpu` or `pci`"),
            Self::Gpu => (&[Self::Pci], "`pci`"),
            Self::Net => (&[Self::Nic], "`nic`"),
            Self::NvLink | Self::Xgmi | Self::C2c => (&[Self::Gpu], "`gpu`"),
            Self::System | Self::Other => (&[], ""),
        }
    }
}

/// Is an element; the others are named by their places.
#[derive(Clone, Debug)]
pub(super) struct Element<'t> {
    pub(super) kind: Kind,
    pub(super) name: &'t str,
    /// The element around it; itself for the root.
    pub(super) parent: usize,
    pub(super) position: Position,
    pub(super) attributes: Vec<Attribute<'t>>,
}

/// Is one attribute.
#[derive(Clone, Debug)]
pub(super) struct Attribute<'t> {
    pub(super) name: &'t str,
    pub(super) value: String,
    pub(super) position: Position,
}

impl<'t> Element<'t> {
    /// Returns an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute<'t>> {
        self.attributes.iter().find(|found| found.name == name)
    }

    /// Returns the value of an attribute, or nothing.
    pub(super) fn text(&self, name: &str) -> &str {
        self.attribute(name).map_or("", |found| &found.value)
    }

    /// Returns an attribute that must be there.
    pub(super) fn required(&self, name: &str) -> Result<&Attribute<'t>, Error> {
        self.attribute(name).ok_or_else(|| {
            let message = format!("expected attribute `{name}` of `{}`", self.name);
            Error::malformed(self.position, message)
        })
    }

    /// Returns the number that an attribute is, if it is there.
    pub(super) fn number<T: FromStr>(&self, name: &str) -> Result<Option<T>, Error> {
        let number = |found: &Attribute<'_>| {
            found.value.trim().parse().map_err(|_| {
                let message = format!("expected a number, found {}", quoted(&found.value));
                Error::new(Code::Invalid, found.position, message)
            })
        };
        self.attribute(name).map(number).transpose()
    }

    /// Returns the address on the PCI bus that an attribute is.
    pub(super) fn bus_id(&self, name: &str) -> Result<String, Error> {
        let found = self.required(name)?;
        crate::pci::bus_id(found.value.trim()).ok_or_else(|| {
            let found_text = quoted(&found.value);
            let message = format!("expected an address such as `0000:0f:00.0`, found {found_text}");
            Error::new(Code::Invalid, found.position, message)
        })
    }
}
