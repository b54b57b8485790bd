//! [`Caller`]: pointers that came through the header.

use std::ptr::{self, NonNull};
use std::slice;
use std::str;

use super::held::Held;
use super::slot::{Exclusive, Noun, Shared, Slot};
use crate::error::Failure;
use crate::status::dralloc_status as Status;

/// Stands for a caller who keeps what the header says of pointers.
pub(crate) struct Caller(());

#[expect(
    clippy::unused_self,
    reason = "a pointer is followed because its caller promised that it may be"
)]
impl Caller {
    /// Returns a caller whose pointers are followed.
    ///
    /// # Safety
    ///
    /// As long as it lives, what it is given must be null, a handle that the library
    /// made and that is not freed by another thread meanwhile, or point to as many
    /// readable (or, of results, writable) values as it is said to.
    pub(crate) unsafe fn trusted() -> Self {
        Self(())
    }

    /// Returns bytes; null is none, if there are none.
    pub(crate) fn bytes<'a>(
        &'a self,
        data: *const u8,
        length: usize,
        name: &str,
    ) -> Result<&'a [u8], Failure> {
        match (data.is_null(), length) {
            (_, 0) => Ok(&[]),
            (true, _) => Err(Failure::null(name)),
            (false, length) if isize::try_from(length).is_err() => {
                let message = format!("`{name}` is longer than memory, expected its length");
                Err(Failure::new(Status::OutOfRange, message))
            }
            // SAFETY: it points to so many bytes, which stay as they are during the call.
            (false, length) => Ok(unsafe { slice::from_raw_parts(data, length) }),
        }
    }

    /// Returns text.
    pub(crate) fn text<'a>(
        &'a self,
        data: *const u8,
        length: usize,
        name: &str,
    ) -> Result<&'a str, Failure> {
        let bytes = self.bytes(data, length, name)?;
        str::from_utf8(bytes).map_err(|error| {
            let at = error.valid_up_to();
            let message = format!("`{name}` is not UTF-8 at byte {at}, expected text");
            Failure::new(Status::NotUtf8, message)
        })
    }

    fn slot<N: Noun>(handle: *const N) -> Result<&'static Slot, Failure> {
        if handle.is_null() {
            return Err(Failure::null(N::NAME));
        }
        // SAFETY: handles that the library made point to slots, of whichever sort,
        // and slots are never given back.
        Ok(unsafe { &*handle.cast::<Slot>() })
    }

    /// Returns what a handle stands for.
    pub(crate) fn shared<N: Shared>(&self, handle: *const N) -> Result<&N::Value, Failure> {
        Self::slot(handle)?.shared::<N>()
    }

    /// Returns what a handle stands for, or nothing for null.
    pub(crate) fn optional<N: Shared>(
        &self,
        handle: *const N,
    ) -> Result<Option<&N::Value>, Failure> {
        (!handle.is_null()).then(|| self.shared(handle)).transpose()
    }

    /// Returns what the handles of an array stand for; null is none, if there are none.
    pub(crate) fn all<N: Shared>(
        &self,
        first: *const *const N,
        count: usize,
        name: &str,
    ) -> Result<Vec<&N::Value>, Failure> {
        let most = isize::MAX.unsigned_abs() / size_of::<*const N>();
        let handles = match (first.is_null(), count) {
            (_, 0) => &[],
            (true, _) => return Err(Failure::null(name)),
            (false, count) if count > most => {
                let message = format!("`{name}` is longer than memory, expected its length");
                return Err(Failure::new(Status::OutOfRange, message));
            }
            // SAFETY: it points to so many handles, which stay as they are during the call.
            (false, count) => unsafe { slice::from_raw_parts(first, count) },
        };
        let values = handles.iter().map(|handle| self.shared(*handle));
        values.collect()
    }

    /// Returns what a handle stands for, for this call alone.
    pub(crate) fn exclusive<N: Exclusive>(&self, handle: *mut N) -> Result<Held<'_, N>, Failure> {
        Held::new(Self::slot(handle.cast_const())?)
    }

    /// Returns a new handle.
    pub(crate) fn give<N: Noun>(&self, value: N::Value) -> *mut N {
        std::ptr::from_ref(Slot::of::<N>(value)).cast_mut().cast()
    }

    /// Takes back what a handle stands for; nothing for null.
    pub(crate) fn take<N: Noun>(&self, handle: *mut N) -> Result<Option<N::Value>, Failure> {
        if handle.is_null() {
            return Ok(None);
        }
        Self::slot(handle.cast_const())?.take::<N>().map(Some)
    }

    /// Returns where a result is written.
    pub(crate) fn out<'a, T>(&'a self, place: *mut T, name: &str) -> Result<Out<'a, T>, Failure> {
        let place = NonNull::new(place).ok_or_else(|| Failure::null(name))?;
        Ok(Out {
            place,
            caller: self,
        })
    }

    /// Returns where it is written where a text is.
    pub(crate) fn out_text(
        &self,
        data: *mut *const u8,
        length: *mut usize,
    ) -> Result<OutText<'_>, Failure> {
        Ok(OutText {
            data: self.out(data, "data")?,
            length: self.out(length, "length")?,
        })
    }

    /// Returns where a result is written that may not be wanted.
    pub(crate) fn wanted<T>(&self, place: *mut T) -> Option<Out<'_, T>> {
        let place = NonNull::new(place)?;
        Some(Out {
            place,
            caller: self,
        })
    }

    /// Returns where up to so many results are written.
    pub(crate) fn array<'a, T>(
        &'a self,
        first: *mut T,
        capacity: usize,
        name: &str,
    ) -> Result<Array<'a, T>, Failure> {
        let first = match NonNull::new(first) {
            Some(first) => first,
            None if capacity == 0 => NonNull::dangling(),
            None => return Err(Failure::null(name)),
        };
        Ok(Array {
            first,
            capacity,
            caller: self,
        })
    }
}

