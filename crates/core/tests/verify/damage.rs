//! Every kind of damage to an answer.

use dralloc::ViolationCode as Code;
use dralloc::model::{
    AllocationResult, DeviceAllocationConfiguration, DeviceRequestAllocationResult,
    DeviceToleration, Json, Map, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm,
    OpaqueDeviceConfiguration, QualifiedName, Quantity, Str,
};
use dralloc_testkit::case::Case;

/// Largest number of devices of a claim of which one is replaced: brute force
/// takes too long to say no to more.
const MAX_REPLACED: usize = 12;

/// Is an answer that was changed in one place.
pub(crate) struct Damage {
    pub(crate) kind: &'static str,
    pub(crate) results: Vec<AllocationResult>,
    pub(crate) expected: Expected,
}

/// Says what has to become of a damaged answer.
pub(crate) enum Expected {
    /// It is refused, and one of these is among the reasons.
    Refused(Vec<Code>),
    /// It is refused unless it is right all the same, by brute force.
    Truth,
}

/// Returns a right answer with every kind of damage.
pub(crate) fn all(case: &Case, results: &[AllocationResult]) -> Vec<Damage> {
    let mut damages = Damages {
        results,
        list: Vec::new(),
    };
    for claim in 0..results.len() {
        for place in 0..results[claim].devices.results.len() {
            damages.device(case, (claim, place));
            damages.copies((claim, place));
            damages.share(case, (claim, place));
        }
        damages.config(claim);
        damages.node_selector(claim);
        for other in claim + 1..results.len() {
            damages.whole("results swapped", None, |results| {
                results.swap(claim, other);
            });
        }
    }
    if !results.is_empty() {
        damages.whole("result missing", Some(Code::ResultCount), |results| {
            results.pop();
        });
    }
    damages.list
}

struct Damages<'a> {
    results: &'a [AllocationResult],
    list: Vec<Damage>,
}

