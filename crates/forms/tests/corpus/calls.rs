//! Runs calls, and writes the results beside them.

use std::fmt::Write as _;

use dralloc::wire::Decoder;
use dralloc::{Applied, Error, Features, Outcome, Placement, Workspace};
use dralloc_forms::recordable::{self, Claims, Engine, Savepoint, Snapshot, Trace, Transaction};
use dralloc_forms::{self as forms, CallOptions};

/// Returns calls with the results that they have now.
pub(super) fn answered(text: &str) -> String {
    let mut world = World::new();
    let mut answered = String::new();
    let is_result = |line: &&str| line.starts_with("=\t") || line.starts_with("!\t");
    for line in text.lines().filter(|line| !is_result(line)) {
        answered.push_str(line);
        answered.push('\n');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        match world.call(fields[0], &fields[1..]) {
            Ok(None) => {}
            Ok(Some(result)) => writeln!(answered, "=\t{result}").unwrap(),
            Err(error) => {
                let json = forms::error(error.code().as_str(), &error);
                writeln!(answered, "!\t{json}").unwrap();
            }
        }
    }
    answered
}

/// Is all that there is at a time.
struct World {
    engine: Engine,
    decoder: Decoder,
    snapshot: Snapshot,
    transaction: Option<Transaction>,
    savepoints: Vec<Savepoint>,
    claims: Option<Claims>,
    /// The members of the next gang.
    members: Vec<Claims>,
    options: CallOptions,
    workspace: Workspace,
    outcome: Option<Outcome>,
    placement: Option<Placement>,
    trace: Option<Trace>,
    /// What was taken of the trace.
    lines: String,
}

fn one_or_zero(is_true: bool) -> String {
    u32::from(is_true).to_string()
}

impl World {
    fn new() -> Self {
        Self::of(Engine::new(Features::all()))
    }

    fn of(mut engine: Engine) -> Self {
        Self {
            snapshot: engine.snapshot(),
            engine,
            decoder: Decoder::new(),
            transaction: None,
            savepoints: Vec::new(),
            claims: None,
            members: Vec::new(),
            options: CallOptions::DEFAULT,
            workspace: Workspace::new(),
            outcome: None,
            placement: None,
            trace: None,
            lines: String::new(),
        }
    }

