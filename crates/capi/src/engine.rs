//! [`dralloc_engine`]: what there is, and what is held of it.

use dralloc::wire::Decoder;
use dralloc_forms::recordable::Engine;
use dralloc_forms::text;
use serde::Serialize;

use crate::bytes::dralloc_bytes;
use crate::error::{Failure, dralloc_error};
use crate::raw::{Exclusive, Noun, Out, call};
use crate::snapshot::dralloc_snapshot;
use crate::status::dralloc_status;
use crate::trace::dralloc_trace;

/// Keeps what devices there are and what is held of them.
pub struct dralloc_engine(());

/// Is an engine with the reader of what it is told.
pub struct Told {
    pub(crate) engine: Engine,
    /// What many objects have in common is kept once.
    decoder: Decoder,
}

impl Noun for dralloc_engine {
    type Value = Told;
    const TAG: u32 = 0xd7a1_0009;
    const NAME: &'static str = "engine";
}

impl Exclusive for dralloc_engine {}

impl From<Engine> for Told {
    fn from(engine: Engine) -> Self {
        Self {
            engine,
            decoder: Decoder::new(),
        }
    }
}

/// Says what a change made different, if the caller wants to know.
pub(crate) fn tell(
    applied: &impl Serialize,
    out: Option<Out<'_, *mut dralloc_bytes>>,
) -> Result<(), Failure> {
    if let Some(out) = out {
        out.give(text(applied)?);
    }
    Ok(())
}

/// Makes an engine that knows nothing yet.
///
/// `features` is JSON: `kubernetesMinor` (what that version of Kubernetes has on by
/// default), `gates` (by name) and `relaxedSelectors`; no text is all features on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_engine_new(
    features: *const u8,
    features_length: usize,
    engine: *mut *mut dralloc_engine,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(engine, "engine")?;
        let features = caller.text(features, features_length, "features")?;
        let features = dralloc_forms::features(features)?;
        out.give(Engine::new(features).into());
        Ok(())
    })
}

/// Makes an engine of a dump.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_engine_load(
    dump: *const u8,
    dump_length: usize,
    engine: *mut *mut dralloc_engine,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(engine, "engine")?;
        let dump = caller.text(dump, dump_length, "dump")?;
        out.give(Engine::from(dralloc::Engine::load(dump)?).into());
        Ok(())
    })
}

/// Applies objects: any number of them and of lists, as Kubernetes prints them.
///
/// Slices, nodes, classes, taint rules, claims, and the objects of `dralloc.dev`. A
/// text that cannot be read changes nothing; objects before one that is refused are
/// applied. `applied` may be null; else it gets what is different now, as JSON:
/// `changed`, `nodes`, `anyNode`, `pools` and `claims`, and `warnings` for fields that
/// were passed over since they are not known.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_engine_apply(
    engine: *mut dralloc_engine,
    json: *const u8,
    json_length: usize,
    applied: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.wanted(applied);
        let json = caller.text(json, json_length, "json")?;
        let mut told = caller.exclusive(engine)?;
        let Told { engine, decoder } = &mut *told;
        let applied = dralloc_forms::apply_with(decoder, json, |change| engine.apply(change))?;
        tell(&applied, out)
    })
}

/// Applies one change that is no object, as JSON with one field: `removed` (`kind`,
/// and `name`, `uid` or `owner`), `held` (`devices`, `shares`, `consumedCapacity`),
/// `allocated` (the same in the form of Kubernetes' allocator), `use` (`owner`, `node`,
/// `amounts`), `twins`, or `object`.
///
/// `applied` is as for `dralloc_engine_apply`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_engine_change(
    engine: *mut dralloc_engine,
    json: *const u8,
    json_length: usize,
    applied: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.wanted(applied);
        let json = caller.text(json, json_length, "json")?;
        let mut told = caller.exclusive(engine)?;
        let Told { engine, decoder } = &mut *told;
        let change = dralloc_forms::change(decoder, json)?;
        tell(&engine.apply(change)?, out)
    })
}

/// Makes everything of a kind be what a full list says, such as all of `Node`.
///
/// `json` is as for `dralloc_engine_apply`, or an array. `applied` is as there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_engine_replace(
    engine: *mut dralloc_engine,
    kind: *const u8,
    kind_length: usize,
    json: *const u8,
    json_length: usize,
    applied: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.wanted(applied);
        let kind = caller.text(kind, kind_length, "kind")?;
        let json = caller.text(json, json_length, "json")?;
        let mut told = caller.exclusive(engine)?;
        let Told { engine, decoder } = &mut *told;
        let list = dralloc_forms::relist(decoder, kind, json)?;
        tell(&engine.replace(list)?, out)
    })
}

/// Takes back what transactions gave an owner and no event has shown yet.
///
/// Owners are claims by uid, or else by `namespace/name`, and users of amounts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_engine_forget(
    engine: *mut dralloc_engine,
    owner: *const u8,
    owner_length: usize,
    applied: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.wanted(applied);
        let owner = caller.text(owner, owner_length, "owner")?;
        let mut told = caller.exclusive(engine)?;
        tell(&told.engine.forget(owner), out)
    })
}

/// Returns whether an owner has what a transaction gave it and no event has shown
/// yet: 1 or 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_engine_is_assumed(
    engine: *mut dralloc_engine,
    owner: *const u8,
    owner_length: usize,
    is_assumed: *mut u32,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(is_assumed, "is_assumed")?;
        let owner = caller.text(owner, owner_length, "owner")?;
        let told = caller.exclusive(engine)?;
        out.write(u32::from(told.engine.is_assumed(owner)));
        Ok(())
    })
}

/// Makes a snapshot of all that is known now, in constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_engine_snapshot(
    engine: *mut dralloc_engine,
    snapshot: *mut *mut dralloc_snapshot,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(snapshot, "snapshot")?;
        let mut told = caller.exclusive(engine)?;
        out.give(told.engine.snapshot());
        Ok(())
    })
}

/// Writes the calls that follow to a trace: those of the engine, and of what is made of
/// it from now on. Its first line is all that the engine knows now.
///
/// It ends when the trace is freed, or when the engine is recorded anew. Calls that
/// only look (`explain`, `runner_up`, `certificate`, `verify`) are not written.
/// Transactions that began before can be committed no more
/// (`DRALLOC_STATUS_CONFLICT`); all else may be used further.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_engine_record(
    engine: *mut dralloc_engine,
    trace: *mut *mut dralloc_trace,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(trace, "trace")?;
        let mut told = caller.exclusive(engine)?;
        out.give(told.engine.record());
        Ok(())
    })
}

/// Writes all that the engine knows, of which `dralloc_engine_load` makes the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_engine_dump(
    engine: *mut dralloc_engine,
    dump: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(dump, "dump")?;
        let told = caller.exclusive(engine)?;
        out.give(told.engine.dump());
        Ok(())
    })
}

/// Frees an engine; null is none. What was made of it can be used further.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_engine_free(engine: *mut dralloc_engine) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        caller.take(engine).map(drop)
    })
}
