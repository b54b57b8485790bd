//! XML to a list of elements.
//!
//! Nothing is expanded but the five entities of XML, and nothing recurses.

use dralloc_topology::{Code, MAX_LINKS};
use quick_xml::XmlVersion;
use quick_xml::events::attributes::{AttrError, Attributes};
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::element::{Attribute, Element, Kind};
use crate::error::Error;
use crate::text::{Locator, quoted};

/// How deep elements may be nested: PCI Express numbers 256 buses.
const MAX_DEPTH: usize = 256;

/// Reads the elements of a file, each after the one around it.
pub(super) fn read(text: &str) -> Result<Vec<Element<'_>>, Error> {
    let mut reader = Reader::from_str(text);
    let mut elements = Elements {
        text,
        locator: Locator::new(text),
        found: Vec::new(),
        open: Vec::new(),
    };
    loop {
        let offset = offset(reader.buffer_position());
        let event = reader.read_event();
        let event = event.map_err(|error| elements.wrong(reader.error_position(), &error))?;
        match event {
            Event::Start(start) => {
                let place = elements.add(offset, &start)?;
                elements.open.push(place);
            }
            Event::Empty(start) => {
                elements.add(offset, &start)?;
            }
            Event::End(_) => {
                elements.open.pop();
            }
            Event::Eof => break,
            _ => {}
        }
    }
    let end = elements.locator.position(text.len());
    if let Some(element) = elements
        .open
        .last()
        .and_then(|&open| elements.found.get(open))
    {
        let message = format!(
            "expected the end of {}, found the end",
            quoted(element.name)
        );
        return Err(Error::malformed(end, message));
    }
    if elements.found.is_empty() {
        return Err(Error::malformed(
            end,
            "expected `<system>`, found no element",
        ));
    }
    Ok(elements.found)
}

fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

struct Elements<'t> {
    text: &'t str,
    locator: Locator<'t>,
    found: Vec<Element<'t>>,
    /// The elements around the next one.
    open: Vec<usize>,
}

impl<'t> Elements<'t> {
    fn wrong(&mut self, position: u64, error: &quick_xml::Error) -> Error {
        let position = self.locator.position(offset(position));
        Error::malformed(position, format!("expected XML: {error}"))
    }

    /// Adds an element, and returns its place.
    fn add(&mut self, offset: usize, start: &BytesStart<'_>) -> Result<usize, Error> {
        let position = self.locator.position(offset);
        if self.open.len() == MAX_DEPTH {
            let message = format!("expected elements at most {MAX_DEPTH} deep");
            return Err(Error::limit(position, message));
        }
        if self.found.len() == MAX_LINKS {
            let message = format!("expected at most {MAX_LINKS} elements");
            return Err(Error::limit(position, message));
        }
        // The event is what follows the `<`; what lends from it would not outlive it.
        let content = self.text.get(offset + 1..offset + 1 + start.len());
        let content = content.unwrap_or_default();
        let name = content.get(..start.name().0.len()).unwrap_or_default();
        let parent = self.open.last().copied();
        let around = parent.and_then(|parent| self.found.get(parent));
        let kind = match (Kind::of(name), around.map(|around| around.kind)) {
            (Kind::System, None) if self.found.is_empty() => Kind::System,
            (_, None) | (Kind::System, _) => {
                let found = quoted(name);
                let message = format!("expected one `system` around all, found {found}");
                return Err(Error::malformed(position, message));
            }
            (Kind::Other, _) | (_, Some(Kind::Other)) => Kind::Other,
            (kind, Some(around)) => {
                let (places, expected) = kind.places();
                if !places.contains(&around) {
                    let message = format!("expected `{name}` in {expected}");
                    return Err(Error::new(Code::Invalid, position, message));
                }
                kind
            }
        };
        let attributes = self.attributes(offset, content, name.len())?;
        self.found.push(Element {
            kind,
            name,
            parent: parent.unwrap_or(0),
            position,
            attributes,
        });
        Ok(self.found.len() - 1)
    }

    fn attributes(
        &mut self,
        offset: usize,
        content: &'t str,
        name: usize,
    ) -> Result<Vec<Attribute<'t>>, Error> {
        let mut attributes = Vec::new();
        for attribute in Attributes::new(content, name) {
            let attribute = attribute.map_err(|error| {
                let (inside, message) = wrong_attribute(&error);
                Error::malformed(self.locator.position(offset + 1 + inside), message)
            })?;
            let start = attribute.value.as_ptr().addr();
            let inside = start.wrapping_sub(content.as_ptr().addr());
            let position = self.locator.position(offset + 1 + inside);
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_err(|error| {
                Error::malformed(position, format!("expected text of an attribute: {error}"))
            })?;
            attributes.push(Attribute {
                name: attribute.key.into_inner(),
                value: value.into_owned(),
                position,
            });
        }
        Ok(attributes)
    }
}

/// Returns where in an element an attribute is wrong, and what is expected.
fn wrong_attribute(error: &AttrError) -> (usize, &'static str) {
    match *error {
        AttrError::ExpectedEq(place) => (place, "expected `=` after the name of an attribute"),
        AttrError::ExpectedValue(place) => (place, "expected the value of an attribute"),
        AttrError::UnquotedValue(place) => (place, "expected a value in quotes"),
        AttrError::ExpectedQuote(place, _) => (place, "expected the quote that ends the value"),
        AttrError::Duplicated(place, _) => (place, "expected each attribute once"),
    }
}
