//! Ids of shares of a device.

use std::fmt::Write as _;

use uuid::Uuid;

use crate::model::Str;
use crate::rules::RequestName;
use crate::store::DeviceEntry;

/// Namespace of the ids, made once for dralloc.
const NAMESPACE: Uuid = Uuid::from_u128(0x6c1f_5a3e_8a57_4d5c_9b0e_2f64_d1a7_c3b9);

/// Returns an id for a share: the same for the same share, and never one that
/// is outstanding.
pub(super) fn share_id(
    owner: &str,
    request: &RequestName,
    device: &DeviceEntry,
    is_outstanding: impl Fn(&str) -> bool,
) -> Str {
    // No name of Kubernetes has a zero byte, so that no two shares spell the same.
    let spec = &device.stored.slice.spec;
    let (pool, device) = (&*spec.pool.name, &*device.device().name);
    let mut name = String::with_capacity(128);
    name.push_str(owner);
    // Writing to a string cannot fail.
    let _ = write!(name, "\0{request}\0");
    for part in [&*spec.driver, "/", pool, "/", device, "\0"] {
        name.push_str(part);
    }
    let stem = name.len();
    let mut ordinal: u64 = 0;
    loop {
        name.truncate(stem);
        let _ = write!(name, "{ordinal}");
        let id = Uuid::new_v5(&NAMESPACE, name.as_bytes());
        let mut text = Uuid::encode_buffer();
        let id = id.hyphenated().encode_lower(&mut text);
        if !is_outstanding(id) {
            return Str::from(&*id);
        }
        ordinal += 1;
    }
}
