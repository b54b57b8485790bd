//! [`Run`]: an engine and the model of it, step by step.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use dralloc::model::{ResourceClaim, ResourceClaimConsumerReference, Str};
use dralloc::{
    AllocateOptions, Applied, Change, Code, Engine, Features, Find, Outcome, PlaceOptions,
    Releasing, Relist, Removed, Savepoint, Transaction, Workspace,
};
use dralloc_testkit::generate::Random;
use serde_json::json;

use super::model::{Books, Holding, State, Way};
use super::world::{DRIVERS, NODES, World, class, device_names, id, node, pool_names};

/// Claims that there can be at one time.
const CLAIMS: usize = 24;

/// What a claim asks for: driver, number of devices, amount of a share.
type Ask = (&'static str, usize, i64);

/// A claim of which there are several, one after the other.
#[derive(Clone, Debug)]
struct Claim {
    name: String,
    uid: String,
    asks: Vec<Ask>,
    version: u64,
}

/// A transaction with what it is expected to have.
struct Open {
    transaction: Transaction,
    world: Rc<World>,
    base: State,
    /// Node revisions and changes of pools at its start.
    started: (BTreeMap<Str, u64>, usize),
    now: Draft,
    savepoints: Vec<(Savepoint, Draft)>,
}

#[derive(Clone)]
struct Draft {
    state: State,
    /// Owners that were changed, and the node and the pools of what they were given.
    owners: BTreeMap<String, Option<Basis>>,
}

/// Is a node, and the driver and name of each pool that an answer depends on.
type Basis = (&'static str, BTreeSet<(Str, Str)>);

/// How often what was met: a test that never comes to something says nothing of it.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    given: u64,
    refused: u64,
    twins: u64,
    probes: u64,
    rolled_back: u64,
    committed: u64,
    conflicts: u64,
    freed: u64,
}

impl Counts {
    pub(crate) fn check(&self, steps: u64) {
        let parts = [
            self.given,
            self.refused,
            self.twins,
            self.probes,
            self.rolled_back,
            self.committed,
            self.conflicts,
            self.freed,
        ];
        assert!(
            parts.iter().all(|count| count * 200 >= steps),
            "{self:?} in {steps} steps"
        );
    }
}

pub(crate) struct Run {
    random: Random,
    engine: Engine,
    workspace: Workspace,
    world: World,
    books: Books,
    /// How often each node saw something else.
    nodes: BTreeMap<Str, u64>,
    claims: Vec<Claim>,
    serial: u64,
    open: Vec<Open>,
    seed: u64,
}

impl Run {
    pub(crate) fn new(seed: u64) -> Self {
        let mut run = Self {
            random: Random::new(seed),
            engine: Engine::new(Features::all()),
            workspace: Workspace::new(),
            world: World::default(),
            books: Books::default(),
            nodes: BTreeMap::new(),
            claims: Vec::new(),
            serial: 0,
            open: Vec::new(),
            seed,
        };
        // From now on the engine says exactly which nodes a change concerns.
        drop(run.engine.snapshot());
        for driver in DRIVERS {
            run.apply(class(driver, 1));
        }
        for name in NODES {
            run.world.nodes.insert(name);
            run.apply(node(name));
        }
        for name in pool_names() {
            let slices = run.world.publish(name, &run.books.state, &mut run.random);
            for slice in slices {
                run.apply(Change::ResourceSlice(slice));
            }
        }
        for number in 0..CLAIMS {
            let claim = run.claim(number);
            run.claims.push(claim);
        }
        run
    }

    fn claim(&mut self, number: usize) -> Claim {
        self.serial += 1;
        let count = if self.random.chance(15) { 2 } else { 1 };
        let asks = (0..count).map(|_| self.ask()).collect();
        Claim {
            name: format!("c{number}"),
            uid: format!("c{number}.{}", self.serial),
            asks,
            version: 0,
        }
    }

    fn ask(&mut self) -> Ask {
        let driver = DRIVERS[self.random.below(DRIVERS.len())];
        let amount = i64::try_from(self.random.between(1, 3)).unwrap();
        let several = !matches!(driver, "part" | "share") && self.random.chance(30);
        let count = if several {
            self.random.between(2, 3)
        } else {
            1
        };
        (driver, count, amount)
    }

    fn node(&mut self) -> &'static str {
        NODES[self.random.below(NODES.len())]
    }

    fn apply(&mut self, change: Change) {
        let applied = self.engine.apply(change).unwrap();
        self.note(&applied);
    }

    fn note(&mut self, applied: &Applied) {
        assert!(!applied.is_any_node());
        for name in applied.nodes() {
            *self.nodes.entry(name.clone()).or_default() += 1;
        }
    }

    /// Does something at random, and asks something afterwards.
    pub(crate) fn step(&mut self, counts: &mut Counts) {
        if self.open.is_empty() || self.open.len() < 3 && self.random.chance(4) {
            self.begin();
        }
        let place = self.random.below(self.open.len());
        match self.random.below(100) {
            0..=27 => self.allocate(place, counts),
            28..=31 => self.hold(place),
            32..=39 => self.release(place, counts),
            40..=46 => self.use_claim(place, counts),
            47..=50 => self.mark_releasing(place),
            51..=57 => self.save(place),
            58..=63 => self.roll_back(place, counts),
            64..=73 => self.commit(place, counts),
            74 => drop(self.open.swap_remove(place)),
            75..=84 => self.change_slices(),
            85..=86 => self.change_node(),
            87 => {
                let version = self.serial;
                let driver = DRIVERS[self.random.below(DRIVERS.len())];
                self.apply(class(driver, version));
            }
            88..=89 => self.change_taints(),
            90 => {
                let declared = self.world.declare(&mut self.random);
                self.apply(declared);
            }
            91..=96 => self.claim_event(),
            97 => self.relist(),
            _ => {
                let owner = self.claims[self.random.below(CLAIMS)].uid.clone();
                let applied = self.engine.forget(&owner);
                self.note(&applied);
                self.books.forget(&owner);
            }
        }
        for claim in &self.claims {
            let assumed = self.books.assumed.contains_key(&claim.uid);
            assert_eq!(
                self.engine.is_assumed(&claim.uid),
                assumed,
                "{claim:?}, seed {}",
                self.seed
            );
        }
        self.probe(counts);
    }

    fn begin(&mut self) {
        let state = self.books.state.clone();
        self.open.push(Open {
            transaction: self.engine.snapshot().transaction(),
            world: Rc::new(self.world.clone()),
            base: state.clone(),
            started: (self.nodes.clone(), self.books.changes.len()),
            now: Draft {
                state,
                owners: BTreeMap::new(),
            },
            savepoints: Vec::new(),
        });
    }

    /// Asks for devices of one driver; the model knows which come.
    fn probe(&mut self, counts: &mut Counts) {
        let (node, ask) = (self.node(), self.ask());
        if self.open.is_empty() {
            self.begin();
        }
        let place = self.random.below(self.open.len());
        let free = self.random.chance(20);
        let open = &self.open[place];
        let state = if free {
            open.now.state.without_releasing()
        } else {
            open.now.state.clone()
        };
        let claim = spec("probe", "probe", &[ask]);
        let claims = open.transaction.snapshot().prepare(&[claim]).unwrap();
        let releasing = if free {
            Releasing::Free
        } else {
            Releasing::Taken
        };
        let options = AllocateOptions::new().releasing(releasing);
        let outcome = open
            .transaction
            .consider(node, &claims, &options, &mut self.workspace);
        let expected = state.first(&open.world, node, ask);
        counts.probes += 1;
        match outcome {
            Ok(Outcome::Optimal(allocation)) => {
                let devices = allocation.devices().map(|one| one.device).collect();
                assert_eq!(
                    Some(devices),
                    expected,
                    "{ask:?} on {node}, seed {}",
                    self.seed
                );
            }
            Ok(Outcome::Infeasible(_)) => {
                assert_eq!(expected, None, "{ask:?} on {node}, seed {}", self.seed);
            }
            Err(error) => {
                assert_eq!(error.code(), Code::NotFound);
                assert!(!open.world.nodes.contains(node));
            }
            other => panic!("{other:?}"),
        }
    }

    fn allocate(&mut self, place: usize, counts: &mut Counts) {
        let claim = self.claims[self.random.below(CLAIMS)].clone();
        let anywhere = self.random.chance(15);
        let mut node = self.node();
        let open = &mut self.open[place];
        let spec = spec(&claim.name, &claim.uid, &claim.asks);
        let claims = open
            .transaction
            .snapshot()
            .prepare(std::slice::from_ref(&spec))
            .unwrap();
        let before = open.now.state.of(&claim.uid);
        let outcome = if anywhere {
            let options = PlaceOptions::new().find(Find::First);
            let workspace = &mut self.workspace;
            let placement = open
                .transaction
                .place_and_allocate(&claims, &options, workspace);
            placement.map(|placement| {
                let first = placement.nodes().first();
                first.map(|first| {
                    node = NODES
                        .into_iter()
                        .find(|node| *node == first.name())
                        .unwrap();
                    first.allocation().clone()
                })
            })
        } else {
            let options = AllocateOptions::new();
            let outcome = open
                .transaction
                .allocate(node, &claims, &options, &mut self.workspace);
            outcome.map(|outcome| match outcome {
                Outcome::Optimal(allocation) => Some(allocation),
                Outcome::Infeasible(_) => None,
                other => panic!("{other:?}"),
            })
        };
        let allocation = match outcome {
            Ok(allocation) => allocation,
            Err(error) => {
                assert_eq!(error.code(), Code::NotFound);
                assert!(!open.world.nodes.contains(node));
                return;
            }
        };
        let context = || format!("{claim:?} on {node}, seed {}", self.seed);
        if !before.devices.is_empty() {
            // Where it can be used, a claim is given what it has.
            if let Some(allocation) = allocation {
                let had = Holding::of(&allocation.results()[0]);
                assert_eq!(had.devices, before.devices, "{}", context());
                open.now.owners.entry(claim.uid).or_insert(None);
            }
            return;
        }
        let Some(allocation) = allocation else {
            counts.refused += 1;
            if let ([ask], false) = (&*claim.asks, anywhere) {
                assert_eq!(
                    open.now.state.first(&open.world, node, *ask),
                    None,
                    "{}",
                    context()
                );
            }
            return;
        };
        let results = allocation.results();
        assert_eq!(
            open.transaction.verify(node, &[spec], &results),
            Ok(()),
            "{}",
            context()
        );
        let given = Holding::of(&results[0]);
        let mut pools = BTreeSet::new();
        for (number, (device, way)) in given.devices.iter().enumerate() {
            let mut others = open.now.state.clone();
            let mut before = others.of(&claim.uid);
            before.devices.extend_from_slice(&given.devices[..number]);
            others.set(&claim.uid, before);
            let refusal = others.refusal(&open.world, device, way);
            assert_eq!(refusal, None, "`{device}` for {}", context());
            let twins = open.world.twins(device);
            counts.twins += u64::from(!twins.is_empty());
            let all = twins.iter().chain([device]);
            pools.extend(all.map(|one| (one.driver.clone(), one.pool.clone())));
        }
        counts.given += 1;
        open.now.state.set(&claim.uid, given);
        open.now.owners.insert(claim.uid, Some((node, pools)));
    }

    /// Holds what was decided elsewhere, whoever has it.
    fn hold(&mut self, place: usize) {
        let claim = self.claims[self.random.below(CLAIMS)].clone();
        let holding = self.some_devices();
        let open = &mut self.open[place];
        let spec = spec(&claim.name, &claim.uid, &claim.asks);
        open.transaction.hold(&spec, &holding.result());
        open.now.state.set(&claim.uid, holding);
        open.now.owners.insert(claim.uid, None);
    }

    /// Returns devices that somebody else may have decided to give.
    fn some_devices(&mut self) -> Holding {
        let names = pool_names();
        let mut holding = Holding::default();
        for _ in 0..self.random.between(1, 2) {
            let name = names[self.random.below(names.len())];
            // What its devices took of counters before they were known, nobody knows.
            let devices = device_names(name.0);
            let device = id(name, &devices[self.random.below(devices.len())]);
            let way = if name.0 == "share" && self.random.chance(80) {
                self.serial += 1;
                Way::Share(format!("elsewhere-{}", self.serial).into(), 1)
            } else {
                Way::Whole
            };
            if holding.devices.iter().all(|(other, _)| *other != device) {
                holding.devices.push((device, way));
            }
        }
        holding
    }

    fn release(&mut self, place: usize, counts: &mut Counts) {
        let owner = self.owner(place);
        let open = &mut self.open[place];
        let had = !open.now.state.of(&owner).is_empty();
        assert_eq!(open.transaction.release(&named(&owner)), had);
        if had {
            counts.freed += 1;
            open.now.state.set(&owner, Holding::default());
            open.now.owners.insert(owner, None);
        }
    }

    /// Returns an owner, mostly one that has something.
    fn owner(&mut self, place: usize) -> String {
        let owners: Vec<String> = self.open[place].now.state.owners().cloned().collect();
        if owners.is_empty() || self.random.chance(15) {
            return self.claims[self.random.below(CLAIMS)].uid.clone();
        }
        owners[self.random.below(owners.len())].clone()
    }

    fn use_claim(&mut self, place: usize, counts: &mut Counts) {
        let owner = self.owner(place);
        let user = format!("pod-{}", self.random.below(3));
        let reserve = self.random.chance(50);
        let open = &mut self.open[place];
        let mut holding = open.now.state.of(&owner);
        if reserve {
            let new = open.transaction.reserve(&named(&owner), &user);
            if holding.is_empty() {
                assert_eq!(new.unwrap_err().code(), Code::NotFound);
                return;
            }
            assert_eq!(new, Ok(holding.users.insert(user.clone())));
            if new == Ok(false) {
                return;
            }
        } else {
            let is_last = open.transaction.unreserve(&named(&owner), &user);
            let was_there = holding.users.remove(&user);
            assert_eq!(is_last, was_there && holding.users.is_empty());
            if !was_there {
                return;
            }
            if is_last {
                counts.freed += 1;
                open.now.state.set(&owner, Holding::default());
                open.now.owners.insert(owner, None);
                return;
            }
        }
        open.now.state.set(&owner, holding);
        open.now.owners.entry(owner).or_default();
    }

    fn mark_releasing(&mut self, place: usize) {
        let owner = self.owner(place);
        let releasing = self.random.chance(70);
        let open = &mut self.open[place];
        let mut holding = open.now.state.of(&owner);
        let has = open.transaction.mark_releasing(&named(&owner), releasing);
        assert_eq!(has, !holding.is_empty());
        if has && holding.releasing != releasing {
            holding.releasing = releasing;
            open.now.state.set(&owner, holding);
            open.now.owners.entry(owner).or_default();
        }
    }

    fn save(&mut self, place: usize) {
        let open = &mut self.open[place];
        if open.savepoints.len() < 8 {
            let savepoint = open.transaction.savepoint();
            open.savepoints.push((savepoint, open.now.clone()));
        }
    }

    fn roll_back(&mut self, place: usize, counts: &mut Counts) {
        let open = &mut self.open[place];
        if open.savepoints.is_empty() {
            return;
        }
        let to = self.random.below(open.savepoints.len());
        let gone = open.savepoints.split_off(to + 1);
        let (savepoint, draft) = &open.savepoints[to];
        open.transaction.rollback(savepoint).unwrap();
        open.now = draft.clone();
        counts.rolled_back += 1;
        // Those after it are gone, unless nothing was changed in between.
        for (savepoint, later) in gone {
            let clone_is_other = open.transaction.clone().rollback(&savepoint);
            assert_eq!(clone_is_other.unwrap_err().code(), Code::NotFound);
            if open.transaction.rollback(&savepoint).is_ok() {
                assert!(later.state == open.now.state, "seed {}", self.seed);
            }
        }
    }

    fn commit(&mut self, place: usize, counts: &mut Counts) {
        let open = self.open.swap_remove(place);
        let (nodes, start) = &open.started;
        let changed: BTreeSet<&(Str, Str)> = self.books.changes[*start..].iter().collect();
        let conflict = open.now.owners.iter().find_map(|(owner, basis)| {
            let holding = open.now.state.of(owner);
            if !holding.is_empty() && self.books.gone.contains(owner) {
                return Some("is gone, expected");
            }
            if open.base.of(owner) != self.books.state.of(owner) {
                return Some("has other devices or users");
            }
            let (node, pools) = basis.as_ref()?;
            if nodes.get(*node) != self.nodes.get(*node) {
                return Some("is gone or has other devices");
            }
            let is_other = pools.iter().any(|pool| changed.contains(pool));
            is_other.then_some("has other devices in use")
        });
        let result = open.transaction.commit(&mut self.engine);
        let Some(conflict) = conflict else {
            let applied = result.unwrap_or_else(|error| panic!("{error}, seed {}", self.seed));
            self.note(&applied);
            counts.committed += u64::from(applied.is_changed());
            for owner in open.now.owners.keys() {
                self.books.assume(owner, open.now.state.of(owner));
            }
            return;
        };
        let error = result.unwrap_err();
        assert_eq!(error.code(), Code::Conflict, "{conflict}");
        counts.conflicts += 1;
    }

    fn change_slices(&mut self) {
        let names = pool_names();
        let name = names[self.random.below(names.len())];
        match self.random.below(10) {
            0..=5 => {
                let old = self.world.pools.get(&name).cloned();
                let slices = self
                    .world
                    .publish(name, &self.books.state, &mut self.random);
                for slice in &slices {
                    self.apply(Change::ResourceSlice(slice.clone()));
                }
                // What comes again, or late, changes nothing.
                for slice in slices
                    .into_iter()
                    .chain(old.iter().flat_map(|old| old.slices(name)))
                {
                    let applied = self.engine.apply(Change::ResourceSlice(slice)).unwrap();
                    assert!(!applied.is_changed(), "seed {}", self.seed);
                }
            }
            6 => {
                let gone = self.world.withdraw(name, &self.books.state, true);
                for change in gone {
                    self.apply(change);
                }
            }
            7 => {
                let old = self.world.pools.get(&name).cloned();
                let gone = self.world.withdraw(name, &self.books.state, false);
                for change in gone {
                    self.apply(change);
                }
                for slice in old.iter().flat_map(|old| old.slices(name)) {
                    let applied = self.engine.apply(Change::ResourceSlice(slice)).unwrap();
                    assert!(!applied.is_changed(), "seed {}", self.seed);
                }
            }
            _ => {}
        }
    }

    fn change_node(&mut self) {
        let name = self.node();
        if self.world.nodes.remove(name) {
            self.apply(Change::Removed(Removed::Node(name.into())));
        } else {
            self.world.nodes.insert(name);
            self.apply(node(name));
        }
    }

    fn change_taints(&mut self) {
        if self.random.chance(50) {
            let names = pool_names();
            let name = names[self.random.below(names.len())];
            let devices = device_names(name.0);
            let device = id(name, &devices[self.random.below(devices.len())]);
            let rule = self.world.taint(device);
            self.apply(rule);
        } else {
            self.world.tainted.clear();
            let applied = self
                .engine
                .replace(Relist::DeviceTaintRules(Vec::new()))
                .unwrap();
            self.note(&applied);
        }
    }

    fn claim_event(&mut self) {
        let number = self.random.below(CLAIMS);
        if self.random.chance(12) {
            let owner = self.claims[number].uid.clone();
            self.apply(Change::Removed(Removed::ResourceClaim(
                owner.as_str().into(),
            )));
            self.books.remove(&owner);
            self.claims[number] = self.claim(number);
            return;
        }
        let mut claim = self.claims[number].clone();
        let said = match self.random.below(10) {
            // The echo of what the engine knows.
            0..=4 => self.books.state.of(&claim.uid),
            // It was under way when devices were given.
            5..=6 => Holding::default(),
            7 => self.some_devices(),
            _ => Holding {
                releasing: true,
                ..self.books.state.of(&claim.uid)
            },
        };
        // Sometimes it comes late.
        if self.random.chance(80) {
            self.claims[number].version += 1;
            claim.version += 1;
        }
        let event = event(&claim, &said);
        self.apply(Change::ResourceClaim(event));
        // Without an allocation a claim has no users.
        let said = if said.devices.is_empty() {
            Holding::default()
        } else {
            said
        };
        self.books.event(&claim.uid, claim.version, said);
    }

    /// A list says the same as the events that were missed.
    fn relist(&mut self) {
        let mut names = pool_names();
        for _ in 0..self.random.below(3) {
            // Of what was missed between two states nobody knows anything.
            let name = names.swap_remove(self.random.below(names.len()));
            if self.random.chance(70) {
                self.world
                    .publish(name, &self.books.state, &mut self.random);
            } else {
                self.world.withdraw(name, &self.books.state, false);
            }
        }
        let mut slices = self.world.slices();
        self.random.shuffle(&mut slices);
        let applied = self
            .engine
            .replace(Relist::ResourceSlices(slices.clone()))
            .unwrap();
        self.note(&applied);
        let again = self.engine.replace(Relist::ResourceSlices(slices)).unwrap();
        assert!(!again.is_changed(), "{again:?}, seed {}", self.seed);
    }

    /// Asks everything once more, without a transaction before it.
    pub(crate) fn finish(&mut self, counts: &mut Counts) {
        self.open.clear();
        for _ in 0..60 {
            self.probe(counts);
        }
    }
}

