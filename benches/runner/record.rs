//! [`Record`]: what is printed about a run in a mode.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::options::Options;
use crate::workload::{Run, Workload};

/// Is one line of the output.
pub(crate) struct Record(Map<String, Value>);

impl Record {
    /// Returns one that says what is asked, in which mode, and how busy the machine is.
    pub(crate) fn new(workload: &Workload, run: &Run, mode: &str, options: &Options) -> Self {
        let mut record = Self(Map::new());
        for (name, value) in [
            ("workload", &*workload.name),
            ("family", &workload.family),
            ("run", &run.name),
            ("kind", &run.kind),
            ("expect", &run.expect),
            ("variant", &options.variant),
            ("peer", "dralloc"),
            ("mode", mode),
        ] {
            record.put(name, value);
        }
        record.put("devices", workload.devices());
        record.put("nodes", workload.nodes.len());
        record.put("calib_ns", calibrate());
        record
    }

    pub(crate) fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }

    pub(crate) fn time(&mut self, name: &str, time: Duration) {
        self.put(name, nanoseconds(time));
    }

    /// Returns the mode.
    pub(crate) fn mode(&self) -> String {
        let mode = self.0.get("mode").and_then(Value::as_str);
        mode.unwrap_or_default().to_owned()
    }

    /// Says how long samples took.
    pub(crate) fn times(&mut self, mut times: Vec<Duration>) {
        times.sort_unstable();
        let at = |place: usize| times.get(place).copied().unwrap_or_default();
        let last = times.len().saturating_sub(1);
        self.put("n", times.len());
        self.time("min_ns", at(0));
        self.time("median_ns", at(times.len() / 2));
        self.time("p99_ns", at((last * 99 + 50) / 100));
        self.time("max_ns", at(last));
    }

    pub(crate) fn into_json(self) -> Value {
        json!(self.0)
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Times a fixed amount of work, to tell a busy machine.
fn calibrate() -> u64 {
    let time = || {
        let start = Instant::now();
        let mut x = 1_u64;
        for _ in 0..8_000_000 {
            x = black_box(x)
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
        }
        black_box(x);
        nanoseconds(start.elapsed())
    };
    time().min(time()).min(time())
}
