//! The cases from the field as calls.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use dralloc::model::{Node, ResourceClaim, Str};
use dralloc::{validate, wire};
use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FieldCase {
    id: String,
    node: String,
    device_classes: Vec<Box<RawValue>>,
    resource_slices: Vec<Box<RawValue>>,
    #[serde(default)]
    device_taint_rules: Vec<Box<RawValue>>,
    resource_claims: Vec<ResourceClaim>,
    expect: Expect,
}

#[derive(Deserialize)]
struct Expect {
    solve: String,
    claims: Vec<ExpectedClaim>,
}

#[derive(Deserialize)]
struct ExpectedClaim {
    claim: Str,
}

/// Returns all cases of a folder as calls, without results.
pub(super) fn calls(folder: &Path) -> String {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == "json"))
        .collect();
    files.sort();
    let mut text = String::new();
    for file in files {
        let case = fs::read_to_string(&file).unwrap();
        let case: FieldCase = serde_json::from_str(&case).unwrap();
        case.write(&mut text);
    }
    text
}

impl FieldCase {
    fn write(&self, text: &mut String) {
        writeln!(text, "# {}\nengine", self.id).unwrap();
        let mut apply = |json: &str| writeln!(text, "apply\t{json}").unwrap();
        apply(&wire::encode(&Node::new(&self.node, [])).unwrap());
        let classes = self.device_classes.iter().map(|json| ("DeviceClass", json));
        let slices = self.resource_slices.iter();
        let rules = self.device_taint_rules.iter();
        let objects = classes
            .chain(slices.map(|json| ("ResourceSlice", json)))
            .chain(rules.map(|json| ("DeviceTaintRule", json)));
        for (kind, json) in objects {
            apply(&one_line(kind, json.get()));
        }
        for claim in &self.resource_claims {
            if claim.status.allocation.is_some() {
                apply(&wire::encode(claim).unwrap());
            }
        }
        text.push_str("snapshot\ntransaction\noptions\t{\"branches\":100000}\nsavepoint\n");
        let claims: Vec<String> = self
            .expect
            .claims
            .iter()
            .map(|one| self.claim(one))
            .collect();
        let questions = match &*self.expect.solve {
            "joint" => vec![claims],
            _ => claims.into_iter().map(|claim| vec![claim]).collect(),
        };
        for question in questions {
            let claims = question.join(",");
            writeln!(text, "prepare\t[{claims}]\nallocate\t{}", self.node).unwrap();
            text.push_str("devices\n");
            if self.expect.solve == "independent" {
                text.push_str("rollback\t0\n");
            }
        }
        text.push('\n');
    }

    /// Returns a claim that is to be solved, with the defaults of the API server.
    fn claim(&self, expected: &ExpectedClaim) -> String {
        let named = |claim: &&ResourceClaim| claim.metadata.name == expected.claim;
        let mut claim = self.resource_claims.iter().find(named).unwrap().clone();
        validate::defaults::resource_claim(&mut claim);
        wire::encode(&claim).unwrap()
    }
}

/// Returns an object on one line; quantities keep their digits.
fn one_line(kind: &str, json: &str) -> String {
    let one: serde_json::Value = serde_json::from_str(json).unwrap();
    assert!(one["kind"].is_null() || one["kind"] == kind);
    let json: String = json.lines().map(str::trim_start).collect();
    if one["kind"].is_null() {
        let rest = json.strip_prefix('{').unwrap();
        return format!(r#"{{"apiVersion":"resource.k8s.io/v1","kind":"{kind}",{rest}"#);
    }
    json
}
