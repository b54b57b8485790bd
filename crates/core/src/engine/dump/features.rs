//! Which features are on, as a dump has it.

use super::document::FeatureSet;
use crate::error::{Code, Error};
use crate::features::Features;

impl From<&Features> for FeatureSet {
    fn from(features: &Features) -> Self {
        let gates = Features::gates();
        Self {
            kubernetes_minor: features.kubernetes_minor.into(),
            relaxed_selectors: features.relaxed_selectors,
            gates: gates
                .map(|gate| (gate.into(), features.get(gate).unwrap_or_default()))
                .collect(),
        }
    }
}

pub(super) fn read(set: &FeatureSet) -> Result<Features, Error> {
    let mut features = Features::none();
    for (gate, on) in &set.gates {
        if !features.set(gate, *on) {
            let known: Vec<&str> = Features::gates().collect();
            let message = format!(
                "unknown gate `{gate}`, expected one of {}",
                known.join(", ")
            );
            return Err(Error::new(Code::Invalid, message).at("features.gates"));
        }
    }
    let (minor, newest) = (set.kubernetes_minor, features.kubernetes_minor);
    match u32::try_from(minor) {
        Ok(minor) if minor <= newest => features.kubernetes_minor = minor,
        _ => {
            let message = format!("`{minor}`, expected a number from 0 to {newest}");
            return Err(Error::new(Code::Invalid, message).at("features.kubernetesMinor"));
        }
    }
    features.relaxed_selectors = set.relaxed_selectors;
    Ok(features)
}
