//! [`dralloc_workspace`]: what calls remember for later ones.

use dralloc::Workspace;

use crate::bytes::dralloc_bytes;
use crate::error::dralloc_error;
use crate::raw::{Exclusive, Noun, call};
use crate::status::dralloc_status;

/// Keeps what calls found out that makes later ones faster; it never changes an
/// answer. Keep one for each thread, for as long as its engine.
pub struct dralloc_workspace(());

impl Noun for dralloc_workspace {
    type Value = Workspace;
    const TAG: u32 = 0xd7a1_0005;
    const NAME: &'static str = "workspace";
}

impl Exclusive for dralloc_workspace {}

/// Makes an empty workspace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_workspace_new(
    workspace: *mut *mut dralloc_workspace,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        caller.out(workspace, "workspace")?.give(Workspace::new());
        Ok(())
    })
}

/// Returns what the search for the last answer took, as JSON.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_workspace_statistics(
    workspace: *mut dralloc_workspace,
    json: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(json, "json")?;
        let workspace = caller.exclusive(workspace)?;
        out.give(dralloc_forms::statistics(&workspace.statistics())?);
        Ok(())
    })
}

/// Frees a workspace; null is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_workspace_free(
    workspace: *mut dralloc_workspace,
) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        caller.take(workspace).map(drop)
    })
}
