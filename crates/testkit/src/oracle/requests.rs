//! What is asked for, and what is checked before the search.

use dralloc::model::{
    CapacityRequirements, DeviceClass, DeviceDerivedAttribute, DeviceRequest, DeviceSelector,
    DeviceToleration, ResourceClaim,
};

use super::capacity;
use super::failure::{Failure, FailureKind};
use super::selectors;
use super::world::{Condition, Place, World};

/// How many devices a claim may hold (`resource/v1 AllocationResultsMaxSize`).
pub(super) const MAX_DEVICES: i128 = 32;

/// Is one way to satisfy a request.
pub(super) struct Alternative<'a> {
    /// Index of the claim.
    pub(super) claim: usize,
    /// Index of the request in the claim.
    pub(super) request: usize,
    /// Name of the request.
    pub(super) request_name: &'a str,
    /// Name of the alternative, if the request has several.
    pub(super) sub_name: Option<&'a str>,
    pub(super) class: &'a DeviceClass,
    pub(super) selectors: &'a [DeviceSelector],
    pub(super) want: Want,
    pub(super) is_admin: bool,
    pub(super) tolerations: &'a [DeviceToleration],
    pub(super) capacity: Option<&'a CapacityRequirements>,
    pub(super) derived_attributes: &'a [DeviceDerivedAttribute],
}

impl Alternative<'_> {
    /// Returns the name that results use.
    pub(super) fn full_name(&self) -> String {
        match self.sub_name {
            Some(sub) => format!("{}/{sub}", self.request_name),
            None => self.request_name.to_owned(),
        }
    }

    /// Returns whether a list of requests in a constraint or configuration names this one.
    pub(super) fn is_named_in<S: AsRef<str>>(&self, requests: &[S]) -> bool {
        let full = self.full_name();
        requests
            .iter()
            .any(|name| name.as_ref() == self.request_name || name.as_ref() == full)
    }
}

/// Says how many devices an alternative wants.
pub(super) enum Want {
    /// So many.
    Count(i64),
    /// All of these, which are all that match.
    All(Vec<Place>),
}

impl Want {
    /// Returns the number of devices.
    pub(super) fn len(&self) -> i128 {
        match self {
            Self::Count(count) => i128::from(*count),
            Self::All(places) => i128::try_from(places.len()).unwrap_or(i128::MAX),
        }
    }
}

/// Is one request, ready for the search.
pub(super) struct Request<'a> {
    pub(super) alternatives: Vec<Alternative<'a>>,
    pub(super) is_prioritized_list: bool,
}

/// Checks all claims in order and returns their requests.
pub(super) fn prepare<'a>(world: &World<'a>) -> Result<Vec<Vec<Request<'a>>>, Failure> {
    let claims = world.case.claims.iter().enumerate();
    claims
        .map(|(index, claim)| prepare_claim(world, index, claim))
        .collect()
}

fn prepare_claim<'a>(
    world: &World<'a>,
    index: usize,
    claim: &'a ResourceClaim,
) -> Result<Vec<Request<'a>>, Failure> {
    let devices = &claim.spec.devices;
    let mut requests = Vec::new();
    let mut smallest = 0;
    for (position, request) in devices.requests.iter().enumerate() {
        let request = prepare_request(world, (index, position), request)?;
        let least = request
            .alternatives
            .iter()
            .map(|alternative| alternative.want.len())
            .min();
        smallest += least.unwrap_or_default();
        if smallest > MAX_DEVICES {
            return Err(Failure::new(
                FailureKind::LimitExceeded,
                format!("{smallest} devices in one claim, expected at most {MAX_DEVICES}"),
            ));
        }
        requests.push(request);
    }
    let is_unknown = |kinds: (bool, bool)| kinds == (false, false);
    for constraint in &devices.constraints {
        let match_attribute = constraint.match_attribute.is_some();
        if is_unknown((match_attribute, constraint.distinct_attribute.is_some())) {
            return Err(Failure::new(
                FailureKind::Unsupported,
                "constraint of an unknown kind",
            ));
        }
    }
    Ok(requests)
}

fn prepare_request<'a>(
    world: &World<'a>,
    (claim, position): (usize, usize),
    request: &'a DeviceRequest,
) -> Result<Request<'a>, Failure> {
    let is_prioritized_list = !request.first_available.is_empty();
    let disabled = |what: &str| {
        let text = format!("request `{}` has {what}, which is disabled", request.name);
        Failure::new(FailureKind::FeatureDisabled, text)
    };
    if is_prioritized_list && !world.case.features.prioritized_list {
        return Err(disabled("alternatives"));
    }
    let mut capacities = request
        .exactly
        .iter()
        .map(|exactly| &exactly.capacity)
        .chain(request.first_available.iter().map(|sub| &sub.capacity));
    if !world.case.features.consumable_capacity && capacities.any(Option::is_some) {
        return Err(disabled("a capacity"));
    }
    let asked: Vec<Asked<'a>> = if is_prioritized_list {
        request
            .first_available
            .iter()
            .map(Asked::sub_request)
            .collect()
    } else {
        let Some(exactly) = &request.exactly else {
            return Err(Failure::new(
                FailureKind::Unsupported,
                format!("request `{}` of an unknown kind", request.name),
            ));
        };
        vec![Asked::exactly(exactly)]
    };
    let mut alternatives = Vec::new();
    for asked in asked {
        alternatives.push(prepare_alternative(
            world,
            (claim, position),
            &request.name,
            &asked,
        )?);
    }
    Ok(Request {
        alternatives,
        is_prioritized_list,
    })
}

