//! What the API server fills in before it validates and stores.
//!
//! `resource.k8s.io/v1` and `v1beta2` have the same rules. Slices, classes and
//! taint rules have one default, the time at which a taint was added; there is
//! no clock here, allocation does not look at it, and it stays absent.
//!
//! Sources: `defaults.go` and `zz_generated.defaults.go` of
//! `pkg/apis/resource/v1` and `v1beta1` of Kubernetes 1.37.

use crate::model::{
    DeviceClaim, DeviceRequest, DeviceToleration, ExactDeviceRequest, ResourceClaim,
    ResourceClaimTemplate,
};

/// Fills in the defaults of a claim: mode `ExactCount`, count 1, operator `Equal`.
///
/// # Examples
///
/// ```
/// use dralloc::model::{DeviceRequest, ExactDeviceRequest, ResourceClaim};
///
/// let mut claim = ResourceClaim::default();
/// let exactly = Some(ExactDeviceRequest::default());
/// claim.spec.devices.requests = vec![DeviceRequest { exactly, ..DeviceRequest::default() }];
/// dralloc::validate::defaults::resource_claim(&mut claim);
/// let exactly = claim.spec.devices.requests[0].exactly.as_ref();
/// assert_eq!(exactly.map(|exactly| (&*exactly.allocation_mode, exactly.count)), Some(("ExactCount", 1)));
/// ```
pub fn resource_claim(claim: &mut ResourceClaim) {
    device_claim(&mut claim.spec.devices, |_| true);
    allocation(claim);
}

/// Fills in the defaults of a claim that was written as `v1beta1`.
///
/// There a request has the fields of `exactly` itself; without a class they
/// get no defaults, because the request may be one with alternatives.
pub fn resource_claim_v1beta1(claim: &mut ResourceClaim) {
    device_claim(&mut claim.spec.devices, has_class);
    allocation(claim);
}

/// Fills in the defaults of a template; those of claims.
pub fn resource_claim_template(template: &mut ResourceClaimTemplate) {
    device_claim(&mut template.spec.spec.devices, |_| true);
}

/// Fills in the defaults of a template that was written as `v1beta1`;
/// see [`resource_claim_v1beta1`].
pub fn resource_claim_template_v1beta1(template: &mut ResourceClaimTemplate) {
    device_claim(&mut template.spec.spec.devices, has_class);
}

fn has_class(exactly: &ExactDeviceRequest) -> bool {
    !exactly.device_class_name.is_empty()
}

fn device_claim(claim: &mut DeviceClaim, counted: fn(&ExactDeviceRequest) -> bool) {
    for DeviceRequest {
        exactly,
        first_available,
        ..
    } in &mut claim.requests
    {
        if let Some(exactly) = exactly {
            if counted(exactly) {
                mode_and_count(&mut exactly.allocation_mode, &mut exactly.count);
            }
            tolerations(&mut exactly.tolerations);
        }
        for sub_request in first_available {
            mode_and_count(&mut sub_request.allocation_mode, &mut sub_request.count);
            tolerations(&mut sub_request.tolerations);
        }
    }
}

fn allocation(claim: &mut ResourceClaim) {
    let results = claim
        .status
        .allocation
        .iter_mut()
        .flat_map(|given| &mut given.devices.results);
    results.for_each(|result| tolerations(&mut result.tolerations));
}

fn mode_and_count(mode: &mut crate::model::Str, count: &mut i64) {
    if mode.is_empty() {
        *mode = "ExactCount".into();
    }
    if &**mode == "ExactCount" && *count == 0 {
        *count = 1;
    }
}

fn tolerations(tolerations: &mut [DeviceToleration]) {
    for toleration in tolerations {
        if toleration.operator.is_empty() {
            toleration.operator = "Equal".into();
        }
    }
}
