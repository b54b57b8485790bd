//! [`Transaction::tainted`]: which devices taints keep away.

use super::remedies::refused;
use crate::claims::PreparedClaims;
use crate::engine::{AllocateOptions, Transaction, Workspace};
use crate::error::Error;
use crate::explain::TaintedDevice;
use crate::model::{DeviceTaint, Str};
use crate::rules;
use crate::solver::{Check, Problem};
use crate::store::{DeviceEntry, Inventory, NodeView};

impl Transaction {
    /// Returns the devices of a node that requests would have to choose from if nothing were
    /// tainted, each with the taint that keeps it away: those that
    /// [`RequestExplanation::refused`](crate::RequestExplanation::refused) counts as
    /// [`Check::Taint`]. By requests, and in canonical order.
    ///
    /// There are none if the budget ends before it is known where the devices are.
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::explain`], and what cannot be evaluated.
    pub fn tainted(
        &self,
        node: &str,
        claims: &PreparedClaims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Vec<TaintedDevice>, Error> {
        let options = options.for_any_answer(claims);
        let call = self.call(claims, &options, &mut workspace.reduced)?;
        let view: &NodeView = self.inventory().view(node)?;
        let machines = &mut workspace.machines;
        let Ok(required) = call.required(view, machines, &mut options.budget.meter()) else {
            return Ok(Vec::new());
        };
        let (verdicts, machine) = (&mut workspace.verdicts, required.as_ref());
        let problem = Problem::with_notes(&call.claims, view, &call.held, verdicts, machine)?;
        let mut tainted = Vec::new();
        for plan in &problem.plans {
            for device in refused(plan, Check::Taint) {
                let known = &plan.alternative.tolerations;
                let Some(taint) = rules::blocking_taint(view.taints(device), known) else {
                    continue;
                };
                let entry = &view.devices[device];
                tainted.push(TaintedDevice {
                    claim: plan.claim,
                    request: plan.alternative.name.in_results().into_owned(),
                    device: entry.id(),
                    taint: taint.clone(),
                    rule: rule(self.inventory(), entry, taint),
                });
            }
        }
        Ok(tainted)
    }
}

/// Returns the rule that sets a taint of a device, if its driver does not.
fn rule(inventory: &Inventory, entry: &DeviceEntry, taint: &DeviceTaint) -> Option<Str> {
    if entry.device().taints.contains(taint) {
        return None;
    }
    let id = entry.id();
    let mut rules = inventory.taint_rules().iter();
    let rule = rules
        .find(|rule| rule.spec.taint == *taint && rule.selects(&id.driver, &id.pool, &id.device));
    rule.map(|rule| rule.metadata.name.clone())
}
