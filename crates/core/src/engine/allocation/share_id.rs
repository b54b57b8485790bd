//! Ids of shares of a device.

use uuid::Uuid;

use crate::model::{DeviceId, Str};

/// Namespace of the ids, made once for dralloc.
const NAMESPACE: Uuid = Uuid::from_u128(0x6c1f_5a3e_8a57_4d5c_9b0e_2f64_d1a7_c3b9);

/// Returns an id for a share: the same for the same share, and never one that
/// is outstanding.
pub(super) fn share_id(
    owner: &str,
    request: &str,
    device: &DeviceId,
    is_outstanding: impl Fn(&str) -> bool,
) -> Str {
    let mut ordinal: u64 = 0;
    loop {
        // No name of Kubernetes has a zero byte, so that no two shares spell the same.
        let name = format!("{owner}\0{request}\0{device}\0{ordinal}");
        let id = Uuid::new_v5(&NAMESPACE, name.as_bytes()).to_string();
        if !is_outstanding(&id) {
            return id.into();
        }
        ordinal += 1;
    }
}
