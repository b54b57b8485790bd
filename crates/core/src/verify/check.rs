//! [`Check`]: an answer is taken apart, claim by claim and then as a whole.

use super::linked::Linked;
use super::pools::{Condition, Offer};
use super::requests::{self, Alternative, Given, Needed, Request};
use super::selectors::Expressions;
use super::violation::{Report, Violation, ViolationCode};
use super::{Pick, World, capacity, compatibility_groups, configuration, constraints, copies};
use super::{counters, devices, node_selector, placement, twins};
use crate::model::{AllocationResult, DeviceRequestAllocationResult, ResourceClaim};
use crate::rules::{self, MAX_DEVICES};

/// Is a check that is under way.
pub(super) struct Check<'w, 'a> {
    world: &'w World<'a>,
    /// How devices are linked, where that is known.
    linked: Option<&'w Linked>,
    expressions: Expressions,
    report: Report,
}

impl<'w, 'a> Check<'w, 'a> {
    pub(super) fn new(world: &'w World<'a>, linked: Option<&'w Linked>, report: Report) -> Self {
        Self {
            world,
            linked,
            expressions: Expressions::new(*world.features),
            report,
        }
    }

    pub(super) fn into_result(self) -> Result<(), Vec<Violation>> {
        self.report.into_result()
    }

    /// Checks that what a claim had already can be used on the node.
    pub(super) fn reach(&mut self, index: usize, result: &AllocationResult) {
        let path = format!("results[{index}]");
        let message = match rules::check_reach(result) {
            Ok(()) if rules::reaches(result, self.world.node) => return,
            Ok(()) => "the node is not among those that it was given for".into(),
            Err(error) => error.to_string(),
        };
        let path = format!("{path}.nodeSelector");
        self.report.add(ViolationCode::NodeSelector, path, message);
    }

    /// Checks what concerns one claim alone, and adds its devices to all that are given.
    pub(super) fn claim(
        &mut self,
        index: usize,
        claim: &ResourceClaim,
        requests: &'w [Request<'a>],
        result: &'w AllocationResult,
        picks: &mut Vec<Pick<'w, 'a>>,
    ) {
        let first = picks.len();
        let path = format!("results[{index}].devices.results");
        let results = &result.devices.results;
        if results.len() > MAX_DEVICES {
            let message = format!("{} devices, expected at most {MAX_DEVICES}", results.len());
            self.report
                .add(ViolationCode::LimitExceeded, &*path, message);
        }
        let (world, expressions) = (self.world, &mut self.expressions);
        let needed = |alternative: &Alternative<'_>| match alternative.needed {
            Needed::Count(count) => count,
            Needed::All => all(world, expressions, alternative).len(),
        };
        let given = requests::assign(requests, results, &path, &mut self.report, needed);
        let mut chosen = Vec::new();
        for (place, (request, given)) in requests.iter().zip(&given).enumerate() {
            let Some(given) = given else { continue };
            let alternative = &request.alternatives[given.alternative];
            chosen.push(alternative);
            self.check_count(alternative, given, results, &path);
            for result in &given.results {
                let path = format!("{path}[{result}]");
                let place = (index, place);
                picks.extend(self.pick(place, alternative, &results[*result], path));
            }
        }
        let of_claim: Vec<&Pick<'_, '_>> = picks[first..].iter().collect();
        let devices = &claim.spec.devices;
        let (expressions, report) = (&mut self.expressions, &mut self.report);
        constraints::check(world, expressions, &devices.constraints, &of_claim, report);
        if let Some(linked) = self.linked {
            placement::of_claim(linked, (index, claim), requests, &of_claim, report);
        }
        if given.iter().all(Option::is_some) {
            let path = format!("results[{index}].devices.config");
            configuration::check(
                &devices.config,
                &chosen,
                &result.devices.config,
                &path,
                report,
            );
        }
        // With a device missing it is not known what to expect.
        if of_claim.len() == results.len() {
            let path = format!("results[{index}].nodeSelector");
            node_selector::check(
                world,
                &of_claim,
                result.node_selector.as_ref(),
                &path,
                report,
            );
        }
    }

    fn check_count(
        &mut self,
        alternative: &Alternative<'_>,
        given: &Given,
        results: &[DeviceRequestAllocationResult],
        path: &str,
    ) {
        let name = &alternative.name;
        let found = given.results.len();
        match alternative.needed {
            Needed::Count(count) if count != found => {
                let message = format!("{found} devices for `{name}`, expected {count}");
                self.report.add(ViolationCode::DeviceCount, path, message);
            }
            Needed::Count(_) => {}
            Needed::All => {
                for pool in &self.world.pools {
                    if matches!(
                        pool.condition,
                        Condition::Incomplete | Condition::Invalid(_)
                    ) {
                        let message = format!(
                            "`{name}` is for all devices, but not all pools are complete; \
                             expected complete ones"
                        );
                        self.report.add(ViolationCode::Pool, path, message);
                        break;
                    }
                }
                for offer in all(self.world, &mut self.expressions, alternative) {
                    let id = offer.id();
                    let is_given = given
                        .results
                        .iter()
                        .map(|place| &results[*place])
                        .any(|one| {
                            one.driver == id.driver
                                && one.pool == id.pool
                                && one.device == id.device
                        });
                    if !is_given {
                        let message = format!("no `{id}` for `{name}`, expected all devices");
                        self.report.add(ViolationCode::NotAll, path, message);
                    }
                }
            }
        }
    }

    /// Checks a device by itself; nothing is returned if there is no such device.
    fn pick(
        &mut self,
        (claim, request): (usize, usize),
        alternative: &'w Alternative<'a>,
        result: &'w DeviceRequestAllocationResult,
        path: String,
    ) -> Option<Pick<'w, 'a>> {
        let offer = match devices::find(self.world, result) {
            Ok(offer) => offer,
            Err((code, message)) => {
                self.report.add(code, format!("{path}.device"), message);
                return None;
            }
        };
        let amounts = devices::qualify(self.world, &mut self.expressions, alternative, offer);
        let is_qualified = amounts.is_ok();
        let amounts = amounts.unwrap_or_else(|(code, message)| {
            self.report.add(code, format!("{path}.device"), message);
            Vec::new()
        });
        let pick = Pick {
            claim,
            request,
            alternative,
            offer,
            result,
            path,
            amounts,
        };
        if is_qualified {
            devices::check(self.world, &pick, &mut self.report);
        }
        copies::check(self.world, &pick, &mut self.report);
        Some(pick)
    }

    /// Checks what concerns all devices that are given.
    pub(super) fn together(&mut self, picks: &[Pick<'_, '_>]) {
        let report = &mut self.report;
        devices::check_repetition(self.world, picks, report);
        twins::check(self.world, picks, report);
        counters::check(self.world, picks, report);
        compatibility_groups::check(self.world, picks, report);
        capacity::check(self.world, picks, report);
        if let Some(linked) = self.linked {
            placement::together(linked, picks, report);
        }
    }
}

/// Returns all devices that an alternative asks for, as far as the device itself decides.
fn all<'w, 'a>(
    world: &'w World<'a>,
    expressions: &mut Expressions,
    alternative: &Alternative<'_>,
) -> Vec<&'w Offer<'a>> {
    let pools = world
        .pools
        .iter()
        .filter(|pool| pool.condition == Condition::Complete);
    let offers = pools.flat_map(|pool| &pool.devices);
    offers
        .filter(|offer| devices::qualify(world, expressions, alternative, offer).is_ok())
        .collect()
}
