//! [`Builder`]: a document that grows.

use dralloc_topology::{AttributeMatch, Document, Link, LinkType, MAX_LINKS, MAX_VERTICES};
use dralloc_topology::{Metadata, Rate, Spec, Vertex, VertexKind};

use crate::error::Error;
use crate::text::Position;

/// The attribute by which devices are found that have an address.
const PCI_BUS_ID: &str = "resource.kubernetes.io/pciBusID";

/// Collects vertices and links within the limits of documents.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    pub(crate) metadata: Metadata,
    vertices: Vec<Vertex>,
    links: Vec<Link>,
}

impl Builder {
    /// Adds a vertex.
    pub(crate) fn vertex(&mut self, position: Position, vertex: Vertex) -> Result<(), Error> {
        if self.vertices.len() == MAX_VERTICES {
            let message = format!("expected at most {MAX_VERTICES} devices and places");
            return Err(Error::limit(position, message));
        }
        self.vertices.push(vertex);
        Ok(())
    }

    /// Adds a link.
    pub(crate) fn link(&mut self, position: Position, link: Link) -> Result<(), Error> {
        if self.links.len() == MAX_LINKS {
            let message = format!("expected at most {MAX_LINKS} links");
            return Err(Error::limit(position, message));
        }
        self.links.push(link);
        Ok(())
    }

    /// Returns the document, without a name.
    pub(crate) fn into_document(self) -> Document {
        let mut document = Document::default();
        "dralloc.dev/v1alpha1".clone_into(&mut document.api_version);
        "Topology".clone_into(&mut document.kind);
        document.metadata = self.metadata;
        document.spec = Spec {
            vertices: self.vertices,
            links: self.links,
            ..Spec::default()
        };
        document
    }
}

/// Returns a vertex of which nothing else is known.
pub(crate) fn vertex(id: impl Into<String>, kind: VertexKind) -> Vertex {
    Vertex {
        id: id.into(),
        kind,
        ..Vertex::default()
    }
}

/// Returns a link between two vertices.
pub(crate) fn link(a: &str, b: &str, link_type: LinkType) -> Link {
    Link {
        a: a.to_owned(),
        b: b.to_owned(),
        link_type,
        ..Link::default()
    }
}

/// Returns a link with a number of bonded ones.
pub(crate) fn bonded(
    a: &str,
    b: &str,
    link_type: LinkType,
    count: u32,
    rate: Option<Rate>,
) -> Link {
    Link {
        count: Some(i64::from(count)),
        bandwidth: rate,
        ..link(a, b, link_type)
    }
}

/// Returns what finds a device by its address.
pub(crate) fn by_bus_id(bus_id: &str) -> AttributeMatch {
    AttributeMatch {
        attribute: PCI_BUS_ID.to_owned(),
        value: bus_id.to_owned(),
    }
}
