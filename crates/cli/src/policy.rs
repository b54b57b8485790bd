//! Policies by name.

use dralloc::Policy;

/// Returns the policy with a name.
pub(crate) fn parse(name: &str) -> Result<Policy, String> {
    match name {
        "kubernetes" => Ok(Policy::Kubernetes),
        _ => Err(format!("unknown policy `{name}`, expected `kubernetes`")),
    }
}
