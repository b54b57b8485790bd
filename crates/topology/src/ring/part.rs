//! [`Part`]: the fabric inside a set of devices, in units.

/// Has what links the devices of a set, by their place in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Part {
    size: usize,
    /// Capacity of the direct link of each pair, both ways round; zero: none.
    direct: Vec<u64>,
    /// Whether a pair without a direct link shares switches.
    switched: Vec<bool>,
    /// Capacity of each device into switches.
    ports: Vec<u64>,
}

impl Part {
    /// Returns a part without any links.
    pub(crate) fn new(size: usize) -> Self {
        Self {
            size,
            direct: vec![0; size * size],
            switched: vec![false; size * size],
            ports: vec![0; size],
        }
    }

    /// Returns how many devices there are.
    pub(crate) fn len(&self) -> usize {
        self.size
    }

    /// Returns what links some of the devices.
    pub(crate) fn of(&self, members: &[usize]) -> Self {
        let mut part = Self::new(members.len());
        for (place, &device) in members.iter().enumerate() {
            part.ports[place] = self.port(device);
            for (other_place, &other) in members.iter().enumerate() {
                let at = place * part.size + other_place;
                part.direct[at] = self.direct(device, other);
                part.switched[at] = self.is_switched(device, other);
            }
        }
        part
    }

    /// Notes a direct link.
    pub(crate) fn link(&mut self, a: usize, b: usize, capacity: u64) {
        for place in [a * self.size + b, b * self.size + a] {
            if let Some(entry) = self.direct.get_mut(place) {
                *entry = capacity;
            }
        }
    }

    /// Notes that two devices share switches.
    pub(crate) fn switch(&mut self, a: usize, b: usize) {
        for place in [a * self.size + b, b * self.size + a] {
            if let Some(entry) = self.switched.get_mut(place) {
                *entry = true;
            }
        }
    }

    /// Notes what a device has into switches.
    pub(crate) fn set_port(&mut self, device: usize, capacity: u64) {
        if let Some(entry) = self.ports.get_mut(device) {
            *entry = capacity;
        }
    }

    /// Returns the capacity of the direct link of a pair.
    pub(crate) fn direct(&self, a: usize, b: usize) -> u64 {
        self.direct.get(a * self.size + b).copied().unwrap_or(0)
    }

    /// Says whether a pair is linked by switches.
    pub(crate) fn is_switched(&self, a: usize, b: usize) -> bool {
        self.switched
            .get(a * self.size + b)
            .copied()
            .unwrap_or(false)
    }

    /// Returns what a device has into switches.
    pub(crate) fn port(&self, device: usize) -> u64 {
        self.ports.get(device).copied().unwrap_or(0)
    }

    /// Returns the capacity of a pair by itself.
    pub(crate) fn pair(&self, a: usize, b: usize) -> u64 {
        if self.is_switched(a, b) {
            self.port(a).min(self.port(b))
        } else {
            self.direct(a, b)
        }
    }

    /// Says whether all pairs are linked by switches.
    pub(crate) fn all_switched(&self) -> bool {
        let pairs = (0..self.size).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs.into_iter().all(|(a, b)| self.is_switched(a, b))
    }
}
