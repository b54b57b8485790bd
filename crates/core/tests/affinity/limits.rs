//! More of something than terms can count.

use dralloc::{Code, Policy, Scope, Term};
use serde_json::{Value, json};

use super::{answer, engine, some};

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
