//! [`dralloc_error`]: why a call failed.

use dralloc::{Code, Error};

use crate::raw::{Noun, Shared, call};
use crate::status::dralloc_status;

/// Says why a call failed. The caller of the call owns it, and frees it.
pub struct dralloc_error(());

/// Is why a call failed.
#[derive(Debug)]
pub struct Failure {
    status: dralloc_status,
    error: Error,
    json: String,
}

impl Failure {
    /// Returns the failure of a call that was not made as the header says.
    pub(crate) fn new(status: dralloc_status, message: impl Into<String>) -> Self {
        let error = Error::new(Code::Invalid, message);
        Self::of(status, error)
    }

    /// Returns the failure of a call with a null that is none of its choices.
    pub(crate) fn null(name: &str) -> Self {
        let message = format!("`{name}` is null, expected a pointer");
        Self::new(dralloc_status::NullArgument, message)
    }

    fn of(status: dralloc_status, error: Error) -> Self {
        let json = dralloc_forms::error(status.as_str(), &error);
        Self {
            status,
            error,
            json,
        }
    }

    pub(crate) fn status(&self) -> dralloc_status {
        self.status
    }

    #[cfg(test)]
    pub(crate) fn message(&self) -> &str {
        self.error.message()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::of(error.code().into(), error)
    }
}

impl Noun for dralloc_error {
    type Value = Failure;
    const TAG: u32 = 0xd7a1_0001;
    const NAME: &'static str = "error";
}

impl Shared for dralloc_error {}

/// Returns the status of an error, which is that of the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_error_status(
    error: *const dralloc_error,
    status: *mut dralloc_status,
) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        let status = caller.out(status, "status")?;
        status.write(caller.shared(error)?.status);
        Ok(())
    })
}

/// Returns the message of an error, one line without the path; it lives as long as
/// the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_error_message(
    error: *const dralloc_error,
    data: *mut *const u8,
    length: *mut usize,
) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        let out = caller.out_text(data, length)?;
        out.write(caller.shared(error)?.error.message());
        Ok(())
    })
}

/// Returns the path of the field that is wrong, such as
/// `spec.devices.requests[1].exactly.count`, empty for the whole input; it lives as
/// long as the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_error_path(
    error: *const dralloc_error,
    data: *mut *const u8,
    length: *mut usize,
) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        let out = caller.out_text(data, length)?;
        out.write(caller.shared(error)?.error.path());
        Ok(())
    })
}

/// Returns an error as JSON: `code` (the name of the status), `message`, `path` and
/// `scope` (`request`, or `node` if another node may do); it lives as long as the
/// error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_error_json(
    error: *const dralloc_error,
    data: *mut *const u8,
    length: *mut usize,
) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        let out = caller.out_text(data, length)?;
        out.write(&caller.shared(error)?.json);
        Ok(())
    })
}

/// Frees an error; null is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_error_free(error: *mut dralloc_error) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        caller.take(error).map(drop)
    })
}
