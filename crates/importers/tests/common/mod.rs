//! The files of `testdata/importers`.

#![allow(dead_code, reason = "not every test file needs everything")]

use std::fs;
use std::path::{Path, PathBuf};

use dralloc_importers::{Imported, Source, import};
use dralloc_topology::{Document, LinkType, Topology, VertexKind};

pub(crate) fn testdata(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata")
        .join(folder)
}

/// Returns the files of a source, by name, without those that say what is expected.
pub(crate) fn samples(source: Source) -> Vec<PathBuf> {
    let files = fs::read_dir(testdata("importers").join(source.as_str())).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.retain(|file| !file.to_str().unwrap().ends_with(".expected.json"));
    files.sort();
    files
}

/// Returns what a file of a source says.
pub(crate) fn sample(source: Source, name: &str) -> Imported {
    let path = testdata("importers").join(source.as_str()).join(name);
    import(source, fs::read(path).unwrap()).unwrap()
}

pub(crate) fn topology(imported: &Imported) -> Topology {
    Topology::new(&imported.document).unwrap()
}

/// Returns the warnings as text.
pub(crate) fn warnings(imported: &Imported) -> Vec<String> {
    imported.warnings.iter().map(ToString::to_string).collect()
}

/// Returns the topology of a document in which NICs are devices and only `PCIe` links, so
/// that levels of all pairs can be asked for.
pub(crate) fn pcie_of_all(document: &Document) -> Topology {
    let mut document = document.clone();
    for vertex in &mut document.spec.vertices {
        if vertex.kind == VertexKind::Nic {
            vertex.kind = VertexKind::Gpu;
        }
    }
    let is_place = |link: LinkType| matches!(link, LinkType::PCIe | LinkType::Host);
    document.spec.links.retain(|link| is_place(link.link_type));
    Topology::new(&document).unwrap()
}

/// Returns the error as `line:column: message` with its code.
pub(crate) fn error(source: Source, text: impl AsRef<[u8]>) -> String {
    let error = import(source, text).unwrap_err();
    format!("{} {error}", error.code())
}
