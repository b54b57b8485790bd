//! What an engine is told.

use dralloc::model::{DeviceId, Json};
use dralloc::wire::{Decoder, Warning};
use dralloc::{Applied, Change, Code, Engine, Error, Held, NodeUse, Removed, Twins};
use serde::{Deserialize, Serialize, Serializer};

use crate::allocated::AllocatedState;
use crate::text::read;

/// Applies all objects of a text: objects as Kubernetes prints them and lists of
/// them, one after the other.
///
/// A text that cannot be read changes nothing. Objects before one that the engine
/// refuses are applied. Fields that are not known are passed over, and told.
///
/// # Errors
///
/// Those of [`Decoder::decode`] and [`Engine::apply`], with the place of the object
/// in its list.
///
/// # Examples
///
/// ```
/// use dralloc::{Engine, Features, wire::Decoder};
///
/// let mut engine = Engine::new(Features::all());
/// let node = r#"{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}}"#;
/// let applied = dralloc_forms::apply(&mut engine, &mut Decoder::new(), node)?;
/// assert_eq!(&*applied.applied.nodes()[0], "node-1");
/// # Ok::<(), dralloc::Error>(())
/// ```
pub fn apply(
    engine: &mut Engine,
    decoder: &mut Decoder,
    json: &str,
) -> Result<AppliedObjects, Error> {
    apply_with(decoder, json, |change| engine.apply(change))
}

/// Applies all objects of a text as [`apply`] does, by what applies one.
///
/// # Errors
///
/// As for [`apply`].
pub fn apply_with(
    decoder: &mut Decoder,
    json: &str,
    mut apply: impl FnMut(Change) -> Result<Applied, Error>,
) -> Result<AppliedObjects, Error> {
    let (mut objects, mut warnings) = (Vec::new(), Vec::new());
    decoder.decode(json, &mut |decoded| {
        objects.push((decoded.path, decoded.object));
        warnings.extend(decoded.warnings);
        Ok(())
    })?;
    let mut all = Applied::default();
    for (path, object) in objects {
        let change = Change::try_from(object);
        let applied = change.and_then(&mut apply);
        let applied = applied.map_err(|error| error.under(&path))?;
        all = all.and(applied);
    }
    Ok(AppliedObjects {
        applied: all,
        warnings,
    })
}

/// Says what objects made different, and what was passed over in them.
///
/// Its form in JSON is that of [`Applied`], with `warnings` (`path`, `message` and
/// `hint`) if there are any.
#[derive(Clone, Debug, Serialize)]
pub struct AppliedObjects {
    /// What is different now.
    #[serde(flatten)]
    pub applied: Applied,
    /// What was passed over.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "warnings")]
    pub warnings: Vec<Warning>,
}

#[derive(Serialize)]
struct WarningForm<'a> {
    path: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

fn warnings<S: Serializer>(warnings: &[Warning], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(warnings.iter().map(|warning| WarningForm {
        path: &warning.path,
        message: &warning.message,
        hint: warning.hint.as_deref(),
    }))
}

/// Is a change that is no object.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ChangeForm {
    object: Option<Json>,
    removed: Option<Removed>,
    held: Option<Held>,
    allocated: Option<AllocatedState>,
    #[serde(rename = "use")]
    used: Option<NodeUse>,
    twins: Option<Vec<Vec<DeviceId>>>,
}

/// Reads one change, as lines of traces have it: one of `object`, `removed`
/// (`kind`, and `name`, `uid` or `owner`), `held` (`devices`, `shares`,
/// `consumedCapacity`), `allocated` (the same as [`AllocatedState`]), `use` (`owner`,
/// `node`, `amounts`) and `twins`.
///
/// # Errors
///
/// [`Code::Malformed`], [`Code::UnknownField`] and [`Code::Unsupported`].
///
/// # Examples
///
/// ```
/// use dralloc::{Change, wire::Decoder};
///
/// let json = r#"{"removed": {"kind": "Node", "name": "node-1"}}"#;
/// let change = dralloc_forms::change(&mut Decoder::new(), json)?;
/// assert!(matches!(change, Change::Removed(_)));
/// # Ok::<(), dralloc::Error>(())
/// ```
pub fn change(decoder: &mut Decoder, json: &str) -> Result<Change, Error> {
    let form: ChangeForm = read(json)?;
    let removed = form.removed.map(Change::Removed);
    let held = form.held.map(Change::Held);
    let allocated = form.allocated.map(|held| Change::Held(held.into()));
    let used = form.used.map(Change::NodeUse);
    let twins = form.twins.map(|devices| Change::Twins(Twins { devices }));
    let mut plain = [removed, held, allocated, used, twins]
        .into_iter()
        .flatten();
    match (form.object, plain.next(), plain.next()) {
        (Some(object), None, None) => one_object(decoder, object.as_str()),
        (None, Some(change), None) => Ok(change),
        _ => {
            let message = "expected one of object, removed, held, allocated, use and twins";
            Err(Error::new(Code::Malformed, message))
        }
    }
}

fn one_object(decoder: &mut Decoder, json: &str) -> Result<Change, Error> {
    let mut objects = Vec::new();
    decoder.decode(json, &mut |decoded| {
        objects.push(decoded.object);
        Ok(())
    })?;
    match (objects.pop(), objects.is_empty()) {
        (Some(object), true) => Change::try_from(object),
        _ => Err(Error::new(Code::Malformed, "expected one object")),
    }
    .map_err(|error| error.under("object"))
}
