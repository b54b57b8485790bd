//! Taints and what tolerates them.

use crate::model::{DeviceTaint, DeviceTaintRule, DeviceToleration, Str};

impl DeviceTaint {
    /// Returns whether it keeps away those that do not tolerate it.
    ///
    /// Taints with other effects than `NoSchedule` and `NoExecute` keep nobody
    /// away, not even with an effect that is not known here (`resource/v1
    /// DeviceTaintEffect`).
    pub fn keeps_away(&self) -> bool {
        matches!(&*self.effect, "NoSchedule" | "NoExecute")
    }
}

/// Returns the first taint that keeps a request away from a device.
pub(crate) fn blocking_taint<'a>(
    taints: impl IntoIterator<Item = &'a DeviceTaint>,
    tolerations: &[DeviceToleration],
) -> Option<&'a DeviceTaint> {
    taints.into_iter().find(|taint| {
        taint.keeps_away()
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
        let selector = self.spec.device_selector.as_ref();
        self.selects_in(driver, pool)
            && selector.is_some_and(|selector| is_or_any(selector.device.as_ref(), device))
    }

    /// Returns whether the rule may taint devices of a pool: it taints none of them if not.
    pub fn selects_in(&self, driver: &str, pool: &str) -> bool {
        self.spec.device_selector.as_ref().is_some_and(|selector| {
            is_or_any(selector.driver.as_ref(), driver) && is_or_any(selector.pool.as_ref(), pool)
        })
    }
}

fn is_or_any(wanted: Option<&Str>, actual: &str) -> bool {
    wanted.is_none_or(|wanted| **wanted == *actual)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::DeviceTaintSelector;

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
    fn rules_select_by_what_they_name() {
        let rule = |[driver, pool, device]: [Option<&str>; 3]| {
            let mut rule = DeviceTaintRule::default();
            rule.spec.device_selector = Some(DeviceTaintSelector {
                driver: driver.map(Into::into),
                pool: pool.map(Into::into),
                device: device.map(Into::into),
            });
            rule
        };
        for (named, in_pool, selects) in [
            ([None, None, None], true, true),
            ([Some("d"), Some("p"), Some("gpu-0")], true, true),
            ([Some("e"), Some("p"), Some("gpu-0")], false, false),
            ([None, Some("q"), None], false, false),
            ([None, None, Some("gpu-1")], true, false),
        ] {
            let rule = rule(named);
            assert_eq!(rule.selects_in("d", "p"), in_pool, "{named:?}");
            assert_eq!(rule.selects("d", "p", "gpu-0"), selects, "{named:?}");
        }
        let nothing = DeviceTaintRule::default();
        assert!(!nothing.selects_in("d", "p") && !nothing.selects("d", "p", "gpu-0"));
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
