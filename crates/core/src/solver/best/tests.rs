//! Bounds and searches against all solutions of random problems.

use std::sync::Arc;

use dralloc_testkit::generate::{self, Profile};
use dralloc_topology::Unwatched;
use imbl::OrdMap;
use serde_json::Value;

use super::cards::Cards;
use super::search::{Limit, Search};
use super::{Best, Bounds, Goal, Valued, solve_best, tally};
use crate::budget::Budget;
use crate::claims::PreparedClaims;
use crate::constraint::Trail;
use crate::eligible::Verdicts;
use crate::engine::{Change, Engine, Held};
use crate::error::Error;
use crate::features::Features;
use crate::model::{DeviceHealth, DeviceId, Node, Str};
use crate::objective::{Health, Policy, Requests, Scope, Tally, Term};
use crate::solver::problem::{ErrorMode, Problem};
use crate::state::Draft;
use crate::store::NodeView;
use crate::topology::{Graph, Machine, Topologies};

/// More solutions are not looked at.
const SOLUTIONS: usize = 3_000;

/// Is a random question.
struct Question {
    view: Arc<NodeView>,
    held: Draft,
    claims: PreparedClaims,
    healths: OrdMap<Str, Arc<DeviceHealth>>,
    machine: Arc<Machine>,
    seed: u64,
}

/// Returns a random machine of the devices of a node.
fn machine(view: &NodeView, seed: u64) -> Arc<Machine> {
    let random = |one: usize, other: usize| {
        let mixed = seed
            .wrapping_mul(31)
            .wrapping_add((one * 16 + other) as u64);
        mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48
    };
    let mut vertices = vec![serde_json::json!({"id": "numa", "kind": "numaNode"})];
    let mut links = Vec::new();
    for switch in 0..3 {
        vertices.push(serde_json::json!({"id": format!("s{switch}"), "kind": "pcieSwitch"}));
        links.push(serde_json::json!({"a": format!("s{switch}"), "b": "numa", "type": "PCIe"}));
    }
    let mut gpus: Vec<usize> = Vec::new();
    for (device, entry) in view.devices.iter().enumerate().take(16) {
        let can_be_named = DeviceId::parse(&entry.id().to_string()).is_some();
        let kind = match random(device, 15) % 8 {
            0 => continue,
            _ if !can_be_named => continue,
            1 | 2 => "nic",
            _ => "gpu",
        };
        vertices.push(serde_json::json!({"id": device.to_string(), "kind": kind,
            "device": entry.id().to_string()}));
        links.push(serde_json::json!({"a": device.to_string(), "type": "PCIe",
            "b": format!("s{}", random(device, 14) % 3)}));
        if kind == "gpu" {
            for other in &gpus {
                let count = random(device, *other) % 4;
                if count > 0 {
                    links.push(
                        serde_json::json!({"a": device.to_string(), "type": "NVLink",
                        "b": other.to_string(), "count": count}),
                    );
                }
            }
            gpus.push(device);
        }
    }
    let spec = serde_json::json!({"vertices": vertices, "links": links});
    let graph = Graph::new(&read(&spec)).unwrap();
    let mut topologies = Topologies::default();
    topologies.exchange(&"t".into(), Some(graph));
    let Ok(machine) = Machine::new(view, &topologies, &mut Unwatched);
    Arc::new(machine)
}

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

