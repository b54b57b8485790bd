//! Taints and what tolerates them.

use crate::model::{DeviceTaint, DeviceTaintRule, DeviceToleration, Str};

/// Returns the first taint that keeps a request away from a device.
///
/// Taints with other effects than `NoSchedule` and `NoExecute` keep nobody
/// away, not even with an effect that is not known here (`resource/v1
/// DeviceTaintEffect`).
pub(crate) fn blocking_taint<'a>(
    taints: impl IntoIterator<Item = &'a DeviceTaint>,
    tolerations: &[DeviceToleration],
) -> Option<&'a DeviceTaint> {
    taints.into_iter().find(|taint| {
        matches!(&*taint.effect, "NoSchedule" | "NoExecute")
            && !tolerations
                .iter()
                .any(|toleration| tolerates(toleration, taint))
    })
}

/// Empty effect and key tolerate any; an unknown operator tolerates nothing.
fn tolerates(toleration: &DeviceToleration, taint: &DeviceTaint) -> bool {
    let any_or = |wanted: &str, actual: &str| wanted.is_empty() || wanted == actual;
    any_or(&toleration.effect, &taint.effect)
        && any_or(&toleration.key, &taint.key)
        && match &*toleration.operator {
            "" | "Equal" => toleration.value == taint.value,
            "Exists" => true,
            _ => false,
        }
}

impl DeviceTaintRule {
    /// Returns whether the rule taints a device.
    ///
    /// A rule without a selector taints nothing, as its documentation says;
    /// Kubernetes' code taints everything.
    pub fn selects(&self, driver: &str, pool: &str, device: &str) -> bool {
        let is = |wanted: &Option<Str>, actual: &str| {
            wanted.as_ref().is_none_or(|wanted| **wanted == *actual)
        };
        self.spec.device_selector.as_ref().is_some_and(|selector| {
            is(&selector.driver, driver) && is(&selector.pool, pool) && is(&selector.device, device)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toleration(key: &str, operator: &str, value: &str, effect: &str) -> DeviceToleration {
        DeviceToleration {
            key: key.into(),
            operator: operator.into(),
            value: value.into(),
            effect: effect.into(),
            toleration_seconds: None,
        }
    }

    #[test]
    fn tolerations_compare_key_value_and_effect() {
        let taint = DeviceTaint {
            key: "broken".into(),
            value: "fan".into(),
            effect: "NoExecute".into(),
            time_added: None,
        };
        for (toleration, expected) in [
            (toleration("broken", "Equal", "fan", "NoExecute"), true),
            (toleration("broken", "", "fan", ""), true),
            (toleration("broken", "Equal", "disk", ""), false),
            (toleration("broken", "Exists", "", ""), true),
            (toleration("", "Exists", "", ""), true),
            (toleration("other", "Exists", "", ""), false),
            (toleration("broken", "Exists", "", "NoSchedule"), false),
            (toleration("broken", "Like", "fan", ""), false),
        ] {
            let blocked = blocking_taint([&taint], std::slice::from_ref(&toleration)).is_some();
            assert_eq!(!blocked, expected, "{toleration:?}");
        }
    }

    #[test]
    fn only_known_effects_block() {
        for (effect, blocks) in [
            ("NoSchedule", true),
            ("NoExecute", true),
            ("None", false),
            ("Explode", false),
        ] {
            let taint = DeviceTaint {
                effect: effect.into(),
                ..DeviceTaint::default()
            };
            assert_eq!(blocking_taint([&taint], &[]).is_some(), blocks, "{effect}");
        }
    }
}
