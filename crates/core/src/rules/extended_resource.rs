//! Extended resources: which names are some, and which class stands for one.
//!
//! Sources: `pkg/apis/core/v1/helper`, `pkg/scheduler/util` and
//! `dynamic-resource-allocation/deviceclass/extendedresourcecache` of Kubernetes 1.37.

use std::cmp::Ordering;

use super::name_format::{is_dns_subdomain, is_label_name};
use super::timestamp::seconds_of;
use crate::model::{DeviceClass, Quantity};

/// What stands before the name of a class to ask for its devices by that.
const CLASS_PREFIX: &str = "deviceclass.resource.kubernetes.io/";

/// Longest domain (a DNS subdomain), and longest name after it (a label).
const DOMAIN_BYTES: usize = 253;
const NAME_BYTES: usize = 63;

/// Returns whether a name is that of an extended resource, such as `example.com/gpu`: its
/// domain is none of Kubernetes' own.
pub(crate) fn is_extended_resource(name: &str) -> bool {
    let Some((domain, own)) = name.split_once('/') else {
        return false;
    };
    let is_native = name.contains("kubernetes.io/");
    // Quotas count it with this before its domain, and the whole must be a label key.
    let counted = "requests.".len() + domain.len();
    !is_native
        && !name.starts_with("requests.")
        && counted <= DOMAIN_BYTES
        && own.len() <= NAME_BYTES
        && is_dns_subdomain(domain)
        && is_label_name(own)
}

/// Returns whether devices may be behind the name of a resource: it is extended, or names
/// a class.
pub(crate) fn is_served_by_class(name: &str) -> bool {
    is_extended_resource(name) || name.starts_with(CLASS_PREFIX)
}

/// Returns how many units of an extended resource an amount is.
///
/// # Errors
///
/// What was expected, in words, if it is no whole number or too large for one.
pub(crate) fn units_of(quantity: &Quantity) -> Result<i64, String> {
    let units = quantity.amount().exact_units();
    let units = units.and_then(|units| i64::try_from(units).ok());
    units.filter(|units| *units >= 0).ok_or_else(|| {
        let most = i64::MAX;
        format!("expected a whole number from 0 to {most}, found `{quantity}`")
    })
}

impl DeviceClass {
    /// Returns the name of the class that an extended resource names itself, such as `gpu`
    /// of `deviceclass.resource.kubernetes.io/gpu`.
    pub fn named_by(resource: &str) -> Option<&str> {
        resource.strip_prefix(CLASS_PREFIX)
    }

    /// Returns the class whose devices an extended resource is, if there is one.
    ///
    /// Of classes with the same `extendedResourceName` the youngest counts, so that another
    /// can take over; of those that are equally old the first by name. A class without a
    /// time is older than all others.
    pub fn of_extended_resource<'a>(
        resource: &str,
        classes: impl IntoIterator<Item = &'a Self>,
    ) -> Option<&'a Self> {
        let mut classes = classes.into_iter();
        if let Some(class) = Self::named_by(resource) {
            return classes.find(|one| &*one.metadata.name == class);
        }
        classes
            .filter(|class| class.spec.extended_resource_name.as_deref() == Some(resource))
            .max_by(|one, other| precedence(one, other))
    }
}

fn precedence(one: &DeviceClass, other: &DeviceClass) -> Ordering {
    let created = |class: &DeviceClass| {
        let time = class.metadata.creation_timestamp.as_deref();
        time.and_then(seconds_of)
    };
    let by_age = created(one).cmp(&created(other));
    by_age.then_with(|| other.metadata.name.cmp(&one.metadata.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_a_domain_of_their_own() {
        for name in ["nvidia.com/gpu", "example.com/A_b.c-d"] {
            assert!(
                is_extended_resource(name) && is_served_by_class(name),
                "{name}"
            );
        }
        let long = format!("{}.com/gpu", ["a"; 125].join("."));
        for name in [
            "cpu",
            "hugepages-2Mi",
            "kubernetes.io/gpu",
            "node.kubernetes.io/gpu",
            "requests.example.com/gpu",
            "example.com/",
            "/gpu",
            "example.com/a/b",
            "Example.com/gpu",
            "example.com/-gpu",
            &long,
        ] {
            assert!(
                !is_extended_resource(name) && !is_served_by_class(name),
                "{name}"
            );
        }
        let class = "deviceclass.resource.kubernetes.io/gpu.example.com";
        assert!(!is_extended_resource(class) && is_served_by_class(class));
    }

    #[test]
    fn units_are_whole_numbers() {
        let units = |text: &str| units_of(&text.parse().unwrap());
        assert_eq!(units("0"), Ok(0));
        assert_eq!(units("2000m"), Ok(2));
        assert_eq!(units("9223372036854775807"), Ok(i64::MAX));
        for text in ["9223372036854775808", "1500m", "-1"] {
            let expected =
                format!("expected a whole number from 0 to 9223372036854775807, found `{text}`");
            assert_eq!(units(text), Err(expected));
        }
    }

    fn class(name: &str, resource: Option<&str>, created: Option<&str>) -> DeviceClass {
        let mut class = DeviceClass::default();
        class.metadata.name = name.into();
        class.metadata.creation_timestamp = created.map(Into::into);
        class.spec.extended_resource_name = resource.map(Into::into);
        class
    }

    #[test]
    fn of_classes_with_one_name_the_youngest_counts() {
        let gpu = Some("example.com/gpu");
        let (march, april) = (Some("2026-03-31T12:00:00Z"), Some("2026-04-01T12:00:00Z"));
        // Text would say that the first is younger.
        let same_moment = Some("2026-04-01T14:00:00+02:00");
        let classes = [
            class("a", gpu, march),
            class("c", gpu, april),
            class("b", gpu, same_moment),
            class("d", gpu, None),
            class("e", None, april),
        ];
        let name = |resource: &str, classes: &[DeviceClass]| {
            DeviceClass::of_extended_resource(resource, classes)
                .map(|class| class.metadata.name.to_string())
        };
        assert_eq!(name("example.com/gpu", &classes).as_deref(), Some("b"));
        let mut turned = classes.clone();
        turned.reverse();
        assert_eq!(name("example.com/gpu", &turned).as_deref(), Some("b"));
        assert_eq!(name("example.com/gpu", &classes[3..]).as_deref(), Some("d"));
        assert_eq!(name("example.com/nic", &classes), None);
        // What loses its extended name keeps its own.
        for own in ["a", "d", "e"] {
            let resource = format!("deviceclass.resource.kubernetes.io/{own}");
            assert_eq!(name(&resource, &classes).as_deref(), Some(own));
        }
        assert_eq!(name("deviceclass.resource.kubernetes.io/f", &classes), None);
    }
}
