//! [`Walk`]: goes through the steps of a certificate, case by case.

use std::rc::Rc;

use dralloc_quantity::Amount;

use super::super::violation::{Report, ViolationCode};
use super::case::Case;
use super::fault::{Fault, enough, expect_devices, is_too_little, other_sum, too_large};
use super::objective::Objective;
use super::question::Question;
use super::sum::Weighed;
use super::{count, groups, least, parts, required, split, sum};
use crate::bitmap::Bitmap;
use crate::model::{DeviceAttribute, DeviceId, Quantity};
use crate::proof::{ConstraintId, GroupValue, RequestId, Step};
use crate::rules::{AttributeValue, MAX_DEVICES};

/// Is a case that is still to be shown impossible.
struct Open {
    /// The case that was split.
    of: Rc<Case>,
    assumed: Assumed,
}

/// Is what a case assumes beside the one that was split.
pub(super) enum Assumed {
    Nothing,
    Alternative(usize, usize),
    Value(usize, AttributeValue),
    /// Some devices are not the request's, and maybe one is.
    Devices(usize, Rc<Vec<usize>>, usize, Option<usize>),
}

impl Open {
    fn case(self, question: &Question<'_, '_>) -> Rc<Case> {
        let mut case = match self.assumed {
            Assumed::Nothing => return self.of,
            _ => Case::clone(&self.of),
        };
        match self.assumed {
            Assumed::Nothing => {}
            Assumed::Alternative(request, alternative) => case.choose(request, alternative),
            Assumed::Value(constraint, value) => case.restrict(question, constraint, &value),
            Assumed::Devices(request, denied, count, given) => {
                denied
                    .iter()
                    .take(count)
                    .for_each(|offer| case.deny(request, *offer));
                if let Some(offer) = given {
                    case.give(question, request, offer);
                }
            }
        }
        Rc::new(case)
    }
}

/// Checks the steps in order; ends at the first that is wrong.
pub(super) struct Walk<'q, 'w, 'a> {
    pub(super) question: &'q Question<'w, 'a>,
    /// Which claims have what they need, and whether that is of use on the node.
    pub(super) reached: &'q [Option<bool>],
    /// Which claims are on their way out.
    pub(super) releasing: &'q [bool],
    /// The values that no answer is to come before.
    pub(super) goal: Option<(&'q Objective, &'q [i128])>,
}

