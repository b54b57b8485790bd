//! [`Identities`]: which objects of a kind are there, and which were.

use std::collections::{BTreeMap, VecDeque};

use crate::error::{Code, Error};
use crate::hash::HashSet;
use crate::model::{ObjectMeta, Str};

/// So many removed objects of a kind are remembered; the oldest are forgotten.
pub(crate) const MAX_GONE: usize = 1 << 16;

/// Tells a state of an object from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) name: Str,
    pub(crate) uid: Option<Str>,
    /// Versions are opaque but for their order, and comparable numbers in every
    /// Kubernetes since 1.35 (KEP-5504).
    version: Option<Version>,
}

/// Is the version of an object; high and low half of its number, since two words
/// take less than one of twice their size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version(u64, u64);

impl Version {
    fn new(number: u128) -> Self {
        let half = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
        Self(half(number >> 64), half(number & u128::from(u64::MAX)))
    }

    fn number(self) -> u128 {
        u128::from(self.0) << 64 | u128::from(self.1)
    }
}

impl Identity {
    /// Returns the identity of an object with a name that is unique for its kind.
    pub(crate) fn new(name: Str, metadata: &ObjectMeta) -> Self {
        let version = metadata.resource_version.as_ref();
        Self {
            name,
            uid: metadata.uid.clone().filter(|uid| !uid.is_empty()),
            version: version.and_then(|version| version.parse().ok().map(Version::new)),
        }
    }

    /// Returns an identity that was written down before.
    pub(crate) fn recorded(name: Str, uid: Option<Str>, version: Option<u128>) -> Self {
        let version = version.map(Version::new);
        Self { name, uid, version }
    }

    /// Returns the version, if it has an order.
    pub(crate) fn version(&self) -> Option<u128> {
        self.version.map(Version::number)
    }

    /// Where a version is missing, what comes later counts.
    fn is_newer_than(&self, known: Option<Version>) -> bool {
        match (self.version, known) {
            (Some(version), Some(known)) => version > known,
            _ => true,
        }
    }
}

/// Is an object with what tells its states apart.
#[derive(Debug)]
struct Known<T> {
    uid: Option<Str>,
    version: Option<Version>,
    object: T,
}

impl<T> Known<T> {
    fn identity(&self, name: &Str) -> Identity {
        Identity {
            name: name.clone(),
            uid: self.uid.clone(),
            version: self.version,
        }
    }
}

/// Keeps the objects of a kind by name and uid, and remembers which are gone.
///
/// A name has one object at a time: one that was made anew takes the place of
/// the old one, also if nobody said that that is gone.
#[derive(Debug)]
pub(crate) struct Identities<T> {
    by_name: BTreeMap<Str, Known<T>>,
    names: BTreeMap<Str, Str>,
    /// Uids of removed objects: what is heard of them later is old.
    gone: HashSet<Str>,
    /// The same, oldest first.
    order: VecDeque<Str>,
}

impl<T> Default for Identities<T> {
    fn default() -> Self {
        Self {
            by_name: BTreeMap::new(),
            names: BTreeMap::new(),
            gone: HashSet::default(),
            order: VecDeque::new(),
        }
    }
}

impl<T> Identities<T> {
    /// Returns whether a state of an object is news.
    ///
    /// # Errors
    ///
    /// [`Code::Invalid`] if the uid is that of an object with another name.
    pub(crate) fn is_news(&self, identity: &Identity) -> Result<bool, Error> {
        if let Some(uid) = &identity.uid {
            if self.gone.contains(uid) {
                return Ok(false);
            }
            self.check(identity)?;
        }
        let known = self.by_name.get(&identity.name);
        Ok(known.is_none_or(|known| identity.is_newer_than(known.version)))
    }

    /// Checks that the uid is not that of an object with another name.
    ///
    /// # Errors
    ///
    /// [`Code::Invalid`] if it is.
    pub(crate) fn check(&self, identity: &Identity) -> Result<(), Error> {
        let Some(uid) = &identity.uid else {
            return Ok(());
        };
        match self.names.get(uid) {
            Some(name) if *name != identity.name => {
                let message = format!(
                    "uid `{uid}` of `{}` is that of `{name}`, expected another",
                    identity.name
                );
                Err(Error::new(Code::Invalid, message).at("metadata.uid"))
            }
            _ => Ok(()),
        }
    }

    /// Returns whether an object is known to be gone.
    pub(crate) fn is_gone(&self, uid: &str) -> bool {
        self.gone.contains(uid)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        self.by_name.get(name).map(|known| &known.object)
    }

    /// Returns the identity of the object with a name.
    pub(crate) fn identity(&self, name: &str) -> Option<Identity> {
        let (name, known) = self.by_name.get_key_value(name)?;
        Some(known.identity(name))
    }

    /// Returns the name of the object with a uid.
    pub(crate) fn name(&self, uid: &str) -> Option<&Str> {
        self.names.get(uid)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &Str> {
        self.by_name.keys()
    }

    /// Returns the objects with their identities, by name.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (Identity, &T)> {
        let entries = self.by_name.iter();
        entries.map(|(name, known)| (known.identity(name), &known.object))
    }

    /// Returns the uids of removed objects, oldest first.
    pub(crate) fn gone(&self) -> impl ExactSizeIterator<Item = &Str> {
        self.order.iter()
    }

    /// Returns the object with a name, to put another form of it in its place.
    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.by_name.get_mut(name).map(|known| &mut known.object)
    }

    pub(crate) fn objects(&self) -> impl Iterator<Item = &T> {
        self.by_name.values().map(|known| &known.object)
    }

    /// Keeps an object; returns that of its name.
    pub(crate) fn put(&mut self, identity: Identity, object: T) -> Option<T> {
        let old = self.remove_name_unless(&identity.name, identity.uid.as_ref());
        if let Some(uid) = &identity.uid {
            self.names.insert(uid.clone(), identity.name.clone());
        }
        let Identity { name, uid, version } = identity;
        let known = Known {
            uid,
            version,
            object,
        };
        self.by_name.insert(name, known);
        old
    }

    /// Takes the object with a uid away, now and for all times.
    pub(crate) fn remove_uid(&mut self, uid: &str) -> Option<T> {
        self.bury(uid.into());
        let name = self.names.remove(uid)?;
        self.by_name.remove(&name).map(|known| known.object)
    }

    /// Takes the object with a name away.
    pub(crate) fn remove_name(&mut self, name: &str) -> Option<T> {
        self.remove_name_unless(name, None)
    }

    /// Takes an object away, which is gone for all times unless it has a uid.
    fn remove_name_unless(&mut self, name: &str, same: Option<&Str>) -> Option<T> {
        let Known { uid, object, .. } = self.by_name.remove(name)?;
        if let Some(uid) = uid
            && same != Some(&uid)
        {
            self.names.remove(&uid);
            self.bury(uid);
        }
        Some(object)
    }

    /// Remembers that an object is gone.
    pub(crate) fn bury(&mut self, uid: Str) {
        if !uid.is_empty() && self.gone.insert(uid.clone()) {
            self.order.push_back(uid);
        }
        if self.order.len() > MAX_GONE
            && let Some(oldest) = self.order.pop_front()
        {
            self.gone.remove(&oldest);
        }
    }

    /// Forgets that an object is gone, since a full list has it.
    pub(crate) fn revive(&mut self, uid: &str) {
        if self.gone.remove(uid) {
            self.order.retain(|other| **other != *uid);
        }
    }
}
