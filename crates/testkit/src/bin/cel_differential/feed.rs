//! [`Feed`]: the program that answers for Kubernetes, and a thread that asks.

use std::io::{BufWriter, Write as _};
use std::ops::Range;
use std::path::Path;
use std::thread::JoinHandle;

use dralloc_testkit::selectors::RandomSelector;

use crate::upstream::{Upstream, UpstreamAnswer, line};

/// Answers to the selectors of some seeds, in order.
pub(crate) struct Feed {
    upstream: Option<Upstream>,
    writer: Option<JoinHandle<()>>,
}

impl Feed {
    pub(crate) fn start(program: &Path, seeds: Range<u64>, minor: u32) -> Result<Self, String> {
        let mut upstream = Upstream::start(program, 1)?;
        let input = upstream.input()?;
        // It writes ahead of what is read, as far as the pipe holds, and stops
        // when the program does.
        let writer = std::thread::spawn(move || {
            let mut input = BufWriter::new(input);
            for seed in seeds {
                if writeln!(input, "{}", line(&RandomSelector::new(seed, minor))).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            upstream: Some(upstream),
            writer: Some(writer),
        })
    }

    /// Reads the next answer.
    pub(crate) fn next(&mut self) -> Result<UpstreamAnswer, String> {
        match &mut self.upstream {
            Some(upstream) => upstream.next(),
            None => Err("no program to ask".to_owned()),
        }
    }

    /// Whether the program has ended before it answered all.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.upstream.as_mut().is_some_and(Upstream::has_ended)
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        drop(self.upstream.take());
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}
