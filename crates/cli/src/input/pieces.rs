//! A long list as `kubectl get -o json` prints it, read by several threads at once.
//!
//! Items stand apart by lines that have nothing but a bracket at one indentation. No string
//! of JSON has a line break, so such a line is what it looks like, and the text can be cut
//! there without a look at the rest. Whoever finds anything wrong gives up, and all is read
//! anew from the first item to the last: faults are found in the order of the text.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use dralloc::Error;
use dralloc::wire::{Decoded, Decoder};

use crate::progress::Progress;

/// Shorter texts are read before threads are started.
const MIN_LENGTH: usize = if cfg!(test) { 1 } else { 1 << 20 };
/// More threads than that wait for memory.
const MAX_THREADS: usize = 16;
/// What comes before the items is never longer.
const MAX_HEAD: usize = 256;
/// So often somebody looks how far the threads are, for those who wait.
const LOOK: Duration = Duration::from_millis(40);

/// Is a list that can be cut between items.
struct Cut<'t> {
    text: &'t str,
    /// What is between two items.
    between: String,
    /// Where the first item starts, and where the last one ends.
    start: usize,
    end: usize,
}

/// Reads the items of a list; nothing if the text is no such list, if it is short, or if
/// there is anything wrong with it.
pub(super) fn decode(text: &str) -> Option<Vec<Decoded>> {
    let threads = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(MAX_THREADS);
    if text.len() < MIN_LENGTH {
        return None;
    }
    let cut = Cut::of(text)?;
    let done = AtomicUsize::new(0);
    // Nothing is sent: the end of the last reader closes the channel, which wakes whoever
    // waits at once.
    let (running, all_done) = mpsc::channel::<Infallible>();
    let parts: Vec<Vec<Decoded>> = thread::scope(|scope| {
        let ranges = cut.ranges(threads);
        let readers = ranges.into_iter().map(|range| {
            let (cut, done, running) = (&cut, &done, running.clone());
            scope.spawn(move || {
                let _running = running;
                cut.read(range, done)
            })
        });
        let readers: Vec<_> = readers.collect();
        drop(running);
        let mut progress = Progress::new("reading", text.len());
        while let Err(RecvTimeoutError::Timeout) = all_done.recv_timeout(LOOK) {
            progress.reach(done.load(Ordering::Relaxed));
        }
        progress.finish();
        readers
            .into_iter()
            .map(|reader| reader.join().ok().flatten())
            .collect::<Option<_>>()
    })?;
    let mut items: Vec<Decoded> = parts.into_iter().flatten().collect();
    for (place, item) in items.iter_mut().enumerate() {
        for warning in &mut item.warnings {
            warning.path = format!("items[{place}].{}", warning.path);
        }
        item.path = format!("items[{place}]");
    }
    Some(items)
}

impl<'t> Cut<'t> {
    /// Finds out how items are indented, and whether nothing is wrong around them.
    fn of(text: &'t str) -> Option<Self> {
        const ITEMS: &str = "\"items\": [\n";
        let head = &text[..boundary(text, MAX_HEAD)];
        let start = head.find(ITEMS)? + ITEMS.len();
        let indentation = text[start..].find(|next| next != ' ')?;
        let indentation = &text[start..start + indentation];
        let end = text.rfind(&format!("\n{indentation}}}\n"))? + 2 + indentation.len();
        let start = start + indentation.len();
        if !text.get(start..end)?.starts_with('{') {
            return None;
        }
        let around = format!("{}{}", &text[..start], &text[end..]);
        let mut is_empty_list = true;
        let found = Decoder::new().decode_each(&around, &mut |_| {
            is_empty_list = false;
            Ok(())
        });
        (found.is_ok() && is_empty_list).then(|| Self {
            text,
            between: format!("\n{indentation}}},\n{indentation}{{"),
            start,
            end,
        })
    }

    /// Returns so many ranges, or fewer, of whole items; together they are all.
    fn ranges(&self, count: usize) -> Vec<(usize, usize)> {
        let (mut ranges, mut start) = (Vec::new(), self.start);
        for number in 1..count {
            let near = self.start + (self.end - self.start) / count * number;
            let near = boundary(self.text, near.max(start));
            let Some(found) = self.text[near..self.end].find(&self.between) else {
                break;
            };
            // An item ends after its bracket, and the next starts with one.
            let first = near + found + self.between.len() - 1;
            ranges.push((start, self.last(near + found)));
            start = first;
        }
        ranges.push((start, self.end));
        ranges
    }

