//! Asks the engine what a case asks.

use dralloc::model::{AllocationResult, Str};
use dralloc::{
    AllocateOptions, Budget, Change, Engine, Error, Held, Outcome, Policy, Snapshot, StopCause,
    Workspace,
};
use dralloc_testkit::case::{Answer, AnswerError, Case, OutcomeKind};

/// Branches after which the engine gives up a case.
const BRANCHES: u64 = 1_000_000;

/// Returns what the engine knows before the question of a case is asked.
pub(crate) fn snapshot(case: &Case) -> Snapshot {
    engine(case).snapshot()
}

/// Returns the engine before the question of a case is asked.
pub(crate) fn engine(case: &Case) -> Engine {
    let mut engine = Engine::new(case.features);
    let allocated = &case.allocated;
    let shares = allocated.shared_device_ids.iter();
    let consumed = allocated.consumed_capacity.iter();
    let held = Held {
        devices: allocated.devices.clone(),
        shares: shares
            .map(|share| (share.device.clone(), share.share_id.clone()))
            .collect(),
        consumed_capacity: consumed
            .map(|one| (one.device.clone(), one.capacity.clone()))
            .collect(),
    };
    let changes = [Change::Node(case.node.clone()), Change::Held(held)]
        .into_iter()
        .chain(case.device_classes.iter().cloned().map(Change::DeviceClass))
        .chain(
            case.resource_slices
                .iter()
                .cloned()
                .map(Change::ResourceSlice),
        );
    for change in changes {
        engine.apply(change).unwrap();
    }
    engine
}

/// Returns the answer of the engine, with share ids as cases write them.
pub(crate) fn answer(case: &Case) -> Answer {
    match allocate(case) {
        Ok(Outcome::Optimal(allocation)) => {
            let mut results = allocation.results();
            number_shares(&mut results);
            Answer::allocated(case.name.clone(), results)
        }
        Ok(Outcome::Infeasible(_)) => Answer::new(case.name.clone(), OutcomeKind::Infeasible),
        Ok(Outcome::Unknown(StopCause::Branches)) => {
            Answer::new(case.name.clone(), OutcomeKind::Unknown)
        }
        Ok(outcome) => panic!("{}: {outcome:?}", case.name),
        Err(error) => Answer::error(
            case.name.clone(),
            AnswerError {
                code: error.code().as_str().to_owned(),
                message: error.message().to_owned(),
                path: error.path().to_owned(),
                scope: error.scope().as_str().to_owned(),
            },
        ),
    }
}

fn allocate(case: &Case) -> Result<Outcome, Error> {
    let snapshot = snapshot(case);
    let claims = snapshot.prepare(&case.claims)?;
    let options = AllocateOptions::new()
        .policy(&Policy::Kubernetes)
        .budget(Budget::new().branches(BRANCHES));
    let node = &case.node.metadata.name;
    let mut transaction = snapshot.transaction();
    transaction.allocate(node, &claims, &options, &mut Workspace::new())
}

pub(crate) fn number_shares(results: &mut [AllocationResult]) {
    let devices = results
        .iter_mut()
        .flat_map(|result| &mut result.devices.results);
    for (number, device) in devices
        .filter(|device| device.share_id.is_some())
        .enumerate()
    {
        device.share_id = Some(Str::from(format!("<share-{number}>")));
    }
}