impl Walk<'_, '_, '_> {
    /// Checks steps; `prefix` is the path of what has them.
    pub(super) fn steps(&self, steps: &[Step], prefix: &str, report: &mut Report) {
        let mut open = vec![Open {
            of: Rc::new(Case::new(self.question)),
            assumed: Assumed::Nothing,
        }];
        for (place, step) in steps.iter().enumerate() {
            let Some(next) = open.pop() else {
                let message = "beside a proof that is complete, expected no more steps";
                let path = format!("{prefix}steps[{place}]");
                report.add(ViolationCode::CertificateSurplus, path, message);
                return;
            };
            let case = next.case(self.question);
            match self.step(step, &case) {
                Ok(cases) => open.extend(cases.into_iter().rev().map(|assumed| Open {
                    of: Rc::clone(&case),
                    assumed,
                })),
                Err((code, field, message)) => {
                    let path = format!("{prefix}steps[{place}]{field}");
                    report.add(code, path, message);
                    return;
                }
            }
        }
        if !open.is_empty() {
            let message = format!(
                "{} cases without a step, expected steps for all",
                open.len()
            );
            let path = format!("{prefix}steps");
            report.add(ViolationCode::CertificateIncomplete, path, message);
        }
    }

    /// Checks a step in the case that it is for; returns the cases that it leaves.
    fn step(&self, step: &Step, case: &Case) -> Result<Vec<Assumed>, Fault> {
        let question = self.question;
        let done = |()| Vec::new();
        match step {
            Step::Count {
                requests,
                devices,
                needed,
                available,
            } => self
                .count(case, requests, devices, (*needed, *available))
                .map(done),
            Step::Distinct {
                constraint,
                requests,
                values,
                needed,
                available,
            } => self
                .distinct(case, (*constraint, requests), values, (*needed, *available))
                .map(done),
            Step::Groups {
                constraints,
                values,
                available,
            } => self.groups(case, constraints, values, *available).map(done),
            Step::Counters {
                requests,
                counters,
                needed,
                left,
            } => {
                let weights = self.question.weighed_counters(counters)?;
                self.sum(case, requests, &weights, (needed, left)).map(done)
            }
            Step::Capacities {
                requests,
                capacities,
                needed,
                left,
            } => {
                let weights = self.question.weighed_capacities(capacities)?;
                self.sum(case, requests, &weights, (needed, left)).map(done)
            }
            Step::Parts { requests, parts } => self.parts(case, requests, parts).map(done),
            Step::Least { requests, parts } => self.least(case, requests, parts).map(done),
            Step::Limit { claim, needed } => self.limit(case, *claim, *needed).map(done),
            Step::Allocated { claim } => match self.reached.get(*claim) {
                Some(Some(false)) => Ok(Vec::new()),
                _ => Err(enough(
                    ".claim",
                    "the claim has nothing that is out of reach",
                )),
            },
            Step::Releasing { claim } => match self.releasing.get(*claim) {
                Some(true) => Ok(Vec::new()),
                _ => Err(enough(".claim", "the claim is not on its way out")),
            },
            Step::Placement { constraint } => {
                let place = constraint.map(|id| question.place_of_requirement(id));
                required::is_broken(question, case, place.transpose()?).map(done)
            }
            Step::Alternatives {
                request,
                alternatives,
            } => {
                let request = self.question.place_of_request(request, ".request")?;
                split::alternatives(question, case, request, alternatives)
            }
            Step::Values { constraint, values } => {
                let constraint = self.question.place_of_constraint(*constraint, true)?;
                split::values(question, case, constraint, values)
            }
            Step::Devices { request, devices } => {
                let request = self.question.place_of_request(request, ".request")?;
                let objective = self.goal.map(|(objective, _)| objective);
                split::devices(question, case, request, (devices, objective))
            }
        }
    }

    fn count(
        &self,
        case: &Case,
        requests: &[RequestId],
        devices: &[DeviceId],
        stated: (usize, usize),
    ) -> Result<(), Fault> {
        let question = self.question;
        let requests = self.question.places_of_requests(requests)?;
        let serving = count::serving(question, case, &requests);
        expect_devices(&question.ids(&serving), devices, ".devices")?;
        let needed = count::needed(question, case, &requests);
        let available = count::available(question, case, &requests, &serving);
        is_too_little(&stated, &(needed, available), ".available")
    }

    fn distinct(
        &self,
        case: &Case,
        (constraint, requests): (ConstraintId, &[RequestId]),
        values: &[DeviceAttribute],
        stated: (usize, usize),
    ) -> Result<(), Fault> {
        let constraint = self.question.place_of_constraint(constraint, false)?;
        let requests = self.question.places_of_requests(requests)?;
        let found = count::values(self.question, case, &requests, constraint);
        split::expect_values(&found.shown, values)?;
        is_too_little(&stated, &(found.needed, found.available), ".available")
    }

    fn groups(
        &self,
        case: &Case,
        constraints: &[ConstraintId],
        values: &[GroupValue],
        stated: usize,
    ) -> Result<(), Fault> {
        let places = constraints
            .iter()
            .map(|id| self.question.place_of_constraint(*id, true));
        let places: Vec<usize> = places.collect::<Result<_, _>>()?;
        if !places.is_sorted_by(|one, other| one < other) {
            let message = "not in the order of the claims, expected each once, in order".into();
            return Err((ViolationCode::UnknownConstraint, ".constraints", message));
        }
        let requests = |value: &GroupValue| {
            let places = value
                .requests
                .iter()
                .map(|id| self.question.place_of_request(id, ".values"));
            places.collect()
        };
        let available = groups::available(self.question, case, &places, values, requests)?;
        is_too_little(
            &(places.len(), stated),
            &(places.len(), available),
            ".available",
        )
    }

    fn sum(
        &self,
        case: &Case,
        requests: &[RequestId],
        weights: &[Weighed],
        (needed, left): (&Quantity, &Quantity),
    ) -> Result<(), Fault> {
        let requests = self.question.places_of_requests(requests)?;
        let stated: (Amount, Amount) = (needed.amount().clone(), left.amount().clone());
        let (needed, left) = sum::sums(self.question, case, &requests, weights);
        is_too_little(&stated, &(needed, left), ".left")
    }

    fn parts(
        &self,
        case: &Case,
        requests: &[RequestId],
        stated: &[Vec<DeviceId>],
    ) -> Result<(), Fault> {
        let question = self.question;
        let requests = self.single(case, requests)?;
        let serving = count::serving(question, case, &requests);
        let parts = parts::split(question, case, &serving);
        self.expect_parts(&parts, stated)?;
        match parts::check(question, case, &requests, &parts) {
            parts::Verdict::TooLittle => Ok(()),
            parts::Verdict::Enough => Err(enough(".parts", "the parts give what is needed")),
            parts::Verdict::TooLarge => Err(too_large()),
        }
    }

    fn least(
        &self,
        case: &Case,
        requests: &[RequestId],
        stated: &[Vec<DeviceId>],
    ) -> Result<(), Fault> {
        let question = self.question;
        let Some((objective, goal)) = self.goal else {
            let message = "no terms are looked at, expected a proof that an answer is the best";
            return Err((
                ViolationCode::CertificateRequests,
                ".requests",
                message.into(),
            ));
        };
        let requests = self.single(case, requests)?;
        let mut devices = count::serving(question, case, &requests);
        for got in &case.got {
            devices.insert(got.offer);
        }
        let parts = least::split(question, objective, &devices);
        self.expect_parts(&parts, stated)?;
        let counted = (objective, goal.len());
        match least::least(question, case, counted, &requests, &parts) {
            least::Least::Values(values) if values.as_slice() < goal => {
                let message = format!("{values:?} may be possible, expected at least {goal:?}");
                Err((ViolationCode::CertificateShowsNothing, ".parts", message))
            }
            least::Least::Values(_) | least::Least::Nothing => Ok(()),
            least::Least::TooLarge => Err(too_large()),
        }
    }

    /// Returns the places of requests that have one alternative left and are not
    /// for administration.
    fn single(&self, case: &Case, requests: &[RequestId]) -> Result<Vec<usize>, Fault> {
        let question = self.question;
        let requests = self.question.places_of_requests(requests)?;
        for request in &requests {
            let mut left = case.left(question, *request);
            if !matches!((left.next(), left.next()), (Some((_, choice, _)), None) if !choice.admin)
            {
                let message = format!(
                    "`{}` has several alternatives or is for administration, expected neither",
                    question.requests[*request].id
                );
                return Err((ViolationCode::CertificateRequests, ".requests", message));
            }
        }
        Ok(requests)
    }

    /// Checks that parts are named in full, in order and nothing else.
    fn expect_parts(&self, parts: &[Vec<usize>], stated: &[Vec<DeviceId>]) -> Result<(), Fault> {
        let question = self.question;
        if parts.len() != stated.len() {
            let message = format!("{} parts, expected {}", stated.len(), parts.len());
            return Err((ViolationCode::CertificateDevices, ".parts", message));
        }
        for (part, stated) in parts.iter().zip(stated) {
            let mut devices = Bitmap::new(question.offers.len());
            for device in part {
                devices.insert(*device);
            }
            expect_devices(&question.ids(&devices), stated, ".parts")?;
        }
        Ok(())
    }

    fn limit(&self, case: &Case, claim: usize, stated: usize) -> Result<(), Fault> {
        let question = self.question;
        let of_claim = |request: &usize| question.requests[*request].id.claim == claim;
        let all = (0..question.requests.len()).filter(of_claim);
        let least = all.map(|request| {
            let left = case.left(question, request);
            left.map(|(_, choice, _)| choice.needed).min().unwrap_or(0)
        });
        let needed = least.fold(0, usize::saturating_add);
        if needed != stated {
            return Err(other_sum(".needed", &stated, &needed));
        }
        if needed <= MAX_DEVICES {
            return Err(enough(".needed", "a claim may have as many devices"));
        }
        Ok(())
    }
}
