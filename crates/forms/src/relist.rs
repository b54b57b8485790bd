//! Full lists of what there is.

use dralloc::wire::{Decoder, Object};
use dralloc::{Code, Error, NodeUse, Relist};

use crate::text::read;

/// Reads all objects of a kind, in any of the forms of [`claims`](crate::claims());
/// those of `NodeUse` are an array of `owner`, `node` and `amounts`.
///
/// # Errors
///
/// Those of [`Decoder::decode`], [`Code::Unsupported`] for another kind, and
/// [`Code::Malformed`] for an object that is not of the kind.
///
/// # Examples
///
/// ```
/// use dralloc::{Relist, wire::Decoder};
///
/// let list = r#"{"apiVersion": "v1", "kind": "NodeList", "items": []}"#;
/// let list = dralloc_forms::relist(&mut Decoder::new(), "Node", list)?;
/// assert!(matches!(list, Relist::Nodes(nodes) if nodes.is_empty()));
/// # Ok::<(), dralloc::Error>(())
/// ```
pub fn relist(decoder: &mut Decoder, kind: &str, json: &str) -> Result<Relist, Error> {
    macro_rules! all {
        ($kind:ident) => {
            all(decoder, kind, json, |object| match object {
                Object::$kind(object) => Some(object),
                _ => None,
            })?
        };
    }
    Ok(match kind {
        "ResourceSlice" => Relist::ResourceSlices(all!(ResourceSlice)),
        "Node" => Relist::Nodes(all!(Node)),
        "DeviceClass" => Relist::DeviceClasses(all!(DeviceClass)),
        "DeviceTaintRule" => Relist::DeviceTaintRules(all!(DeviceTaintRule)),
        "ResourceClaim" => Relist::ResourceClaims(all!(ResourceClaim)),
        "Topology" => Relist::Topologies(all!(Topology)),
        "AttributeOverlay" => Relist::AttributeOverlays(all!(AttributeOverlay)),
        "DeviceHealth" => Relist::DeviceHealths(all!(DeviceHealth)),
        "DeviceHold" => Relist::DeviceHolds(all!(DeviceHold)),
        "NodeUse" => Relist::NodeUses(read::<Vec<NodeUse>>(json)?),
        _ => {
            let message = format!("kind `{kind}` is not supported, expected one of an engine's");
            return Err(Error::new(Code::Unsupported, message).at("kind"));
        }
    })
}

fn all<T>(
    decoder: &mut Decoder,
    kind: &str,
    json: &str,
    of_kind: impl Fn(Object) -> Option<T>,
) -> Result<Vec<T>, Error> {
    let mut list = Vec::new();
    let mut add = |json: &str| {
        decoder.decode(json, &mut |decoded| {
            let Some(object) = of_kind(decoded.object) else {
                let message = format!("expected an object of kind `{kind}`");
                return Err(Error::new(Code::Malformed, message).at(decoded.path));
            };
            list.push(object);
            Ok(())
        })
    };
    if json.trim_start().starts_with('[') {
        add(&format!(
            r#"{{"apiVersion":"v1","kind":"List","items":{json}}}"#
        ))?;
    } else {
        add(json)?;
    }
    Ok(list)
}
