//! Compares answers with expectations, exactly.

mod selector;

#[cfg(test)]
mod tests;

use std::fmt;

use dralloc::model::{
    AllocationResult, DeviceAllocationConfiguration, DeviceRequestAllocationResult, Map,
};

use crate::case::{Answer, Expectation, Observed, OutcomeKind, Right, RightDevice};

/// Is one place where an answer is not what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where, such as `results[0].devices.results[1].device`.
    pub path: String,
    /// What was expected there.
    pub expected: String,
    /// What the answer has.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            expected,
            found,
        } = self;
        write!(formatter, "{path}: expected {expected}, found {found}")
    }
}

/// Returns where an answer differs from what an exact engine gives.
///
/// Where the expectation has a `right` answer, it alone counts, and of it the
/// outcome, the devices and the scope of an error. Else the answer has to equal
/// that of Kubernetes: quantities by value, the presence of share ids,
/// selectors of nodes as sets, absent lists like empty ones. The words of an
/// error carry no meaning, its scope does. Where the expectation depends on the
/// order of slices, every finished answer is as good; whoever wants more
/// compares with [`differences_from`].
pub fn differences(answer: &Answer, expectation: &Expectation) -> Vec<Difference> {
    let mut report = Report::default();
    report.check("name", &expectation.name, &answer.name);
    if expectation.order_dependent && answer_is_finished(answer) {
        return report.0;
    }
    match &expectation.right {
        Some(right) => right_answer(answer, right, &mut report),
        None => observed_answer(answer, &expectation.experimental, &mut report),
    }
    report.0
}

/// Returns where an answer differs from one that Kubernetes' allocator gave.
///
/// An engine that imitates Kubernetes with all its faults has none.
pub fn differences_from(answer: &Answer, observed: &Observed) -> Vec<Difference> {
    let mut report = Report::default();
    observed_answer(answer, observed, &mut report);
    report.0
}

fn answer_is_finished(answer: &Answer) -> bool {
    matches!(
        answer.outcome,
        OutcomeKind::Allocated | OutcomeKind::Infeasible | OutcomeKind::Error
    )
}

/// Collects differences.
#[derive(Default)]
struct Report(Vec<Difference>);

impl Report {
    fn check<T: PartialEq + fmt::Debug + ?Sized>(&mut self, path: &str, expected: &T, found: &T) {
        if expected != found {
            self.add(path, format!("{expected:?}"), format!("{found:?}"));
        }
    }

    fn add(&mut self, path: &str, expected: String, found: String) {
        self.0.push(Difference {
            path: path.to_owned(),
            expected,
            found,
        });
    }

    /// Compares lists item by item; items without a partner are differences.
    fn list<E, F>(
        &mut self,
        path: &str,
        (expected, found): (&[E], &[F]),
        mut item: impl FnMut(&mut Self, &str, &E, &F),
    ) {
        if expected.len() != found.len() {
            let (expected, found) = (expected.len(), found.len());
            self.add(path, format!("{expected} items"), format!("{found} items"));
        }
        for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
            item(self, &format!("{path}[{index}]"), expected, found);
        }
    }
}

fn outcome(answer: &Answer, expected: OutcomeKind, scope: &str, report: &mut Report) {
    // A crash of Kubernetes is an error for everybody else.
    let expected = match expected {
        OutcomeKind::Panic => OutcomeKind::Error,
        expected => expected,
    };
    report.check("outcome", expected.as_str(), answer.outcome.as_str());
    if expected == OutcomeKind::Error && answer.outcome == OutcomeKind::Error {
        let found = answer.error.as_ref().map(|error| error.scope.as_str());
        report.check("error.scope", &Some(scope), &found);
    }
    report.check(
        "error",
        &(answer.outcome == OutcomeKind::Error),
        &answer.error.is_some(),
    );
    report.check(
        "results",
        &(answer.outcome == OutcomeKind::Allocated),
        &answer.results.is_some(),
    );
}

