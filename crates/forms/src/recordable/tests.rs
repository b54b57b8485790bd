//! What was made before a recording began, and what outlives one.

use dralloc::model::{Node, ResourceClaim};
use dralloc::wire::Decoder;
use dralloc::{AllocateOptions, Change, Code, Error, Features, Workspace};

use super::{Claims, Engine, Snapshot, Transaction, replay};

const OBJECTS: &str = r#"
    {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"gpu"},
     "spec":{"selectors":[{"cel":{"expression":"device.driver == 'd.example'"}}]}}
    {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s"},
     "spec":{"driver":"d.example","nodeName":"node-1","devices":[{"name":"gpu-0"}],
             "pool":{"name":"node-1","generation":1,"resourceSliceCount":1}}}"#;

fn engine() -> Result<Engine, Error> {
    let mut engine = Engine::new(Features::all());
    engine.apply(Change::Node(Node::new("node-1", [])))?;
    crate::apply_with(&mut Decoder::new(), OBJECTS, |change| engine.apply(change))?;
    Ok(engine)
}

fn claims(snapshot: &Snapshot) -> Result<Claims, Error> {
    snapshot.prepare(objects()?)
}

fn objects() -> Result<Vec<ResourceClaim>, Error> {
    crate::claims(
        &mut Decoder::new(),
        r#"{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim",
            "metadata":{"namespace":"default","name":"a","uid":"a"},"spec":{"devices":{
            "requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu",
                                                 "allocationMode":"ExactCount","count":1}}]}}}"#,
    )
}

fn allocate(transaction: &mut Transaction, claims: &Claims) -> Result<&'static str, Error> {
    let options = AllocateOptions::new();
    let outcome = transaction.allocate("node-1", claims, &options, &mut Workspace::new())?;
    Ok(crate::Kind::of(&outcome).as_str())
}

#[test]
fn claims_serve_in_every_trace() -> Result<(), Error> {
    let mut engine = engine()?;
    let claims = claims(&engine.snapshot())?;
    let mut before = engine.snapshot().transaction();
    assert_eq!(allocate(&mut before, &claims)?, "optimal");
    for _ in 0..2 {
        let trace = engine.record();
        let mut transaction = engine.snapshot().transaction();
        let savepoint = transaction.savepoint();
        assert_eq!(allocate(&mut transaction, &claims)?, "optimal");
        transaction.rollback(&savepoint)?;
        assert_eq!(allocate(&mut transaction, &claims)?, "optimal");
        let lines = trace.take();
        // They are prepared for the trace once.
        let prepared = lines.matches(r#"{"call":"prepare","#).count();
        assert_eq!((prepared, replay(&lines)?), (1, "null".to_owned()));
    }
    Ok(())
}

#[test]
fn savepoints_are_of_one_transaction() -> Result<(), Error> {
    let mut engine = engine()?;
    let mut plain = engine.snapshot().transaction();
    let _trace = engine.record();
    let mut recorded = engine.snapshot().transaction();
    let (of_plain, of_recorded) = (plain.savepoint(), recorded.savepoint());
    let code = |result: Result<(), Error>| result.err().map(|error| error.code());
    assert_eq!(code(plain.rollback(&of_recorded)), Some(Code::NotFound));
    assert_eq!(code(recorded.rollback(&of_plain)), Some(Code::NotFound));
    assert_eq!(code(plain.rollback(&of_plain)), None);
    assert_eq!(code(recorded.rollback(&of_recorded)), None);
    Ok(())
}

#[test]
fn only_calls_of_the_trace_are_committed() -> Result<(), Error> {
    let mut engine = engine()?;
    let claims = claims(&engine.snapshot())?;
    let mut before = engine.snapshot().transaction();
    allocate(&mut before, &claims)?;
    let first = engine.record();
    let mut of_first = engine.snapshot().transaction();
    allocate(&mut of_first, &claims)?;
    let second = engine.record();
    for transaction in [before, of_first.clone()] {
        let error = transaction.commit(&mut engine).err();
        assert_eq!(error.map(|error| error.code()), Some(Code::Conflict));
    }
    assert!(!engine.is_assumed("a"));

    // Without a trace nothing can be missing in it.
    drop(second);
    of_first.commit(&mut engine)?;
    assert!(engine.is_assumed("a"));
    assert_eq!(replay(&first.take())?, "null");
    Ok(())
}
