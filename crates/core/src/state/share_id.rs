//! [`ShareId`]: which share of a device.

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use uuid::Uuid;

use crate::model::{DeviceId, Str};
use crate::rules::RequestName;

/// Namespace of the ids that are made, made once for dralloc.
const NAMESPACE: Uuid = Uuid::from_u128(0x6c1f_5a3e_8a57_4d5c_9b0e_2f64_d1a7_c3b9);

/// Is the id of a share of a device.
///
/// To make one takes longer than to find the device, so it is not made before
/// somebody wants to read it or has to tell it from one that is written.
#[derive(Clone, Debug)]
pub(crate) enum ShareId {
    /// As somebody else wrote it.
    Written(Str),
    Made(Arc<MadeId>),
}

/// Is an id that follows from what the share is for.
#[derive(Debug)]
pub(crate) struct MadeId {
    owner: Str,
    request: RequestName,
    device: DeviceId,
    /// Tells it from others of the same owner, request and device.
    ordinal: u64,
    text: OnceLock<Str>,
}

impl ShareId {
    /// Makes the id of a share: the same for the same share, and never one that
    /// is outstanding.
    pub(crate) fn new(
        owner: &Str,
        request: &RequestName,
        device: DeviceId,
        is_outstanding: impl Fn(&MadeId) -> bool,
    ) -> Self {
        let mut id = MadeId {
            owner: owner.clone(),
            request: request.clone(),
            device,
            ordinal: 0,
            text: OnceLock::new(),
        };
        while is_outstanding(&id) {
            id.ordinal += 1;
            id.text = OnceLock::new();
        }
        Self::Made(Arc::new(id))
    }

    /// Returns the text of the id.
    pub(crate) fn text(&self) -> &Str {
        match self {
            Self::Written(text) => text,
            Self::Made(made) => made.text(),
        }
    }

    /// Returns whether it is an id that was made.
    pub(crate) fn is(&self, made: &MadeId) -> bool {
        match self {
            Self::Written(text) => is_version_5(text) && text == made.text(),
            Self::Made(own) => own.is_same(made),
        }
    }
}

/// Two are equal if they read the same.
impl PartialEq for ShareId {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Made(one), Self::Made(other)) if Arc::ptr_eq(one, other) => true,
            (one, Self::Made(made)) | (Self::Made(made), one) => one.is(made),
            (Self::Written(one), Self::Written(other)) => one == other,
        }
    }
}

impl Eq for ShareId {}

impl MadeId {
    /// Returns whether both are made from the same.
    fn is_same(&self, other: &Self) -> bool {
        self.ordinal == other.ordinal
            && self.request == other.request
            && self.owner == other.owner
            && self.device == other.device
    }

    fn text(&self) -> &Str {
        self.text.get_or_init(|| {
            let DeviceId {
                driver,
                pool,
                device,
            } = &self.device;
            let Self {
                owner,
                request,
                ordinal,
                ..
            } = self;
            // No name of Kubernetes has a zero byte, so that no two shares spell the same.
            let mut name = String::with_capacity(128);
            // Writing to a string cannot fail.
            let _ = write!(
                name,
                "{owner}\0{request}\0{driver}/{pool}/{device}\0{ordinal}"
            );
            let id = Uuid::new_v5(&NAMESPACE, name.as_bytes());
            let mut text = Uuid::encode_buffer();
            Str::from(&*id.hyphenated().encode_lower(&mut text))
        })
    }
}

/// Returns whether a text may be an id that was made: a UUID of version 5.
fn is_version_5(text: &str) -> bool {
    text.len() == uuid::fmt::Hyphenated::LENGTH && text.as_bytes().get(14) == Some(&b'5')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(owner: &str, others: &[&ShareId]) -> ShareId {
        let device = DeviceId::new("d", "p", "gpu-0");
        let request = RequestName::new("gpu".into(), None);
        ShareId::new(&owner.into(), &request, device, |id| {
            others.iter().any(|other| other.is(id))
        })
    }

    /// The text is what other versions made, and what `uuidgen` makes of the name.
    #[test]
    fn an_id_is_the_same_for_the_same_share() {
        let first = made("uid-1", &[]);
        assert_eq!(**first.text(), *FIRST);
        assert_eq!(made("uid-1", &[]), first);
        assert_ne!(made("uid-2", &[]), first);
        let written = ShareId::Written(FIRST.into());
        assert_eq!(written, made("uid-1", &[]));
        assert_eq!(made("uid-1", &[]), written);
        assert_ne!(ShareId::Written("share".into()), first);
    }

    #[test]
    fn an_id_is_none_that_is_outstanding() {
        let first = made("uid-1", &[]);
        let second = made("uid-1", &[&first]);
        assert_eq!(**second.text(), *SECOND);
        // However the others came to be known.
        let written = [FIRST, SECOND].map(|text| ShareId::Written(text.into()));
        assert_eq!(made("uid-1", &[&written[0]]), second);
        let third = made("uid-1", &[&written[1], &first]);
        assert!(![&first, &second].contains(&&third));
        assert_eq!(made("uid-2", &[&written[0], &second]), made("uid-2", &[]));
    }

    const FIRST: &str = "54ebaea9-dc42-50f9-af9c-a8e0e63ca1d1";
    const SECOND: &str = "b3709cce-315e-5a2e-bb9f-87d9d1368201";
}
