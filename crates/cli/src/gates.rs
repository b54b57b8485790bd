//! [`Gates`]: the feature gates of a cluster.

use dralloc::Features;
use dralloc_cel::Options;

/// First minor version that dralloc knows: the first with `resource.k8s.io/v1`.
pub(crate) const OLDEST_MINOR: u32 = Options::OLDEST_MINOR;
/// Last minor version the gates and selectors of which dralloc knows.
pub(crate) const NEWEST_MINOR: u32 = Options::NEWEST_MINOR;
/// Since when taint rules are on by default.
const TAINT_RULES_ON_SINCE: u32 = 37;
/// Gate of taint rules: they are left out before the engine sees them.
pub(crate) const TAINT_RULES: &str = "DRADeviceTaintRules";

/// Is what counts of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gates {
    pub(crate) features: Features,
    pub(crate) taint_rules: bool,
}

impl Gates {
    /// Returns the defaults of a version, or everything, with gates set after that.
    pub(crate) fn new(minor: Option<u32>, settings: &[GateSetting]) -> Self {
        let mut gates = match minor {
            Some(minor) => Self {
                features: Features::of_kubernetes(minor),
                taint_rules: minor >= TAINT_RULES_ON_SINCE,
            },
            None => Self {
                features: Features::all(),
                taint_rules: true,
            },
        };
        for setting in settings {
            gates.set(&setting.gate, setting.on);
        }
        gates
    }

    fn set(&mut self, gate: &str, on: bool) -> bool {
        if gate == TAINT_RULES {
            self.taint_rules = on;
            return true;
        }
        self.features.set(gate, on)
    }
}

/// Sets one gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GateSetting {
    gate: String,
    on: bool,
}

/// Returns what has to be on where there are taint rules.
pub(crate) fn for_taint_rules() -> [GateSetting; 2] {
    ["DRADeviceTaints", TAINT_RULES].map(|gate| GateSetting {
        gate: gate.to_owned(),
        on: true,
    })
}

/// Reads `Gate=true` or `Gate=false`.
pub(crate) fn parse_setting(text: &str) -> Result<GateSetting, String> {
    let (gate, on) = match text.split_once('=') {
        Some((gate, "true" | "True" | "TRUE" | "t" | "T" | "1")) => (gate, true),
        Some((gate, "false" | "False" | "FALSE" | "f" | "F" | "0")) => (gate, false),
        _ => return Err("expected `Gate=true` or `Gate=false`".to_owned()),
    };
    if Gates::new(None, &[]).set(gate, on) {
        return Ok(GateSetting {
            gate: gate.to_owned(),
            on,
        });
    }
    let mut known: Vec<&str> = Features::gates().chain([TAINT_RULES]).collect();
    known.sort_unstable();
    Err(format!(
        "unknown gate `{gate}`, expected one of {}",
        known.join(", ")
    ))
}

/// Reads a version, such as `1.35`, `v1.35.2` or `35`, and returns its minor part.
pub(crate) fn parse_version(text: &str) -> Result<u32, String> {
    let version = text.strip_prefix('v').unwrap_or(text);
    let number = |part: &str| -> Option<u32> {
        let is_plain = part.bytes().all(|byte| byte.is_ascii_digit())
            && (part == "0" || !part.starts_with('0'));
        if is_plain { part.parse().ok() } else { None }
    };
    let minor = match version.split('.').collect::<Vec<_>>().as_slice() {
        // The major part alone is no version.
        ["1"] => None,
        [minor] | ["1", minor] => number(minor),
        ["1", minor, patch] => number(patch).and(number(minor)),
        _ => None,
    };
    match minor {
        Some(minor) if minor >= OLDEST_MINOR => Ok(minor),
        Some(_) => Err(format!(
            "version `{text}` is too old, expected 1.{OLDEST_MINOR} or newer"
        )),
        None => Err(format!("`{text}`, expected a version such as `1.35`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_with_and_without_the_major_part() {
        assert_eq!(parse_version("35"), Ok(35));
        assert_eq!(parse_version("1.35"), Ok(35));
        assert_eq!(parse_version("v1.36.2"), Ok(36));
        let too_old = "version `1.33` is too old, expected 1.34 or newer";
        assert_eq!(parse_version("1.33"), Err(too_old.to_owned()));
        let malformed = "`2.1`, expected a version such as `1.35`";
        assert_eq!(parse_version("2.1"), Err(malformed.to_owned()));
        for text in [
            "", "1", "1.", "1.+35", "1.035", "1.35.x", "1.35.", "1.35.1.1", "-35",
        ] {
            let malformed = format!("`{text}`, expected a version such as `1.35`");
            assert_eq!(parse_version(text), Err(malformed));
        }
    }

    #[test]
    fn single_gates_beat_the_version() {
        let on = parse_setting("DRAConsumableCapacity=true").unwrap();
        let off = parse_setting("DRADeviceTaintRules=false").unwrap();
        let gates = Gates::new(Some(35), std::slice::from_ref(&on));
        assert!(gates.features.consumable_capacity && !gates.features.device_taints);
        assert!(!gates.taint_rules);
        assert!(Gates::new(Some(37), &[]).taint_rules);
        assert!(!Gates::new(Some(37), &[on, off]).taint_rules);
    }

    #[test]
    fn unknown_gates_are_an_error() {
        let message = parse_setting("DRAMagic=true").unwrap_err();
        assert!(message.starts_with("unknown gate `DRAMagic`, expected one of DRAAdminAccess, "));
        assert_eq!(
            parse_setting("DRADeviceTaints"),
            Err("expected `Gate=true` or `Gate=false`".to_owned())
        );
    }
}
