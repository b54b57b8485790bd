//! Gangs from options to the trace.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dralloc::model::Node;
use dralloc::wire::Decoder;
use dralloc::{Change, DomainScope, Error, Features, SliceRule, Workspace};

use super::GangRules;
use crate::CallOptions;
use crate::recordable::{Claims, Engine, Snapshot, Transaction, replay};

/// Two nodes of two devices each in a rack of their own label, and a class.
fn engine() -> Result<Engine, Error> {
    let mut engine = Engine::new(Features::all());
    let mut objects = r#"{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass",
                          "metadata":{"name":"gpu"}}"#
        .to_owned();
    for name in ["a", "b"] {
        engine.apply(Change::Node(Node::new(name, [("example.com/rack", "r")])))?;
        objects += &r#"{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice",
            "metadata":{"name":"NAME"},"spec":{"driver":"d.example","nodeName":"NAME",
            "devices":[{"name":"gpu-0"},{"name":"gpu-1"}],
            "pool":{"name":"NAME","generation":1,"resourceSliceCount":1}}}"#
            .replace("NAME", name);
    }
    crate::apply_with(&mut Decoder::new(), &objects, |change| engine.apply(change))?;
    Ok(engine)
}

fn members(snapshot: &Snapshot, count: usize) -> Result<Vec<Claims>, Error> {
    let member = |number| {
        let claim = format!(
            r#"{{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim",
                "metadata":{{"namespace":"default","name":"w-{number}"}},"spec":{{"devices":{{
                "requests":[{{"name":"gpu","exactly":{{"deviceClassName":"gpu",
                    "allocationMode":"ExactCount","count":1}}}}]}}}}}}"#
        );
        snapshot.prepare(crate::claims(&mut Decoder::new(), &claim)?)
    };
    (0..count).map(member).collect()
}

/// Asks for members with options; returns the answer as JSON.
fn ask(transaction: &mut Transaction, members: &[Claims], options: &str) -> Result<String, Error> {
    ask_with(transaction, members, &CallOptions::read(options)?)
}

fn ask_with(
    transaction: &mut Transaction,
    members: &[Claims],
    options: &CallOptions,
) -> Result<String, Error> {
    let labels = options.gang.labels();
    let how = options.gang(None, &labels)?;
    let members: Vec<_> = members.iter().collect();
    crate::gang(&transaction.gang(&members, &how, &mut Workspace::new())?)
}

/// What a member got, as Kubernetes keeps it.
fn result(node: &str, device: &str) -> String {
    format!(
        r#"[{{"devices":{{"results":[{{"request":"gpu","driver":"d.example","pool":"{node}","device":"{device}"}}]}},"nodeSelector":{{"nodeSelectorTerms":[{{"matchFields":[{{"key":"metadata.name","operator":"In","values":["{node}"]}}]}}]}}}}]"#
    )
}

const IN_A_RACK: &str = r#"{"labels":{"rack":"example.com/rack"},"within":"rack"}"#;

