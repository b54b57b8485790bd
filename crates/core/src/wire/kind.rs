//! [`Resolution`]: which type reads an object.

use super::form::near;

/// API group of devices and claims.
const GROUP: &str = "resource.k8s.io";

/// API group of what Kubernetes has no words for.
const EXTENSIONS: &str = "dralloc.dev";

/// Is a version of `resource.k8s.io`, or the only one of another group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    V1,
    V1Beta2,
    V1Beta1,
    V1Alpha3,
    /// Of `dralloc.dev`.
    V1Alpha1,
}

impl Version {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::V1 => "v1",
            Self::V1Beta2 => "v1beta2",
            Self::V1Beta1 => "v1beta1",
            Self::V1Alpha3 => "v1alpha3",
            Self::V1Alpha1 => "v1alpha1",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::V1, Self::V1Beta2, Self::V1Beta1, Self::V1Alpha3]
            .into_iter()
            .find(|version| version.as_str() == text)
    }
}

/// Is a kind that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    ResourceSlice,
    DeviceClass,
    ResourceClaim,
    ResourceClaimTemplate,
    DeviceTaintRule,
    Node,
    Pod,
    Topology,
    AttributeOverlay,
    DeviceHealth,
    DeviceHold,
}

impl Kind {
    /// The kinds of `resource.k8s.io`.
    const DEVICES: [Self; 5] = [
        Self::ResourceSlice,
        Self::DeviceClass,
        Self::ResourceClaim,
        Self::ResourceClaimTemplate,
        Self::DeviceTaintRule,
    ];

    /// The kinds of `dralloc.dev`.
    const EXTENSIONS: [Self; 4] = [
        Self::Topology,
        Self::AttributeOverlay,
        Self::DeviceHealth,
        Self::DeviceHold,
    ];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::ResourceSlice => "ResourceSlice",
            Self::DeviceClass => "DeviceClass",
            Self::ResourceClaim => "ResourceClaim",
            Self::ResourceClaimTemplate => "ResourceClaimTemplate",
            Self::DeviceTaintRule => "DeviceTaintRule",
            Self::Node => "Node",
            Self::Pod => "Pod",
            Self::Topology => "Topology",
            Self::AttributeOverlay => "AttributeOverlay",
            Self::DeviceHealth => "DeviceHealth",
            Self::DeviceHold => "DeviceHold",
        }
    }

    fn of_devices(text: &str) -> Option<Self> {
        Self::DEVICES.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Returns the versions in which the kind is served.
    fn versions(self) -> &'static [Version] {
        match self {
            Self::DeviceTaintRule => &[Version::V1, Version::V1Beta2, Version::V1Alpha3],
            Self::Node | Self::Pod => &[Version::V1],
            _ => &[Version::V1, Version::V1Beta2, Version::V1Beta1],
        }
    }
}

/// Says what to do with an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Resolution {
    /// Read it.
    Read(Kind, Version),
    /// Read its items, which name their kinds themselves.
    List,
    /// Read its items, which are of that kind unless they say otherwise.
    ListOf(&'static str),
    /// Pass it over and say so.
    Ignore,
    /// Refuse it, since it was probably meant to be read.
    Refuse(String),
}

impl Resolution {
    pub(super) fn of(api_version: &str, kind: &str) -> Self {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        if group == GROUP {
            return Self::of_devices(version, kind);
        }
        if group.eq_ignore_ascii_case(EXTENSIONS) || api_version == EXTENSIONS {
            return Self::of_extensions(api_version, kind);
        }
        let is_almost = group.eq_ignore_ascii_case(GROUP) || api_version == GROUP;
        let item = kind.strip_suffix("List").unwrap_or(kind);
        if is_almost || (group.is_empty() && Kind::of_devices(item).is_some()) {
            return Self::Refuse(format!(
                "`{kind}` of `{api_version}` is not known, expected a version such as `{GROUP}/v1`"
            ));
        }
        match (api_version, kind) {
            ("v1", "Node") => Self::Read(Kind::Node, Version::V1),
            ("v1", "Pod") => Self::Read(Kind::Pod, Version::V1),
            ("v1", "List") => Self::List,
            ("v1", "NodeList") => Self::ListOf("Node"),
            ("v1", "PodList") => Self::ListOf("Pod"),
            _ => Self::Ignore,
        }
    }

    /// Of this group everything is meant to be read: nothing is passed over.
    fn of_extensions(api_version: &str, kind: &str) -> Self {
        let (item, is_list) = split(kind);
        let mut known = Kind::EXTENSIONS.into_iter();
        match known.find(|known| known.as_str() == item) {
            Some(_) if api_version != "dralloc.dev/v1alpha1" => Self::Refuse(format!(
                "`{kind}` of `{api_version}` is not known, expected `{EXTENSIONS}/v1alpha1`"
            )),
            Some(known) if is_list => Self::ListOf(known.as_str()),
            Some(known) => Self::Read(known, Version::V1Alpha1),
            None if item == "PlacementPolicy" => Self::Refuse(
                "`PlacementPolicy` is no object of its own, expected it in the configuration of \
                 a claim or class"
                    .to_owned(),
            ),
            None => {
                let names = Kind::EXTENSIONS.map(Kind::as_str);
                let list = if is_list { "List" } else { "" };
                let expected = match near(item, &names) {
                    Some(name) => format!("did you mean `{name}{list}`"),
                    None => format!("expected one of `{}`", names.join("`, `")),
                };
                Self::Refuse(format!("unknown kind `{kind}`, {expected}"))
            }
        }
    }

    fn of_devices(version: &str, kind: &str) -> Self {
        let (item, is_list) = split(kind);
        let Some(known) = Kind::of_devices(item) else {
            let names = Kind::DEVICES.map(Kind::as_str);
            return match near(item, &names) {
                Some(name) => Self::Refuse(format!(
                    "unknown kind `{kind}`, did you mean `{name}{}`",
                    if is_list { "List" } else { "" }
                )),
                None => Self::Ignore,
            };
        };
        match Version::parse(version) {
            Some(version) if known.versions().contains(&version) => {
                if is_list {
                    Self::ListOf(known.as_str())
                } else {
                    Self::Read(known, version)
                }
            }
            _ => {
                let versions: Vec<_> = known
                    .versions()
                    .iter()
                    .map(|version| version.as_str())
                    .collect();
                let (last, others) = versions.split_last().unwrap_or((&"v1", &[]));
                Self::Refuse(format!(
                    "`{kind}` of `{GROUP}/{version}` is not known, expected version {} or {last}",
                    others.join(", "),
                ))
            }
        }
    }
}

/// Splits the name of a kind into that of its items and whether it is a list.
fn split(kind: &str) -> (&str, bool) {
    match kind.strip_suffix("List") {
        Some(item) => (item, true),
        None => (kind, false),
    }
}