/// Is what requests and subrequests have in common.
struct Asked<'a> {
    sub_name: Option<&'a str>,
    class_name: &'a str,
    selectors: &'a [DeviceSelector],
    mode: &'a str,
    count: i64,
    admin_access: Option<bool>,
    tolerations: &'a [DeviceToleration],
    capacity: Option<&'a CapacityRequirements>,
    derived_attributes: &'a [DeviceDerivedAttribute],
}

impl<'a> Asked<'a> {
    fn exactly(request: &'a dralloc::model::ExactDeviceRequest) -> Self {
        Self {
            sub_name: None,
            class_name: &request.device_class_name,
            selectors: &request.selectors,
            mode: &request.allocation_mode,
            count: request.count,
            admin_access: request.admin_access,
            tolerations: &request.tolerations,
            capacity: request.capacity.as_ref(),
            derived_attributes: &request.derived_attributes,
        }
    }

    fn sub_request(request: &'a dralloc::model::DeviceSubRequest) -> Self {
        Self {
            sub_name: Some(&request.name),
            class_name: &request.device_class_name,
            selectors: &request.selectors,
            mode: &request.allocation_mode,
            count: request.count,
            admin_access: None,
            tolerations: &request.tolerations,
            capacity: request.capacity.as_ref(),
            derived_attributes: &request.derived_attributes,
        }
    }
}

fn prepare_alternative<'a>(
    world: &World<'a>,
    (claim, request): (usize, usize),
    request_name: &'a str,
    asked: &Asked<'a>,
) -> Result<Alternative<'a>, Failure> {
    let features = world.case.features;
    let fail = |kind, what: &str| {
        Err(Failure::new(
            kind,
            format!("request `{request_name}`: {what}"),
        ))
    };
    if !asked.derived_attributes.is_empty() && !features.derived_attributes {
        return fail(
            FailureKind::FeatureDisabled,
            "derived attributes are disabled",
        );
    }
    if asked
        .selectors
        .iter()
        .any(|selector| selector.cel.is_none())
    {
        return fail(FailureKind::Unsupported, "selector of an unknown kind");
    }
    // Setting it to false asks for the feature too.
    if asked.admin_access.is_some() && !features.admin_access {
        return fail(FailureKind::FeatureDisabled, "admin access is disabled");
    }
    if asked.class_name.is_empty() {
        return fail(FailureKind::Unsupported, "no device class");
    }
    let mut classes = world.case.device_classes.iter();
    let Some(class) = classes.find(|class| *class.metadata.name == *asked.class_name) else {
        return fail(FailureKind::NotFound, "unknown device class");
    };
    if class.spec.selectors.iter().any(|one| one.cel.is_none()) {
        return fail(
            FailureKind::Unsupported,
            "class selector of an unknown kind",
        );
    }
    let mut alternative = Alternative {
        claim,
        request,
        request_name,
        sub_name: asked.sub_name,
        class,
        selectors: asked.selectors,
        want: Want::Count(asked.count),
        is_admin: asked.admin_access == Some(true),
        tolerations: asked.tolerations,
        capacity: asked.capacity,
        derived_attributes: asked.derived_attributes,
    };
    match asked.mode {
        "ExactCount" if asked.count < 0 => {
            return fail(FailureKind::Invalid, "negative number of devices");
        }
        "ExactCount" => {}
        "All" => alternative.want = Want::All(all(world, &alternative)?),
        _ => return fail(FailureKind::Unsupported, "unknown allocation mode"),
    }
    Ok(alternative)
}

/// Devices that match, whether or not they can be had.
fn all(world: &World<'_>, alternative: &Alternative<'_>) -> Result<Vec<Place>, Failure> {
    let mut places = Vec::new();
    for (index, pool) in world.pools.iter().enumerate() {
        if pool.condition != Condition::Usable {
            return Err(Failure::new(
                FailureKind::Pool,
                format!(
                    "all devices are wanted, but pool `{}` cannot be used",
                    pool.name
                ),
            ));
        }
        for (position, offer) in pool.offers.iter().enumerate() {
            if selectors::select(world, alternative, offer)?
                && capacity::allows_at_all(world, alternative, offer)?
            {
                places.push(Place {
                    pool: index,
                    offer: position,
                });
            }
        }
    }
    Ok(places)
}
