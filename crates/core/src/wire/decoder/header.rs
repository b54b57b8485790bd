//! [`Header`]: what an object says of itself.

use std::borrow::Cow;

use crate::wire::json::{Cursor, Failure};
use crate::wire::kind::Resolution;

/// Is version and kind of the items of a list that do not say so.
pub(super) type Item<'t> = (Option<Cow<'t, str>>, Option<&'static str>);

/// Is what an object says of itself.
#[derive(Default)]
pub(super) struct Header<'t> {
    pub(super) api_version: Option<Cow<'t, str>>,
    pub(super) kind: Option<Cow<'t, str>>,
    pub(super) items: Option<Cursor<'t>>,
}

impl<'t> Header<'t> {
    /// Reads what an object says of itself before all else, and returns how many
    /// fields that are.
    pub(super) fn first(cursor: &mut Cursor<'t>) -> Option<(Self, usize)> {
        let mut header = Self::default();
        let mut types = 0;
        let mut goes_on = cursor.eat(b'{');
        while goes_on && cursor.entry(types == 0, b'}').ok()? {
            let key = cursor.key().ok()?;
            let field = match &*key {
                "apiVersion" => &mut header.api_version,
                "kind" => &mut header.kind,
                _ => break,
            };
            if field.replace(text(cursor).ok()??).is_some() {
                return None;
            }
            types += 1;
            goes_on = types < 2;
        }
        Some((header, types))
    }

    /// Returns what the items are, if it is known to be a list.
    pub(super) fn item(&self) -> Option<Item<'t>> {
        let api_version = self.api_version.as_ref()?;
        match Resolution::of(api_version, self.kind.as_ref()?) {
            Resolution::List => Some((None, None)),
            Resolution::ListOf(item) => Some((Some(api_version.clone()), Some(item))),
            _ => None,
        }
    }

    /// Passes an object and keeps what it says of itself.
    ///
    /// Something else may read the items and say where they end.
    pub(super) fn read(
        cursor: &mut Cursor<'t>,
        items: &mut dyn FnMut(&Self, &Cursor<'t>) -> Option<Cursor<'t>>,
    ) -> Result<Self, Failure> {
        let mut header = Self::default();
        if !cursor.eat(b'{') {
            return Err(cursor.unexpected("an object"));
        }
        let mut first = true;
        while cursor.entry(first, b'}')? {
            first = false;
            cursor.peek();
            let offset = cursor.offset();
            let key = cursor.key()?;
            cursor.peek();
            let value = cursor.clone();
            let is_new = match &*key {
                "apiVersion" => header.api_version.is_none(),
                "kind" => header.kind.is_none(),
                "items" => header.items.is_none(),
                _ => true,
            };
            if !is_new {
                let message = format!("duplicate field `{key}`, expected each field once");
                return Err(Failure::new(offset, message));
            }
            match &*key {
                "apiVersion" => header.api_version = text(cursor)?,
                "kind" => header.kind = text(cursor)?,
                "items" => {
                    match items(&header, &value) {
                        Some(end) => *cursor = end,
                        None => {
                            cursor.skip()?;
                        }
                    }
                    header.items = Some(value);
                }
                _ => {
                    cursor.skip()?;
                }
            }
        }
        Ok(header)
    }
}

/// Reads a string or null.
fn text<'t>(cursor: &mut Cursor<'t>) -> Result<Option<Cow<'t, str>>, Failure> {
    if cursor.eat_word("null") {
        return Ok(None);
    }
    if cursor.peek() != Some(b'"') {
        return Err(cursor.unexpected("a string"));
    }
    cursor.string().map(Some)
}
