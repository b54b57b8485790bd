//! Which taints would have to be tolerated.

use super::{Question, Trial, refused};
use crate::explain::Remedy;
use crate::model::{DeviceTaint, DeviceToleration, Str};
use crate::rules;
use crate::solver::Check;

impl Question<'_> {
    /// Tries to tolerate one taint in one request, and if that is not enough as many as
    /// it takes in one claim.
    pub(super) fn tolerations(&self, trial: &mut Trial<'_>) {
        let mut tainted: Vec<(usize, Str, Vec<DeviceToleration>)> = Vec::new();
        for plan in &self.problem.plans {
            let mut tolerations = Vec::new();
            for device in refused(plan, Check::Taint) {
                for taint in self.view.taints(device) {
                    let keeps = [taint];
                    let known = &plan.alternative.tolerations;
                    let keeps_away = rules::blocking_taint(keeps, known).is_some();
                    let toleration = toleration(taint);
                    if keeps_away && !tolerations.contains(&toleration) {
                        tolerations.push(toleration);
                    }
                }
            }
            if !tolerations.is_empty() {
                let name = plan.alternative.name.in_results().into_owned();
                tainted.push((plan.claim, name, tolerations));
            }
        }
        let mut helped = false;
        for (claim, request, tolerations) in &tainted {
            for toleration in tolerations {
                helped |= trial.add(Remedy::Toleration {
                    claim: *claim,
                    requests: vec![request.clone()],
                    tolerations: vec![toleration.clone()],
                });
            }
        }
        if helped {
            return;
        }
        let mut claims: Vec<usize> = tainted.iter().map(|(claim, _, _)| *claim).collect();
        claims.dedup();
        for claim in claims {
            let own = || tainted.iter().filter(|(of, _, _)| *of == claim);
            let requests: Vec<Str> = own().map(|(_, request, _)| request.clone()).collect();
            let mut all: Vec<DeviceToleration> = Vec::new();
            for toleration in own().flat_map(|(_, _, tolerations)| tolerations) {
                if !all.contains(toleration) {
                    all.push(toleration.clone());
                }
            }
            let remedy = |requests: &[Str], tolerations: &[DeviceToleration]| Remedy::Toleration {
                claim,
                requests: requests.to_vec(),
                tolerations: tolerations.to_vec(),
            };
            if requests.len() * all.len() < 2 || !trial.fits(&remedy(&requests, &all)) {
                continue;
            }
            let all = trial.reduced(all, |tolerations| remedy(&requests, &tolerations));
            let requests = trial.reduced(requests, |requests| remedy(&requests, &all));
            trial.keep(remedy(&requests, &all));
        }
    }
}

/// Returns what tolerates a taint and as little else as can be.
fn toleration(taint: &DeviceTaint) -> DeviceToleration {
    let operator = if taint.value.is_empty() {
        "Exists"
    } else {
        "Equal"
    };
    DeviceToleration {
        key: taint.key.clone(),
        operator: operator.into(),
        value: taint.value.clone(),
        effect: taint.effect.clone(),
        toleration_seconds: None,
    }
}
