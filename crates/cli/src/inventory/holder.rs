//! [`Holder`]: who holds devices.

use std::fmt;

use serde::Serialize;

/// Names a claim or a hold; prints as `namespace/name` or as `hold name`.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Holder<'h> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<&'h str>,
    name: &'h str,
}

impl<'h> Holder<'h> {
    /// Returns what the books name an owner, in parts.
    pub(super) fn of(holder: &'h dralloc::Holder) -> Self {
        let name = holder.name.as_deref();
        let parts = name.unwrap_or(&holder.owner).split_once('/');
        let (kind, namespace, name) = match (name, parts) {
            (None, Some(("DeviceHold", name))) => ("hold", None, name),
            (_, Some((namespace, name))) => ("claim", Some(namespace), name),
            // Of a claim that was not given with its name the uid is known.
            (_, None) => ("claim", None, name.unwrap_or(&holder.owner)),
        };
        Self {
            kind,
            namespace,
            name,
        }
    }
}

impl fmt::Display for Holder<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.namespace {
            Some(namespace) => write!(formatter, "{namespace}/{}", self.name),
            None if self.kind == "hold" => write!(formatter, "hold {}", self.name),
            None => formatter.write_str(self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_and_holds_are_told_apart() {
        for (owner, name, (kind, namespace, own), text) in [
            ("uid-1", Some("a/b"), ("claim", Some("a"), "b"), "a/b"),
            ("a/b", None, ("claim", Some("a"), "b"), "a/b"),
            ("DeviceHold/h", None, ("hold", None, "h"), "hold h"),
            (
                "DeviceHold/h",
                Some("DeviceHold/h"),
                ("claim", Some("DeviceHold"), "h"),
                "DeviceHold/h",
            ),
            ("uid-1", None, ("claim", None, "uid-1"), "uid-1"),
        ] {
            let holder = dralloc::Holder {
                owner: owner.into(),
                name: name.map(Into::into),
            };
            let found = Holder::of(&holder);
            assert_eq!(
                (found.kind, found.namespace, found.name),
                (kind, namespace, own)
            );
            assert_eq!(found.to_string(), text);
        }
    }
}