    /// Returns the next lines of the trace, but for the ends of things: when these come
    /// is not the same in all languages.
    fn next_lines(&mut self) -> String {
        let lines = self.trace.as_ref().unwrap().take();
        self.lines += &lines;
        let calls = lines.lines();
        let calls = calls.filter(|line| !line.starts_with(r#"{"call":"drop","#));
        calls.collect::<Vec<_>>().join(" ")
    }

    fn call(&mut self, name: &str, fields: &[&str]) -> Result<Option<String>, Error> {
        let first = fields.first().copied().unwrap_or_default();
        Ok(Some(match name {
            "engine" => {
                *self = Self::of(Engine::new(forms::features(first)?));
                return Ok(None);
            }
            "reload" => {
                self.engine = dralloc::Engine::load(&self.engine.dump())?.into();
                return Ok(None);
            }
            "apply" => {
                let apply = |change| self.engine.apply(change);
                forms::text(&forms::apply_with(&mut self.decoder, first, apply)?)?
            }
            "record" => {
                self.trace = Some(self.engine.record());
                self.lines.clear();
                return Ok(None);
            }
            "trace" => self.next_lines(),
            "replay" => recordable::replay(&self.lines)?,
            "objects" => {
                let name = fields.get(1).copied();
                forms::known(self.snapshot.get(), first, name)?
            }
            "features" => forms::features_on(self.snapshot.get().features())?,
            "change" => {
                let change = forms::change(&mut self.decoder, first)?;
                different(&self.engine.apply(change)?)?
            }
            "replace" => {
                let list = forms::relist(&mut self.decoder, first, fields[1])?;
                different(&self.engine.replace(list)?)?
            }
            "forget" => different(&self.engine.forget(first))?,
            "assumed" => one_or_zero(self.engine.is_assumed(first)),
            "snapshot" => {
                self.snapshot = self.engine.snapshot();
                return Ok(None);
            }
            "nodes" => {
                let nodes = self.snapshot.get().nodes();
                forms::text(&nodes.map(|node| &*node.metadata.name).collect::<Vec<_>>())?
            }
            "prepare" => {
                let claims = forms::claims(&mut Decoder::new(), first)?;
                self.claims = Some(self.snapshot.prepare(claims)?);
                return Ok(None);
            }
            "member" => return self.member(first),
            "gang" => self.gang(first)?,
            "options" => {
                self.options = CallOptions::read(first)?;
                return Ok(None);
            }
            "transaction" => {
                self.transaction = Some(self.snapshot.transaction());
                self.savepoints.clear();
                return Ok(None);
            }
            "commit" => {
                let transaction = self.transaction.take().unwrap();
                different(&transaction.commit(&mut self.engine)?)?
            }
            "validate" => {
                let features = fields.get(1).copied().unwrap_or_default();
                forms::validate(first, &forms::features(features)?)?
            }
            "default" => forms::defaulted(first)?,
            "devices" => self.devices()?,
            "results" => match self.outcome.as_ref().unwrap() {
                Outcome::Optimal(allocation) | Outcome::Feasible { allocation, .. } => {
                    forms::results(allocation)?
                }
                _ => "[]".to_owned(),
            },
            "placed" => {
                let nodes = self.placement.as_ref().unwrap().nodes().iter();
                let nodes = nodes.map(|node| {
                    let score = node.score();
                    let (place, name) = (node.place(), node.name());
                    format!("{place} {} {} {name}", score.rank, score.free)
                });
                nodes.collect::<Vec<_>>().join(";")
            }
            "placedOutcome" => {
                let placement = self.placement.as_ref().unwrap();
                let node = placement.nodes().get(first.parse().unwrap()).unwrap();
                let allocation = node.allocation();
                forms::outcome(&match node.gap() {
                    None => Outcome::Optimal(allocation),
                    Some(gap) => Outcome::Feasible { allocation, gap },
                })?
            }
            "allocate" | "satisfiable" | "place" | "placeAndAllocate" | "explain" | "runnerUp"
            | "certificate" => self.question(name, first)?,
            _ => return self.hold(name, fields),
        }))
    }

    fn devices(&self) -> Result<String, Error> {
        let (Outcome::Optimal(allocation) | Outcome::Feasible { allocation, .. }) =
            self.outcome.as_ref().unwrap()
        else {
            return Ok(String::new());
        };
        let numbered = self.snapshot.get().numbered_devices(allocation);
        let devices = numbered.map(|one| {
            let name = self.snapshot.get().device_name(one.device).unwrap();
            let name = forms::text(&name)?;
            Ok(format!(
                "{} {} {} {name}",
                one.claim, one.request, one.alternative
            ))
        });
        Ok(devices.collect::<Result<Vec<_>, Error>>()?.join(";"))
    }

    fn member(&mut self, claims: &str) -> Result<Option<String>, Error> {
        let claims = forms::claims(&mut Decoder::new(), claims)?;
        self.members.push(self.snapshot.prepare(claims)?);
        Ok(None)
    }

    fn gang(&mut self, names: &str) -> Result<String, Error> {
        let members = std::mem::take(&mut self.members);
        let labels = self.options.gang.labels();
        let options = self.options.gang(None, &labels)?;
        let known = match names {
            "" => Vec::new(),
            names => forms::names(names)?,
        };
        let snapshot = self.snapshot.get();
        let nodes = snapshot.node_list(known.iter().map(|name| &**name));
        let options = match names {
            "" => options,
            _ => options.node_list(&nodes),
        };
        let transaction = self.transaction.as_mut().unwrap();
        let members: Vec<_> = members.iter().collect();
        forms::gang(&transaction.gang(&members, &options, &mut self.workspace)?)
    }

    fn question(&mut self, name: &str, node: &str) -> Result<String, Error> {
        let claims = self.claims.as_ref().unwrap();
        let transaction = self.transaction.as_mut().unwrap();
        let (options, workspace) = (self.options.allocate(None), &mut self.workspace);
        match name {
            "allocate" | "satisfiable" => {
                let outcome = match name {
                    "allocate" => transaction.allocate(node, claims, &options, workspace)?,
                    _ => transaction.satisfiable(node, claims, &options, workspace)?,
                };
                let json = forms::outcome(&outcome)?;
                self.outcome = Some(outcome);
                Ok(json)
            }
            "explain" => forms::text(&transaction.get().explain(
                node,
                claims.get(),
                &options,
                workspace,
            )?),
            "runnerUp" => forms::runner_up(&transaction.get().runner_up(
                node,
                claims.get(),
                &options,
                workspace,
            )?),
            "certificate" => forms::certified(&transaction.get().certificate(
                node,
                claims.get(),
                &options,
                workspace,
            )?),
            _ => {
                let options = self.options.place(None);
                let names = match node {
                    "" => Vec::new(),
                    names => forms::names(names)?,
                };
                let nodes = self
                    .snapshot
                    .get()
                    .node_list(names.iter().map(|name| &**name));
                let options = match node {
                    "" => options,
                    _ => options.node_list(&nodes),
                };
                let placement = match name {
                    "place" => transaction.place(claims, &options, workspace)?,
                    _ => transaction.place_and_allocate(claims, &options, workspace)?,
                };
                let json = forms::placement(&placement)?;
                self.placement = Some(placement);
                Ok(json)
            }
        }
    }

    fn hold(&mut self, name: &str, fields: &[&str]) -> Result<Option<String>, Error> {
        let transaction = self.transaction.as_mut().unwrap();
        let claim = || forms::claim(&mut Decoder::new(), fields[0]);
        Ok(Some(match name {
            "verify" => {
                let claims = forms::claims(&mut Decoder::new(), fields[1])?;
                let results = forms::allocations(fields[2])?;
                let verdict = transaction.get().verify(fields[0], &claims, &results);
                forms::violations(&verdict.err().unwrap_or_default())?
            }
            "verifyCertificate" => {
                let claims = forms::claims(&mut Decoder::new(), fields[1])?;
                let certificate = forms::certificate(fields[2])?;
                let verdict =
                    transaction
                        .get()
                        .verify_certificate(fields[0], &claims, &certificate);
                forms::violations(&verdict.err().unwrap_or_default())?
            }
            "verifyOptimality" => {
                let claims = forms::claims(&mut Decoder::new(), fields[1])?;
                let results = forms::allocations(fields[2])?;
                let certificate = forms::optimality_certificate(fields[3])?;
                let verdict =
                    transaction
                        .get()
                        .verify_optimality(fields[0], &claims, &results, &certificate);
                forms::violations(&verdict.err().unwrap_or_default())?
            }
            "amounts" => forms::text(&transaction.get().amounts_in_use(fields[0]))?,
            "hold" => {
                transaction.hold(&claim()?, &forms::allocation(fields[1])?);
                return Ok(None);
            }
            "release" => one_or_zero(transaction.release(&claim()?)),
            "reserve" => one_or_zero(transaction.reserve(&claim()?, fields[1])?),
            "unreserve" => one_or_zero(transaction.unreserve(&claim()?, fields[1])),
            "markReleasing" => one_or_zero(transaction.mark_releasing(&claim()?, fields[1] == "1")),
            "addNode" => {
                transaction.add_node(fields[0], fields[1])?;
                return Ok(None);
            }
            "removeNode" => {
                transaction.remove_node(fields[0])?;
                return Ok(None);
            }
            "takeAmounts" => {
                transaction.take_amounts(fields[0], fields[1], &forms::amounts(fields[2])?)?;
                return Ok(None);
            }
            "releaseAmounts" => one_or_zero(transaction.release_amounts(fields[0])),
            "savepoint" => {
                self.savepoints.push(transaction.savepoint());
                return Ok(None);
            }
            "rollback" => {
                let place: usize = fields[0].parse().unwrap();
                transaction.rollback(&self.savepoints[place])?;
                return Ok(None);
            }
            "clone" => {
                let clone = transaction.clone();
                self.transaction = Some(clone);
                return Ok(None);
            }
            _ => panic!("no call `{name}`"),
        }))
    }
}

fn different(applied: &Applied) -> Result<String, Error> {
    forms::text(applied)
}
