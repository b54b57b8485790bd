//! [`Partwise`]: the bound of parts, for a problem.

use super::values::Rest;
use super::wanting::Wanting;
use crate::budget::Meter;
use crate::outcome::StopCause;
use crate::solver::parts::{Need, PartScratch, PartTable, Question};
use crate::solver::problem::Problem;

/// Holds what devices take of counters, and memory.
pub(in crate::solver) struct Partwise {
    table: PartTable,
    scratch: PartScratch,
    left: Vec<i128>,
}

impl Partwise {
    /// Returns the bound; nothing if no devices share counters.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(in crate::solver) fn new(
        problem: &Problem<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Self>, StopCause> {
        let counters = &problem.state.counters;
        let devices = problem.view.devices.len();
        let mut uses = Vec::with_capacity(devices);
        for device in 0..devices {
            meter.effort(1)?;
            uses.push(counters.plain_uses(device));
        }
        let table = PartTable::new(devices, counters.len(), |device| &uses[device], &[], meter)?;
        Ok(table.has_counters().then(|| Self {
            table,
            scratch: PartScratch::default(),
            left: Vec::new(),
        }))
    }

    /// Returns whether the devices that are left cannot serve what is still wanted.
    ///
    /// Admissible: requests are relaxed as in [`Wanting`], and of all rules only
    /// counters are left, and that a device is picked once.
    pub(in crate::solver) fn refuses(
        &mut self,
        problem: &Problem<'_>,
        rest: Rest<'_, '_>,
        meter: &mut Meter<'_>,
    ) -> bool {
        problem.state.counters.plain_left(&mut self.left);
        let current = rest
            .current
            .filter(|(plan, _, left)| *left > 0 && !plan.alternative.admin_access);
        // Shared devices are no matter of counts, so those of the plan are left out.
        let relaxed = current.filter(|(plan, ..)| {
            plan.candidates.len_without(&problem.serving) < plan.candidates.len()
        });
        let relaxed = relaxed.map(|(plan, start, left)| {
            let mut devices = plan.candidates.clone();
            devices.remove_below(start);
            Wanting::of(problem, devices, left)
        });
        let mut needs = Vec::with_capacity(1 + problem.requests.len());
        match (&relaxed, current) {
            (Some(one), _) => needs.push(need(one)),
            (None, Some((plan, from, count))) => needs.push(Need {
                words: plan.candidates.words(),
                from,
                count,
            }),
            (None, None) => {}
        }
        needs.extend(
            rest.later
                .iter()
                .map(|request| need(&problem.wanting[request])),
        );
        let question = Question {
            left: &self.left,
            away: problem.state.exclusive.taken_by_any().words(),
            needs: &needs,
        };
        !self.scratch.can_be_met(&self.table, &question, meter)
    }
}

fn need(wanting: &Wanting) -> Need<'_> {
    Need {
        words: wanting.devices.words(),
        from: 0,
        count: wanting.needed,
    }
}
