//! More of something than terms can count.

use dralloc::{Code, Policy, Scope, Term};
use dralloc_topology::NO_RING;
use serde_json::{Value, json};

use super::{answer, best, engine, some};

#[test]
fn more_nics_than_alignments_have_are_an_error_of_the_node() {
    let names: Vec<String> = (0..65).map(|number| format!("nic{number}")).collect();
    let bound = |driver: &str, name: &str| json!({"id": name, "kind": driver, "device": format!("{driver}.example.com/n/{name}")});
    let mut vertices: Vec<Value> = names.iter().map(|name| bound("nic", name)).collect();
    vertices.push(bound("gpu", "gpu0"));
    let topology = json!({"metadata": {"name": "t"}, "spec": {"vertices": vertices}});
    let nics = names.iter().map(|name| json!({"name": name})).collect();
    let gpus = vec![json!({"name": "gpu0"})];
    let node = engine(&[("gpu", gpus), ("nic", nics)], &[topology]);
    for term in [Term::NicAlignment, Term::HostUplink] {
        let message = format!(
            "term `{term}` of more than 64 linked devices or NICs on a node is not supported"
        );
        let policy = Policy::Terms(vec![term]);
        let error = answer(&node, &[], &some("gpu", 1), &policy);
        let error = error.err().unwrap();
        assert_eq!(
            (error.code(), error.scope()),
            (Code::Unsupported, Scope::Node)
        );
        assert_eq!(error.message(), message);
    }
    let policy = Policy::Terms(vec![Term::Ring, Term::Span]);
    assert!(answer(&node, &[], &some("gpu", 1), &policy).is_ok());
}

#[test]
fn without_a_document_any_number_of_devices_has_an_answer() {
    let on = |root: u32, numa: i64| {
        json!({"resource.kubernetes.io/pcieRoot": {"string": format!("pci{root}")},
            "resource.kubernetes.io/numaNode": {"int": numa}})
    };
    let gpus = (0..20_u32).map(|number| {
        json!({"name": format!("gpu{number:02}"),
            "attributes": on(number / 2, i64::from(number / 10))})
    });
    let node = engine(&[("gpu", gpus.collect())], &[]);
    let held = ["gpu/gpu00".to_owned()];
    let answer = answer(&node, &held, &some("gpu", 2), &Policy::Affinity).unwrap();
    let Some((devices, values)) = best(answer) else {
        panic!("it fits")
    };
    // No links are known; one root is nearer than none, a switch is not known.
    assert_eq!(devices, ["gpu/gpu02", "gpu/gpu03"]);
    let names: Vec<&str> = Policy::Affinity.terms().iter().map(Term::as_str).collect();
    let of = |name: &str| values[names.iter().position(|one| *one == name).unwrap()];
    assert_eq!((of("ring"), of("links"), of("span")), (NO_RING, 0, 2));
}