/// Is where a result is written.
pub(crate) struct Out<'a, T> {
    place: NonNull<T>,
    caller: &'a Caller,
}

impl<T> Out<'_, T> {
    /// Writes the result.
    pub(crate) fn write(self, value: T) {
        // SAFETY: the caller says that it can be written to; what is there is no
        // value of ours.
        unsafe { self.place.as_ptr().write(value) }
    }
}

impl<N: Noun> Out<'_, *mut N> {
    /// Writes a new handle.
    pub(crate) fn give(self, value: N::Value) {
        let handle = self.caller.give(value);
        self.write(handle);
    }
}

/// Is where it is written where a text is.
pub(crate) struct OutText<'a> {
    data: Out<'a, *const u8>,
    length: Out<'a, usize>,
}

impl OutText<'_> {
    /// Writes where a text is, which must live as long as the header says.
    pub(crate) fn write(self, text: &str) {
        self.data.write(text.as_ptr());
        self.length.write(text.len());
    }
}

/// Is where several results are written.
pub(crate) struct Array<'a, T> {
    first: NonNull<T>,
    capacity: usize,
    caller: &'a Caller,
}

impl<T> Array<'_, T> {
    /// Writes as many results as there is room for; returns how many there are.
    pub(crate) fn write(&self, values: impl Iterator<Item = T>) -> usize {
        let Self {
            caller: Caller(()), ..
        } = self;
        let mut count = 0;
        for value in values {
            if count < self.capacity {
                // SAFETY: it is inside of what the caller says to be there.
                let place = unsafe { self.first.as_ptr().add(count) };
                // SAFETY: as for a single result.
                unsafe { place.write(value) };
            }
            count += 1;
        }
        count
    }

    /// Writes results of which there is room for all; returns how many there are.
    pub(crate) fn copy(&self, values: &[T]) -> usize
    where
        T: Copy,
    {
        let Self {
            caller: Caller(()), ..
        } = self;
        if values.len() <= self.capacity {
            // SAFETY: there is room for so many, as the caller says, in memory that is
            // the caller's, and so not that of the values.
            unsafe { ptr::copy_nonoverlapping(values.as_ptr(), self.first.as_ptr(), values.len()) };
        }
        values.len()
    }

    /// Returns whether there is room for so many results.
    pub(crate) fn has_room(&self, count: usize) -> bool {
        count <= self.capacity
    }
}
