//! [`Layout`]: one line per field, and one per entry of a list.

use serde::Serialize;

use crate::engine::form::text;

/// Writes the fields of a document.
pub(super) struct Layout(String);

impl Layout {
    pub(super) fn new(api_version: &str, kind: &str) -> Self {
        let mut layout = Self("{".to_owned());
        layout.field("apiVersion", &api_version);
        layout.field("kind", &kind);
        layout
    }

    fn name(&mut self, name: &str) {
        self.0
            .push_str(if self.0.len() == 1 { "\n  " } else { ",\n  " });
        self.0.push_str(&text(&name));
        self.0.push_str(": ");
    }

    /// Writes a field in one line.
    pub(super) fn field(&mut self, name: &str, value: &impl Serialize) {
        self.name(name);
        self.0.push_str(&text(value));
    }

    /// Writes a list, an entry a line; nothing if there is no entry.
    pub(super) fn list(&mut self, name: &str, entries: impl IntoIterator<Item = String>) {
        let mut entries = entries.into_iter().peekable();
        if entries.peek().is_none() {
            return;
        }
        self.name(name);
        for (place, entry) in entries.enumerate() {
            self.0
                .push_str(if place == 0 { "[\n    " } else { ",\n    " });
            self.0.push_str(&entry);
        }
        self.0.push_str("\n  ]");
    }

    pub(super) fn end(mut self) -> String {
        self.0.push_str("\n}");
        self.0
    }
}
