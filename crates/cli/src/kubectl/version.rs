//! The version of the server, as `kubectl version` prints it.

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Versions {
    server_version: Version,
}

#[derive(Deserialize)]
struct Version {
    major: String,
    /// Some who offer clusters write a `+` after it.
    minor: String,
}

/// Returns the minor part of the server's version, if it is one of Kubernetes 1.
pub(super) fn minor(printed: &[u8]) -> Option<u32> {
    let versions: Versions = serde_json::from_slice(printed).ok()?;
    let Version { major, minor } = versions.server_version;
    if major != "1" {
        return None;
    }
    minor.trim_end_matches('+').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_server() {
        let printed = |server: &str| {
            format!(r#"{{"clientVersion": {{"major": "1", "minor": "32"}}, {server}}}"#)
        };
        for (server, expected) in [
            (
                r#""serverVersion": {"major": "1", "minor": "36"}"#,
                Some(36),
            ),
            (
                r#""serverVersion": {"major": "1", "minor": "34+"}"#,
                Some(34),
            ),
            (r#""serverVersion": {"major": "2", "minor": "0"}"#, None),
            (r#""serverVersion": {"major": "1", "minor": "new"}"#, None),
            (r#""kustomizeVersion": "v5.5.0""#, None),
        ] {
            assert_eq!(minor(printed(server).as_bytes()), expected, "{server}");
        }
        assert_eq!(minor(b"Client Version: v1.32.0"), None);
    }
}
