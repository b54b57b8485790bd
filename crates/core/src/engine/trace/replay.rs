//! [`Replay`]: the calls of a trace again.

use std::collections::BTreeMap;

use super::KIND;
use super::answer::{done, outcome, placement, result};
use super::arguments::{Arguments, needed};
use super::difference::{Difference, Replayed};
use super::gang::gang;
use super::log::one_line;
use super::options::OptionsForm;
use super::stopped::{Stopped, was_stopped};
use crate::claims::PreparedClaims;
use crate::engine::form::{check_kind, text};
use crate::engine::{Engine, Savepoint, Snapshot, Transaction, Workspace};
use crate::error::{Code, Error};
use crate::model::Json;
use crate::wire::{Decoder, from_json, from_json_strict};

/// Makes the calls of a trace, line by line, and compares their results.
///
/// # Examples
///
/// ```
/// use dralloc::{Replay, Replayed};
///
/// let dump = dralloc::Engine::new(dralloc::Features::all()).dump().replace('\n', " ");
/// let mut replay = Replay::new();
/// for line in [
///     &format!(r#"{{"apiVersion":"dralloc.dev/v1alpha1","kind":"Trace","dump":{dump}}}"#),
///     r#"{"call":"snapshot","id":0}"#,
/// ] {
///     assert_eq!(replay.line(line)?, Replayed::Same);
/// }
/// # Ok::<(), dralloc::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Replay {
    line: usize,
    engine: Option<Engine>,
    snapshots: BTreeMap<i64, Snapshot>,
    claims: BTreeMap<i64, PreparedClaims>,
    transactions: BTreeMap<i64, Transaction>,
    savepoints: BTreeMap<i64, Savepoint>,
    decoder: Decoder,
    workspace: Workspace,
}

/// Makes all calls of a trace; returns the first result that is not the recorded one.
///
/// # Errors
///
/// Those of [`Replay::line`].
pub fn replay(trace: &str) -> Result<Option<Difference>, Error> {
    let mut replay = Replay::new();
    for line in trace.lines() {
        if let Replayed::Different(difference) = replay.line(line)? {
            return Ok(Some(difference));
        }
    }
    Ok(None)
}

impl Replay {
    /// Returns a replay before its first line.
    pub fn new() -> Self {
        Self {
            decoder: Decoder::new().strict(true),
            ..Self::default()
        }
    }

    /// Returns the engine as it is after the lines so far; none before the first.
    pub fn engine(&self) -> Option<&Engine> {
        self.engine.as_ref()
    }

    /// Makes the call of the next line; a line of white space is none.
    ///
    /// # Errors
    ///
    /// With the number of the line in the path: [`Code::Malformed`] and
    /// [`Code::UnknownField`] if the line is no call, [`Code::NotFound`] if it
    /// names something that was not made before, [`Code::Duplicate`] if it makes
    /// something for the second time, and those of [`Engine::load`] for the first.
    pub fn line(&mut self, line: &str) -> Result<Replayed, Error> {
        self.line += 1;
        if line.trim().is_empty() {
            return Ok(Replayed::Same);
        }
        let prefix = format!("line {}", self.line);
        self.call(line).map_err(|error| error.under(&prefix))
    }

    fn call(&mut self, line: &str) -> Result<Replayed, Error> {
        let mut call: Arguments = from_json_strict(line).map_err(|fault| fault.error)?;
        let Some(mut engine) = self.engine.take() else {
            self.engine = Some(start(&call)?);
            return Ok(Replayed::Same);
        };
        let name = call.call.clone();
        let recorded = call.result.take();
        let is_question = matches!(
            &*name,
            "allocate" | "gang" | "satisfiable" | "place" | "placeAndAllocate"
        );
        let stopped = is_question && recorded.as_ref().is_some_and(was_stopped);
        let replayed = if stopped {
            self.go_on(&call, recorded.as_ref()).map(|()| None)
        } else {
            self.make(&mut engine, call)
        };
        self.engine = Some(engine);
        let replayed = replayed?;
        if stopped {
            return Ok(Replayed::Stopped);
        }
        let recorded = recorded.map(|json| json.as_str().to_owned());
        let replayed = replayed.map(|json| one_line(&json));
        if recorded == replayed {
            return Ok(Replayed::Same);
        }
        let none = || "nothing".to_owned();
        Ok(Replayed::Different(Difference {
            line: self.line,
            call: name.to_string(),
            recorded: recorded.unwrap_or_else(none),
            replayed: replayed.unwrap_or_else(none),
        }))
    }

