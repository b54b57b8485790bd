//! Objects that a user wrote by hand.

use dralloc::validate::{self, defaults};
use dralloc::wire::{Decoder, Fault, Object, encode_list};
use dralloc::{Error, Features};

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
