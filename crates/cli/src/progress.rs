//! [`Progress`]: a bar for those who wait.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Nobody minds a wait that is shorter.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shows on standard error how much is done, if that is a terminal and it takes long.
#[derive(Debug)]
pub(crate) struct Progress {
    /// What is being done, such as `allocating`.
    title: &'static str,
    start: Instant,
    length: u64,
    done: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(crate) fn new(title: &'static str, length: usize) -> Self {
        Self {
            title,
            start: Instant::now(),
            length: length as u64,
            done: 0,
            bar: None,
        }
    }

    /// Notes that one more piece is done.
    pub(crate) fn advance(&mut self) {
        self.show(self.done + 1);
    }

    /// Notes how many pieces are done.
    pub(crate) fn reach(&mut self, done: usize) {
        self.show(done as u64);
    }

    fn show(&mut self, done: u64) {
        self.done = done;
        if self.bar.is_none() && self.start.elapsed() > PATIENCE {
            self.bar = Some(ProgressBar::new(self.length).with_style(style(self.title)));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(title: &str) -> ProgressStyle {
    ProgressStyle::with_template(&format!("{title} {{bar:40}} {{pos}}/{{len}}"))
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}
