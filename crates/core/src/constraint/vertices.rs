//! [`Vertices`]: which vertices of a machine are picked.

/// Keeps vertices in the order in which devices of theirs came; of one vertex there may
/// be several devices, such as the partitions of a card.
#[derive(Debug, Default)]
pub(super) struct Vertices {
    picked: Vec<usize>,
    /// By device, whether its vertex was new.
    is_new: Vec<bool>,
}

impl Vertices {
    /// Adds the vertex of a device, if it has one.
    pub(super) fn add(&mut self, vertex: Option<usize>) {
        let new = vertex.filter(|vertex| !self.picked.contains(vertex));
        self.picked.extend(new);
        self.is_new.push(new.is_some());
    }

    /// Takes the last device back.
    pub(super) fn undo(&mut self) {
        if self.is_new.pop() == Some(true) {
            self.picked.pop();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.picked.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.picked.iter().copied()
    }
}
