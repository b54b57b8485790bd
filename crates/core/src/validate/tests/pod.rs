//! What pods say of claims.

use serde_json::json;

use super::{object, report, table};
use crate::error::Code::{Duplicate, Invalid};
use crate::model::Pod;
use crate::validate::pod;

#[test]
fn of_pods() {
    let base = json!({
        "metadata": {"name": "a"},
        "spec": {"resourceClaims": [
            {"name": "gpu", "resourceClaimName": "a"},
            {"name": "nic", "resourceClaimTemplateName": "b"},
        ]},
    });
    table(
        &base,
        pod,
        &[
            (
                json!({"/spec/resourceClaims/0/name": "gpu-0"}),
                json!({"/spec/resourceClaims/0/name": "nic"}),
                "spec.resourceClaims[1].name",
                Duplicate,
                "duplicate `nic`, expected each name once",
            ),
            (
                json!({"/spec/resourceClaims/0/name": "0"}),
                json!({"/spec/resourceClaims/0/name": ""}),
                "spec.resourceClaims[0].name",
                Invalid,
                "expected a name, found none",
            ),
            (
                json!({"/spec/resourceClaims/0/resourceClaimName": "b"}),
                json!({"/spec/resourceClaims/0/resourceClaimName": null}),
                "spec.resourceClaims[0]",
                Invalid,
                "expected one of `resourceClaimName` and `resourceClaimTemplateName`, found none",
            ),
            (
                json!({"/spec/resourceClaims/1/resourceClaimTemplateName": "a.b"}),
                json!({"/spec/resourceClaims/1/resourceClaimName": "b"}),
                "spec.resourceClaims[1]",
                Invalid,
                "expected one of `resourceClaimName` and `resourceClaimTemplateName`, found both",
            ),
        ],
    );
}

#[test]
fn two_names_are_a_fault_and_both_are_looked_at() {
    let claims =
        json!([{"name": "gpu", "resourceClaimName": "A", "resourceClaimTemplateName": "B"}]);
    let base = json!({"metadata": {"name": "a"}, "spec": {}});
    let changed: Pod = object(&base, &json!({"/spec/resourceClaims": claims}));
    let name = "expected a DNS name of lower-case letters, digits, `-` and `.`, found";
    assert_eq!(
        report(&pod(&changed)),
        [
            "spec.resourceClaims[0]: invalid: expected one of `resourceClaimName` and \
             `resourceClaimTemplateName`, found both"
                .to_owned(),
            format!("spec.resourceClaims[0].resourceClaimName: invalid: {name} `A`"),
            format!("spec.resourceClaims[0].resourceClaimTemplateName: invalid: {name} `B`"),
        ]
    );
}
