//! The claims that have changed, as objects for `kubectl replace`.

use std::collections::BTreeSet;
use std::io;

use dralloc::model::ResourceClaim;
use dralloc::wire::{self, Encode as _};
use serde::Serialize;
use serde_json::ser::{PrettyFormatter, Serializer};

use super::Placed;
use crate::allocate::cluster::Cluster;
use crate::allocate::placement::Verdict;
use crate::yaml_output::to_yaml;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct List<'a> {
    api_version: &'static str,
    kind: &'static str,
    items: Vec<Item<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Item<'a> {
    api_version: &'a str,
    kind: &'a str,
    #[serde(flatten)]
    claim: &'a ResourceClaim,
}

/// Writes a list in JSON, indented as `kubectl` does.
pub(super) fn json(cluster: &Cluster, placed: &[Placed]) -> io::Result<String> {
    let items = claims(cluster, placed).into_iter().map(|claim| {
        let (api_version, kind) = claim.type_meta();
        Item {
            api_version,
            kind,
            claim,
        }
    });
    let list = List {
        api_version: "v1",
        kind: "List",
        items: items.collect(),
    };
    let mut text = Vec::new();
    let formatter = PrettyFormatter::with_indent(b"    ");
    list.serialize(&mut Serializer::with_formatter(&mut text, formatter))?;
    text.push(b'\n');
    String::from_utf8(text).map_err(io::Error::other)
}

/// Writes one YAML document per claim.
pub(super) fn yaml(cluster: &Cluster, placed: &[Placed]) -> io::Result<String> {
    let mut documents = Vec::new();
    for claim in claims(cluster, placed) {
        let json = wire::encode(claim).map_err(io::Error::other)?;
        documents.push(to_yaml(&json).map_err(io::Error::other)?);
    }
    Ok(documents.join("---\n"))
}

/// Returns the claims of what was placed, each once, in the order of the work.
fn claims<'a>(cluster: &'a Cluster, placed: &[Placed]) -> Vec<&'a ResourceClaim> {
    let mut seen = BTreeSet::new();
    let mut claims = Vec::new();
    for placed in placed {
        if let (Verdict::Placed(..), Ok(names)) = (&placed.verdict, &placed.work.claims) {
            let new = names.iter().filter(|name| seen.insert((*name).clone()));
            claims.extend(new.filter_map(|name| cluster.claim(name)));
        }
    }
    claims
}
