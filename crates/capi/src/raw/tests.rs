//! Panics, and handles that are used wrongly, where C cannot go.

use std::ptr::{null, null_mut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::Caller;
use super::shelf::live;
use super::slot::{Exclusive, Noun, Shared};
use crate::error::dralloc_error;
use crate::status::dralloc_status as Status;

/// Counts, one thread at a time.
struct Counter(());

impl Noun for Counter {
    type Value = u32;
    const TAG: u32 = 0xffff_0001;
    const NAME: &'static str = "counter";
}

impl Exclusive for Counter {}

/// Is the same for all threads, and says when it is dropped.
struct Sign(());

struct Dropped(Arc<AtomicBool>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Noun for Sign {
    type Value = Dropped;
    const TAG: u32 = 0xffff_0002;
    const NAME: &'static str = "sign";
}

impl Shared for Sign {}

fn caller() -> Caller {
    // SAFETY: what it is given here is null, a handle, or a place of this test.
    unsafe { Caller::trusted() }
}

/// Returns the message of an error, and frees it.
fn message(error: *mut dralloc_error) -> String {
    let failure = caller().take(error).unwrap_or_default();
    failure.map_or_else(String::new, |failure| failure.message().to_owned())
}

#[test]
fn a_panic_poisons_what_the_call_had_for_itself_and_nothing_else() {
    let (first, second) = (caller().give::<Counter>(0), caller().give::<Counter>(0));
    let mut error = null_mut();
    let status = caller().run(&raw mut error, |caller| {
        *caller.exclusive(first)? += 1;
        let mut counter = caller.exclusive(first)?;
        *counter += 1;
        assert!(*counter != 2, "two is too many");
        Ok(())
    });
    assert_eq!(status, Status::Panic);
    let expected = "a panic, which is a bug in dralloc: two is too many";
    assert_eq!(message(error), expected);

    let use_it = |counter: *mut Counter, error: *mut *mut dralloc_error| {
        caller().run(error, |caller| {
            *caller.exclusive(counter)? += 1;
            Ok(())
        })
    };
    assert_eq!(use_it(first, &raw mut error), Status::Poisoned);
    let expected = "a call panicked, the counter can only be freed";
    assert_eq!(message(error), expected);
    assert_eq!(use_it(second, null_mut()), Status::Ok);
    assert!(matches!(caller().take(first), Ok(Some(2))));
    assert_eq!(use_it(first, null_mut()), Status::WrongHandle);
    assert!(matches!(caller().take(second), Ok(Some(1))));
}

#[test]
fn one_call_at_a_time_has_a_handle() {
    let counter = caller().give::<Counter>(7);
    let status = caller().run(null_mut(), |caller| {
        let held = caller.exclusive(counter)?;
        let busy = caller
            .exclusive(counter)
            .err()
            .map(|failure| failure.status());
        assert_eq!(busy, Some(Status::Busy));
        // Nor can it be freed meanwhile.
        let busy = caller.take(counter).err().map(|failure| failure.status());
        assert_eq!(busy, Some(Status::Busy));
        assert_eq!(*held, 7);
        Ok(())
    });
    assert_eq!(status, Status::Ok);
    assert!(matches!(caller().take(counter), Ok(Some(7))));
}

#[test]
fn a_value_is_dropped_once() {
    let dropped = Arc::new(AtomicBool::new(false));
    let sign = caller().give::<Sign>(Dropped(Arc::clone(&dropped)));
    assert!(caller().shared(sign.cast_const()).is_ok());
    let address = sign.expose_provenance();
    let freed = (0..4).map(|_| {
        thread::spawn(move || {
            let sign = std::ptr::with_exposed_provenance_mut::<Sign>(address);
            caller().take(sign).is_ok()
        })
    });
    let freed: Vec<_> = freed.collect();
    let freed = freed.into_iter().map(thread::JoinHandle::join);
    assert_eq!(freed.filter(|freed| matches!(freed, Ok(true))).count(), 1);
    assert!(dropped.load(Ordering::Relaxed));
    let status = caller().shared(sign.cast_const()).err();
    assert_eq!(
        status.map(|failure| failure.status()),
        Some(Status::WrongHandle)
    );
}

#[test]
fn what_is_null_is_no_handle() {
    let status = caller().shared::<Sign>(null()).err();
    assert_eq!(
        status.map(|failure| failure.status()),
        Some(Status::NullArgument)
    );
    assert!(matches!(caller().optional::<Sign>(null()), Ok(None)));
    assert!(matches!(caller().take::<Sign>(null_mut()), Ok(None)));
}

#[test]
fn handles_are_counted() {
    // Other tests make handles meanwhile, and give all of them back.
    let counters: Vec<_> = (0..1000).map(|_| caller().give::<Counter>(0)).collect();
    assert!(live() >= 1000);
    for counter in counters {
        assert!(matches!(caller().take(counter), Ok(Some(0))));
    }
    assert!(live() < 1000);
}
