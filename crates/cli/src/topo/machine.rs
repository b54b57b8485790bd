//! [`Machine`]: a topology document of a file.

use std::path::PathBuf;

use clap::Args;
use dralloc::{Code, Error};
use dralloc_topology::{self as topology, Document, Topology, VertexKind};
use serde::Deserialize;

use super::words;
use crate::failure::Failure;
use crate::input::{self, InputError, Text};
use crate::style;

const API_VERSION: &str = "dralloc.dev/v1alpha1";
const KIND: &str = "Topology";
/// Kinds of objects that hold others.
const LISTS: [&str; 2] = ["List", "TopologyList"];
/// Annotation with a title for people.
const TITLE: &str = "dralloc.dev/title";

/// Says which document is meant.
#[derive(Debug, Args)]
pub(super) struct FileOptions {
    /// File with a `Topology`, in YAML or JSON; `-` reads standard input.
    #[arg(short = 'f', long = "filename", value_name = "FILE|-")]
    filename: PathBuf,
    /// Name of the topology, where the file has several.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

/// Is a document that is understood.
#[derive(Debug)]
pub(super) struct Machine {
    pub(super) document: Document,
    pub(super) topology: Topology,
    text: Text,
}

/// Says what a document is.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Head {
    api_version: String,
    kind: String,
    metadata: Named,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Named {
    name: String,
}

impl Machine {
    /// Reads the document; objects of other kinds beside it are passed over.
    pub(super) fn read(options: &FileOptions) -> Result<Self, Failure> {
        let (first, rest) = input::texts(&options.filename)?;
        let text = pick(first, rest, options.name.as_deref())?;
        let document = Document::read(text.json()).map_err(|error| fault(&text, &error))?;
        let topology = Topology::new(&document).map_err(|error| fault(&text, &error))?;
        Ok(Self {
            document,
            topology,
            text,
        })
    }

    /// Tells the user what is odd in the document.
    pub(super) fn warn(&self) {
        for warning in self.topology.warnings() {
            let place = self.text.place(warning.path());
            style::warn(&style::harmless(&format!("{place}: {warning}")));
        }
    }

    /// Returns an error about the document as a whole.
    pub(super) fn fault(&self, error: &topology::Error) -> Failure {
        fault(&self.text, error).into()
    }

    /// Returns the title that the document has, else its name.
    pub(super) fn title(&self) -> String {
        let title = self.document.metadata.annotations.get(TITLE);
        words::line(title.map_or(self.name(), String::as_str))
    }

    /// Says whether there are switches of a fabric.
    pub(super) fn has_switches(&self) -> bool {
        let mut vertices = self.document.spec.vertices.iter();
        vertices.any(|vertex| vertex.kind == VertexKind::NvSwitch)
    }

    /// Returns the name of the document.
    pub(super) fn name(&self) -> &str {
        match &*self.document.metadata.name {
            "" => "topology",
            name => name,
        }
    }
}

/// Returns the document with a name, or the only one.
fn pick(first: Text, rest: Vec<Text>, name: Option<&str>) -> Result<Text, InputError> {
    let mut texts = Vec::new();
    for text in std::iter::once(first).chain(rest) {
        texts.extend(objects(text)?);
    }
    if let ([_], None) = (&*texts, name) {
        let text = texts.swap_remove(0);
        let head: Head = text.decode_part()?;
        check(&text, &head)?;
        return Ok(text);
    }
    let mut found: Option<(usize, Head)> = None;
    for (place, text) in texts.iter().enumerate() {
        let head: Head = text.decode_part()?;
        if head.kind != KIND || name.is_some_and(|name| name != head.metadata.name) {
            continue;
        }
        if let Some((_, before)) = &found {
            let message = format!(
                "several topologies, `{}` and `{}`, expected one, or the name of one by `--name`",
                before.metadata.name.escape_debug(),
                head.metadata.name.escape_debug()
            );
            return Err(text.fault(Error::new(Code::Duplicate, message)));
        }
        found = Some((place, head));
    }
    let Some((place, head)) = found else {
        let wanted = name.map_or(String::new(), |name| format!(" `{}`", name.escape_debug()));
        let message = format!("no topology{wanted} in the file, expected kind `{KIND}`");
        return Err(texts
            .swap_remove(0)
            .fault(Error::new(Code::NotFound, message)));
    };
    let text = texts.swap_remove(place);
    check(&text, &head)?;
    Ok(text)
}

/// Returns the objects of a list, as `kubectl` prints it; what is none, or has none, by
/// itself.
fn objects(text: Text) -> Result<Vec<Text>, InputError> {
    let head: Head = text.decode_part()?;
    if !LISTS.contains(&&*head.kind) {
        return Ok(vec![text]);
    }
    let items = text.items()?;
    Ok(if items.is_empty() { vec![text] } else { items })
}

/// Refuses another kind of object.
fn check(text: &Text, head: &Head) -> Result<(), InputError> {
    for (path, found, expected) in [
        ("apiVersion", &head.api_version, API_VERSION),
        ("kind", &head.kind, KIND),
    ] {
        if found != expected {
            let message = format!("expected `{expected}`, found `{}`", found.escape_debug());
            return Err(text.fault(Error::new(Code::Invalid, message).at(path)));
        }
    }
    Ok(())
}

/// Returns an error of the topology with its place in the file.
fn fault(text: &Text, error: &topology::Error) -> InputError {
    let code = match error.code() {
        topology::Code::Malformed => Code::Malformed,
        topology::Code::Duplicate => Code::Duplicate,
        topology::Code::NotFound => Code::NotFound,
        topology::Code::Unsupported => Code::Unsupported,
        topology::Code::LimitExceeded => Code::LimitExceeded,
        _ => Code::Invalid,
    };
    // The place is that in the file, not that in the JSON text made of it.
    let message = error.message();
    let message = match message.rsplit_once(" at line ") {
        Some((message, _)) if error.code() == topology::Code::Malformed => message,
        _ => message,
    };
    text.fault(Error::new(code, message).at(error.path()))
}
