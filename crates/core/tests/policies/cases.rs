//! The cases from the field where one of several answers is better for what
//! comes later.

use std::path::Path;
use std::{collections::BTreeMap, fs};

use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
use dralloc::{
    AllocateOptions, Change, Engine, Features, Outcome, Policy, Term, Workspace, validate,
};
use serde::Deserialize;

use super::by;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FieldCase {
    node: String,
    device_classes: Vec<DeviceClass>,
    resource_slices: Vec<ResourceSlice>,
    resource_claims: Vec<ResourceClaim>,
}

/// Allocates the claims of a case one after the other; returns what each got.
fn run(name: &str, policy: &Policy) -> Result<BTreeMap<String, Vec<String>>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cases");
    let text = fs::read_to_string(folder.join(name)).unwrap();
    let case: FieldCase = serde_json::from_str(&text).unwrap();
    let mut engine = Engine::new(Features::all());
    engine
        .apply(Change::Node(Node::new(&case.node, [])))
        .unwrap();
    for class in case.device_classes {
        engine.apply(Change::DeviceClass(class)).unwrap();
    }
    for slice in case.resource_slices {
        engine.apply(Change::ResourceSlice(slice)).unwrap();
    }
    let snapshot = engine.snapshot();
    let mut transaction = snapshot.transaction();
    let mut workspace = Workspace::new();
    let mut got = BTreeMap::new();
    for mut claim in case.resource_claims {
        validate::defaults::resource_claim(&mut claim);
        let name = claim.metadata.name.to_string();
        let claims = snapshot.prepare(&[claim]).unwrap();
        let options = AllocateOptions::new().policy(policy);
        match transaction
            .allocate(&case.node, &claims, &options, &mut workspace)
            .unwrap()
        {
            Outcome::Optimal(allocation) => got.insert(name, super::devices(&allocation)),
            _ => return Err(name),
        };
    }
    Ok(got)
}

#[test]
fn single_devices_do_not_split_pairs() {
    let pairs = by(Term::ParentsTouched {
        attribute: Some("gpu.example.com/nvlinkDomain".into()),
    });
    let got = run("B53.json", &pairs).unwrap();
    let of = |claim: &str| got[claim].join(" ");
    assert_eq!(
        [of("s0"), of("s1"), of("s2"), of("s3")],
        ["gpu-0", "gpu-1", "gpu-2", "gpu-3"]
    );
    assert_eq!([of("pair-0"), of("pair-1")], ["gpu-4 gpu-5", "gpu-6 gpu-7"]);
    assert_eq!(
        run("B53.json", &Policy::Kubernetes),
        Err("pair-0".to_owned())
    );
}

#[test]
fn small_jobs_stay_on_one_socket() {
    let sockets = by(Term::ParentsTouched {
        attribute: Some("resource.kubernetes.io/numaNode".into()),
    });
    let got = run("B55.json", &sockets).unwrap();
    let of = |claim: &str| got[claim].join(" ");
    assert_eq!([of("s0"), of("s1")], ["gpu-0-0", "gpu-0-1"]);
    assert_eq!(of("four"), "gpu-1-0 gpu-1-1 gpu-1-2 gpu-1-3");
    assert_eq!(run("B55.json", &Policy::Kubernetes), Err("four".to_owned()));
}
