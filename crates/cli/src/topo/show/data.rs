//! A topology as data: one JSON object, each of its fields on one line.

use std::io::Write;

use dralloc_topology::{Topology, Vertex};
use serde::Serialize;

use crate::failure::Failure;
use crate::topo::islands;
use crate::topo::machine::Machine;
use crate::topo::measures::Measures;
use crate::topo::places::{PlaceKind, Places};

/// Levels of more devices than this are left out unless they are asked for.
const LARGEST: usize = 1024;

#[derive(Serialize)]
struct Levels {
    #[serde(rename = "gpuGpu")]
    devices: Vec<Vec<String>>,
    #[serde(rename = "gpuNic")]
    nics: Vec<Vec<String>>,
    #[serde(rename = "nicNic")]
    pairs: Vec<Vec<String>>,
}

/// Is one place of the tree; its parent is the place of an earlier entry.
#[derive(Serialize)]
struct Entry<'a> {
    kind: &'static str,
    name: &'a str,
    parent: Option<usize>,
    gpus: usize,
    nics: usize,
}

#[derive(Serialize)]
struct Oddity<'a> {
    path: &'a str,
    message: &'a str,
}

/// Writes a topology as data.
pub(super) fn write(
    output: &mut dyn Write,
    machine: &Machine,
    places: &Places,
    measures: Option<&Measures>,
    whole: bool,
) -> Result<(), Failure> {
    let topology = &machine.topology;
    let largest = topology.device_count().max(topology.nic_count());
    let ids = |set: &[usize]| -> Vec<&str> {
        let devices = set.iter().filter_map(|&device| topology.device(device));
        devices.map(|vertex| &*vertex.id).collect()
    };
    let islands = islands::islands(topology);
    let islands: Vec<Vec<&str>> = islands.iter().map(|group| ids(group)).collect();
    let allowed = topology.allowed_sets().iter();
    let allowed: Vec<Vec<&str>> = allowed.map(|set| ids(set)).collect();
    let warnings = topology.warnings().iter();
    let warnings: Vec<Oddity<'_>> = warnings
        .map(|warning| Oddity {
            path: warning.path(),
            message: warning.message(),
        })
        .collect();
    let nics = (0..topology.nic_count()).filter_map(|nic| topology.nic(nic));
    let nics: Vec<&Vertex> = nics.collect();
    let all: Vec<usize> = (0..topology.device_count()).collect();
    let gpus = all.iter().filter_map(|&device| topology.device(device));
    let gpus: Vec<&Vertex> = gpus.collect();

    let mut fields = Fields {
        output,
        is_first: true,
    };
    fields.add("name", machine.name())?;
    fields.add("gpus", &gpus)?;
    fields.add("nics", &nics)?;
    if whole || largest <= LARGEST {
        fields.add("levels", &levels(topology))?;
    }
    fields.add("tree", &entries(places))?;
    fields.add("islands", &islands)?;
    fields.add("allowedSets", &allowed)?;
    fields.add("warnings", &warnings)?;
    if let Some(measures) = measures {
        fields.add("chosen", &measures.form(topology)?)?;
    }
    fields.end()
}

fn levels(topology: &Topology) -> Levels {
    let (devices, nics) = (0..topology.device_count(), 0..topology.nic_count());
    let table = |rows: std::ops::Range<usize>,
                 columns: &std::ops::Range<usize>,
                 cell: &dyn Fn(usize, usize) -> String| {
        rows.map(|row| columns.clone().map(|column| cell(row, column)).collect())
            .collect()
    };
    Levels {
        devices: table(devices.clone(), &devices, &|a, b| {
            topology.level(a, b).to_string()
        }),
        nics: table(devices, &nics, &|device, nic| {
            topology.nic_level(device, nic).to_string()
        }),
        pairs: table(nics.clone(), &nics, &|a, b| {
            topology.nic_pair_level(a, b).to_string()
        }),
    }
}

fn entries(places: &Places) -> Vec<Entry<'_>> {
    let entries = places.places.iter().map(|place| Entry {
        kind: match place.kind {
            PlaceKind::Whole => "whole",
            PlaceKind::Fabric => "fabric",
            PlaceKind::Block => "block",
            PlaceKind::Rack => "rack",
            PlaceKind::Host => "host",
            PlaceKind::NumaNode => "numaNode",
            PlaceKind::PcieSwitch => "pcieSwitch",
            PlaceKind::Device => "gpu",
            PlaceKind::Nic => "nic",
        },
        name: &place.name,
        parent: place.parent,
        gpus: place.devices,
        nics: place.nics,
    });
    entries.collect()
}

/// Writes the fields of an object.
struct Fields<'o> {
    output: &'o mut dyn Write,
    is_first: bool,
}

impl Fields<'_> {
    fn add<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Failure> {
        let start = if self.is_first { "{" } else { "," };
        self.is_first = false;
        let value = serde_json::to_string(value).map_err(std::io::Error::from)?;
        write!(self.output, "{start}\n  \"{name}\": {value}")?;
        Ok(())
    }

    fn end(self) -> Result<(), Failure> {
        writeln!(self.output, "\n}}")?;
        Ok(())
    }
}
