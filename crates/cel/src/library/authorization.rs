//! Kubernetes' `kubernetes.authz` libraries.
//!
//! Selectors know the functions but have no authorizer, so a call can only be
//! written on a value whose type shows at run time, and fails there.

use super::cost;
use super::table::{Function, Overload, Pattern as P};
use crate::runtime::{Context, Outcome, Value, no_such_overload};

const AUTHORIZER: P = P::Opaque("kubernetes.authorization.Authorizer");
const PATH: P = P::Opaque("kubernetes.authorization.PathCheck");
const GROUP: P = P::Opaque("kubernetes.authorization.GroupCheck");
const RESOURCE: P = P::Opaque("kubernetes.authorization.ResourceCheck");
const DECISION: P = P::Opaque("kubernetes.authorization.Decision");

const RESOURCE_PART: &[Overload] = &[Overload::new(&[RESOURCE, P::String], RESOURCE)];
const TEST: &[Overload] = &[Overload::new(&[DECISION], P::Bool)];
const TEXT: &[Overload] = &[Overload::new(&[DECISION], P::String)];

pub(super) static FUNCTIONS: &[Function] = &[
    Function::member(
        "path",
        &[Overload::new(&[AUTHORIZER, P::String], PATH)],
        absent,
    ),
    Function::member(
        "group",
        &[Overload::new(&[AUTHORIZER, P::String], GROUP)],
        absent,
    ),
    Function::member(
        "serviceAccount",
        &[Overload::new(
            &[AUTHORIZER, P::String, P::String],
            AUTHORIZER,
        )],
        absent,
    ),
    Function::member(
        "resource",
        &[Overload::new(&[GROUP, P::String], RESOURCE)],
        absent,
    ),
    Function::member("subresource", RESOURCE_PART, absent),
    Function::member("namespace", RESOURCE_PART, absent),
    Function::member("name", RESOURCE_PART, absent),
    Function::member("fieldSelector", RESOURCE_PART, absent).costing(selector),
    Function::member("labelSelector", RESOURCE_PART, absent).costing(selector),
    Function::member(
        "check",
        &[
            Overload::new(&[PATH, P::String], DECISION),
            Overload::new(&[RESOURCE, P::String], DECISION),
        ],
        absent,
    )
    .costing(check),
    Function::member("errored", TEST, absent),
    Function::member("error", TEXT, absent),
    Function::member("allowed", TEST, absent),
    Function::member("reason", TEXT, absent),
];

fn absent<'a>(_: &mut Context<'a>, _: &[Value<'a>]) -> Outcome<'a> {
    Err(no_such_overload())
}

fn check<'a>(_: &Context<'a>, _: &[Value<'a>], _: &Value<'a>) -> u64 {
    350_000
}

/// A selector is read: a list is made, with a structure and a list for every
/// two characters.
fn selector<'a>(context: &Context<'a>, arguments: &[Value<'a>], _: &Value<'a>) -> u64 {
    let length = arguments
        .get(1)
        .map_or(1, |selector| selector.cost_size(context.row));
    let requirements = length.div_ceil(2).saturating_mul(50);
    let reading = cost::scaled(length, cost::TRAVERSAL);
    requirements.saturating_add(reading).saturating_add(10)
}
