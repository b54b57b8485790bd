//! Which devices are tainted, and by whom, in words.

use dralloc::TaintedDevice;
use dralloc::model::{DeviceTaint, Str};

use crate::words::few;

/// Returns a text for each taint, such as
/// ``device `gpu.example.com/worker-1/gpu-3` has the taint `lost:NoExecute` of DeviceTaintRule
/// `maintenance` ``.
pub(super) fn words(tainted: &[TaintedDevice]) -> Option<String> {
    let mut taints: Vec<(&DeviceTaint, Option<&Str>, Vec<String>)> = Vec::new();
    for one in tainted {
        let (name, rule) = (format!("`{}`", one.device), one.rule.as_ref());
        let is_same = |other: &&mut (&DeviceTaint, _, _)| {
            other.0.to_string() == one.taint.to_string() && other.1 == rule
        };
        match taints.iter_mut().find(is_same) {
            Some((_, _, devices)) if devices.contains(&name) => {}
            Some((_, _, devices)) => devices.push(name),
            None => taints.push((&one.taint, rule, vec![name])),
        }
    }
    let texts = taints.into_iter().map(|(taint, rule, devices)| {
        let (noun, have) = if devices.len() == 1 {
            ("device", "has")
        } else {
            ("devices", "have")
        };
        let devices = few(&devices);
        let rule = rule.map(|rule| format!(" of DeviceTaintRule `{rule}`"));
        let rule = rule.unwrap_or_default();
        format!("{noun} {devices} {have} the taint `{taint}`{rule}")
    });
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

#[cfg(test)]
mod tests {
    use dralloc::model::DeviceId;

    use super::*;

    #[test]
    fn few_devices_are_named_and_rules_told() {
        let tainted = |name: &str, rule: Option<&str>| TaintedDevice {
            claim: 0,
            request: "gpu".into(),
            device: DeviceId::new("d", "p", name),
            taint: DeviceTaint {
                key: "lost".into(),
                effect: "NoExecute".into(),
                ..DeviceTaint::default()
            },
            rule: rule.map(Into::into),
        };
        let of = |names: &[&str]| -> Vec<TaintedDevice> {
            names.iter().map(|name| tainted(name, None)).collect()
        };
        for (names, expected) in [
            (&["a"][..], "device `d/p/a` has the taint `lost:NoExecute`"),
            (
                &["a", "b", "c"],
                "devices `d/p/a`, `d/p/b` and `d/p/c` have the taint `lost:NoExecute`",
            ),
            (
                &["a", "b", "c", "d"],
                "devices `d/p/a`, `d/p/b` and 2 more have the taint `lost:NoExecute`",
            ),
        ] {
            assert_eq!(words(&of(names)).as_deref(), Some(expected));
        }
        let by_rule = [tainted("a", Some("x")), tainted("a", Some("x"))];
        let expected = "device `d/p/a` has the taint `lost:NoExecute` of DeviceTaintRule `x`";
        assert_eq!(words(&by_rule).as_deref(), Some(expected));
        assert_eq!(words(&[]), None);
    }
}