impl Damages<'_> {
    fn add(
        &mut self,
        kind: &'static str,
        expected: Expected,
        change: impl FnOnce(&mut Vec<AllocationResult>),
    ) {
        let mut results = self.results.to_vec();
        change(&mut results);
        if results != self.results {
            self.list.push(Damage {
                kind,
                results,
                expected,
            });
        }
    }

    fn whole(
        &mut self,
        kind: &'static str,
        expected: Option<Code>,
        change: impl FnOnce(&mut Vec<AllocationResult>),
    ) {
        let expected = expected.map_or(Expected::Truth, |code| Expected::Refused(vec![code]));
        self.add(kind, expected, change);
    }

    fn field(
        &mut self,
        kind: &'static str,
        expected: Code,
        (claim, place): (usize, usize),
        change: impl FnOnce(&mut DeviceRequestAllocationResult),
    ) {
        self.whole(kind, Some(expected), |results| {
            change(&mut results[claim].devices.results[place]);
        });
    }

    fn device(&mut self, case: &Case, (claim, place): (usize, usize)) {
        let at = (claim, place);
        let given = self.results[claim].devices.results[place].clone();
        let of_request = self.results[claim].devices.results.iter();
        let is_last = of_request
            .filter(|other| other.request == given.request)
            .count()
            == 1;
        let dropped = match (is_all(case, claim, &given.request), is_last) {
            (true, true) => vec![Code::NotAll, Code::DeviceCount],
            (true, false) => vec![Code::NotAll],
            (false, _) => vec![Code::DeviceCount],
        };
        self.add("device dropped", Expected::Refused(dropped), |results| {
            results[claim].devices.results.remove(place);
        });
        self.whole("device doubled", Some(Code::RepeatedDevice), |results| {
            results[claim].devices.results.insert(place, given.clone());
        });
        self.field("device unknown", Code::UnknownDevice, at, |device| {
            device.device = "no-such-device".into();
        });
        let small = self.results[claim].devices.results.len() <= MAX_REPLACED;
        for slice in case.resource_slices.iter().filter(|_| small) {
            for other in &slice.spec.devices {
                self.whole("device replaced", None, |results| {
                    let device = &mut results[claim].devices.results[place];
                    device.driver = slice.spec.driver.clone();
                    device.pool = slice.spec.pool.name.clone();
                    device.device = other.name.clone();
                });
            }
        }
        self.field("request unknown", Code::UnknownRequest, at, |device| {
            device.request = "no-such-request".into();
        });
        for request in &case.claims[claim].spec.devices.requests {
            for name in names(request) {
                self.whole("request changed", None, |results| {
                    results[claim].devices.results[place].request = name.as_str().into();
                });
            }
        }
    }

    fn copies(&mut self, at: (usize, usize)) {
        self.field("admin flag flipped", Code::AdminAccess, at, |device| {
            device.admin_access = if device.admin_access.is_some() {
                None
            } else {
                Some(true)
            };
        });
        self.field("toleration dropped", Code::Tolerations, at, |device| {
            device.tolerations.pop();
        });
        self.field("toleration added", Code::Tolerations, at, |device| {
            device.tolerations.push(DeviceToleration::default());
        });
        self.field(
            "binding condition dropped",
            Code::BindingConditions,
            at,
            |device| {
                device.binding_conditions.pop();
            },
        );
        self.field(
            "binding condition added",
            Code::BindingConditions,
            at,
            |device| {
                device.binding_conditions.push("Ready".into());
            },
        );
        let code = Code::BindingFailureConditions;
        self.field("binding failure condition dropped", code, at, |device| {
            device.binding_failure_conditions.pop();
        });
        self.field(
            "node operation dropped",
            Code::SkipNodeOperations,
            at,
            |device| {
                device.skip_node_operations.pop();
            },
        );
        self.field(
            "node operation added",
            Code::SkipNodeOperations,
            at,
            |device| {
                device.skip_node_operations.push("Prepare".into());
            },
        );
        let names: Vec<QualifiedName> = self.results[at.0].devices.results[at.1]
            .consumed_capacity
            .iter()
            .flat_map(|consumed| consumed.keys().cloned().collect::<Vec<_>>())
            .collect();
        let one = Quantity::from_units(1);
        for name in names {
            let set = |device: &mut DeviceRequestAllocationResult,
                       by: &dyn Fn(&Quantity) -> Quantity| {
                if let Some(consumed) = &mut device.consumed_capacity {
                    let amount = by(consumed.get(&*name).unwrap());
                    consumed.insert(name.clone(), amount);
                }
            };
            self.field("amount one up", Code::ConsumedCapacity, at, |device| {
                set(device, &|amount| sum(amount, &one));
            });
            self.field("amount one down", Code::ConsumedCapacity, at, |device| {
                set(device, &|amount| sum(amount, &Quantity::from_units(-1)));
            });
        }
        self.field("amounts removed", Code::ConsumedCapacity, at, |device| {
            if device
                .consumed_capacity
                .as_ref()
                .is_some_and(|consumed| !consumed.is_empty())
            {
                device.consumed_capacity = None;
            }
        });
        self.field("amount added", Code::ConsumedCapacity, at, |device| {
            let consumed = device.consumed_capacity.get_or_insert_with(Map::new);
            consumed.insert("no-such-capacity".into(), one);
        });
    }

    fn share(&mut self, case: &Case, at: (usize, usize)) {
        let given = &self.results[at.0].devices.results[at.1];
        if given.share_id.is_none() {
            self.field("share id added", Code::ShareIdUnexpected, at, |device| {
                device.share_id = Some("<share>".into());
            });
            return;
        }
        let same = |driver: &Str, pool: &Str, device: &Str| {
            *driver == given.driver && *pool == given.pool && *device == given.device
        };
        let mut others: Vec<Str> = Vec::new();
        for (claim, result) in self.results.iter().enumerate() {
            for (place, other) in result.devices.results.iter().enumerate() {
                if (claim, place) != at && same(&other.driver, &other.pool, &other.device) {
                    others.extend(other.share_id.clone());
                }
            }
        }
        let given_count = others.len();
        for share in &case.allocated.shared_device_ids {
            let id = &share.device;
            if same(&id.driver, &id.pool, &id.device) {
                others.push(share.share_id.clone());
            }
        }
        self.field("share id removed", Code::ShareIdMissing, at, |device| {
            device.share_id = None;
        });
        for (index, other) in others.into_iter().enumerate() {
            let kind = if index < given_count {
                "share id doubled"
            } else {
                "share id outstanding"
            };
            self.field(kind, Code::ShareIdRepeated, at, |device| {
                device.share_id = Some(other);
            });
        }
    }

    fn config(&mut self, claim: usize) {
        let count = self.results[claim].devices.config.len();
        let mut change = |kind, code, change: &dyn Fn(&mut Vec<DeviceAllocationConfiguration>)| {
            self.whole(kind, Some(code), |results| {
                change(&mut results[claim].devices.config);
            });
        };
        for place in 0..count {
            change("config removed", Code::ConfigMissing, &|config| {
                config.remove(place);
            });
            change("config doubled", Code::ConfigUnexpected, &|config| {
                config.push(config[place].clone());
            });
            change(
                "config for other requests",
                Code::ConfigRequests,
                &|config| {
                    config[place].requests = vec!["no-such-request".into()];
                },
            );
            for other in place + 1..count {
                change("configs swapped", Code::ConfigOrder, &|config| {
                    config.swap(place, other);
                });
            }
        }
        change("config added", Code::ConfigUnexpected, &|config| {
            config.push(DeviceAllocationConfiguration {
                source: "FromClaim".into(),
                requests: Vec::new(),
                opaque: Some(OpaqueDeviceConfiguration {
                    driver: "no-such-driver".into(),
                    parameters: Some(Json::new("{}".into()).unwrap()),
                }),
            });
        });
    }

    fn node_selector(&mut self, claim: usize) {
        let requirement = || NodeSelectorRequirement {
            key: "no-such-label".into(),
            operator: "Exists".into(),
            values: Vec::new(),
        };
        let mut change = |kind, change: &dyn Fn(&mut Option<NodeSelector>)| {
            let code = Some(Code::NodeSelector);
            self.whole(kind, code, |results| {
                change(&mut results[claim].node_selector);
            });
        };
        change("node selector removed", &|selector| *selector = None);
        change("node selector added", &|selector| {
            selector.get_or_insert_with(|| NodeSelector {
                node_selector_terms: vec![NodeSelectorTerm {
                    match_expressions: vec![requirement()],
                    match_fields: Vec::new(),
                }],
            });
        });
        change("node selector narrowed", &|selector| {
            for term in selector
                .iter_mut()
                .flat_map(|one| &mut one.node_selector_terms)
            {
                term.match_expressions.push(requirement());
            }
        });
        change("node selector widened by a term", &|selector| {
            if let Some(selector) = selector {
                let mut term = selector.node_selector_terms[0].clone();
                term.match_expressions = vec![requirement()];
                selector.node_selector_terms.push(term);
            }
        });
        change("node selector widened by a value", &|selector| {
            for term in selector
                .iter_mut()
                .flat_map(|one| &mut one.node_selector_terms)
            {
                let requirements = term
                    .match_fields
                    .iter_mut()
                    .chain(&mut term.match_expressions);
                for one in requirements.filter(|one| !one.values.is_empty()) {
                    one.values.push("another".into());
                }
            }
        });
        change("node selector lacks a requirement", &|selector| {
            for term in selector
                .iter_mut()
                .flat_map(|one| &mut one.node_selector_terms)
            {
                if term.match_expressions.pop().is_none() {
                    term.match_fields.pop();
                }
            }
        });
        change("node selector for another node", &|selector| {
            for term in selector
                .iter_mut()
                .flat_map(|one| &mut one.node_selector_terms)
            {
                for one in &mut term.match_fields {
                    one.values = vec!["no-such-node".into()];
                }
            }
        });
    }
}

fn names(request: &dralloc::model::DeviceRequest) -> Vec<String> {
    if request.first_available.is_empty() {
        return vec![request.name.to_string()];
    }
    let subrequests = request.first_available.iter();
    subrequests
        .map(|one| format!("{}/{}", request.name, one.name))
        .collect()
}

/// Returns whether a request or an alternative is for all devices.
fn is_all(case: &Case, claim: usize, name: &str) -> bool {
    case.claims[claim]
        .spec
        .devices
        .requests
        .iter()
        .any(|request| {
            let exactly = request
                .exactly
                .iter()
                .map(|one| (&request.name, &one.allocation_mode));
            let exactly = exactly.map(|(name, mode)| (name.to_string(), mode));
            let alternatives = request.first_available.iter();
            let alternatives = alternatives.map(|one| {
                (
                    format!("{}/{}", request.name, one.name),
                    &one.allocation_mode,
                )
            });
            exactly
                .chain(alternatives)
                .any(|(other, mode)| other == name && **mode == *"All")
        })
}

fn sum(a: &Quantity, b: &Quantity) -> Quantity {
    Quantity::from(a.amount() + b.amount())
}
