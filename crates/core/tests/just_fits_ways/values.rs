//! Devices that must have a value in common. In most questions the first device has a
//! value for itself, so that nobody finds the answer without going back.

use super::check;

#[test]
fn a_value_serves_as_many_as_have_it() {
    check(&[
        (
            "all of them",
            "devices a r=1 x3
             claim 3a; r",
            "0,1,2",
        ),
        (
            "for two requests",
            "devices a r=9, a r=1 x3
             claim 1a, 2a; r",
            "1 2,3",
        ),
        (
            "a device by itself needs none",
            "devices a r=1
             claim 1a; r",
            "0",
        ),
    ]);
}

#[test]
fn constraints_that_are_alike_find_a_value_each() {
    check(&[
        (
            "all devices of a value",
            "devices a r=9, a r=1 x4
             claim 2a, 2a; r 0, r 1",
            "1,2 3,4",
        ),
        (
            "all devices of a value, of several sorts",
            "devices a r=9, ab r=1 x4
             claim 1a, 1b, 1a, 1b; r 0 1, r 2 3",
            "1 2 3 4",
        ),
        (
            "each has another value",
            "devices a r=9 s=1, a r=1 s=1 x2, a r=2 s=2 x2, b s=1, b s=2
             claim 1b, 1b, 2a, 2a; s 0 2, s 1 3, r 2, r 3",
            "5 6 1,2 3,4",
        ),
        (
            "of different attributes",
            "devices a r=9 s=9, a r=1 s=1, a r=1 s=2, a r=2 s=3, a r=3 s=3
             claim 2a, 2a; r 0, s 1",
            "1,2 3,4",
        ),
        (
            "with a request in common they have one value",
            "devices a r=9, a r=1 x3
             claim 1a, 1a, 1a; r 0 1, r 0 2",
            "1 2 3",
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

#[test]
fn constraints_that_are_alike_find_enough_of_counters() {
    check(&[
        (
            "the least of what devices take, and all that there is",
            "devices a r=9, a r=1 m:1 x4, a r=1 m:2
             counters m=4
             claim 2a, 2a; r 0, r 1",
            "1,2 3,4",
        ),
        (
            "some devices take nothing",
            "devices a r=9, a r=1 m:1 x2, a r=1 x2
             counters m=2
             claim 2a, 2a; r 0, r 1",
            "1,2 3,4",
        ),
        (
            "all take nothing of a counter",
            "devices a r=9, a r=1 m:0 x4
             counters m=0
             claim 2a, 2a; r 0, r 1",
            "1,2 3,4",
        ),
    ]);
}

/// What a constraint with one value keeps is not there for others, but which devices
/// that are is only known of those that do not matter.
#[test]
fn constraints_keep_no_more_than_they_need() {
    check(&[
        (
            "not from itself",
            "devices a r=9, a r=1, a r=8, a r=1 x2, a r=7, a r=1
             claim 1a, 1a, 1a, 1a, 3a; r 2 3, r 0 1, r 0 2",
            "1 3 4 6 0,2,5",
        ),
        (
            "a request of other devices keeps others",
            "devices b r=1, ab r=1, b r=1, a r=1, a r=2 x3
             claim 2b, 2a, 2a; r 0, r 1, r 2",
            "0,2 1,3 4,5",
        ),
        (
            "a request of another alternative keeps nothing",
            "devices a r=1 x3, a r=2 x3, b
             claim 1a, 1a/1b, 2a, 2a; r 0 1/0, r 2, r 3",
            "0 1:6 1,2 3,4",
        ),
        (
            "before a value is chosen",
            "devices a r=9, a r=3 x3, a r=4, a r=3, a r=4 x3
             claim 4a, 2a, 2a; r 0, r 1, r 2",
            "1,2,3,5 4,6 7,8",
        ),
        (
            "while two values are left",
            "devices a r=9, a r=1|2, a r=1, a r=2, a r=1, a r=2, a r=5 x2
             claim 3a, 2a, 2a; r 0, r 1, r 2",
            "1,2,4 3,5 6,7",
        ),
        (
            "a device that has another value, too",
            "devices a r=1, a r=1|2, a r=1, a r=2, a r=3 x2
             claim 2a, 2a, 2a; r 0, r 1, r 2",
            "0,2 1,3 4,5",
        ),
        (
            "for another attribute",
            "devices a r=3 s=1 x3, a r=4 s=1, a r=3 s=1, a r=4 s=1 x3
             claim 4a, 2a, 2a; s 0, r 1, r 2",
            "0,1,2,4 3,5 6,7",
        ),
    ]);
}

/// Requests, and those that constraints tie together, are alike only if nothing tells
/// them apart; else the later one may begin before the earlier one.
#[test]
fn who_is_not_alike_may_begin_earlier() {
    check(&[
        (
            "who is alike begins right after the earlier one",
            "devices a x2, c r=9, c r=1 x2
             claim 1a, 1a, 2c; r 2",
            "0 1 3,4",
        ),
        (
            "other devices",
            "devices b, a, c r=9, c r=1 x2
             claim 1a, 1b, 2c; r 2",
            "1 0 3,4",
        ),
        (
            "other numbers",
            "devices a r=9, a r=1 x2
             claim 2a, 1a; r 0, r 1",
            "1,2 0",
        ),
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
        (
            "tied by a constraint",
            "devices a r=9, a r=1, a r=2 x2, a r=1
             claim 1a, 1a, 1a, 1a; r 0 1, r 2 3",
            "1 4 2 3",
        ),
    ]);
}

/// Where nothing came of a device, nothing comes of one that is like it, and only of that.
#[test]
fn devices_that_are_not_alike_are_tried() {
    check(&[
        (
            "other requests can have it",
            "devices ab, a
             claim 1a, 1b",
            "1 0",
        ),
        (
            "another value",
            "devices a r=1, a r=2 x2
             claim 2a; r",
            "1,2",
        ),
        (
            "it takes less",
            "devices a m:2, a m:1 x2
             counters m=2
             claim 2a",
            "1,2",
        ),
    ]);
}
