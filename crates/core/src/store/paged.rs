//! [`Paged`]: an array that is copied where it is written.

use std::sync::Arc;

/// So many bits of an index choose a place in a page; small pages are copied
/// fast, and eight levels hold all numbers of 32 bits.
const BITS: u32 = 4;
const LENGTH: usize = 1 << BITS;

/// Is an array over all numbers, with a default where nothing was written.
///
/// A clone shares all pages. Writing copies the pages on the way to an entry
/// that somebody else shares, and none that nobody does.
#[derive(Clone, Debug)]
pub(crate) struct Paged<T> {
    root: Option<Arc<Page<T>>>,
    /// How many levels of pages there are below the root.
    depth: u32,
}

#[derive(Clone, Debug)]
enum Page<T> {
    Inner([Option<Arc<Page<T>>>; LENGTH]),
    Leaf([T; LENGTH]),
}

impl<T> Default for Paged<T> {
    fn default() -> Self {
        Self {
            root: None,
            depth: 0,
        }
    }
}

impl<T: Clone + Default> Paged<T> {
    /// Returns an entry, unless nothing was written near it.
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        Some(&self.leaf(index)?[place(index, 0)])
    }

    fn leaf(&self, index: usize) -> Option<&[T; LENGTH]> {
        let mut level = self.depth;
        if beyond(index, level) {
            return None;
        }
        let mut page = self.root.as_deref()?;
        loop {
            match page {
                Page::Leaf(entries) => return Some(entries),
                Page::Inner(pages) => page = pages[place(index, level)].as_deref()?,
            }
            level -= 1;
        }
    }

    /// Returns what reads entries that are near each other.
    pub(crate) fn cursor(&self) -> Cursor<'_, T> {
        Cursor {
            array: self,
            number: usize::MAX,
            page: None,
        }
    }

    /// Returns an entry to write.
    pub(crate) fn get_mut(&mut self, index: usize) -> &mut T {
        while beyond(index, self.depth) {
            if let Some(root) = self.root.take() {
                let mut pages = Default::default();
                let first: &mut [Option<Arc<Page<T>>>; LENGTH] = &mut pages;
                first[0] = Some(root);
                self.root = Some(Arc::new(Page::Inner(pages)));
            }
            self.depth += 1;
        }
        let mut level = self.depth;
        let mut slot = &mut self.root;
        loop {
            let page = slot.get_or_insert_with(|| Arc::new(Page::new(level)));
            match Arc::make_mut(page) {
                Page::Leaf(entries) => return &mut entries[place(index, 0)],
                Page::Inner(pages) => slot = &mut pages[place(index, level)],
            }
            level -= 1;
        }
    }
}

/// Reads a [`Paged`] and keeps the last page at hand.
#[derive(Debug)]
pub(crate) struct Cursor<'a, T> {
    array: &'a Paged<T>,
    /// Which page is at hand.
    number: usize,
    page: Option<&'a [T; LENGTH]>,
}

impl<'a, T: Clone + Default> Cursor<'a, T> {
    /// Returns an entry, unless nothing was written near it.
    #[inline]
    pub(crate) fn get(&mut self, index: usize) -> Option<&'a T> {
        if index >> BITS != self.number {
            self.number = index >> BITS;
            self.page = self.array.leaf(index);
        }
        Some(&self.page?[place(index, 0)])
    }
}

impl<T: Default> Page<T> {
    fn new(level: u32) -> Self {
        if level == 0 {
            Self::Leaf(Default::default())
        } else {
            Self::Inner(Default::default())
        }
    }
}

/// Returns whether an index needs more levels.
fn beyond(index: usize, depth: u32) -> bool {
    let bits = BITS * (depth + 1);
    bits < usize::BITS && index >> bits != 0
}

fn place(index: usize, level: u32) -> usize {
    (index >> (BITS * level)) % LENGTH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_keeps_what_it_saw() {
        let mut array: Paged<u32> = Paged::default();
        assert_eq!(array.get(0), None);
        for index in [0, 15, 16, 255, 256, 70_000] {
            *array.get_mut(index) = u32::try_from(index).unwrap_or(0) + 1;
        }
        let before = array.clone();
        *array.get_mut(16) = 7;
        *array.get_mut(1 << 30) = 8;
        let read = |array: &Paged<u32>, index| array.get(index).copied();
        for (index, was, is) in [
            (0, Some(1), Some(1)),
            (1, Some(0), Some(0)),
            (15, Some(16), Some(16)),
            (16, Some(17), Some(7)),
            (17, Some(0), Some(0)),
            (255, Some(256), Some(256)),
            (256, Some(257), Some(257)),
            (70_000, Some(70_001), Some(70_001)),
            (90_000, None, None),
            (1 << 30, None, Some(8)),
            (usize::MAX, None, None),
        ] {
            assert_eq!((read(&before, index), read(&array, index)), (was, is));
        }
    }

    #[test]
    fn a_cursor_reads_what_is_there() {
        let mut array: Paged<u32> = Paged::default();
        assert_eq!(array.cursor().get(0), None);
        for index in [3, 40, 70_000] {
            *array.get_mut(index) = 9;
        }
        let mut cursor = array.cursor();
        for index in [0, 3, 15, 16, 40, 3, 70_000, 90_000, 40, usize::MAX, 3] {
            assert_eq!(cursor.get(index), array.get(index), "{index}");
        }
    }

    #[test]
    fn only_what_is_shared_is_copied() {
        let mut array: Paged<Arc<()>> = Paged::default();
        let one = Arc::clone(array.get_mut(3));
        array.get_mut(3);
        assert_eq!(Arc::strong_count(&one), 2);
        let copy = array.clone();
        assert_eq!(Arc::strong_count(&one), 2);
        array.get_mut(4);
        assert_eq!(Arc::strong_count(&one), 3);
        drop(copy);
        assert_eq!(Arc::strong_count(&one), 2);
    }
}
