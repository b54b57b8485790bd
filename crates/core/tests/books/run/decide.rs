//! Steps of a transaction.

use std::collections::BTreeSet;

use dralloc::model::Str;
use dralloc::{AllocateOptions, Code, Find, Outcome, PlaceOptions};

use super::claim::{named, spec};
use super::{CLAIMS, Counts, Run};
use crate::model::{Holding, Way};
use crate::world::{NODES, device_names, id, pool_names};

impl Run {
    pub(super) fn allocate(&mut self, place: usize, counts: &mut Counts) {
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
    pub(super) fn hold(&mut self, place: usize) {
        let claim = self.claims[self.random.below(CLAIMS)].clone();
        let holding = self.some_devices();
        let open = &mut self.open[place];
        let spec = spec(&claim.name, &claim.uid, &claim.asks);
        open.transaction.hold(&spec, &holding.result());
        open.now.state.set(&claim.uid, holding);
        open.now.owners.insert(claim.uid, None);
    }

    /// Returns devices that somebody else may have decided to give.
    pub(super) fn some_devices(&mut self) -> Holding {
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

    pub(super) fn release(&mut self, place: usize, counts: &mut Counts) {
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

    pub(super) fn use_claim(&mut self, place: usize, counts: &mut Counts) {
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

    pub(super) fn mark_releasing(&mut self, place: usize) {
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

    pub(super) fn save(&mut self, place: usize) {
        let open = &mut self.open[place];
        if open.savepoints.len() < 8 {
            let savepoint = open.transaction.savepoint();
            open.savepoints.push((savepoint, open.now.clone()));
        }
    }

    pub(super) fn roll_back(&mut self, place: usize, counts: &mut Counts) {
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

    pub(super) fn commit(&mut self, place: usize, counts: &mut Counts) {
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
}