fn named(uid: &str) -> ResourceClaim {
    spec(&uid.replace('.', "-"), uid, &[])
}

fn spec(name: &str, uid: &str, asks: &[Ask]) -> ResourceClaim {
    let requests = asks
        .iter()
        .enumerate()
        .map(|(place, (driver, count, amount))| {
            let mut exactly = json!({"deviceClassName": driver, "allocationMode": "ExactCount",
                                 "count": count});
            if *driver == "share" {
                exactly["capacity"] = json!({"requests": {"memory": amount.to_string()}});
            }
            json!({"name": format!("r{place}"), "exactly": exactly})
        });
    let requests: Vec<_> = requests.collect();
    let claim = json!({"metadata": {"name": name, "namespace": "default", "uid": uid},
                       "spec": {"devices": {"requests": requests}}});
    serde_json::from_value(claim).unwrap()
}

fn event(claim: &Claim, said: &Holding) -> ResourceClaim {
    let mut event = spec(&claim.name, &claim.uid, &claim.asks);
    event.metadata.resource_version = Some(claim.version.to_string().into());
    if said.devices.is_empty() {
        return event;
    }
    event.status.allocation = Some(said.result());
    let users = said.users.iter().map(|uid| ResourceClaimConsumerReference {
        uid: uid.as_str().into(),
        ..ResourceClaimConsumerReference::default()
    });
    event.status.reserved_for = users.collect();
    event.metadata.deletion_timestamp = said.releasing.then(|| "2026-01-01T00:00:00Z".into());
    event
}
