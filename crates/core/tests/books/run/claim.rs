//! Claims, and what events say of them.

use dralloc::model::{ResourceClaim, ResourceClaimConsumerReference};
use serde_json::json;

use super::{Ask, Claim};
use crate::model::Holding;

pub(super) fn named(uid: &str) -> ResourceClaim {
    spec(&uid.replace('.', "-"), uid, &[])
}

pub(super) fn spec(name: &str, uid: &str, asks: &[Ask]) -> ResourceClaim {
    let requests = asks
        .iter()
        .enumerate()
        .map(|(place, (driver, count, amount))| {
            let mut exactly = json!({"deviceClassName": driver, "allocationMode": "ExactCount",
                                 "count": count});
            if *driver == "share" {
                exactly["capacity"] = json!({"requests": {"memory": amount.to_string()}});
            }
            json!({"name": format!("r{place}"), "exactly": exactly})
        });
    let requests: Vec<_> = requests.collect();
    let claim = json!({"metadata": {"name": name, "namespace": "default", "uid": uid},
                       "spec": {"devices": {"requests": requests}}});
    serde_json::from_value(claim).unwrap()
}

pub(super) fn event(claim: &Claim, said: &Holding) -> ResourceClaim {
    let mut event = spec(&claim.name, &claim.uid, &claim.asks);
    event.metadata.resource_version = Some(claim.version.to_string().into());
    if said.devices.is_empty() {
        return event;
    }
    event.status.allocation = Some(said.result());
    let users = said.users.iter().map(|uid| ResourceClaimConsumerReference {
        uid: uid.as_str().into(),
        ..ResourceClaimConsumerReference::default()
    });
    event.status.reserved_for = users.collect();
    event.metadata.deletion_timestamp = said.releasing.then(|| "2026-01-01T00:00:00Z".into());
    event
}
