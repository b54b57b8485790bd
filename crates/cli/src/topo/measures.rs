//! [`Measures`]: how good a set of devices is.

use std::fmt::Write as _;

use dralloc_topology::{Level, Ring, Scope, Topology};
use serde::Serialize;
use serde_json::value::RawValue;

use super::chosen::{Mark, Marks};
use super::words;
use crate::failure::Failure;
use crate::style::HEADING;
use crate::words::counted;

/// Measures a set.
#[derive(Clone, Debug)]
pub(super) struct Measures {
    devices: Vec<String>,
    nics: Vec<String>,
    pub(super) ring: Ring,
    pub(super) ring_text: String,
    pub(super) links: u64,
    level: Option<String>,
    rate: Option<String>,
    span: Scope,
}

/// Is the form of measures in JSON.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MeasuresForm<'a> {
    devices: &'a [String],
    nics: &'a [String],
    ring: Box<RawValue>,
    #[serde(rename = "ringGBps", skip_serializing_if = "Option::is_none")]
    ring_rate: Option<Box<RawValue>>,
    links: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    bottleneck: Option<&'a str>,
    #[serde(rename = "bottleneckGBps", skip_serializing_if = "Option::is_none")]
    rate: Option<Box<RawValue>>,
    span: &'static str,
}

impl Measures {
    /// Measures the devices that are chosen.
    pub(super) fn new(topology: &Topology, marks: &Marks) -> Self {
        let set = marks.devices(Mark::Chosen);
        let ring = topology.ring(&set);
        let bottleneck = topology.bottleneck(&set);
        let id = |device: &usize| topology.device(*device).map(|vertex| vertex.id.clone());
        let nics = marks.nics.iter().enumerate();
        let nics = nics.filter(|(_, mark)| **mark == Mark::Chosen);
        let nics = nics.filter_map(|(nic, _)| topology.nic(nic));
        Self {
            devices: set.iter().filter_map(id).collect(),
            nics: nics.map(|vertex| vertex.id.clone()).collect(),
            ring,
            ring_text: words::rings(&ring, topology.unit()),
            links: topology.links(&set),
            level: bottleneck.map(|worst| worst.level.to_string()),
            // Nothing is known of the rate of the network.
            rate: bottleneck
                .filter(|worst| worst.level != Level::Net)
                .and_then(|worst| worst.rate)
                .map(|rate| rate.to_string()),
            span: topology.span(&set),
        }
    }

    /// Returns them as a small table.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{HEADING}Chosen:{HEADING:#} {}", self.names());
        let _ = writeln!(text, "  ring        {}", self.ring_text);
        let _ = writeln!(text, "  links       {}", self.links);
        if let Some(level) = &self.level {
            let rate = self.rate.as_ref();
            let rate = rate.map_or(String::new(), |rate| format!(", {rate} GB/s"));
            let _ = writeln!(text, "  worst pair  {level}{rate}");
        }
        let _ = writeln!(text, "  span        {}", self.span);
        text
    }

    /// Returns them in one line.
    pub(super) fn headline(&self) -> String {
        let links = counted(self.links, "link");
        format!("{}: {}, {links}", self.names(), self.ring_text)
    }

    fn names(&self) -> String {
        let lists = [(&self.devices, "GPUs"), (&self.nics, "NICs")];
        if lists.iter().all(|(names, _)| names.is_empty()) {
            return "none".to_owned();
        }
        let lists = lists.into_iter().filter(|(names, _)| !names.is_empty());
        let lists = lists.map(|(names, noun)| {
            let shown: Vec<String> = names.iter().map(|name| words::short(name)).collect();
            match names.len() {
                few if few <= words::SHOWN => words::list(&shown),
                many => format!("{many} {noun} {}", words::list(&shown)),
            }
        });
        lists.collect::<Vec<_>>().join("; ")
    }

    /// Returns them as data.
    pub(super) fn form(&self, topology: &Topology) -> Result<MeasuresForm<'_>, Failure> {
        let ring_rate = words::ring_rate(&self.ring, topology.unit());
        Ok(MeasuresForm {
            devices: &self.devices,
            nics: &self.nics,
            ring: number(&words::decimal(self.ring.rings))?,
            ring_rate: ring_rate.as_deref().map(number).transpose()?,
            links: self.links,
            bottleneck: self.level.as_deref(),
            rate: self.rate.as_deref().map(number).transpose()?,
            span: self.span.as_str(),
        })
    }
}

/// Returns a decimal as a number of JSON.
pub(super) fn number(decimal: &str) -> Result<Box<RawValue>, Failure> {
    let number = RawValue::from_string(decimal.to_owned());
    number.map_err(|error| Failure::Output(error.into()))
}
