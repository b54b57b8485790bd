//! YAML, turned into JSON text document by document.
//!
//! Scalars mean what they mean to Kubernetes ([`scalar`]); numbers keep their
//! digits. Aliases and merge keys are written out, up to a limit.

mod marks;
mod scalar;
mod transcoder;

#[cfg(test)]
mod tests;

use granit_parser::{Event, Parser, StrInput};

pub(super) use marks::{Locator, Marks};
pub(crate) use scalar::is_plain_text;
use transcoder::Transcoder;

/// Says what is wrong at which byte of a YAML text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct YamlError {
    pub(super) message: String,
    pub(super) offset: usize,
}

/// Is one document as JSON text.
#[derive(Debug, Default)]
pub(super) struct Document {
    pub(super) json: String,
    pub(super) marks: Marks,
}

/// Reads the documents of a YAML text one after the other.
pub(super) struct Documents<'t> {
    parser: Parser<'t, StrInput<'t>>,
    text: &'t str,
}

impl<'t> Documents<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let options = granit_parser::options! {
            emit_comments: false,
            block_scalar_eof_without_line_feed: true,
        };
        Self {
            parser: Parser::new_from_str_with_options(text, options),
            text,
        }
    }

    /// Returns the next document; after an error the one after it.
    pub(super) fn next(&mut self) -> Option<Result<Document, YamlError>> {
        let mut transcoder = Transcoder::default();
        let mut fault = None;
        loop {
            let (event, span) = match self.parser.next_event()? {
                Ok(next) => next,
                Err(error) => {
                    let offset = error.marker().byte_offset().unwrap_or(self.text.len());
                    let message = format!("not valid YAML: {}", error.info());
                    // A source of text that fails has no more documents.
                    let _ = self.parser.proceed_next_document();
                    return Some(Err(YamlError {
                        message,
                        offset: offset.min(self.text.len()),
                    }));
                }
            };
            let offset = span.start.byte_offset().unwrap_or(self.text.len());
            match event {
                Event::DocumentEnd => {
                    return Some(match fault {
                        Some(fault) => Err(fault),
                        None => Ok(transcoder.finish()),
                    });
                }
                event if fault.is_none() => {
                    if let Err(error) = transcoder.event(event, offset) {
                        // The rest of the document is read for its end only.
                        fault = Some(error);
                        transcoder = Transcoder::default();
                    }
                }
                _ => {}
            }
        }
    }
}

/// Writes a text as a string of JSON.
fn push_string(json: &mut String, text: &str) {
    json.push('"');
    let mut rest = text;
    while let Some(place) = rest.find(|next: char| matches!(next, '"' | '\\' | '\0'..='\u{1f}')) {
        json.push_str(&rest[..place]);
        let special = rest.as_bytes()[place];
        match special {
            b'"' | b'\\' => json.extend(['\\', char::from(special)]),
            b'\n' => json.push_str("\\n"),
            b'\t' => json.push_str("\\t"),
            _ => json.extend(format!("\\u{special:04x}").chars()),
        }
        rest = &rest[place + 1..];
    }
    json.push_str(rest);
    json.push('"');
}