    /// Makes a call; returns its result as JSON, if calls of its sort have one.
    fn make(&mut self, engine: &mut Engine, mut call: Arguments) -> Result<Option<String>, Error> {
        let decoder = &mut self.decoder;
        let answer = match &*call.call {
            "apply" => result(&engine.apply(call.change(decoder)?), text),
            "replace" => result(&engine.replace(call.relist(decoder)?), text),
            "forget" => text(&engine.forget(&needed(call.owner, "owner")?)),
            "dump" if call.transaction.is_none() => engine.dump(),
            "snapshot" => {
                let snapshot = engine.snapshot();
                return insert(&mut self.snapshots, call.id, snapshot);
            }
            "prepare" => {
                let snapshot = find(&self.snapshots, call.snapshot, "snapshot")?;
                let prepared = snapshot.prepare(&call.all(decoder)?);
                let answer = result(&prepared, done);
                if let (Ok(prepared), Some(_)) = (prepared, call.id) {
                    insert(&mut self.claims, call.id, prepared)?;
                }
                answer
            }
            "transaction" => {
                let snapshot = find(&self.snapshots, call.snapshot, "snapshot")?;
                return insert(&mut self.transactions, call.id, snapshot.transaction());
            }
            "place" if call.transaction.is_none() => {
                let snapshot = find(&self.snapshots, call.snapshot, "snapshot")?;
                let options = needed(call.options, "options")?;
                let claims = find(&self.claims, call.claims, "claims")?;
                let transaction = snapshot.transaction();
                place(&transaction, claims, &options, &mut self.workspace)?
            }
            "drop" => {
                drop_one(&mut self.snapshots, call.snapshot);
                drop_one(&mut self.claims, call.claims);
                drop_one(&mut self.transactions, call.transaction);
                drop_one(&mut self.savepoints, call.savepoint);
                return Ok(None);
            }
            "commit" => {
                let known = find(&self.transactions, call.transaction, "transaction")?;
                // The number lives on until it is dropped.
                result(&known.clone().commit(engine), text)
            }
            _ => return self.on_transaction(call),
        };
        Ok(Some(answer))
    }

    /// Makes a call on a transaction.
    fn on_transaction(&mut self, mut call: Arguments) -> Result<Option<String>, Error> {
        let (decoder, workspace) = (&mut self.decoder, &mut self.workspace);
        if !CALLS.contains(&&*call.call) {
            let message = format!("unknown call `{}`, expected one of a trace", call.call);
            return Err(Error::new(Code::Unsupported, message).at("call"));
        }
        let transaction = find_mut(&mut self.transactions, call.transaction, "transaction")?;
        let answer = match &*call.call {
            "allocate" => {
                let options = needed(call.options, "options")?;
                let claims = find(&self.claims, call.claims, "claims")?;
                let node = needed(call.node, "node")?;
                let options = options.allocate()?;
                let answer = transaction.allocate(&node, claims, &options, workspace);
                result(&answer, outcome)
            }
            "satisfiable" => {
                let options = needed(call.options, "options")?;
                let claims = find(&self.claims, call.claims, "claims")?;
                let node = needed(call.node, "node")?;
                let options = options.allocate()?;
                let answer = transaction.satisfiable(&node, claims, &options, workspace);
                result(&answer, outcome)
            }
            "place" => {
                let options = needed(call.options, "options")?;
                let claims = find(&self.claims, call.claims, "claims")?;
                place(transaction, claims, &options, workspace)?
            }
            "placeAndAllocate" => {
                let options = needed(call.options, "options")?;
                let claims = find(&self.claims, call.claims, "claims")?;
                if options.may_stop && call.holds == Some(false) {
                    // It was stopped after the question, before anything was held.
                    return place(transaction, claims, &options, workspace).map(Some);
                }
                let (place, nodes) = (options.place()?, options.nodes());
                let place = nodes.as_ref().map_or(place, |nodes| place.nodes(nodes));
                let answer = transaction.place_and_allocate(claims, &place, workspace);
                result(&answer, placement)
            }
            "gang" => gang_again(transaction, &self.claims, call, workspace)?,
            "hold" => {
                let claim = call.claim(decoder)?;
                transaction.hold(&claim, &needed(call.allocation, "allocation")?);
                return Ok(None);
            }
            "release" => text(&transaction.release(&call.claim(decoder)?)),
            "reserve" => {
                let (claim, user) = (call.claim(decoder)?, needed(call.user, "user")?);
                result(&transaction.reserve(&claim, &user), text)
            }
            "unreserve" => {
                let (claim, user) = (call.claim(decoder)?, needed(call.user, "user")?);
                text(&transaction.unreserve(&claim, &user))
            }
            "markReleasing" => {
                let claim = call.claim(decoder)?;
                let releasing = needed(call.releasing, "releasing")?;
                text(&transaction.mark_releasing(&claim, releasing))
            }
            "addNode" => {
                let (name, like) = (needed(call.node, "node")?, needed(call.like, "like")?);
                result(&transaction.add_node(&name, &like), done)
            }
            "removeNode" => {
                let name = needed(call.node, "node")?;
                result(&transaction.remove_node(&name), done)
            }
            "takeAmounts" => {
                let (name, owner) = (needed(call.node, "node")?, needed(call.owner, "owner")?);
                let amounts = needed(call.amounts, "amounts")?;
                result(&transaction.take_amounts(&name, &owner, &amounts), done)
            }
            "releaseAmounts" => {
                let owner = needed(call.owner, "owner")?;
                text(&transaction.release_amounts(&owner))
            }
            "savepoint" => {
                let savepoint = transaction.savepoint();
                return insert(&mut self.savepoints, call.id, savepoint);
            }
            "rollback" => {
                let savepoint = find(&self.savepoints, call.savepoint, "savepoint")?;
                result(&transaction.rollback(savepoint), done)
            }
            "dump" => transaction.dump(),
            _ => {
                let clone = transaction.clone();
                return insert(&mut self.transactions, call.id, clone);
            }
        };
        Ok(Some(answer))
    }

