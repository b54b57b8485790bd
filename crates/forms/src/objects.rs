//! Objects that a user wrote by hand, and those that a snapshot knows.

use dralloc::validate::{self, defaults};
use dralloc::wire::{Decoder, Encode, Fault, Object, encode_list};
use dralloc::{Code, Error, Features, Snapshot};

use crate::text::text;

/// Checks objects as an API server does, in any of the forms of
/// [`apply`](crate::apply()): writes an array of errors, each with `code`, `message`,
/// `path` and `scope`; it is empty if nothing is wrong. Fields that are not known are
/// among them. Claims and templates are checked with the API's defaults.
///
/// # Errors
///
/// Those of [`Decoder::decode`].
///
/// # Examples
///
/// ```
/// use dralloc::Features;
///
/// let claim = r#"{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
///     "metadata": {"namespace": "default", "name": "a b"}}"#;
/// let found = dralloc_forms::validate(claim, &Features::all())?;
/// assert!(found.contains(r#""path":"metadata.name""#));
/// # Ok::<(), dralloc::Error>(())
/// ```
pub fn validate(json: &str, features: &Features) -> Result<String, Error> {
    let mut found = Vec::new();
    Decoder::new().decode(json, &mut |decoded| {
        let unknown = decoded.warnings.into_iter();
        found.extend(unknown.map(|warning| Fault::from(warning).error));
        let of_object = faults(decoded.object, features).into_iter();
        found.extend(of_object.map(|error| error.under(&decoded.path)));
        Ok(())
    })?;
    text(&found)
}

fn faults(object: Object, features: &Features) -> Vec<Error> {
    match with_defaults(object) {
        Object::ResourceSlice(object) => validate::resource_slice(&object, features),
        Object::DeviceClass(object) => validate::device_class(&object, features),
        Object::ResourceClaim(object) => validate::resource_claim(&object, features),
        Object::ResourceClaimTemplate(object) => {
            validate::resource_claim_template(&object, features)
        }
        Object::DeviceTaintRule(object) => validate::device_taint_rule(&object, features),
        Object::Topology(object) => validate::topology(&object),
        Object::AttributeOverlay(object) => validate::attribute_overlay(&object, features),
        Object::DeviceHealth(object) => validate::device_health(&object),
        Object::DeviceHold(object) => validate::device_hold(&object, features),
        Object::Node(_) | Object::Pod(_) | Object::Ignored { .. } => Vec::new(),
    }
}

/// Writes objects with the defaults that an API server fills in, as one list.
///
/// # Errors
///
/// Those of [`Decoder::decode`].
///
/// # Examples
///
/// ```
/// let claim = r#"{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
///     "metadata": {"namespace": "default", "name": "a"}, "spec": {"devices": {"requests":
///         [{"name": "gpu", "exactly": {"deviceClassName": "gpu"}}]}}}"#;
/// let list = dralloc_forms::defaulted(claim)?;
/// assert!(list.contains(r#""allocationMode":"ExactCount","count":1"#));
/// # Ok::<(), dralloc::Error>(())
/// ```
pub fn defaulted(json: &str) -> Result<String, Error> {
    let mut objects = Vec::new();
    Decoder::new().decode(json, &mut |decoded| {
        objects.push(with_defaults(decoded.object));
        Ok(())
    })?;
    encode_list(&objects)
}

fn with_defaults(mut object: Object) -> Object {
    match &mut object {
        Object::ResourceClaim(claim) => defaults::resource_claim(claim),
        Object::ResourceClaimTemplate(template) => defaults::resource_claim_template(template),
        _ => {}
    }
    object
}

/// Writes the objects of a kind that a snapshot knows, by name, as one list: all of
/// them, or the one with a name if there is one. Kinds are `Node`, `DeviceClass` and
/// those of `dralloc.dev`; only fields that the engine reads are there.
///
/// # Errors
///
/// [`Code::Unsupported`] for another kind.
///
/// # Examples
///
/// ```
/// use dralloc::{Change, Engine, Features, model::Node};
///
/// let mut engine = Engine::new(Features::all());
/// engine.apply(Change::Node(Node::new("node-1", [])))?;
/// let list = dralloc_forms::known(&engine.snapshot(), "Node", None)?;
/// assert!(list.contains(r#""name":"node-1""#));
/// # Ok::<(), dralloc::Error>(())
/// ```
pub fn known(snapshot: &Snapshot, kind: &str, name: Option<&str>) -> Result<String, Error> {
    macro_rules! list {
        ($objects:ident) => {
            list(snapshot.$objects(), name, |object| &object.metadata.name)
        };
    }
    match kind {
        "Node" => list!(nodes),
        "DeviceClass" => list!(device_classes),
        "Topology" => list!(topologies),
        "AttributeOverlay" => list!(attribute_overlays),
        "DeviceHealth" => list!(device_healths),
        "DeviceHold" => list!(device_holds),
        _ => {
            let shown: String = kind.chars().take(64).flat_map(char::escape_debug).collect();
            let message = format!(
                "kind `{shown}` is not listed, expected Node, DeviceClass or one of dralloc.dev"
            );
            Err(Error::new(Code::Unsupported, message).at("kind"))
        }
    }
}

fn list<'a, T: Encode + 'a>(
    objects: impl Iterator<Item = &'a T>,
    wanted: Option<&str>,
    name: impl Fn(&T) -> &str,
) -> Result<String, Error> {
    encode_list(objects.filter(|object| wanted.is_none_or(|wanted| name(object) == wanted)))
}
