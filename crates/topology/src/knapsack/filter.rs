//! [`Filter`]: what may become of each device.

/// Says what may become of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    /// It is not free.
    Held,
    /// It is free, and stays so.
    Left,
    /// It is free, and may be taken.
    Open,
    /// It has to be taken.
    Must,
}

/// Has the state of each device.
#[derive(Clone, Debug)]
pub(super) struct Filter(Vec<State>);

impl Filter {
    pub(super) fn held(devices: usize) -> Self {
        Self(vec![State::Held; devices])
    }

    pub(super) fn set(&mut self, device: usize, state: State) {
        if let Some(entry) = self.0.get_mut(device) {
            *entry = state;
        }
    }

    pub(super) fn get(&self, device: usize) -> State {
        self.0.get(device).copied().unwrap_or(State::Held)
    }

    pub(super) fn is_free(&self, device: usize) -> bool {
        self.get(device) != State::Held
    }

    /// Says whether a device may or must be taken.
    pub(super) fn is_open(&self, device: usize) -> bool {
        self.get(device) >= State::Open
    }

    /// Returns how many devices have to be taken.
    pub(super) fn required(&self) -> u32 {
        let must = self.0.iter().filter(|&&state| state == State::Must);
        u32::try_from(must.count()).unwrap_or(u32::MAX)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}