#[test]
fn answers_are_json_and_in_the_trace() -> Result<(), Error> {
    let mut engine = engine()?;
    let trace = engine.record();
    let snapshot = engine.snapshot();
    let mut transaction = snapshot.transaction();
    let members = members(&snapshot, 5)?;

    let short = ask(&mut transaction, &members, IN_A_RACK)?;
    let expected = r#"{"outcome":"infeasible","shortage":{"members":5,"most":4,"scope":"rack","domain":"r","limit":"free","reasons":[],"message":"4 of 5 members fit within rack `r`, there are too few devices"}}"#;
    assert_eq!(short, expected);

    let three = members.get(..3).unwrap_or_default();
    let placed = ask(&mut transaction, three, IN_A_RACK)?;
    let expected = format!(
        r#"{{"outcome":"placed","nodes":[{{"name":"a","members":[{{"member":0,"results":{}}},{{"member":1,"results":{}}}]}},{{"name":"b","members":[{{"member":2,"results":{}}}]}}],"levels":[{{"scope":"rack","domains":1,"smallest":3}}],"smallest":1,"proved":true}}"#,
        result("a", "gpu-0"),
        result("a", "gpu-1"),
        result("b", "gpu-0"),
    );
    assert_eq!(placed, expected);
    transaction.commit(&mut engine)?;

    let lines = trace.take();
    let asked = r#"{"call":"gang","transaction":0,"members":[0,1,2],"options":{"errors":"skip","find":"all"},"gang":{"labels":[{"scope":"rack","label":"example.com/rack"}],"within":"rack"},"result":{"outcome":"placed","nodes":[{"name":"a","members":[[0,"#;
    assert_eq!(lines.matches(asked).count(), 1, "{lines}");
    assert_eq!(replay(&lines)?, "null");
    let other = lines.replace(r#""members":[0,1,2]"#, r#""members":[0,1]"#);
    let difference = replay(&other)?;
    assert!(difference.contains(r#""call":"gang""#), "{difference}");
    Ok(())
}

#[test]
fn a_gang_that_was_stopped_is_passed_over() -> Result<(), Error> {
    let mut engine = engine()?;
    let trace = engine.record();
    let snapshot = engine.snapshot();
    let options = CallOptions {
        cancel: Some(Arc::new(AtomicBool::new(true))),
        ..CallOptions::DEFAULT
    };
    let mut transaction = snapshot.transaction();
    let members = members(&snapshot, 2)?;
    let stopped = ask_with(&mut transaction, &members, &options)?;
    assert_eq!(stopped, r#"{"outcome":"unknown","stopCause":"cancelled"}"#);
    // What comes after it is made again, on a transaction where nothing is held.
    assert!(ask(&mut transaction, &members, "{}")?.starts_with(r#"{"outcome":"placed""#));
    assert_eq!(replay(&trace.take())?, "null");
    Ok(())
}

#[test]
fn rules_are_read_and_written() -> Result<(), Error> {
    let most = r#"{"mostNodes":{"scope":"nvLinkDomain","nodes":18},"slices":"exactly","sliceSize":2,"labels":{"zone":"z","rack":"r"}}"#;
    let rules = CallOptions::read(most)?.gang;
    let expected = GangRules {
        labels: vec![
            (DomainScope::Rack, "r".into()),
            (DomainScope::Zone, "z".into()),
        ],
        within: None,
        most_nodes: Some((DomainScope::NvLinkDomain, 18)),
        slices: SliceRule::Exactly(2),
    };
    assert_eq!(rules, expected);
    assert_eq!(CallOptions::read("{}")?.gang, GangRules::DEFAULT);

    // Each rule is the same after it was written to a trace.
    for slices in [
        "any",
        "same",
        "multipleOf",
        "exactly",
        "atLeast",
        "wholeNodes",
    ] {
        let mut engine = engine()?;
        let trace = engine.record();
        let snapshot = engine.snapshot();
        let options = format!(
            r#"{{"slices":"{slices}","mostNodes":{{"scope":"rack","nodes":1}},"policy":"pack"}}"#
        );
        ask(
            &mut snapshot.transaction(),
            &members(&snapshot, 2)?,
            &options,
        )?;
        assert_eq!(replay(&trace.take())?, "null", "{slices}");
    }
    Ok(())
}

#[test]
fn wrong_rules_are_refused() -> Result<(), Error> {
    let mut engine = engine()?;
    let snapshot = engine.snapshot();
    let members = members(&snapshot, 1)?;
    let mut errors = String::new();
    for options in [
        r#"{"within":"row"}"#,
        r#"{"labels":{"row":"example.com/row"}}"#,
        r#"{"mostNodes":{"nodes":18}}"#,
        r#"{"mostNodes":{"scope":"rack","nodes":-1}}"#,
        r#"{"mostNodes":{"scope":"rack","hosts":1}}"#,
        r#"{"slices":"equal"}"#,
        r#"{"slices":"atLeast","sliceSize":-1}"#,
        r#"{"user":"pod"}"#,
        r#"{"amounts":{"cpu":"1"}}"#,
    ] {
        let refused = ask(&mut snapshot.transaction(), &members, options);
        errors += &refused.unwrap_or_else(|error| format!("{}: {error}\n", error.code().as_str()));
    }
    let scopes = "expected one of region, zone, core, block, rack, nvLinkDomain";
    assert_eq!(
        errors,
        format!(
            "malformed: within: `row`, {scopes}
malformed: labels: `row`, {scopes}
malformed: mostNodes.scope: ``, {scopes}
malformed: mostNodes.nodes: `-1`, expected 0 or more
unknown-field: mostNodes.hosts: unknown field `hosts`
malformed: slices: `equal`, expected one of any, same, multipleOf, exactly, atLeast, wholeNodes
malformed: sliceSize: `-1`, expected 0 or more
unsupported: user: a gang has many pods, expected no option of one
unsupported: amounts: a gang has many pods, expected no option of one
"
        )
    );
    Ok(())
}