/// Returns a random question, if its claims can be prepared.
fn question(seed: u64) -> Option<Question> {
    let case = generate::json(seed, Profile::Small);
    let mut engine = Engine::new(Features::all());
    let node: Node = read(&case["node"]);
    let name = node.metadata.name.clone();
    let mut held = Held::default();
    for device in case["allocated"]["devices"]
        .as_array()
        .into_iter()
        .flatten()
    {
        held.devices.push(read::<DeviceId>(device));
    }
    engine.apply(Change::Node(node)).unwrap();
    engine.apply(Change::Held(held)).unwrap();
    for class in case["deviceClasses"].as_array().unwrap() {
        engine.apply(Change::DeviceClass(read(class))).unwrap();
    }
    for resource_slice in case["resourceSlices"].as_array().unwrap() {
        engine
            .apply(Change::ResourceSlice(read(resource_slice)))
            .unwrap();
    }
    let snapshot = engine.snapshot();
    let claims = snapshot.prepare(&read::<Vec<_>>(&case["claims"])).ok()?;
    let view = Arc::clone(snapshot.inventory.view(&name).ok()?);
    let healths = view
        .devices
        .iter()
        .enumerate()
        .filter(|(device, _)| (seed >> device) & 1 == 1);
    let healths = healths.map(|(device, entry)| {
        let health: DeviceHealth = read(&serde_json::json!({
            "metadata": {"name": format!("h{device}")},
            "spec": {"device": entry.id(), "failures": [
                {"time": "2026-01-31T12:00:00Z", "reason": "x", "weight": 1 + device}]}}));
        (health.metadata.name.clone(), Arc::new(health))
    });
    Some(Question {
        healths: healths.collect(),
        held: snapshot.transaction().draft,
        machine: machine(&view, seed),
        view,
        claims,
        seed,
    })
}

impl Question {
    fn problem<'a>(&'a self, verdicts: &mut Verdicts) -> Option<Problem<'a>> {
        let mut meter = Budget::new().meter();
        let mode = ErrorMode::Skip;
        Problem::new(
            &self.claims,
            &self.view,
            &self.held,
            verdicts,
            (mode, None),
            &mut meter,
        )
        .ok()
    }

    /// Returns lists of terms: each alone, all in several orders, and two scopes; with
    /// those over links, or without.
    fn scopes(&self, linked: bool) -> Vec<Vec<Scope>> {
        let numa = Some("gpu.example.com/numa".into());
        let mut terms = vec![
            Term::AlternativeRank,
            Term::HealthPenalty,
            Term::Waste,
            Term::PackingPotential,
            Term::ParentsTouched { attribute: None },
            Term::Evenness { attribute: None },
            Term::ParentsTouched {
                attribute: numa.clone(),
            },
            Term::Evenness { attribute: numa },
        ];
        if linked {
            let mut over_links = [
                Term::Ring,
                Term::Links,
                Term::Bottleneck,
                Term::NicAlignment,
                Term::Span,
                Term::HostUplink,
                Term::LinkPotential,
            ];
            over_links.rotate_left(usize::try_from(self.seed % 7).unwrap());
            // Between the others, in turns.
            for (place, term) in over_links.into_iter().enumerate() {
                terms.insert(2 * place, term);
            }
        }
        let all = |terms: &[Term]| {
            vec![Scope {
                terms: terms.to_vec(),
                requests: Requests::All,
            }]
        };
        let mut lists: Vec<Vec<Scope>> = terms
            .iter()
            .map(|term| all(std::slice::from_ref(term)))
            .collect();
        if linked {
            lists.push(Scope::of(&Policy::Affinity));
        }
        lists.push(Scope::of(&Policy::Pack));
        lists.push(Scope::of(&Policy::Spread));
        let mut order = terms.clone();
        order.rotate_left(usize::try_from(self.seed % 8).unwrap());
        lists.push(all(&order));
        let requests = |parity: usize| {
            let claims = self.claims.claims().iter().enumerate();
            let requests = claims.flat_map(|(claim, it)| {
                (0..it.requests.len()).map(move |request| (claim, request))
            });
            Requests::Some(
                requests
                    .filter(|(claim, request)| (claim + request) % 2 == parity)
                    .collect(),
            )
        };
        lists.push(vec![
            Scope {
                terms: order[..3].to_vec(),
                requests: requests(1),
            },
            Scope {
                terms: order[3..].to_vec(),
                requests: requests(0),
            },
        ]);
        lists
    }

    fn goal<'g>(&'g self, scopes: &'g [Scope]) -> Goal<'g> {
        let health = Health {
            documents: &self.healths,
            now: None,
        };
        Goal {
            scopes,
            health,
            machine: Some(&self.machine),
        }
    }
}