    /// Goes on after a call that was stopped: what it held is held again.
    fn go_on(&mut self, call: &Arguments, recorded: Option<&Json>) -> Result<(), Error> {
        if call.holds != Some(true) {
            return Ok(());
        }
        let recorded = recorded.map(|json| from_json::<Stopped>(json.as_str()));
        let recorded = recorded.transpose().map_err(|fault| fault.error)?;
        let first = recorded.and_then(|recorded| recorded.nodes.into_iter().next());
        let node = needed(first, "result.nodes")?.name;
        let options = needed(call.options.as_ref(), "options")?.allocate()?;
        let claims = find(&self.claims, call.claims, "claims")?;
        let transaction = find_mut(&mut self.transactions, call.transaction, "transaction")?;
        let before = transaction.draft.mark();
        transaction.allocate(&node, claims, &options, &mut self.workspace)?;
        if transaction.draft.mark() != before {
            return Ok(());
        }
        let message =
            format!("the claims do not fit on `{node}`, expected that they do as recorded");
        Err(Error::new(Code::Invalid, message).at("result.nodes"))
    }
}

/// The calls on a transaction.
const CALLS: [&str; 18] = [
    "addNode",
    "allocate",
    "clone",
    "dump",
    "gang",
    "hold",
    "markReleasing",
    "place",
    "placeAndAllocate",
    "release",
    "releaseAmounts",
    "removeNode",
    "reserve",
    "rollback",
    "satisfiable",
    "savepoint",
    "takeAmounts",
    "unreserve",
];

/// Makes the engine that a trace begins with.
fn start(call: &Arguments) -> Result<Engine, Error> {
    check_kind(&call.api_version, &call.kind, KIND)?;
    let dump = needed(call.dump.as_ref(), "dump")?;
    Engine::load(dump.as_str()).map_err(|error| error.under("dump"))
}

fn place(
    transaction: &Transaction,
    claims: &PreparedClaims,
    options: &OptionsForm,
    workspace: &mut Workspace,
) -> Result<String, Error> {
    let (place, nodes) = (options.place()?, options.nodes());
    let place = nodes.as_ref().map_or(place, |nodes| place.nodes(nodes));
    Ok(result(
        &transaction.place(claims, &place, workspace),
        placement,
    ))
}

fn gang_again(
    transaction: &mut Transaction,
    claims: &BTreeMap<i64, PreparedClaims>,
    call: Arguments,
    workspace: &mut Workspace,
) -> Result<String, Error> {
    let (form, options) = (needed(call.gang, "gang")?, needed(call.options, "options")?);
    let mut members = Vec::new();
    for number in needed(call.members, "members")? {
        members.push(find(claims, Some(number), "members")?.clone());
    }
    let (labels, nodes) = (form.labels()?, options.nodes());
    let how = form.options(&options, &labels)?;
    let how = nodes.as_ref().map_or(how, |nodes| how.nodes(nodes));
    Ok(result(&transaction.gang(&members, &how, workspace), gang))
}

/// Returns what has a number.
fn find<'a, T>(
    known: &'a BTreeMap<i64, T>,
    number: Option<i64>,
    sort: &str,
) -> Result<&'a T, Error> {
    let number = needed(number, sort)?;
    known.get(&number).ok_or_else(|| not_there(number, sort))
}

fn find_mut<'a, T>(
    known: &'a mut BTreeMap<i64, T>,
    number: Option<i64>,
    sort: &str,
) -> Result<&'a mut T, Error> {
    let number = needed(number, sort)?;
    known
        .get_mut(&number)
        .ok_or_else(|| not_there(number, sort))
}

fn not_there(number: i64, sort: &str) -> Error {
    let message = format!("`{number}` is not there, expected the number of one that is");
    Error::new(Code::NotFound, message).at(sort)
}

fn insert<T>(
    known: &mut BTreeMap<i64, T>,
    number: Option<i64>,
    value: T,
) -> Result<Option<String>, Error> {
    let number = needed(number, "id")?;
    if known.insert(number, value).is_some() {
        let message = format!("`{number}` is there already, expected the next number");
        return Err(Error::new(Code::Duplicate, message).at("id"));
    }
    Ok(None)
}

fn drop_one<T>(known: &mut BTreeMap<i64, T>, number: Option<i64>) {
    if let Some(number) = number {
        known.remove(&number);
    }
}
