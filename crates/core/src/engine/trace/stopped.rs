//! [`Stopped`]: calls that something ended.

use serde::Deserialize;

use crate::model::{Json, Str};
use crate::outcome::StopCause;
use crate::wire::from_json;

/// Is what is read of the result of a call that was stopped.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Stopped {
    stop_cause: Str,
    pub(super) nodes: Vec<StoppedNode>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct StoppedNode {
    pub(super) name: Str,
}

/// Returns whether something ended a call that ends it elsewhere the next time.
pub(super) fn was_stopped(recorded: &Json) -> bool {
    let causes = [StopCause::Deadline, StopCause::Cancelled];
    recorded.as_str().starts_with('{')
        && from_json::<Stopped>(recorded.as_str()).is_ok_and(|found| {
            causes
                .iter()
                .any(|cause| *found.stop_cause == *cause.as_str())
        })
}
