//! Placement policies that claims and classes carry in their configuration.

mod demand;
#[cfg(test)]
mod tests;
mod unit;
mod wanted;

pub(crate) use demand::{Demand, Rule};
pub(crate) use unit::Unit;
pub(crate) use wanted::Wanted;

use std::sync::Arc;

use super::compiled::{PreparedClaim, PreparedRequest};
use crate::error::{Code, Error};
use crate::model::{
    DeviceClaimConfiguration, DeviceClassConfiguration, DeviceRequest, OpaqueDeviceConfiguration,
    PlacementPolicy, Str,
};
use crate::objective::{Policy, Requests, Scope, Term};
use crate::rules::RequestName;
use crate::validate::{self, PLACEMENT_DRIVER};
use crate::wire;

/// Is what one configuration says of placement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Carried {
    terms: Vec<Term>,
    demands: Vec<Demand>,
    unit: Option<Unit>,
    wanted: Wanted,
    /// What of it there is no support for; an error unless the caller ignores
    /// what is carried.
    unsupported: Option<Error>,
}

/// Is what the configuration of a claim and of its classes says of placement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Policies {
    /// Terms and the places of the requests that they are for.
    scopes: Vec<(Vec<Term>, Vec<usize>)>,
    /// What holds whatever else is wanted.
    demands: Vec<Demand>,
    wanted: Vec<Wanted>,
    unsupported: Option<Error>,
}

impl TryFrom<&PlacementPolicy> for Policy {
    type Error = Error;

    /// Returns the policy that a document asks for.
    ///
    /// # Errors
    ///
    /// The first of [`validate::placement_policy`].
    fn try_from(document: &PlacementPolicy) -> Result<Self, Error> {
        if let Some(error) = validate::placement_policy(document).into_iter().next() {
            return Err(error);
        }
        if let Some(name) = &document.policy {
            return name.parse();
        }
        if document.objective.is_empty() {
            return Ok(Self::Kubernetes);
        }
        let terms = document.objective.iter();
        let terms = terms.map(|one| Term::new(&one.term, one.attribute.clone()));
        terms.collect::<Result<_, _>>().map(Self::Terms)
    }
}

impl Carried {
    /// Reads a configuration, if it is for dralloc.
    ///
    /// What there is no support for is an error of the question, all else is one now.
    fn read(opaque: Option<&OpaqueDeviceConfiguration>) -> Result<Option<Self>, Error> {
        let Some(opaque) = opaque.filter(|opaque| *opaque.driver == *PLACEMENT_DRIVER) else {
            return Ok(None);
        };
        let under = |error: Error| error.under("opaque.parameters");
        let document = wire::placement_policy(opaque.parameters.as_ref()).map_err(under)?;
        let (unsupported, wrong): (Vec<_>, Vec<_>) = validate::placement_policy(&document)
            .into_iter()
            .partition(|error| error.code() == Code::Unsupported);
        if let Some(error) = wrong.into_iter().next() {
            return Err(under(error));
        }
        if let Some(error) = unsupported.into_iter().next() {
            return Ok(Some(Self {
                unsupported: Some(under(error)),
                ..Self::default()
            }));
        }
        let policy = Policy::try_from(&document).map_err(under)?;
        let unit = document.unit.as_ref().map(Unit::of);
        let mut terms = levels(&document);
        terms.extend(policy.terms().iter().cloned());
        // Levels come first; a policy that wants nothing else wants the first of the best.
        if policy == Policy::Kubernetes && document.policy.is_some() {
            terms.clear();
        }
        Ok(Some(Self {
            terms,
            demands: Demand::all_of(&document, unit.as_ref()),
            wanted: Wanted::of(&document, unit.as_ref()),
            unit,
            unsupported: None,
        }))
    }

