//! [`Texts`]: text that was read lately, so that it is kept once.

use std::cell::RefCell;

use super::Str;

/// Longer text is not expected to come again.
const MAX_LENGTH: usize = 128;

/// So many sets of two texts there are room for.
const SETS: usize = 1 << 10;

/// Remembers text that a decoder read lately.
///
/// It has a fixed size: clusters publish millions of different texts, such as
/// uuids. In each set one place is for text that came more than once, so what is
/// read once only does not drive it out. What is not found is kept anew, which
/// changes nothing but the memory that it takes.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    sets: Vec<Set>,
}

#[derive(Clone, Debug, Default)]
struct Set {
    repeated: Known,
    last: Known,
}

/// Is a text with a part of its hash, so that others need no look at it.
#[derive(Clone, Debug, Default)]
struct Known {
    tag: u32,
    text: Option<Str>,
}

impl Known {
    fn get(&self, tag: u32, text: &str) -> Option<&Str> {
        let known = self.text.as_ref().filter(|_| self.tag == tag);
        known.filter(|known| ***known == *text)
    }
}

thread_local! {
    /// Those of the decoder that is reading on this thread. What serde derives
    /// has no way to hand them down.
    static CURRENT: RefCell<Texts> = const { RefCell::new(Texts { sets: Vec::new() }) };
}

/// Swaps texts with those of the thread as long as it lives, also if what reads
/// panics: then each decoder has its own again.
struct Swapped<'a>(&'a mut Texts);

impl<'a> Swapped<'a> {
    fn new(texts: &'a mut Texts) -> Self {
        let mut swapped = Self(texts);
        swapped.swap();
        swapped
    }

    fn swap(&mut self) {
        // Where the thread ends, both times nothing is swapped.
        let _ = CURRENT.try_with(|current| std::mem::swap(&mut *current.borrow_mut(), self.0));
    }
}

impl Drop for Swapped<'_> {
    fn drop(&mut self) {
        self.swap();
    }
}

impl Texts {
    /// Runs something that reads text, which is shared with what is remembered.
    pub(crate) fn during<T>(&mut self, read: impl FnOnce() -> T) -> T {
        if self.sets.is_empty() {
            self.sets = vec![Set::default(); SETS];
        }
        let texts = Swapped::new(self);
        let result = read();
        drop(texts);
        result
    }

    /// Returns a text, which is one that was read before if that is remembered.
    pub(crate) fn share(text: &str) -> Str {
        if text.is_empty() {
            return Str::default();
        }
        if text.len() > MAX_LENGTH {
            return text.into();
        }
        // Where the thread ends there is nothing to share with.
        let found = CURRENT.try_with(|current| Some(current.try_borrow_mut().ok()?.find(text)));
        found.ok().flatten().unwrap_or_else(|| text.into())
    }

    fn find(&mut self, text: &str) -> Str {
        let (place, tag) = place(text);
        let Some(set) = self.sets.get_mut(place) else {
            return text.into();
        };
        if let Some(known) = set.repeated.get(tag, text) {
            return known.clone();
        }
        if let Some(known) = set.last.get(tag, text) {
            let known = known.clone();
            std::mem::swap(&mut set.last, &mut set.repeated);
            return known;
        }
        set.last.tag = tag;
        set.last.text.insert(text.into()).clone()
    }
}

/// Returns the set of a text, and a part of its hash.
fn place(text: &str) -> (usize, u32) {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = text.len() as u64;
    let mut add = |word: u64| hash = (hash.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    for word in words {
        add(u64::from_le_bytes(*word));
    }
    let last = rest
        .iter()
        .fold(0, |word, byte| word << 8 | u64::from(*byte));
    add(last);
    // The high bits depend on all others.
    let place = usize::try_from(hash >> 48).unwrap_or_default() % SETS;
    let tag = u32::try_from(hash >> 16 & u64::from(u32::MAX)).unwrap_or_default();
    (place, tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &Str) -> *const u8 {
        text.as_ptr()
    }

    #[test]
    fn what_repeats_is_kept_once_whatever_comes_between() {
        let mut texts = Texts::default();
        let (first, again) = texts.during(|| (Texts::share("gpu"), Texts::share("gpu")));
        assert_eq!(address(&first), address(&again));
        for number in 0..100_000 {
            texts.during(|| Texts::share(&format!("uuid-{number}")));
        }
        let later = texts.during(|| Texts::share("gpu"));
        assert_eq!(address(&first), address(&later));
        assert_eq!(&*later, "gpu");
        let outside = Texts::share("gpu");
        assert_ne!(address(&first), address(&outside));
    }
}
