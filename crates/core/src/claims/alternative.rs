//! One way to satisfy a request.

use std::sync::Arc;

use super::placement_policy::Carried;
use super::{ExpressionId, Expressions, disabled};
use crate::error::{Code, Error};
use crate::features::Features;
use crate::model::{
    CapacityRequirements, DeviceClass, DeviceDerivedAttribute, DeviceRequest, DeviceSelector,
    DeviceSubRequest, DeviceToleration, ExactDeviceRequest, FullyQualifiedName, Str,
};
use crate::rules::RequestName;

/// Is one way to satisfy a request: the request itself, or one of its subrequests.
#[derive(Clone, Debug)]
pub(crate) struct Alternative {
    pub(crate) name: RequestName,
    pub(crate) class: Arc<DeviceClass>,
    /// Those of the class first, then those of the request.
    pub(crate) selectors: Vec<ExpressionId>,
    pub(crate) needed: Needed,
    pub(crate) admin_access: bool,
    pub(crate) tolerations: Vec<DeviceToleration>,
    pub(crate) capacity: Option<CapacityRequirements>,
    pub(crate) derived_attributes: Vec<(FullyQualifiedName, ExpressionId)>,
    /// Policy that the class carries.
    pub(crate) policy: Option<Arc<Carried>>,
}

/// Says how many devices are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needed {
    /// So many.
    Count(usize),
    /// All that match, and at least one.
    All,
}

/// What the two shapes of the API have in common.
struct Shape<'a> {
    device_class_name: &'a Str,
    selectors: &'a [DeviceSelector],
    allocation_mode: &'a Str,
    count: i64,
    admin_access: Option<bool>,
    tolerations: &'a [DeviceToleration],
    capacity: Option<&'a CapacityRequirements>,
    derived_attributes: &'a [DeviceDerivedAttribute],
}

impl Alternative {
    pub(super) fn of_exact<'a>(
        request: &DeviceRequest,
        exactly: &ExactDeviceRequest,
        class: &impl Fn(&str) -> Option<&'a Arc<DeviceClass>>,
        features: &Features,
        expressions: &mut Expressions,
    ) -> Result<Self, Error> {
        let shape = Shape {
            device_class_name: &exactly.device_class_name,
            selectors: &exactly.selectors,
            allocation_mode: &exactly.allocation_mode,
            count: exactly.count,
            admin_access: exactly.admin_access,
            tolerations: &exactly.tolerations,
            capacity: exactly.capacity.as_ref(),
            derived_attributes: &exactly.derived_attributes,
        };
        let name = RequestName::new(request.name.clone(), None);
        Self::new(name, &shape, class, features, expressions)
    }

    pub(super) fn of_subrequest<'a>(
        request: &DeviceRequest,
        subrequest: &DeviceSubRequest,
        class: &impl Fn(&str) -> Option<&'a Arc<DeviceClass>>,
        features: &Features,
        expressions: &mut Expressions,
    ) -> Result<Self, Error> {
        let shape = Shape {
            device_class_name: &subrequest.device_class_name,
            selectors: &subrequest.selectors,
            allocation_mode: &subrequest.allocation_mode,
            count: subrequest.count,
            admin_access: None,
            tolerations: &subrequest.tolerations,
            capacity: subrequest.capacity.as_ref(),
            derived_attributes: &subrequest.derived_attributes,
        };
        let name = RequestName::new(request.name.clone(), Some(subrequest.name.clone()));
        Self::new(name, &shape, class, features, expressions)
    }

    fn new<'a>(
        name: RequestName,
        shape: &Shape<'_>,
        class: &impl Fn(&str) -> Option<&'a Arc<DeviceClass>>,
        features: &Features,
        expressions: &mut Expressions,
    ) -> Result<Self, Error> {
        check_gates(shape, features)?;
        let class_name = shape.device_class_name;
        let class = match (&**class_name, class(class_name)) {
            ("", _) => {
                let message = "no class is named, expected the name of a DeviceClass";
                return Err(Error::new(Code::Unsupported, message).at("deviceClassName"));
            }
            (_, Some(class)) => Arc::clone(class),
            (_, None) => {
                let message =
                    format!("no DeviceClass `{class_name}`, expected the name of one that exists");
                return Err(Error::new(Code::NotFound, message).at("deviceClassName"));
            }
        };
        let policy = Carried::of_class(&class.spec.config)
            .map_err(|error| error.under(&format!("class[{class_name}].spec")))?;
        let mut selectors = Vec::new();
        for (list, owner) in [
            (&*class.spec.selectors, "class"),
            (shape.selectors, "request"),
        ] {
            for (index, selector) in list.iter().enumerate() {
                let Some(cel) = &selector.cel else {
                    let message = format!("a selector of the {owner} has no `cel`, expected one");
                    let path = format!("selectors[{index}]");
                    return Err(Error::new(Code::Unsupported, message).at(path));
                };
                selectors.push(expressions.selector(&cel.expression));
            }
        }
        let derived = |attribute: &DeviceDerivedAttribute| {
            (
                attribute.name.clone(),
                expressions.derived_attribute(&attribute.expression),
            )
        };
        Ok(Self {
            name,
            selectors,
            needed: needed(shape)?,
            admin_access: shape.admin_access.unwrap_or(false),
            tolerations: shape.tolerations.to_vec(),
            capacity: shape.capacity.cloned(),
            derived_attributes: shape.derived_attributes.iter().map(derived).collect(),
            class,
            policy,
        })
    }
}

/// What a gate hides is refused, not ignored: ignoring a limit would give too much.
fn check_gates(shape: &Shape<'_>, features: &Features) -> Result<(), Error> {
    if !features.consumable_capacity && shape.capacity.is_some() {
        return Err(disabled("capacity is", "DRAConsumableCapacity").at("capacity"));
    }
    if !features.derived_attributes && !shape.derived_attributes.is_empty() {
        let error = disabled("derived attributes are", "DRADerivedAttributes");
        return Err(error.at("derivedAttributes"));
    }
    if !features.admin_access && shape.admin_access.is_some() {
        return Err(disabled("admin access is", "DRAAdminAccess").at("adminAccess"));
    }
    Ok(())
}

fn needed(shape: &Shape<'_>) -> Result<Needed, Error> {
    match &**shape.allocation_mode {
        "ExactCount" => usize::try_from(shape.count)
            .map(Needed::Count)
            .map_err(|_| {
                let message = format!("{} devices, expected none or more", shape.count);
                Error::new(Code::Invalid, message).at("count")
            }),
        "All" => Ok(Needed::All),
        other => {
            let message = format!("`{other}`, expected ExactCount or All");
            Err(Error::new(Code::Unsupported, message).at("allocationMode"))
        }
    }
}
