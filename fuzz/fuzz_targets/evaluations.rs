//! Evaluations: well-formed selectors, on devices with what they read.
//!
//! The target `selectors` is given text, most of which never compiles. Here the
//! input is the choices of the generator that the comparison with Kubernetes
//! uses, so that nearly all of it is evaluated.

#![no_main]

use dralloc_cel::{Device, ErrorKind, Options, Program, Scratch, Verdict, estimate_cost};
use dralloc_testkit::selectors::RandomSelector;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, choices)) = bytes.split_first() else {
        return;
    };
    let minor = 34 + u32::from(first % 4);
    let selector = RandomSelector::replaying(choices, minor);
    let limit = selector.cost_limit.unwrap_or(Options::COST_LIMIT);
    let Some((verdict, cost)) = evaluate(&selector, minor, limit) else {
        return;
    };
    let Verdict::Error(error) = verdict else {
        assert!(cost <= limit, "{cost} is over {limit} without an error");
        return;
    };
    if error.kind != ErrorKind::CostLimit {
        assert!(cost <= limit, "{cost} is over {limit}: {error}");
        return;
    }
    assert!(cost > limit, "{cost} is not over {limit}");
    // It ended with the first step over the limit: with that step allowed for,
    // the same evaluation gets further.
    let again = evaluate(&selector, minor, cost);
    if let Some((Verdict::Error(error), further)) = again
        && error.kind == ErrorKind::CostLimit
    {
        assert!(further > cost, "{further} is not over {cost}");
    }
});

/// Compiles and evaluates, twice with the same result.
fn evaluate(selector: &RandomSelector, minor: u32, limit: u64) -> Option<(Verdict, u64)> {
    let options = Options::selector()
        .kubernetes_minor(minor)
        .cost_limit(limit);
    let program = Program::compile(&selector.expression, &options);
    let estimate = estimate_cost(&selector.expression, &options);
    assert_eq!(estimate.is_ok(), program.is_ok());
    let (program, device): (Program, Device) = (program.ok()?, selector.device.row().ok()?);
    let mut scratch = Scratch::new();
    let verdict = program.matches(&device, &mut scratch);
    let cost = scratch.cost();
    assert_eq!(program.matches(&device, &mut scratch), verdict);
    assert_eq!(scratch.cost(), cost);
    Some((verdict, cost))
}