/// Returns all solutions in canonical order, or nothing if they are too many.
fn all_solutions(
    problem: &mut Problem<'_>,
    tally: &mut Tally,
    bounds: &mut Bounds,
) -> Option<Vec<Valued>> {
    let most = vec![i64::MAX; tally.values().len()];
    let mut meter = Budget::new().branches(200_000).meter();
    let mut search = Search::new(problem, tally, bounds);
    let mut solutions = Some(Vec::new());
    while let Some(list) = &mut solutions {
        match search.next(&Limit::AtMost(&most), &mut meter) {
            Ok(true) if list.len() < SOLUTIONS => list.push(search.found()),
            Ok(false) => break,
            _ => solutions = None,
        }
    }
    search.end();
    solutions
}

/// Bounds are never above what a solution comes to, and equal it at its end.
fn check_bounds(
    problem: &mut Problem<'_>,
    tally: &mut Tally,
    (bounds, cards): (&mut Bounds, &mut Cards),
    solution: &Valued,
) {
    let mut trail = Trail::default();
    let start = trail.mark();
    let before = tally.values().to_vec();
    let mut check = |problem: &Problem<'_>,
                     tally: &Tally,
                     cards: &mut Cards,
                     current: (usize, usize, usize)| {
        let (plan, _, left) = current;
        let chosen = &solution.solution.plans[..=problem.plans[plan].request];
        let open = bounds.open.after(problem, chosen, current);
        let (rest, values, mut least) = (&mut bounds.rest, tally.values(), Vec::new());
        assert!(rest.at_least(problem, values, (plan, left), &open, &mut least));
        assert!(least <= solution.values, "{least:?} {:?}", solution.values);
        let mut meter = Budget::new().meter();
        assert!(
            cards
                .at_least(problem, tally, Some(current), &open, &mut least, &mut meter)
                .unwrap()
        );
        assert!(least <= solution.values, "{least:?} {:?}", solution.values);
    };
    let mut meter = Budget::new().meter();
    let mut events = 0;
    let picks = &solution.solution.picks;
    for plan in &solution.solution.plans {
        tally.choose(*plan, &mut meter);
        let own = || picks.iter().filter(|pick| pick.plan == *plan);
        let mut left = problem.plans[*plan].needed;
        assert_eq!(own().count(), left);
        let mut from = 0;
        for pick in own() {
            check(problem, tally, cards, (*plan, from, left));
            let admin = problem.plans[*plan].alternative.admin_access;
            let pays = !admin && !problem.state.counters.is_paid(pick.device);
            cards.add(tally, (*plan, pick.device), !admin, pays);
            let picked = problem.pick(*plan, pick.device, &mut trail, &mut meter);
            assert_eq!(picked, Ok(Ok(())));
            tally.add(*plan, pick.device, &mut meter);
            (left, events, from) = (left - 1, events + 1, pick.device + 1);
        }
        check(problem, tally, cards, (*plan, from, 0));
    }
    assert_eq!(tally.values(), solution.values);
    assert_eq!(events, picks.len());
    for (request, plan) in solution.solution.plans.iter().enumerate().rev() {
        assert_eq!(problem.plans[*plan].request, request);
        for pick in picks.iter().rev().filter(|pick| pick.plan == *plan) {
            tally.take_back(pick.plan, pick.device);
            cards.take_back(pick.device);
        }
        tally.take_choice_back();
    }
    problem.undo(start, &mut trail);
    assert_eq!(tally.values(), before);
}