    /// Reads that of a class; its path is that of the class.
    pub(super) fn of_class(
        config: &[DeviceClassConfiguration],
    ) -> Result<Option<Arc<Self>>, Error> {
        let mut carried = None;
        for (index, config) in config.iter().enumerate() {
            let path = format!("config[{index}]");
            let Some(found) = Self::read(config.opaque.as_ref()).map_err(|it| it.under(&path))?
            else {
                continue;
            };
            if carried.is_some() {
                let message = "a second policy in the class, expected one";
                return Err(Error::new(Code::Duplicate, message).at(format!("{path}.opaque")));
            }
            let found = Self {
                unsupported: found.unsupported.map(|error| error.under(&path)),
                ..found
            };
            carried = Some(Arc::new(found));
        }
        Ok(carried)
    }
}

impl Policies {
    /// Reads that of a claim; for requests of which it says nothing, that of the
    /// first of their classes that says something.
    pub(super) fn of_claim(
        config: &[DeviceClaimConfiguration],
        requests: &[DeviceRequest],
        prepared: &[PreparedRequest],
    ) -> Result<Self, Error> {
        let mut policies = Self::default();
        let mut settled = vec![false; requests.len()];
        for (index, config) in config.iter().enumerate() {
            let path = format!("config[{index}]");
            let Some(carried) =
                Carried::read(config.opaque.as_ref()).map_err(|it| it.under(&path))?
            else {
                continue;
            };
            check_whole(config, &path)?;
            let mut places = Vec::new();
            for (place, request) in requests.iter().enumerate() {
                let name = RequestName::new(request.name.clone(), None);
                if !name.is_among(&config.requests) {
                    continue;
                }
                if settled[place] {
                    let name = &request.name;
                    let message = format!("a second policy for request `{name}`, expected one");
                    return Err(Error::new(Code::Duplicate, message).at(format!("{path}.opaque")));
                }
                settled[place] = true;
                places.push(place);
            }
            let of_config = policies.demand(&carried, &config.requests, prepared);
            of_config.map_err(|error| error.under(&path))?;
            policies.add(&carried, places, |error| error.under(&path));
        }
        // Of one class there is one scope, where its first request is.
        let mut of_classes: Vec<(&Arc<Carried>, String, Vec<usize>)> = Vec::new();
        for (place, request) in prepared.iter().enumerate() {
            let mut alternatives = request.alternatives.iter();
            let carrying = alternatives
                .find_map(|alternative| Some((alternative.policy.as_ref()?, alternative)))
                .filter(|_| !settled[place]);
            let Some((carried, alternative)) = carrying else {
                continue;
            };
            let class = &*alternative.class.metadata.name;
            match of_classes.iter_mut().find(|(_, known, _)| *known == class) {
                Some((.., places)) => places.push(place),
                None => of_classes.push((carried, class.to_owned(), vec![place])),
            }
        }
        for (carried, class, places) in of_classes {
            let names = places.iter().filter_map(|place| requests.get(*place));
            let names: Vec<Str> = names.map(|request| request.name.clone()).collect();
            let of_class = policies.demand(carried, &names, prepared);
            of_class.map_err(|error| error.under(&format!("class[{class}].spec")))?;
            policies.add(carried, places, |error| {
                error.under(&format!("class[{class}].spec"))
            });
        }
        Ok(policies)
    }

    /// Adds what a policy for some requests requires.
    fn demand(
        &mut self,
        carried: &Carried,
        requests: &[Str],
        prepared: &[PreparedRequest],
    ) -> Result<(), Error> {
        if let Some(unit) = &carried.unit {
            unit.check(requests, prepared)
                .map_err(|error| error.under("opaque.parameters.unit.requests"))?;
        }
        let demands = carried.demands.iter().map(|demand| Demand {
            requests: requests.to_vec(),
            ..demand.clone()
        });
        self.demands.extend(demands);
        if !carried.wanted.is_empty() {
            self.wanted.push(Wanted {
                requests: requests.to_vec(),
                ..carried.wanted.clone()
            });
        }
        Ok(())
    }

    /// Returns what holds whatever else is wanted.
    pub(crate) fn demands(&self) -> &[Demand] {
        &self.demands
    }