    /// Returns where the item ends that is before a gap.
    fn last(&self, gap: usize) -> usize {
        // The gap begins with the line of the closing bracket, and ends with the comma,
        // a line break and the bracket of the next item at the same indentation.
        gap + self.between.len() / 2
    }

    /// Reads the items of a range; nothing if there is anything wrong with one.
    fn read(&self, (start, end): (usize, usize), done: &AtomicUsize) -> Option<Vec<Decoded>> {
        let mut decoder = Decoder::new();
        let mut items = Vec::new();
        let mut first = start;
        while first < end {
            let gap = self.text[first..end]
                .find(&self.between)
                .map(|gap| first + gap);
            let last = gap.map_or(end, |gap| self.last(gap));
            let count = items.len();
            let result = decoder.decode_each(&self.text[first..last], &mut |result| {
                let mut item: Decoded = result.map_err(|fault| fault.error)?;
                item.offset += first;
                for warning in &mut item.warnings {
                    warning.offset += first;
                }
                items.push(item);
                Ok::<(), Error>(())
            });
            if result.is_err() || items.len() != count + 1 {
                return None;
            }
            done.fetch_add(last - first, Ordering::Relaxed);
            first = gap.map_or(end, |gap| gap + self.between.len() - 1);
        }
        Some(items)
    }
}

/// Returns the last place up to another that is between two characters.
fn boundary(text: &str, place: usize) -> usize {
    let mut places = (0..=place.min(text.len())).rev();
    places
        .find(|place| text.is_char_boundary(*place))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(items: &[&str]) -> String {
        let items: Vec<String> = items.iter().map(|item| format!("        {item}")).collect();
        format!(
            "{{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n{}\n    ],\n    \"kind\": \"List\"\n}}\n",
            items.join(",\n")
        )
    }

    fn node(name: &str) -> String {
        format!(
            "{{\n            \"apiVersion\": \"v1\",\n            \"kind\": \"Node\",\n            \
             \"metadata\": {{\n                \"name\": \"{name}\"\n            }}\n        }}"
        )
    }

    /// Returns what the decoder says of a text from the first item to the last.
    fn one_by_one(text: &str) -> Result<Vec<String>, Error> {
        let mut items = Vec::new();
        Decoder::new().decode(text, &mut |item| {
            items.push(format!("{item:?}"));
            Ok(())
        })?;
        Ok(items)
    }

    #[test]
    fn pieces_say_what_the_whole_says() {
        let nodes: Vec<String> = (0..40).map(|number| node(&format!("é-{number}"))).collect();
        let slice = "{\n            \"apiVersion\": \"resource.k8s.io/v1\",\n            \"kind\": \
                     \"ResourceSlice\",\n            \"metadata\": {\"name\": \"s\"},\n            \
                     \"spec\": {\"pools\": {}}\n        }";
        let mut texts: Vec<&str> = nodes.iter().map(String::as_str).collect();
        texts.insert(7, slice);
        for count in [1, 2, 3, 41] {
            let text = list(&texts[..count]);
            let items = decode(&text).unwrap();
            let items: Vec<String> = items.iter().map(|item| format!("{item:?}")).collect();
            assert_eq!(items, one_by_one(&text).unwrap(), "{count}");
        }
    }

    #[test]
    fn whatever_is_wrong_is_left_to_the_whole() {
        let (one, other) = (node("a"), node("b"));
        let good = list(&[&one, &other]);
        assert!(decode(&good).is_some());
        for (from, to) in [
            ("\"kind\": \"Node\"", "\"kind\": \"\""),
            ("\"kind\": \"List\"", "\"kind\": \"Lists\""),
            ("\"kind\": \"List\"", "\"items\": []"),
            ("\"apiVersion\": \"v1\",\n    \"items\"", "\"items\""),
            ("},\n        {", "}\n        {"),
            ("},\n        {", "},\n        null,\n        {"),
            ("},\n        {", "},,\n        {"),
            ("\n    ],", ",\n    ],"),
            ("\"name\": \"b\"", "\"name\": \"b"),
            ("\"items\": [\n", "\"items\": [\n\n"),
            ("\"items\": [\n", "\"item\": [\n"),
        ] {
            let text = good.replace(from, to);
            assert_ne!(text, good);
            assert!(decode(&text).is_none(), "{to}");
        }
        assert!(decode("").is_none() && decode("{\"items\": [\n").is_none());
    }
}
