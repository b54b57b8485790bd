//! [`Decoder`]: from text to objects, one at a time.

mod fault;
mod header;
mod object;

use std::borrow::Cow;

use self::fault::fault;
use self::header::{Header, Item};
use self::object::object;
use super::interner::Interner;
use super::json::{Cursor, Decode, Failure};
use super::kind::{Kind, Resolution, Version};
use super::{Decoded, Fault, FaultyObject, Object, Warning};
use crate::{Code, Error};

/// Lists may be in lists that often.
const MAX_LISTS: usize = 8;

/// So many objects are kept until the end of their list is known to be there.
const MAX_GUESSED: usize = 1 << 18;

/// Of an object so many faults are found: each takes another look at it.
const MAX_FAULTS: usize = 32;

/// Reads objects from JSON text.
///
/// What many of the objects that a decoder reads have in common is kept once, so
/// one decoder should read all of a cluster.
#[derive(Debug, Default)]
pub struct Decoder {
    is_strict: bool,
    interner: Interner,
}

/// Takes the objects and faults of a text.
type Take<'a> = dyn FnMut(Result<Decoded, Fault>) -> Result<(), Error> + 'a;

/// Is who is told what is found in a text.
struct Sink<'a> {
    take: &'a mut Take<'a>,
    /// Told after each item of a list how far reading is.
    reach: &'a mut dyn FnMut(usize),
}

/// Is where an object is, and what it is if it does not say so.
struct Place<'t> {
    path: String,
    lists: usize,
    api_version: Option<Cow<'t, str>>,
    kind: Option<&'static str>,
}

/// Is a list that was read on a guess.
struct Guessed<'t> {
    item: Item<'t>,
    objects: Vec<Decoded>,
    end: Cursor<'t>,
}

impl Decoder {
    /// Returns a decoder that warns about unknown fields.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether what would be a warning is an error; default: no.
    #[must_use]
    pub fn strict(mut self, is_strict: bool) -> Self {
        self.is_strict = is_strict;
        self
    }

    /// Reads all objects of a text and hands them over as they are read.
    ///
    /// The text is any number of objects and lists; `null` is no object.
    /// The items of lists are handed over one by one.
    ///
    /// # Errors
    ///
    /// The first fault of the text, as [`Code::Malformed`], [`Code::Unsupported`]
    /// for a version or kind that is not known, or [`Code::UnknownField`] if strict.
    /// Errors of the sink end the reading and are returned.
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc::wire::{Decoder, Object};
    ///
    /// let json = r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1"}}"#;
    /// let mut names = Vec::new();
    /// Decoder::new().decode(json, &mut |decoded| {
    ///     if let Object::Node(node) = decoded.object {
    ///         names.push(node.metadata.name.to_string());
    ///     }
    ///     Ok(())
    /// })?;
    /// assert_eq!(names, ["node-1"]);
    /// # Ok::<(), dralloc::Error>(())
    /// ```
    pub fn decode(
        &mut self,
        json: &str,
        sink: &mut dyn FnMut(Decoded) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.decode_each(json, &mut |result| match result {
            Ok(decoded) => sink(decoded),
            Err(fault) => Err(fault.error),
        })
    }

