//! Whatever is in the fields, errors stay short and on one line.

use proptest::prelude::{any, proptest};
use serde_json::{Value, json};

use super::{all, object, resource_claim, resource_slice};
use crate::error::Error;
use crate::model::{ResourceClaim, ResourceSlice};
use crate::validate;

fn are_readable(errors: &[Error]) {
    for error in errors {
        let line = error.to_string();
        assert!(!line.contains(char::is_control), "{line}");
        assert!(!line.ends_with('.'), "{line}");
        assert!(line.chars().count() < 400, "{line}");
        assert!(!error.path().is_empty(), "{line}");
    }
}

fn changes(places: &[&str], value: &Value) -> Value {
    places
        .iter()
        .map(|place| ((*place).to_owned(), value.clone()))
        .collect()
}

proptest! {
    #[test]
    fn errors_of_claims(text: String, number in any::<i64>()) {
        let exactly = "/spec/devices/requests/0/exactly";
        let mut given = changes(
            &[
                "/metadata/name",
                "/spec/devices/requests/0/name",
                "/spec/devices/constraints/0/requests/0",
                "/spec/devices/constraints/0/matchAttribute",
                "/spec/devices/config/0/opaque/driver",
                &format!("{exactly}/deviceClassName"),
                &format!("{exactly}/allocationMode"),
            ],
            &json!(text),
        );
        given[format!("{exactly}/count")] = json!(number);
        given[format!("{exactly}/tolerations")] = json!([{"key": text, "operator": text}]);
        let claim: ResourceClaim = object(&resource_claim::base(), &given);
        are_readable(&validate::resource_claim(&claim, &all()));
    }

    #[test]
    fn errors_of_slices(text: String, number in any::<i64>()) {
        let mut given = changes(
            &["/spec/driver", "/spec/pool/name", "/spec/nodeName", "/spec/devices/0/name"],
            &json!(text),
        );
        given["/spec/pool/generation"] = json!(number);
        given["/spec/devices/0/attributes"] = json!({ text.clone(): {"version": text} });
        given["/spec/devices/0/capacity"] = json!({ text.clone(): {"value": number.to_string()} });
        given["/spec/devices/0/taints"] = json!([{"key": text, "value": text, "effect": text}]);
        let item: ResourceSlice = object(&resource_slice::base(), &given);
        are_readable(&validate::resource_slice(&item, &all()));
    }
}
