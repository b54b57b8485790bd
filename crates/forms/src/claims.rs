//! Claims that are asked about.

use dralloc::model::ResourceClaim;
use dralloc::wire::{Decoder, Object};
use dralloc::{Code, Error};

/// Reads claims: objects as Kubernetes prints them, lists of them, or an array.
///
/// # Errors
///
/// Those of [`Decoder::decode`], and [`Code::Malformed`] for an object of another
/// kind.
///
/// # Examples
///
/// ```
/// use dralloc::wire::Decoder;
///
/// let claims = dralloc_forms::claims(&mut Decoder::new(), r#"[
///     {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
///      "metadata": {"namespace": "default", "name": "training"}}]"#)?;
/// assert_eq!(&*claims[0].metadata.name, "training");
/// # Ok::<(), dralloc::Error>(())
/// ```
pub fn claims(decoder: &mut Decoder, json: &str) -> Result<Vec<ResourceClaim>, Error> {
    if json.trim_start().starts_with('[') {
        let list = format!(r#"{{"apiVersion":"v1","kind":"List","items":{json}}}"#);
        return read(decoder, &list);
    }
    read(decoder, json)
}

/// Reads one claim.
///
/// # Errors
///
/// Those of [`claims`], and [`Code::Malformed`] for none or more than one.
pub fn claim(decoder: &mut Decoder, json: &str) -> Result<ResourceClaim, Error> {
    let mut claims = read(decoder, json)?;
    match (claims.pop(), claims.is_empty()) {
        (Some(claim), true) => Ok(claim),
        _ => Err(Error::new(Code::Malformed, "expected one ResourceClaim")),
    }
}

fn read(decoder: &mut Decoder, json: &str) -> Result<Vec<ResourceClaim>, Error> {
    let mut claims = Vec::new();
    decoder.decode(json, &mut |decoded| {
        let Object::ResourceClaim(claim) = decoded.object else {
            let message = "expected an object of kind `ResourceClaim`";
            return Err(Error::new(Code::Malformed, message).at(decoded.path));
        };
        claims.push(claim);
        Ok(())
    })?;
    Ok(claims)
}
