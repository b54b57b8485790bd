//! Counters of pools, and devices that several share.

use super::check;

#[test]
fn what_is_left_is_just_enough() {
    check(&[
        (
            "of a counter",
            "devices a m:1
             counters m=1
             claim 1a",
            "0",
        ),
        (
            "of a capacity",
            "devices a *10 x2
             claim 1a*6, 1a*4",
            "0 0",
        ),
        (
            "for equal shares of a device",
            "devices a *10 x2
             claim 1a*5, 1a*5",
            "0 0",
        ),
        (
            "of a counter, which shares pay once",
            "devices a *10 m:1, a *10
             counters m=1
             claim 1a*5, 1a*5",
            "0 0",
        ),
    ]);
}

#[test]
fn who_asks_for_something_else_begins_anew() {
    check(&[
        (
            "for other devices",
            "devices a, b, a
             claim 1b, 1a",
            "1 0",
        ),
        (
            "for less",
            "devices a *10 x2
             claim 1a*8
             claim 1a*6, 1a*2
             turns 0 1",
            "0; 1 0",
        ),
    ]);
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
            "something is given back for others",
            "devices a m:1 x2
             counters m=1
             pools 16
             claim 1a/1b
             claim 1a
             claim 1a
             turns 0 1 -0 2",
            "0:0; p01.0; 0",
        ),
        (
            "nothing was left",
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
            "nothing is left, but of the next pool",
            "devices a m:2, b m:1
             counters m=2
             pools 16
             claim 1b
             claim 1a
             claim 1a
             turns 0 1 -1 2",
            "1; p01.0; p01.0",
        ),
        (
            "something is left",
            "devices a m:1 x2
             counters m=2
             pools 16
             claim 1a
             claim 1a
             claim 1a
             turns 0 1 -1 2",
            "0; 1; 1",
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
