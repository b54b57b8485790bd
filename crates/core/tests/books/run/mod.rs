//! [`Run`]: an engine and the model of it, step by step.

mod claim;
mod decide;
mod events;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use dralloc::model::Str;
use dralloc::{
    AllocateOptions, Applied, Change, Code, Engine, Features, Outcome, Releasing, Savepoint,
    Transaction, Workspace,
};
use dralloc_testkit::generate::Random;

use self::claim::spec;
use crate::model::{Books, State};
use crate::world::{DRIVERS, NODES, World, class, node, pool_names};

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

    /// Asks everything once more, without a transaction before it.
    pub(crate) fn finish(&mut self, counts: &mut Counts) {
        self.open.clear();
        for _ in 0..60 {
            self.probe(counts);
        }
    }
}