#[test]
fn the_best_is_the_first_of_the_best_solutions() {
    let (mut optimal, mut infeasible, mut several) = (0, 0, 0);
    let (mut exact, mut bounded) = (0, 0);
    for seed in 0..400 {
        let Some(question) = question(seed) else {
            continue;
        };
        let mut verdicts = Verdicts::default();
        let Some(mut problem) = question.problem(&mut verdicts) else {
            continue;
        };
        let linked = question
            .scopes(true)
            .into_iter()
            .zip(std::iter::repeat(true));
        let plain = question.scopes(false).into_iter();
        for (scopes, linked) in plain.zip(std::iter::repeat(false)).chain(linked) {
            let goal = question.goal(&scopes);
            let mut meter = Budget::new().meter();
            let mut tally = tally(&problem, &question.held, goal, &mut meter).unwrap();
            let mut bounds = Bounds::new(&problem, &tally, &mut meter).unwrap();
            let Some(solutions) = all_solutions(&mut problem, &mut tally, &mut bounds) else {
                break;
            };
            let mut cards = Cards::new(&problem, &mut tally, &bounds.open, &mut meter)
                .unwrap()
                .unwrap();
            for solution in solutions.iter().take(100) {
                check_bounds(
                    &mut problem,
                    &mut tally,
                    (&mut bounds, &mut cards),
                    solution,
                );
            }
            let mut root = Vec::new();
            if cards
                .at_least(&problem, &tally, None, &bounds.open, &mut root, &mut meter)
                .unwrap()
                && let Some(best) = solutions.iter().map(|solution| &solution.values).min()
            {
                exact += usize::from(root == *best && !linked);
                bounded += usize::from(!linked);
            }
            let mut first: Option<&Valued> = None;
            for solution in &solutions {
                if first.is_none_or(|first| solution.values < first.values) {
                    first = Some(solution);
                }
            }
            several += usize::from(solutions.len() > 1);
            let best = solve_best(&mut problem, &question.held, goal, &mut meter);
            match (best, first) {
                (Ok(Best::Optimal(best)), Some(first)) => {
                    assert_eq!(best.values, first.values, "seed {seed}: {scopes:?}");
                    assert_eq!(best.solution, first.solution, "seed {seed}: {scopes:?}");
                    optimal += 1;
                }
                (Ok(Best::Infeasible(_)), None) => infeasible += 1,
                (Err(_), None) => {}
                (best, first) => {
                    let best: Result<_, Error> = best.map(|_| ());
                    panic!(
                        "seed {seed}: {best:?}, expected {:?}",
                        first.map(|first| &first.values)
                    );
                }
            }
        }
    }
    assert!(
        optimal > 500 && infeasible > 100 && several > 500,
        "{optimal} {infeasible} {several}"
    );
    // Without constraints and choices parts know the best value.
    assert!(exact * 10 > bounded * 7, "{exact} of {bounded}");
}

#[test]
fn gaps_are_valid() {
    let mut gaps = 0;
    for seed in 0..200 {
        let Some(question) = question(seed) else {
            continue;
        };
        let mut verdicts = Verdicts::default();
        let Some(mut problem) = question.problem(&mut verdicts) else {
            continue;
        };
        for scopes in question.scopes(seed % 2 == 0) {
            let goal = question.goal(&scopes);
            let mut meter = Budget::new().meter();
            let Ok(Best::Optimal(best)) =
                solve_best(&mut problem, &question.held, goal, &mut meter)
            else {
                continue;
            };
            for branches in [1, 4, 16, 64] {
                let mut meter = Budget::new().branches(branches).meter();
                match solve_best(&mut problem, &question.held, goal, &mut meter) {
                    Ok(Best::Optimal(found)) => assert_eq!(found.solution, best.solution),
                    Ok(Best::Feasible(found, gap)) => {
                        let term = gap.term;
                        assert_eq!(found.values[..term], best.values[..term], "seed {seed}");
                        assert_eq!(found.values[term], gap.value);
                        assert!(
                            gap.bound <= best.values[term] && best.values <= found.values,
                            "seed {seed}"
                        );
                        gaps += 1;
                    }
                    Ok(Best::Stopped(_)) => {}
                    _ => panic!("seed {seed}: neither found nor stopped"),
                }
            }
        }
    }
    assert!(gaps > 100, "{gaps}");
}
