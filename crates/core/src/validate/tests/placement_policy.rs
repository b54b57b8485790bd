use super::*;
use crate::model::Json;
use crate::validate::placement_policy;
use crate::wire;

/// Returns all that is wrong with a policy of these fields.
fn faults(fields: &str) -> Vec<String> {
    let text =
        format!(r#"{{"apiVersion":"dralloc.dev/v1alpha1","kind":"PlacementPolicy"{fields}}}"#);
    let errors = match wire::placement_policy(Some(&Json::new(text).unwrap())) {
        Ok(policy) => placement_policy(&policy),
        Err(error) => vec![error],
    };
    let line = |error: &Error| format!("{} {error}", error.code());
    errors.iter().map(line).collect()
}

#[test]
fn policies_that_say_something_sensible_pass() {
    for fields in [
        r#","policy":"kubernetes""#,
        r#","policy":"pack","objective":null"#,
        r#","policy":"spread""#,
        r#","objective":["waste","evenness",{"term":"evenness","attribute":"d/numa"}]"#,
    ] {
        assert_eq!(faults(fields), [""; 0], "{fields}");
    }
}

#[test]
fn faults_are_told_with_their_paths() {
    let scopes = "`nvLink`, `nvLinkDomain`, `pcieSwitch`, `pcieRoot`, `numaNode`, `host`, \
                  `rack`, `block`";
    for (fields, expected) in [
        (
            "",
            vec!["invalid the policy says nothing, expected `policy` or `objective`".to_owned()],
        ),
        (
            r#","policy":"best""#,
            vec![
                "unsupported policy: policy `best` is not supported, expected kubernetes, pack, \
                 spread or affinity"
                    .to_owned(),
            ],
        ),
        (
            r#","policy":7"#,
            vec!["malformed policy: expected a string, found `7`".to_owned()],
        ),
        (
            r#","policy":"pack","objective":["waste"]"#,
            vec![
                "invalid objective: expected either `policy` or `objective`, found both".to_owned(),
            ],
        ),
        (
            r#","objective":["waste",{"term":"evenness","atribute":"d/numa"}]"#,
            vec![
                "malformed objective[1].atribute: unknown field `atribute`, expected `term` or `attribute`"
                    .to_owned(),
            ],
        ),
        (
            r#","objective":["waste","ring","waist","waste",{"term":"waste","attribute":"d/a"},
                {"term":"evenness","attribute":"numa"}]"#,
            vec![
                "unsupported objective[2]: unknown term `waist`, expected alternativeRank, \
                 healthPenalty, waste, packingPotential, parentsTouched, evenness, ring, links, \
                 bottleneck, nicAlignment, span, hostUplink or linkPotential"
                    .to_owned(),
                "duplicate objective[3]: term `waste` is there twice, expected each once"
                    .to_owned(),
                "invalid objective[4].attribute: term `waste` has an attribute, expected none"
                    .to_owned(),
                "invalid objective[5].attribute: expected a domain and a name separated by `/`, \
                 found `numa`"
                    .to_owned(),
            ],
        ),
        (
            r#","affinity":[{"scope":"nvlink","mode":"required","fallback":["host"]}]"#,
            vec![
                format!("unsupported affinity[0].scope: expected one of {scopes}, found `nvlink`"),
                "invalid affinity[0].fallback: expected none where `mode` is `required`".to_owned(),
            ],
        ),
        (
            r#","unit":{"requests":{"gpu":1,"nic":0},"scope":"host","apartOver":"rak"},
                "minRingGBps":-1.5"#,
            vec![
                "invalid unit.requests[nic]: expected 1 or more, found 0".to_owned(),
                "invalid unit.mode: expected one of `required`, `preferred`, found none".to_owned(),
                format!("unsupported unit.apartOver: expected one of {scopes}, found `rak`"),
                "invalid minRingGBps: expected 0 or more, found `-1.5`".to_owned(),
            ],
        ),
        (
            r#","unit":{"requests":{"gpu":2},"scope":"nvLink","mode":"preferred","apartOver":"nvLink"}"#,
            vec![
                "unsupported unit.apartOver: units are not apart over `nvLink`, expected a place \
                 such as `nvLinkDomain`"
                    .to_owned(),
            ],
        ),
        (
            r#","policy":"pack","metadata":{}"#,
            vec!["unknown-field metadata: unknown field `metadata`".to_owned()],
        ),
    ] {
        assert_eq!(faults(fields), expected, "{fields}");
    }
    let terms = vec!["\"waste\""; 17].join(",");
    assert_eq!(
        faults(&format!(r#","objective":[{terms}]"#)),
        ["limit-exceeded objective: expected at most 16 terms, found 17"]
    );
}