    /// Returns what answers are told about.
    pub(crate) fn wanted(&self) -> &[Wanted] {
        &self.wanted
    }

    /// Returns some of what holds, by its place, and nothing of what is wanted.
    pub(super) fn narrowed(&self, keeps: impl Fn(usize) -> bool) -> Self {
        let demands = self.demands.iter().enumerate();
        let demands = demands.filter(|(place, _)| keeps(*place));
        Self {
            demands: demands.map(|(_, demand)| demand.clone()).collect(),
            ..Self::default()
        }
    }

    fn add(&mut self, carried: &Carried, places: Vec<usize>, locate: impl Fn(Error) -> Error) {
        if let Some(error) = &carried.unsupported {
            self.unsupported
                .get_or_insert_with(|| locate(error.clone()));
        }
        if !carried.terms.is_empty() && !places.is_empty() {
            self.scopes.push((carried.terms.clone(), places));
        }
    }

    /// Returns the scopes of several claims, in order; neighbours with equal terms
    /// are one.
    pub(super) fn scopes(claims: &[Arc<PreparedClaim>]) -> Vec<Scope> {
        let mut scopes: Vec<Scope> = Vec::new();
        for (claim, prepared) in claims.iter().enumerate() {
            for (terms, places) in &prepared.policies.scopes {
                let mut requests = places.iter().map(|place| (claim, *place)).collect();
                if let Some(last) = scopes.last_mut()
                    && last.terms == *terms
                    && !terms.iter().any(Term::is_of_levels)
                    && let Requests::Some(known) = &mut last.requests
                {
                    known.append(&mut requests);
                    continue;
                }
                scopes.push(Scope {
                    terms: terms.clone(),
                    requests: Requests::Some(requests),
                });
            }
        }
        let count: usize = claims.iter().map(|claim| claim.requests.len()).sum();
        for scope in &mut scopes {
            if matches!(&scope.requests, Requests::Some(requests) if requests.len() == count) {
                scope.requests = Requests::All;
            }
        }
        scopes
    }

    /// Returns what of several claims there is no support for, the first.
    pub(super) fn unsupported(claims: &[Arc<PreparedClaim>]) -> Option<Error> {
        let mut claims = claims.iter().enumerate();
        claims.find_map(|(index, claim)| {
            let error = claim.policies.unsupported.clone()?;
            Some(error.under(&format!("claims[{index}].spec.devices")))
        })
    }
}

/// Returns the terms of the levels that a document prefers.
fn levels(document: &PlacementPolicy) -> Vec<Term> {
    let words = |scope: &Str, fallback: &[Str]| {
        let words = std::iter::once(scope).chain(fallback);
        words.cloned().collect()
    };
    let preferred = document.affinity.iter();
    let preferred = preferred.filter(|level| *level.mode == *"preferred");
    let mut terms: Vec<Term> = preferred
        .map(|level| Term::AffinityLevel {
            levels: words(&level.scope, &level.fallback),
        })
        .collect();
    let unit = document.unit.as_ref();
    terms.extend(unit.filter(|unit| *unit.mode == *"preferred").map(|unit| {
        Term::UnitLevel {
            requests: unit
                .requests
                .iter()
                .map(|(name, count)| (name.clone(), *count))
                .collect(),
            levels: words(&unit.scope, &unit.fallback),
            apart: unit.apart_over.clone(),
        }
    }));
    terms
}

/// Refuses a policy for one alternative: without one for the others, answers
/// could not be compared.
fn check_whole(config: &DeviceClaimConfiguration, path: &str) -> Result<(), Error> {
    for (index, name) in config.requests.iter().enumerate() {
        if let Some((request, _)) = name.split_once('/') {
            let message = format!(
                "a policy for `{name}` is not supported, expected all of its request, `{request}`"
            );
            let path = format!("{path}.requests[{index}]");
            return Err(Error::new(Code::Unsupported, message).at(path));
        }
    }
    Ok(())
}
