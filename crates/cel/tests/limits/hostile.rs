//! Hostile expressions stay within the limits on memory and cost.

use dralloc_cel::{Device, ErrorKind, Options, Program, Scratch, Value, Verdict};

use dralloc_testkit::heap::measured;
use dralloc_testkit::selectors::hostile;

/// As little stack as hosts call with.
const STACK: usize = 512 * 1024;

/// Bytes that a compilation and an evaluation may hold at once.
const MEMORY: usize = 64 << 20;

/// The limit on cost.
const COST: u64 = 1_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Rejected,
    Answer(bool),
    Failed(ErrorKind),
}

/// How each input ends.
const ENDINGS: &[(&str, Ending)] = &[
    ("125 bytes of `!!(!!(`", Ending::Rejected),
    ("90 parentheses", Ending::Answer(true)),
    ("200 parentheses", Ending::Answer(true)),
    ("2 000 parentheses", Ending::Rejected),
    ("10 000 times `(`", Ending::Rejected),
    ("100 000 parentheses", Ending::Rejected),
    ("`1+1+..`", Ending::Rejected),
    ("`a[0][0]..`", Ending::Rejected),
    ("`.trim().trim()..`", Ending::Rejected),
    ("`1<1<..`", Ending::Rejected),
    ("`a.b.b..`", Ending::Rejected),
    ("`!!!..`", Ending::Answer(true)),
    ("`&& && ..`", Ending::Answer(true)),
    ("`? : ? :`", Ending::Rejected),
    ("7 nested `all`", Ending::Failed(ErrorKind::CostLimit)),
    (
        "7 nested `exists_one`",
        Ending::Failed(ErrorKind::CostLimit),
    ),
    ("6 nested `map`", Ending::Failed(ErrorKind::MemoryLimit)),
    (
        "`map` over a long range",
        Ending::Failed(ErrorKind::CostLimit),
    ),
    (
        "`transformMap` over a long range",
        Ending::Failed(ErrorKind::MemoryLimit),
    ),
    (
        "`transformMapEntry` with many keys",
        Ending::Failed(ErrorKind::CostLimit),
    ),
    ("26 list doublings", Ending::Failed(ErrorKind::MemoryLimit)),
    (
        "26 string doublings",
        Ending::Failed(ErrorKind::MemoryLimit),
    ),
    (
        "30 string doublings",
        Ending::Failed(ErrorKind::MemoryLimit),
    ),
    ("`lastIndexOf` of a long text", Ending::Answer(false)),
    ("26 bound lists", Ending::Failed(ErrorKind::MemoryLimit)),
    ("26 bound strings", Ending::Failed(ErrorKind::MemoryLimit)),
    ("26 bound bytes", Ending::Failed(ErrorKind::CostLimit)),
    (
        "`replace` in `replace`",
        Ending::Failed(ErrorKind::MemoryLimit),
    ),
    (
        "`replace` of nothing",
        Ending::Failed(ErrorKind::MemoryLimit),
    ),
    ("`join` in `join`", Ending::Failed(ErrorKind::CostLimit)),
    (
        "`split` of a long text",
        Ending::Failed(ErrorKind::MemoryLimit),
    ),
    (
        "`upperAscii` in `upperAscii`",
        Ending::Failed(ErrorKind::CostLimit),
    ),
    (
        "shared parts, compared",
        Ending::Failed(ErrorKind::MemoryLimit),
    ),
    (
        "shared parts, flattened",
        Ending::Failed(ErrorKind::MemoryLimit),
    ),
    (
        "shared parts, `includes`",
        Ending::Failed(ErrorKind::MemoryLimit),
    ),
    ("types of exponential size", Ending::Rejected),
    ("maps in maps", Ending::Failed(ErrorKind::MemoryLimit)),
    ("a huge range", Ending::Failed(ErrorKind::InvalidArgument)),
    ("a range of 900 000", Ending::Failed(ErrorKind::MemoryLimit)),
    ("a range, doubled", Ending::Failed(ErrorKind::MemoryLimit)),
    ("`distinct`", Ending::Failed(ErrorKind::MemoryLimit)),
    ("`sort`", Ending::Failed(ErrorKind::CostLimit)),
    ("`sortBy`", Ending::Failed(ErrorKind::CostLimit)),
    ("`sortBy` in `sortBy`", Ending::Failed(ErrorKind::CostLimit)),
    ("`flatten` of many", Ending::Answer(true)),
    ("`slice` in a loop", Ending::Failed(ErrorKind::MemoryLimit)),
    ("`sum`", Ending::Failed(ErrorKind::MemoryLimit)),
    ("`indexOf`", Ending::Answer(false)),
    ("`sets.contains`", Ending::Failed(ErrorKind::MemoryLimit)),
    ("`sets.equivalent`", Ending::Answer(true)),
    ("`sets.intersects`", Ending::Failed(ErrorKind::MemoryLimit)),
    (
        "`in` a long list, in a loop",
        Ending::Failed(ErrorKind::CostLimit),
    ),
    ("`(a+)+$`", Ending::Answer(false)),
    ("`((a{100}){100}){10}`", Ending::Rejected),
    (r"`(\w{200}){4}`", Ending::Answer(false)),
    (r"`(\pL{100}){10}`", Ending::Rejected),
    (r"`(?i)(\PN{1000})`", Ending::Rejected),
    ("`.{1000}`", Ending::Answer(false)),
    ("alternatives", Ending::Rejected),
    (
        "a pattern built anew in a loop",
        Ending::Failed(ErrorKind::MemoryLimit),
    ),
    (
        "many matches of nothing",
        Ending::Failed(ErrorKind::MemoryLimit),
    ),
    (
        "nested empty lists, flattened",
        Ending::Failed(ErrorKind::MemoryLimit),
    ),
    (r"252 x `(\PN|\pL|\w){90}`", Ending::Rejected),
    (r"3000 x `\pL`", Ending::Rejected),
    (r"400 x `\pL`", Ending::Rejected),
    ("252 x `a.*[0-9]`", Ending::Answer(false)),
    (
        r"`(\pL{9}){50}` in a loop",
        Ending::Failed(ErrorKind::MemoryLimit),
    ),
    ("`double` of digits", Ending::Failed(ErrorKind::MemoryLimit)),
    ("`uint` of digits", Ending::Failed(ErrorKind::MemoryLimit)),
    ("`charAt` far away", Ending::Failed(ErrorKind::MemoryLimit)),
    ("`size` of a text", Ending::Failed(ErrorKind::MemoryLimit)),
    ("`!=` of texts", Ending::Failed(ErrorKind::CostLimit)),
    ("`!=` of a long and a short text", Ending::Answer(true)),
    ("`>` of texts", Ending::Failed(ErrorKind::MemoryLimit)),
    ("a long key", Ending::Failed(ErrorKind::MemoryLimit)),
    ("a long key, `in`", Ending::Failed(ErrorKind::MemoryLimit)),
    ("texts in lists", Ending::Failed(ErrorKind::MemoryLimit)),
    ("long texts, sorted", Ending::Failed(ErrorKind::MemoryLimit)),
    ("long texts, `max`", Ending::Failed(ErrorKind::MemoryLimit)),
    ("long URLs", Ending::Failed(ErrorKind::MemoryLimit)),
    ("long versions", Ending::Failed(ErrorKind::MemoryLimit)),
    ("equal maps", Ending::Failed(ErrorKind::MemoryLimit)),
    ("keys of maps", Ending::Failed(ErrorKind::MemoryLimit)),
    ("many digits", Ending::Failed(ErrorKind::MemoryLimit)),
    (
        "`in` many constants",
        Ending::Failed(ErrorKind::MemoryLimit),
    ),
];