fn right_answer(answer: &Answer, right: &Right, report: &mut Report) {
    outcome(answer, right.outcome, "request", report);
    if right.outcome != OutcomeKind::Allocated {
        return;
    }
    let expected = right.devices.as_deref().unwrap_or_default();
    let found = answer.results.as_deref().unwrap_or_default();
    report.list(
        "results",
        (expected, found),
        |report, path, expected, found| {
            let path = format!("{path}.devices.results");
            report.list(&path, (expected, &found.devices.results), device_name);
        },
    );
}

fn device_name(
    report: &mut Report,
    path: &str,
    expected: &RightDevice,
    found: &DeviceRequestAllocationResult,
) {
    report.check(
        &format!("{path}.request"),
        &expected.request,
        &found.request,
    );
    report.check(&format!("{path}.driver"), &expected.driver, &found.driver);
    report.check(&format!("{path}.pool"), &expected.pool, &found.pool);
    report.check(&format!("{path}.device"), &expected.device, &found.device);
}

fn observed_answer(answer: &Answer, observed: &Observed, report: &mut Report) {
    let scope = if observed.node_local {
        "node"
    } else {
        "request"
    };
    outcome(answer, observed.outcome, scope, report);
    if observed.outcome != OutcomeKind::Allocated {
        return;
    }
    let expected = observed.results.as_deref().unwrap_or_default();
    let found = answer.results.as_deref().unwrap_or_default();
    report.list("results", (expected, found), result);
}

fn result(report: &mut Report, path: &str, expected: &AllocationResult, found: &AllocationResult) {
    let devices = format!("{path}.devices.results");
    report.list(
        &devices,
        (&expected.devices.results, &found.devices.results),
        device,
    );
    let config = format!("{path}.devices.config");
    report.list(
        &config,
        (&expected.devices.config, &found.devices.config),
        configuration,
    );
    report.check(
        &format!("{path}.nodeSelector"),
        &expected.node_selector.as_ref().map(selector::terms),
        &found.node_selector.as_ref().map(selector::terms),
    );
    report.check(
        &format!("{path}.allocationTimestamp"),
        &expected.allocation_timestamp,
        &found.allocation_timestamp,
    );
}

fn device(
    report: &mut Report,
    path: &str,
    expected: &DeviceRequestAllocationResult,
    found: &DeviceRequestAllocationResult,
) {
    // Taken apart in full, so that a field added later cannot be forgotten.
    let DeviceRequestAllocationResult {
        request,
        driver,
        pool,
        device,
        admin_access,
        tolerations,
        binding_conditions,
        binding_failure_conditions,
        share_id,
        consumed_capacity,
        skip_node_operations,
    } = expected;
    let at = |field: &str| format!("{path}.{field}");
    report.check(&at("request"), request, &found.request);
    report.check(&at("driver"), driver, &found.driver);
    report.check(&at("pool"), pool, &found.pool);
    report.check(&at("device"), device, &found.device);
    report.check(&at("adminAccess"), admin_access, &found.admin_access);
    report.check(&at("tolerations"), tolerations, &found.tolerations);
    report.check(
        &at("bindingConditions"),
        binding_conditions,
        &found.binding_conditions,
    );
    report.check(
        &at("bindingFailureConditions"),
        binding_failure_conditions,
        &found.binding_failure_conditions,
    );
    report.check(
        &at("shareID"),
        &share_id.is_some(),
        &found.share_id.is_some(),
    );
    let nothing = Map::new();
    report.check(
        &at("consumedCapacity"),
        consumed_capacity.as_ref().unwrap_or(&nothing),
        found.consumed_capacity.as_ref().unwrap_or(&nothing),
    );
    report.check(
        &at("skipNodeOperations"),
        skip_node_operations,
        &found.skip_node_operations,
    );
}

fn configuration(
    report: &mut Report,
    path: &str,
    expected: &DeviceAllocationConfiguration,
    found: &DeviceAllocationConfiguration,
) {
    let DeviceAllocationConfiguration {
        source,
        requests,
        opaque,
    } = expected;
    report.check(&format!("{path}.source"), source, &found.source);
    report.check(&format!("{path}.requests"), requests, &found.requests);
    report.check(&format!("{path}.opaque"), opaque, &found.opaque);
}
