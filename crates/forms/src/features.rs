//! Which features are on.

use std::collections::BTreeMap;

use dralloc::{Code, Error, Features};
use serde::{Deserialize, Serialize};

use crate::options::natural;
use crate::text::{read, text};

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct FeatureSet {
    kubernetes_minor: Option<i64>,
    relaxed_selectors: bool,
    gates: BTreeMap<String, bool>,
}

/// Reads which features are on: `kubernetesMinor` (the defaults of that version
/// instead of all on), `gates` (by their names in Kubernetes) and `relaxedSelectors`.
/// An empty text is all on.
///
/// # Errors
///
/// [`Code::Malformed`], [`Code::UnknownField`], and [`Code::Invalid`] for a gate
/// that does not exist.
///
/// # Examples
///
/// ```
/// let features = dralloc_forms::features(r#"{"gates": {"DRAAdminAccess": false}}"#)?;
/// assert!(!features.admin_access && features.device_taints);
/// let features = dralloc_forms::features(r#"{"kubernetesMinor": 35}"#)?;
/// assert!(features.prioritized_list && !features.device_taints);
/// # Ok::<(), dralloc::Error>(())
/// ```
pub fn features(json: &str) -> Result<Features, Error> {
    if json.trim().is_empty() {
        return Ok(Features::all());
    }
    let set: FeatureSet = read(json)?;
    let minor = natural(set.kubernetes_minor, "kubernetesMinor")?;
    let minor = minor.map(|minor| u32::try_from(minor).unwrap_or(u32::MAX));
    let mut features = minor.map_or_else(Features::all, Features::of_kubernetes);
    for (gate, on) in &set.gates {
        if !features.set(gate, *on) {
            let known: Vec<&str> = Features::gates().collect();
            let known = known.join(", ");
            let message = format!("unknown gate `{gate}`, expected one of {known}");
            return Err(Error::new(Code::Invalid, message).at("gates"));
        }
    }
    features.relaxed_selectors = set.relaxed_selectors;
    Ok(features)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FeaturesOn {
    kubernetes_minor: u32,
    relaxed_selectors: bool,
    gates: BTreeMap<&'static str, bool>,
}

/// Writes which features are on, in the form that [`features`] reads: `kubernetesMinor`,
/// `relaxedSelectors` and all `gates`.
///
/// # Errors
///
/// Those of [`text`](crate::text()).
///
/// # Examples
///
/// ```
/// let features = dralloc::Features::of_kubernetes(35);
/// let json = dralloc_forms::features_on(&features)?;
/// assert!(json.contains(r#""DRAPrioritizedList":true"#));
/// assert_eq!(dralloc_forms::features(&json)?, features);
/// # Ok::<(), dralloc::Error>(())
/// ```
pub fn features_on(features: &Features) -> Result<String, Error> {
    let gates = Features::gates().map(|gate| (gate, features.get(gate) == Some(true)));
    text(&FeaturesOn {
        kubernetes_minor: features.kubernetes_minor,
        relaxed_selectors: features.relaxed_selectors,
        gates: gates.collect(),
    })
}
