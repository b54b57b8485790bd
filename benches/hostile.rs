//! Hostile selectors: how long they take, and how much memory.
//!
//! Not a timed test: the table says where a bar was missed.

#![expect(clippy::expect_used, reason = "a benchmark fails like a test")]

use std::io::{self, Write};
use std::time::{Duration, Instant};

use dralloc_cel::{Device, ErrorKind, Options, Program, Scratch, Value, Verdict};

use dralloc_testkit::heap::{Counter, Usage, measured};
use dralloc_testkit::selectors::hostile;

#[global_allocator]
static COUNTER: Counter = Counter;

/// As little stack as hosts call with.
const STACK: usize = 512 * 1024;

/// Longest time that a compilation and an evaluation should take together.
const TIME: Duration = Duration::from_millis(50);

/// Most memory that they should hold at once, in bytes.
const MEMORY: usize = 64 << 20;

/// Compiles and evaluates; returns how it ends.
fn run(expression: &str) -> String {
    let Ok(program) = Program::compile(expression, &Options::selector()) else {
        return "rejected".to_owned();
    };
    let mut device = Device::new("gpu.example.com");
    device.set_attribute("ints", Value::Ints((0..10).collect()));
    match program.matches(&device, &mut Scratch::new()) {
        Verdict::Match => "match".to_owned(),
        Verdict::NoMatch => "no match".to_owned(),
        Verdict::Error(error) => match error.kind {
            ErrorKind::CostLimit => "over the cost limit".to_owned(),
            ErrorKind::MemoryLimit => "over the memory limit".to_owned(),
            other => format!("{other:?}"),
        },
    }
}

/// Measures on a thread with a small stack.
fn measure(expression: String) -> (String, Duration, Usage) {
    let work = move || {
        let start = Instant::now();
        let (ending, usage) = measured(|| run(&expression));
        (ending, start.elapsed(), usage)
    };
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(work)
        .expect("a thread")
        .join()
        .expect("no panic")
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{:<34} {:>6} {:>9} {:>9}  {:<22} verdict",
        "input", "bytes", "ms", "MiB", "ends"
    )?;
    let mut over = 0;
    for (name, expression) in hostile() {
        let length = expression.len();
        write!(out, "{name:<34} {length:>6} ")?;
        out.flush()?;
        let (ending, time, usage) = measure(expression);
        let passes = time <= TIME && usage.peak <= MEMORY;
        over += usize::from(!passes);
        let hundredths = usage.peak * 100 / (1 << 20);
        writeln!(
            out,
            "{:>9.3} {:>6}.{:02}  {ending:<22} {}",
            time.as_secs_f64() * 1000.0,
            hundredths / 100,
            hundredths % 100,
            if passes { "PASS" } else { "over" }
        )?;
    }
    writeln!(
        out,
        "{over} over the bars of {} ms and {} MiB",
        TIME.as_millis(),
        MEMORY >> 20
    )
}
