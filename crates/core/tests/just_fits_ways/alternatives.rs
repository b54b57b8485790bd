//! Requests with alternatives, and how many devices they may want together.

use super::check;

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
fn all_devices_are_enough() {
    check(&[
        (
            "for one alternative",
            "devices a x2, b x2
             claim 2a/1b",
            "0:0,1",
        ),
        (
            "for requests that need others first",
            "devices abc, ab, a
             claim 1a, 1b, 1c",
            "2 1 0",
        ),
        (
            "for many that move one after the other",
            "devices ab, bc, cd, de, a
             claim 1a, 1b, 1c, 1d",
            "0 1 2 3",
        ),
    ]);
}

#[test]
fn a_request_wants_the_least_of_its_alternatives() {
    check(&[
        (
            "from the beginning",
            "devices a x3
             claim 3a/1a, 1a",
            "1:0 1",
        ),
        (
            "after a pick",
            "devices a x4
             claim 1a, 3a/1a, 1a",
            "0 1:1 2",
        ),
        (
            "of any of their devices",
            "devices a, b x2
             claim 1a/2b, 1a",
            "1:1,2 0",
        ),
    ]);
}

#[test]
fn a_constraint_is_only_for_the_alternative_that_it_names() {
    check(&[
        (
            "another one needs no value",
            "devices a r=8, a r=9, b
             claim 1a, 1a/1b; r 0 1/0",
            "0 1:2",
        ),
        (
            "a device by itself needs none",
            "devices a r=8, c s=9, c s=1 x2
             claim 1a/1b, 2c; r 0/0, s 1",
            "0:0 2,3",
        ),
    ]);
}

/// The last request makes everybody go back.
#[test]
fn who_is_alike_begins_after_the_earlier_one() {
    check(&[
        (
            "with the same alternative",
            "devices a x2, c r=9, c r=1 x2
             claim 1a/1b, 1a/1b, 2c; r 2",
            "0:0 0:1 3,4",
        ),
        (
            "with another alternative anywhere",
            "devices b, a, c r=9, c r=1 x2
             claim 1a/1b, 1a/1b, 2c; r 2",
            "0:1 1:0 3,4",
        ),
    ]);
}
