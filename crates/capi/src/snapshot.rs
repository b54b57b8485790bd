//! [`dralloc_snapshot`]: all that was known at one moment.

use dralloc::wire::Decoder;
use dralloc::{Code, Error};
use dralloc_forms::recordable::Snapshot;
use dralloc_forms::text;

use crate::bytes::dralloc_bytes;
use crate::claims::dralloc_claims;
use crate::error::dralloc_error;
use crate::node_list::dralloc_node_list;
use crate::raw::{Noun, Shared, call};
use crate::status::dralloc_status;
use crate::transaction::{Begun, dralloc_transaction};

/// Shows what an engine knew when it was made. It never changes, so that any number of
/// threads may use it.
pub struct dralloc_snapshot(());

impl Noun for dralloc_snapshot {
    type Value = Snapshot;
    const TAG: u32 = 0xd7a1_000a;
    const NAME: &'static str = "snapshot";
}

impl Shared for dralloc_snapshot {}

/// Returns the revision of the engine; larger is later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_snapshot_revision(
    snapshot: *const dralloc_snapshot,
    revision: *mut u64,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(revision, "revision")?;
        out.write(caller.shared(snapshot)?.get().revision());
        Ok(())
    })
}

/// Compiles claims: objects as Kubernetes prints them, lists of them, or an array.
///
/// They are asked about together, in their order. Claims with a spec that is known
/// are not compiled again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_snapshot_prepare(
    snapshot: *const dralloc_snapshot,
    json: *const u8,
    json_length: usize,
    claims: *mut *mut dralloc_claims,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(claims, "claims")?;
        let json = caller.text(json, json_length, "json")?;
        let snapshot = caller.shared(snapshot)?;
        let claims = dralloc_forms::claims(&mut Decoder::new(), json)?;
        out.give(snapshot.prepare(claims)?);
        Ok(())
    })
}

/// Begins a transaction: a private what-if that starts from the snapshot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_snapshot_transaction(
    snapshot: *const dralloc_snapshot,
    transaction: *mut *mut dralloc_transaction,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(transaction, "transaction")?;
        let snapshot = caller.shared(snapshot)?;
        out.give(Begun::from(snapshot.transaction()));
        Ok(())
    })
}

/// Looks nodes up by name, for calls that name them by place; `names` is a JSON array,
/// no text is all nodes by name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_snapshot_node_list(
    snapshot: *const dralloc_snapshot,
    names: *const u8,
    names_length: usize,
    nodes: *mut *mut dralloc_node_list,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(nodes, "nodes")?;
        let names = caller.text(names, names_length, "names")?;
        let snapshot = caller.shared(snapshot)?.get();
        let nodes = if names.trim().is_empty() {
            snapshot.node_list(snapshot.nodes().map(|node| &*node.metadata.name))
        } else {
            let names = dralloc_forms::names(names)?;
            snapshot.node_list(names.iter().map(|name| &**name))
        };
        out.give(nodes);
        Ok(())
    })
}

/// Returns the names of all nodes, as a JSON array in order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_snapshot_nodes(
    snapshot: *const dralloc_snapshot,
    names: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(names, "names")?;
        let nodes = caller.shared(snapshot)?.get().nodes();
        let names: Vec<&str> = nodes.map(|node| &*node.metadata.name).collect();
        out.give(text(&names)?);
        Ok(())
    })
}

/// Returns the objects of a kind that the snapshot knows, by name, as one list that
/// `dralloc_engine_apply` takes: all of them, or the one with a name; no text is all.
///
/// Kinds are `Node`, `DeviceClass`, `Topology`, `AttributeOverlay`, `DeviceHealth` and
/// `DeviceHold` (`DRALLOC_STATUS_UNSUPPORTED` for others). Only fields that dralloc
/// reads are there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_snapshot_objects(
    snapshot: *const dralloc_snapshot,
    kind: *const u8,
    kind_length: usize,
    name: *const u8,
    name_length: usize,
    list: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(list, "list")?;
        let kind = caller.text(kind, kind_length, "kind")?;
        let name = caller.text(name, name_length, "name")?;
        let name = Some(name).filter(|name| !name.is_empty());
        let snapshot = caller.shared(snapshot)?.get();
        out.give(dralloc_forms::known(snapshot, kind, name)?);
        Ok(())
    })
}

/// Returns which features are on, in the form that `dralloc_engine_new` takes:
/// `kubernetesMinor`, `relaxedSelectors` and all `gates`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_snapshot_features(
    snapshot: *const dralloc_snapshot,
    features: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(features, "features")?;
        let snapshot = caller.shared(snapshot)?.get();
        out.give(dralloc_forms::features_on(snapshot.features())?);
        Ok(())
    })
}

/// Returns the name of the device with a number, as JSON: `driver`, `pool` and
/// `device`.
///
/// A number is that of one device for as long as the engine lives, in all its
/// snapshots: keep what you were told.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_snapshot_device(
    snapshot: *const dralloc_snapshot,
    number: u32,
    name: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(name, "name")?;
        let device = caller.shared(snapshot)?.get().device_name(number);
        let device = device.ok_or_else(|| {
            let message = format!("no device has the number {number}, expected one that has");
            Error::new(Code::NotFound, message)
        })?;
        out.give(text(&device)?);
        Ok(())
    })
}

/// Writes the snapshot as JSON, of which `dralloc_engine_load` makes an engine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_snapshot_dump(
    snapshot: *const dralloc_snapshot,
    dump: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(dump, "dump")?;
        out.give(caller.shared(snapshot)?.get().dump());
        Ok(())
    })
}

/// Frees a snapshot; null is none. What was made of it can be used further.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_snapshot_free(snapshot: *mut dralloc_snapshot) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        caller.take(snapshot).map(drop)
    })
}
