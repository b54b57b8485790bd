//! [`PickedList`]: which devices an answer gives.

/// Is one device for one request.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Picked {
    pub(super) claim: u32,
    pub(super) request: u32,
    /// Place of the device in the view.
    pub(super) device: u32,
    pub(super) admin_access: bool,
}

/// Holds as many picks as most answers have without a heap.
#[derive(Clone, Debug)]
pub(super) enum PickedList {
    Few(u8, [Picked; FEW]),
    Many(Vec<Picked>),
}

const FEW: usize = 8;

impl PickedList {
    pub(super) fn new() -> Self {
        Self::Few(0, [Picked::default(); FEW])
    }

    pub(super) fn of(picks: impl ExactSizeIterator<Item = Picked>) -> Self {
        match u8::try_from(picks.len()) {
            Ok(length) if usize::from(length) <= FEW => {
                let mut list = [Picked::default(); FEW];
                for (slot, picked) in list.iter_mut().zip(picks) {
                    *slot = picked;
                }
                Self::Few(length, list)
            }
            _ => Self::Many(picks.collect()),
        }
    }

    pub(super) fn push(&mut self, picked: Picked) {
        match self {
            Self::Many(list) => list.push(picked),
            Self::Few(length, list) => {
                if let Some(slot) = list.get_mut(usize::from(*length)) {
                    *slot = picked;
                    *length += 1;
                } else {
                    let mut list = list.to_vec();
                    list.push(picked);
                    *self = Self::Many(list);
                }
            }
        }
    }

    pub(super) fn as_slice(&self) -> &[Picked] {
        match self {
            Self::Few(length, list) => &list[..usize::from(*length)],
            Self::Many(list) => list,
        }
    }
}
