//! Questions where a bound of a short way just fits: one more, and there would be no
//! answer or another one.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

mod ask;

/// What a question is about, the question, and the answer.
type Case = (&'static str, &'static str, &'static str);

fn check(cases: &[Case]) {
    for (name, question, expected) in cases {
        assert_eq!(ask::answer(question), *expected, "{name}");
    }
}

/// The first device has a value for itself in most of these: who takes it has to go back.
#[test]
fn constraints_that_are_alike_find_a_value_each() {
    check(&[
        (
            "what is taken of a counter is the least, and all of it",
            "devices a r=9, a r=1 m:1 x4, a r=1 m:2
             counters m=4
             claim 2a, 2a; r 0, r 1",
            "1,2 3,4",
        ),
        (
            "what a request of other devices keeps may be others",
            "devices b r=1, ab r=1, b r=1, a r=1, a r=2 x3
             claim 2b, 2a, 2a; r 0, r 1, r 2",
            "0,2 1,3 4,5",
        ),
        (
            "what is kept before a value is chosen may be others",
            "devices a r=9, a r=3 x3, a r=4, a r=3, a r=4 x3
             claim 4a, 2a, 2a; r 0, r 1, r 2",
            "1,2,3,5 4,6 7,8",
        ),
        (
            "what is kept while two values are left may be others",
            "devices a r=9, a r=1|2, a r=1, a r=2, a r=1, a r=2, a r=5 x2
             claim 3a, 2a, 2a; r 0, r 1, r 2",
            "1,2,4 3,5 6,7",
        ),
        (
            "what is kept for another attribute may have other values",
            "devices a r=3 s=1 x3, a r=4 s=1, a r=3 s=1, a r=4 s=1 x3
             claim 4a, 2a, 2a; s 0, r 1, r 2",
            "0,1,2,4 3,5 6,7",
        ),
        (
            "a device by itself needs no value",
            "devices a r=1 s=1, a r=2 s=2, a r=3 s=2, a r=4 s=3
             claim 2a, 1a, 1a; s 0, r 1, r 2",
            "1,2 0 3",
        ),
        (
            "another alternative needs no value",
            "devices a r=9, a r=1 x2, b
             claim 2a/1b, 2a/1b; r 0/0, r 1/0",
            "0:1,2 1:3",
        ),
    ]);
}

/// Alike are requests, and those that constraints tie together, only if nothing
/// tells them apart; else the later one may begin before the earlier one.
#[test]
fn who_is_not_alike_may_begin_earlier() {
    check(&[
        (
            "a chain of values is not one value",
            "devices a r=1, a r=1|2, a r=2, a r=3 x3
             claim 1a, 1a, 1a; r 0 1 2, r 1
             claim 1a, 1a, 1a; r 0 1, r 1 2",
            "3 4 5 | 0 1 2",
        ),
        (
            "values of other attributes",
            "devices a r=1 s=1, a r=2 s=1, a r=3 s=2, a r=3 s=3
             claim 2a, 2a; r 0, s 1",
            "2,3 0,1",
        ),
        (
            "without a constraint",
            "devices a r=1, b r=2, a r=2 x2
             claim 1b, 1a, 1a; r 0 1",
            "1 2 0",
        ),
    ]);
}

#[test]
fn a_claim_has_as_many_devices_as_it_may() {
    check(&[
        (
            "beside what comes later",
            "devices a x40
             claim 17a/16a, 16a",
            "1:0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 \
             16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
        ),
        (
            "beside what came before",
            "devices a x40
             claim 16a, 17a/16a",
            "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 \
             1:16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
        ),
    ]);
}

#[test]
fn a_value_serves_as_many_as_have_it() {
    check(&[(
        "all of them",
        "devices a r=1 x3
         claim 3a; r",
        "0,1,2",
    )]);
}

/// Of a node with many pools it is kept for whom there is something left of each.
#[test]
fn what_is_left_of_pools_is_not_kept_too_long() {
    check(&[
        (
            "what is left is just enough",
            "devices a m:1
             counters m=1
             pools 16
             claim 1a",
            "0",
        ),
        (
            "something is given back",
            "devices a m:2, b m:1
             counters m=2
             pools 16
             claim 1b
             claim 1a
             claim 1a
             turns 0 1 -0 2",
            "1; p01.0; 0",
        ),
        (
            "who shares a device takes nothing more",
            "devices a *10 m:1
             counters m=1
             pools 16
             claim 1a*4
             claim 1a*4
             claim 1a*2
             claim 1a*1
             turns 0 1 2 3",
            "0; 0; 0; p01.0",
        ),
    ]);
}
