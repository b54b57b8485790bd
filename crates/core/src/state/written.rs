//! [`Written`]: which devices of a block were written last.

/// So many changes are remembered of a block.
const KEPT: usize = 4;

/// Tells who knows what was held of a block after an earlier change of which
/// devices to look again: those of which a bit does not say what is held.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    /// The number of a change and the devices that it wrote, the last one first.
    /// Before the first change all is as it was at number 0.
    last: [(u64, u64); KEPT],
}

impl Written {
    pub(super) fn note(&mut self, change: u64, bit: u64) {
        if self.last[0].0 != change {
            self.last.rotate_right(1);
            self.last[0] = (change, 0);
        }
        self.last[0].1 |= bit;
    }

    /// Returns the number of the last change.
    pub(super) fn last(&self) -> u64 {
        self.last[0].0
    }

    /// Returns the devices that were written after a change; nothing if that is
    /// not known any more.
    pub(super) fn since(&self, change: u64) -> Option<u64> {
        let mut written = 0;
        for (number, devices) in self.last {
            if number == change {
                return Some(written);
            }
            written |= devices;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_changes_are_known_and_no_earlier_ones() {
        let mut written = Written::default();
        assert_eq!((written.last(), written.since(0)), (0, Some(0)));
        assert_eq!(written.since(3), None);
        for (change, bit) in [(2, 0b1), (2, 0b10), (5, 0b100), (7, 0b1)] {
            written.note(change, bit);
        }
        let since = |change| written.since(change);
        assert_eq!(written.last(), 7);
        assert_eq!(
            [since(7), since(5), since(2), since(0), since(4)],
            [Some(0), Some(0b1), Some(0b101), Some(0b111), None]
        );
        written.note(8, 0b1000);
        assert_eq!(written.since(0), None);
        assert_eq!(written.since(2), Some(0b1101));
    }
}
