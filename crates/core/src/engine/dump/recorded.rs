//! [`Recorded`]: which states of objects are known.

use std::collections::BTreeMap;

use super::document::ObjectIdentity;
use crate::engine::objects::identity_of;
use crate::error::{Code, Error};
use crate::model::{ObjectMeta, Str};
use crate::store::Identity;

/// Is what is known of objects that are kept in an older state, by name.
pub(super) struct Recorded(BTreeMap<Str, (usize, Identity)>);

impl Recorded {
    pub(super) fn new(path: &str, list: &[ObjectIdentity]) -> Result<Self, Error> {
        let mut recorded = BTreeMap::new();
        for (place, one) in list.iter().enumerate() {
            let under = |error: Error| error.under(&format!("{path}[{place}]"));
            let identity = identity(one.clone()).map_err(under)?;
            let name = identity.name.clone();
            if recorded.insert(name.clone(), (place, identity)).is_some() {
                let message = format!("`{name}` comes twice, expected each object once");
                return Err(under(Error::new(Code::Duplicate, message)));
            }
        }
        Ok(Self(recorded))
    }

    /// Returns which state of an object is known.
    pub(super) fn identity_of(&mut self, metadata: &ObjectMeta) -> Identity {
        let recorded = self.0.remove(&metadata.name);
        recorded.map_or_else(|| identity_of(metadata), |(_, identity)| identity)
    }

    /// Checks that all objects came.
    pub(super) fn finish(&self, path: &str) -> Result<(), Error> {
        match self.0.iter().next() {
            None => Ok(()),
            Some((name, (place, _))) => {
                let message = format!("`{name}` is not there, expected the name of an object");
                Err(Error::new(Code::NotFound, message).at(format!("{path}[{place}].name")))
            }
        }
    }
}

/// Reads which state of an object is known.
pub(super) fn identity(recorded: ObjectIdentity) -> Result<Identity, Error> {
    let ObjectIdentity {
        name,
        uid,
        resource_version,
    } = recorded;
    let version = resource_version.map(|text| {
        text.parse::<u128>().map_err(|_| {
            let message = format!("`{text}`, expected a whole number");
            Error::new(Code::Malformed, message).at("resourceVersion")
        })
    });
    let uid = uid.filter(|uid| !uid.is_empty());
    Ok(Identity::recorded(name, uid, version.transpose()?))
}