    /// Reads all objects of a text, and goes on after one that is faulty.
    ///
    /// Of an object all values are told that cannot be read, up to 32.
    ///
    /// Only where the text is no JSON is there no way on.
    ///
    /// # Errors
    ///
    /// Those of the sink, which end the reading.
    pub fn decode_each(
        &mut self,
        json: &str,
        sink: &mut dyn FnMut(Result<Decoded, Fault>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.decode_watched(json, sink, &mut |_| {})
    }

    /// Reads all objects of a text as [`decode_each`](Self::decode_each) does, and tells how
    /// far it is: the offset after each item of a list.
    ///
    /// A list that says last what it is hands its items over in the end, and is told of as it
    /// is read. Where there is anything wrong with it offsets start over.
    ///
    /// # Errors
    ///
    /// Those of the sink, which end the reading.
    pub fn decode_watched(
        &mut self,
        json: &str,
        sink: &mut dyn FnMut(Result<Decoded, Fault>) -> Result<(), Error>,
        reach: &mut dyn FnMut(usize),
    ) -> Result<(), Error> {
        let sink = &mut Sink { take: sink, reach };
        let mut cursor = Cursor::new(json, 0);
        while cursor.peek().is_some() {
            if cursor.eat_word("null") {
                continue;
            }
            let place = Place {
                path: String::new(),
                lists: 0,
                api_version: None,
                kind: None,
            };
            match self.object(cursor, &place, sink)? {
                Some(end) => cursor = end,
                None => break,
            }
        }
        Ok(())
    }

    /// Reads an object or a list; returns where it ends, or nothing if it has no end.
    fn object<'t>(
        &mut self,
        mut cursor: Cursor<'t>,
        place: &Place<'t>,
        sink: &mut Sink<'_>,
    ) -> Result<Option<Cursor<'t>>, Error> {
        cursor.peek();
        let start = cursor.clone();
        if let Some((decoded, end)) = self.quick(&start, place) {
            (sink.take)(Ok(decoded))?;
            return Ok(Some(end));
        }
        let mut guessed = None;
        let header = Header::read(&mut cursor, &mut |header, items| {
            guessed = self.guess(header, items, place, sink.reach);
            guessed.as_ref().map(|guessed| guessed.end.clone())
        });
        let header = match header {
            Ok(header) => header,
            Err(failure) => {
                (sink.take)(Err(fault(&failure, Code::Malformed, &place.path)))?;
                // A list or a number in place of an object has an end all the same.
                let mut end = start;
                return Ok(end.skip().is_ok().then_some(end));
            }
        };
        match guessed.filter(|guessed| header.item() == Some(guessed.item.clone())) {
            Some(guessed) => {
                let mut objects = guessed.objects.into_iter();
                objects.try_for_each(|decoded| (sink.take)(Ok(decoded)))?;
            }
            None => self.dispatch(&start, header, place, sink)?,
        }
        Ok(Some(cursor))
    }

    /// Reads the items of what is most likely a list, before the rest of it.
    ///
    /// Returns nothing if there is anything to them: what is wrong is then found
    /// in the order of the text, the syntax of the whole before all.
    fn guess<'t>(
        &mut self,
        header: &Header<'t>,
        items: &Cursor<'t>,
        place: &Place<'t>,
        reach: &mut dyn FnMut(usize),
    ) -> Option<Guessed<'t>> {
        if place.lists > 0 {
            return None;
        }
        let item = header.item().or_else(|| {
            // As `kubectl get -o json` writes it: the kind comes last.
            let is_likely = header.api_version.as_deref() == Some("v1") && header.kind.is_none();
            is_likely.then_some((None, None))
        })?;
        // In the whole, the brackets of the list and of its item are open, too.
        let mut cursor = items.clone().inside(2);
        if !cursor.eat(b'[') {
            return None;
        }
        let mut objects = Vec::new();
        let take = &mut |result: Result<Decoded, Fault>| {
            objects.push(result.map_err(|fault| fault.error)?);
            if objects.len() > MAX_GUESSED {
                return Err(Error::new(Code::Malformed, "too many to keep"));
            }
            Ok(())
        };
        let sink = &mut Sink { take, reach };
        let end = self.items(cursor, "items", &item, place, sink).ok()??;
        Some(Guessed {
            item,
            objects,
            end: end.inside(0),
        })
    }

    /// Reads an object that says first what it is, as nearly all do, without a
    /// look at the rest before.
    ///
    /// Returns nothing if there is anything to it: what is wrong is then found
    /// in the order of the text.
    fn quick<'t>(
        &mut self,
        start: &Cursor<'t>,
        place: &Place<'t>,
    ) -> Option<(Decoded, Cursor<'t>)> {
        let (header, types) = Header::first(&mut start.clone())?;
        let api_version = header.api_version.or_else(|| place.api_version.clone())?;
        let kind = header.kind.or(place.kind.map(Cow::Borrowed))?;
        let Resolution::Read(kind, version) = Resolution::of(&api_version, &kind) else {
            return None;
        };
        let mut decode = decode(start.clone(), kind);
        decode.maps =
            (kind == Kind::ResourceSlice).then(|| std::mem::take(&mut self.interner.maps));
        let decoded = self.read(&mut decode, kind, version, &place.path).ok()?;
        (decode.types == types).then(|| (decoded, decode.cursor().clone()))
    }

    fn dispatch<'t>(
        &mut self,
        start: &Cursor<'t>,
        header: Header<'t>,
        place: &Place<'t>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let offset = start.offset();
        let mut refuse = |code, message: String| {
            (sink.take)(Err(fault(
                &Failure::new(offset, message),
                code,
                &place.path,
            )))
        };
        let api_version = header.api_version.or_else(|| place.api_version.clone());
        let kind = header.kind.or(place.kind.map(Cow::Borrowed));
        let (api_version, kind) = match (api_version, kind) {
            (Some(api_version), Some(kind)) if !api_version.is_empty() && !kind.is_empty() => {
                (api_version, kind)
            }
            (None, _) => {
                let message = "object without `apiVersion`, expected `apiVersion` and `kind`";
                return refuse(Code::Malformed, message.into());
            }
            _ => {
                let message = "object without `kind`, expected `apiVersion` and `kind`";
                return refuse(Code::Malformed, message.into());
            }
        };
        let (kind, version) = match Resolution::of(&api_version, &kind) {
            Resolution::Read(kind, version) => (kind, version),
            Resolution::Ignore => {
                let object = Object::Ignored {
                    api_version: (&*api_version).into(),
                    kind: (&*kind).into(),
                };
                let path = place.path.clone();
                return (sink.take)(Ok(Decoded {
                    object,
                    path,
                    offset,
                    warnings: Vec::new(),
                }));
            }
            Resolution::Refuse(message) => return refuse(Code::Unsupported, message),
            Resolution::List => {
                return self.list(header.items, offset, &(None, None), place, sink);
            }
            Resolution::ListOf(item) => {
                let default = (Some(api_version), Some(item));
                return self.list(header.items, offset, &default, place, sink);
            }
        };
        match self.read_anew(start, kind, version, &place.path) {
            Ok(decoded) => (sink.take)(Ok(decoded)),
            Err(faults) => faults.into_iter().try_for_each(|mut fault| {
                let kind = kind.as_str();
                fault.object = Some(FaultyObject { kind, offset });
                (sink.take)(Err(fault))
            }),
        }
    }

    /// Reads one object of a known kind, or finds all that is wrong with it: each value that
    /// cannot be read is passed over the next time.
    fn read_anew(
        &mut self,
        start: &Cursor<'_>,
        kind: Kind,
        version: Version,
        path: &str,
    ) -> Result<Decoded, Vec<Fault>> {
        let (mut faults, mut passed) = (Vec::new(), Vec::new());
        loop {
            let mut decode = decode(start.clone(), kind);
            decode.passed = passed;
            let found = match self.read(&mut decode, kind, version, path) {
                Ok(decoded) if faults.is_empty() => return Ok(decoded),
                Ok(decoded) => return Err(with_warnings(faults, decoded.warnings)),
                Err(found) => found,
            };
            let unknown = if self.is_strict {
                Vec::new()
            } else {
                warnings(&mut decode, version, path)
            };
            passed = decode.passed;
            let count = passed.len();
            for fault in found {
                if !passed.contains(&fault.offset) {
                    passed.push(fault.offset);
                    faults.push(fault);
                }
            }
            // What is there again is nothing that could be passed.
            if passed.len() == count || faults.len() >= MAX_FAULTS {
                return Err(with_warnings(faults, unknown));
            }
        }
    }

    fn list<'t>(
        &mut self,
        items: Option<Cursor<'t>>,
        offset: usize,
        item: &Item<'t>,
        place: &Place<'t>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let mut refuse = |offset, message: &str, path: &str| {
            (sink.take)(Err(fault(
                &Failure::new(offset, message),
                Code::Malformed,
                path,
            )))
        };
        let Some(mut cursor) = items else {
            return refuse(offset, "list without `items`", &place.path);
        };
        if place.lists == MAX_LISTS {
            return refuse(offset, "lists in lists, more than 8 deep", &place.path);
        }
        let path = if place.path.is_empty() {
            "items".to_owned()
        } else {
            format!("{}.items", place.path)
        };
        if cursor.eat_word("null") {
            return Ok(());
        }
        if !cursor.eat(b'[') {
            let failure = cursor.unexpected("a list");
            return refuse(failure.offset(), failure.message(), &path);
        }
        // The syntax of the whole list was checked when its header was read.
        self.items(cursor, &path, item, place, sink).map(|_| ())
    }

    /// Reads the items of a list from the first on; returns where it ends, or
    /// nothing if it has no end.
    fn items<'t>(
        &mut self,
        mut cursor: Cursor<'t>,
        path: &str,
        (api_version, kind): &Item<'t>,
        place: &Place<'t>,
        sink: &mut Sink<'_>,
    ) -> Result<Option<Cursor<'t>>, Error> {
        let mut index = 0;
        loop {
            match cursor.entry(index == 0, b']') {
                Ok(true) => {}
                Ok(false) => return Ok(Some(cursor)),
                Err(_) => return Ok(None),
            }
            let place = Place {
                path: format!("{path}[{index}]"),
                lists: place.lists + 1,
                api_version: api_version.clone(),
                kind: *kind,
            };
            match self.object(cursor, &place, sink)? {
                Some(end) => cursor = end,
                None => return Ok(None),
            }
            (sink.reach)(cursor.offset());
            index += 1;
        }
    }

    /// Reads one object of a known kind.
    fn read(
        &mut self,
        decode: &mut Decode<'_>,
        kind: Kind,
        version: Version,
        path: &str,
    ) -> Result<Decoded, Vec<Fault>> {
        let offset = decode.cursor().offset();
        let mut object = self.interner.read(|| object(decode, kind, version));
        if let Some(mut maps) = decode.maps.take() {
            maps.put(match &mut object {
                Ok(Object::ResourceSlice(slice)) => &mut slice.spec.devices,
                _ => &mut [],
            });
            self.interner.maps = maps;
        }
        let mut object = object.map_err(|failure| vec![fault(&failure, Code::Malformed, path)])?;
        let warnings = warnings(decode, version, path);
        if self.is_strict && !warnings.is_empty() {
            return Err(warnings.into_iter().map(Fault::from).collect());
        }
        self.interner.share(&mut object);
        Ok(Decoded {
            object,
            path: path.to_owned(),
            offset,
            warnings,
        })
    }
}

/// Takes what is to be said of an object, as far as it was read.
fn warnings(decode: &mut Decode<'_>, version: Version, path: &str) -> Vec<Warning> {
    let unknown = std::mem::take(&mut decode.unknown).into_iter();
    let warnings = unknown.map(|unknown| {
        let mut warning = Warning::new(unknown, version);
        if !path.is_empty() {
            warning.path = format!("{path}.{}", warning.path);
        }
        warning
    });
    warnings.collect()
}

/// Puts what else is to be said of an object to the first of its faults.
fn with_warnings(mut faults: Vec<Fault>, warnings: Vec<Warning>) -> Vec<Fault> {
    if let Some(first) = faults.first_mut() {
        first.warnings = warnings;
    }
    faults
}

/// Returns what decodes an object.
fn decode(start: Cursor<'_>, kind: Kind) -> Decode<'_> {
    // Of nodes and pods most is passed over on purpose.
    Decode::new(start, !matches!(kind, Kind::Node | Kind::Pod))
}