/// Compiles and evaluates; returns how that ends, and the cost.
fn run(expression: &str) -> (Ending, u64) {
    let Ok(program) = Program::compile(expression, &Options::selector()) else {
        return (Ending::Rejected, 0);
    };
    let mut device = Device::new("gpu.example.com");
    device.set_attribute("ints", Value::Ints((0..10).collect()));
    let mut scratch = Scratch::new();
    let ending = match program.matches(&device, &mut scratch) {
        Verdict::Match => Ending::Answer(true),
        Verdict::NoMatch => Ending::Answer(false),
        Verdict::Error(error) => Ending::Failed(error.kind),
    };
    (ending, scratch.cost())
}

#[test]
fn memory_and_cost_are_limited() {
    let mut endings = Vec::new();
    for (name, expression) in hostile() {
        let ((ending, cost), usage) = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn(move || measured(|| run(&expression)))
            .expect("a thread")
            .join()
            .expect("no panic");
        assert!(usage.peak <= MEMORY, "{name}: {} bytes", usage.peak);
        // A call is charged for when it is done, as in Kubernetes.
        let is_failure = matches!(ending, Ending::Failed(_));
        assert!(cost <= COST || is_failure, "{name}: cost {cost}");
        endings.push((name, ending));
    }
    assert_eq!(endings, ENDINGS);
}

#[test]
fn messages_are_short_however_long_the_text_is() {
    let text = "x".repeat(8_000);
    for call in [
        "timestamp(0).getHours($) == 0",
        "timestamp(0).getHours($ + ':00') == 0",
        "semver($).major() == 0",
        "semver($ + '.1.2').major() == 0",
        "url($).getHost() == ''",
        "url('https://[' + $).getHost() == ''",
        "ip($).family() == 4",
        "cidr($).prefixLength() == 4",
        "{'a': true}[$]",
        "'a'.matches('[[:' + $ + ':]]')",
    ] {
        let expression = call.replace('$', &format!("'{text}'"));
        let program = Program::compile(&expression, &Options::selector()).expect(call);
        let device = Device::new("gpu.example.com");
        match program.matches(&device, &mut Scratch::new()) {
            Verdict::Error(error) => assert!(error.message.len() < 300, "{}", error.message),
            verdict => panic!("{call}: {verdict:?}"),
        }
    }
}
