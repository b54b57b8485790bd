//! Every way to damage a certificate, with what is to be said of it.

use dralloc::model::{DeviceAttribute, DeviceId, Quantity};
use dralloc::{Certificate, RequestId, Step, ViolationCode};

use crate::tree::{case, cases, end};

/// Is a certificate with one thing changed.
pub(crate) struct Damage {
    pub(crate) kind: &'static str,
    pub(crate) certificate: Certificate,
    /// One of these is the code; none if the change can be right.
    pub(crate) expected: Vec<ViolationCode>,
    /// The step that is to be named.
    pub(crate) path: String,
}

/// All kinds of damage.
pub(crate) const KINDS: [&str; 48] = [
    "alternative left out with its case",
    "amount left one up",
    "amount needed one up",
    "available one down",
    "available one up",
    "capacity twice",
    "capacity unknown",
    "capacity weights zero",
    "case twice",
    "cases swapped",
    "constraint of a group left out",
    "constraint of a group twice",
    "constraint unknown",
    "counter left out",
    "counter set unknown",
    "counter twice",
    "counter unknown",
    "device left out",
    "device left out with its case",
    "device of a part left out",
    "device of a split twice",
    "device of a split unknown",
    "device too many",
    "devices of a split thought alike",
    "devices turned round",
    "groups one up",
    "limit one up",
    "needed one up",
    "part too many",
    "parts joined",
    "parts turned round",
    "request left out",
    "request of a value left out",
    "request of another claim",
    "request repeated",
    "request twice",
    "request unknown",
    "requests of a value turned round",
    "requests turned round",
    "split of a request unknown",
    "step left out at the end",
    "step too many",
    "value left out of a sum",
    "value left out with its case",
    "value of groups left out",
    "value one down",
    "value too many in a sum",
    "weights zero",
];

/// Changes one step, or the steps.
struct Damager<'c> {
    certificate: &'c Certificate,
    damages: Vec<Damage>,
}

/// What a sum can say when it is about something else.
const OTHER: [ViolationCode; 5] = [
    ViolationCode::CertificateDevices,
    ViolationCode::CertificateValues,
    ViolationCode::CertificateSum,
    ViolationCode::CertificateShowsNothing,
    ViolationCode::CertificateRequests,
];

/// What can be said when steps are for other cases.
const MOVED: [ViolationCode; 8] = [
    ViolationCode::CertificateCases,
    ViolationCode::CertificateDevices,
    ViolationCode::CertificateIncomplete,
    ViolationCode::CertificateRequests,
    ViolationCode::CertificateShowsNothing,
    ViolationCode::CertificateSum,
    ViolationCode::CertificateSurplus,
    ViolationCode::CertificateValues,
];

impl Damager<'_> {
    fn step(
        &mut self,
        kind: &'static str,
        place: usize,
        expected: &[ViolationCode],
        field: &str,
        change: impl FnOnce(&mut Step),
    ) {
        let mut certificate = self.certificate.clone();
        change(&mut certificate.steps[place]);
        self.add(
            kind,
            certificate,
            expected,
            format!("steps[{place}]{field}"),
        );
    }

    fn add(
        &mut self,
        kind: &'static str,
        certificate: Certificate,
        expected: &[ViolationCode],
        path: String,
    ) {
        self.damages.push(Damage {
            kind,
            certificate,
            expected: expected.to_vec(),
            path,
        });
    }
}

/// Returns all damages of a certificate.
pub(crate) fn all(certificate: &Certificate) -> Vec<Damage> {
    let mut damager = Damager {
        certificate,
        damages: Vec::new(),
    };
    for (place, step) in certificate.steps.iter().enumerate() {
        requests(&mut damager, place, step);
        devices(&mut damager, place, step);
        numbers(&mut damager, place, step);
        weights(&mut damager, place, step);
        names(&mut damager, place, step);
        splits(&mut damager, place, step);
        groups(&mut damager, place, step);
    }
    let mut shorter = certificate.clone();
    shorter.steps.pop();
    let incomplete = [ViolationCode::CertificateIncomplete];
    damager.add(
        "step left out at the end",
        shorter,
        &incomplete,
        "steps".into(),
    );
    let mut longer = certificate.clone();
    longer.steps.extend(certificate.steps.last().cloned());
    let (surplus, path) = ([ViolationCode::CertificateSurplus], certificate.steps.len());
    damager.add("step too many", longer, &surplus, format!("steps[{path}]"));
    damager.damages
}

fn requests_of(step: &mut Step) -> Option<&mut Vec<RequestId>> {
    match step {
        Step::Count { requests, .. }
        | Step::Distinct { requests, .. }
        | Step::Counters { requests, .. }
        | Step::Capacities { requests, .. }
        | Step::Parts { requests, .. } => Some(requests),
        _ => None,
    }
}

fn requests(damager: &mut Damager<'_>, place: usize, step: &Step) {
    let mut step = step.clone();
    let Some(requests) = requests_of(&mut step) else {
        return;
    };
    for dropped in 0..requests.len() {
        damager.step("request left out", place, &OTHER, "", |step| {
            requests_of(step).unwrap().remove(dropped);
        });
    }
    let out_of_order = [ViolationCode::CertificateRequests];
    damager.step("request twice", place, &out_of_order, ".requests", |step| {
        let requests = requests_of(step).unwrap();
        requests.extend(requests.last().cloned());
    });
    if requests.len() > 1 {
        damager.step(
            "requests turned round",
            place,
            &out_of_order,
            ".requests",
            |step| {
                requests_of(step).unwrap().reverse();
            },
        );
    }
    let unknown = [ViolationCode::UnknownRequest];
    damager.step("request unknown", place, &unknown, ".requests", |step| {
        requests_of(step).unwrap().push(RequestId::new(0, "nobody"));
    });
    damager.step(
        "request of another claim",
        place,
        &unknown,
        ".requests",
        |step| {
            requests_of(step).unwrap()[0].claim = 1_000;
        },
    );
    damager.step("request repeated", place, &unknown, ".requests", |step| {
        requests_of(step).unwrap()[0].repetition = 7;
    });
}

fn devices(damager: &mut Damager<'_>, place: usize, step: &Step) {
    let wrong = [ViolationCode::CertificateDevices];
    let stranger = || DeviceId::new("zz.example.com", "pool", "stranger");
    match step {
        Step::Count { devices, .. } => {
            for dropped in 0..devices.len() {
                damager.step("device left out", place, &wrong, ".devices", |step| {
                    let Step::Count { devices, .. } = step else {
                        return;
                    };
                    devices.remove(dropped);
                });
            }
            damager.step("device too many", place, &wrong, ".devices", |step| {
                let Step::Count { devices, .. } = step else {
                    return;
                };
                devices.push(stranger());
            });
            if devices.len() > 1 {
                damager.step("devices turned round", place, &wrong, ".devices", |step| {
                    let Step::Count { devices, .. } = step else {
                        return;
                    };
                    devices.reverse();
                });
            }
        }
        Step::Parts { parts, .. } => {
            damager.step(
                "device of a part left out",
                place,
                &wrong,
                ".parts",
                |step| {
                    let Step::Parts { parts, .. } = step else {
                        return;
                    };
                    parts[0].pop();
                },
            );
            damager.step("part too many", place, &wrong, ".parts", |step| {
                let Step::Parts { parts, .. } = step else {
                    return;
                };
                parts.push(vec![stranger()]);
            });
            if parts.len() > 1 {
                damager.step("parts joined", place, &wrong, ".parts", |step| {
                    let Step::Parts { parts, .. } = step else {
                        return;
                    };
                    let last = parts.pop().unwrap();
                    parts[0].extend(last);
                });
                damager.step("parts turned round", place, &wrong, ".parts", |step| {
                    let Step::Parts { parts, .. } = step else {
                        return;
                    };
                    parts.reverse();
                });
            }
        }
        _ => {}
    }
}

fn numbers(damager: &mut Damager<'_>, place: usize, step: &Step) {
    let wrong = [ViolationCode::CertificateSum];
    let up = |amount: &Quantity| {
        let one: Quantity = "1".parse().unwrap();
        Quantity::from(amount.amount() + one.amount())
    };
    match step {
        Step::Count { available, .. } | Step::Distinct { available, .. } => {
            damager.step(
                "needed one up",
                place,
                &wrong,
                ".needed",
                |step| match step {
                    Step::Count { needed, .. } | Step::Distinct { needed, .. } => *needed += 1,
                    _ => {}
                },
            );
            damager.step(
                "available one up",
                place,
                &wrong,
                ".available",
                |step| match step {
                    Step::Count { available, .. } | Step::Distinct { available, .. } => {
                        *available += 1;
                    }
                    _ => {}
                },
            );
            if *available > 0 {
                damager.step(
                    "available one down",
                    place,
                    &wrong,
                    ".available",
                    |step| match step {
                        Step::Count { available, .. } | Step::Distinct { available, .. } => {
                            *available -= 1;
                        }
                        _ => {}
                    },
                );
            }
        }
        Step::Counters { .. } | Step::Capacities { .. } => {
            damager.step(
                "amount needed one up",
                place,
                &wrong,
                ".needed",
                |step| match step {
                    Step::Counters { needed, .. } | Step::Capacities { needed, .. } => {
                        *needed = up(needed);
                    }
                    _ => {}
                },
            );
            damager.step(
                "amount left one up",
                place,
                &wrong,
                ".left",
                |step| match step {
                    Step::Counters { left, .. } | Step::Capacities { left, .. } => *left = up(left),
                    _ => {}
                },
            );
        }
        Step::Limit { .. } => damager.step("limit one up", place, &wrong, ".needed", |step| {
            let Step::Limit { needed, .. } = step else {
                return;
            };
            *needed += 1;
        }),
        _ => {}
    }
}

fn weights(damager: &mut Damager<'_>, place: usize, step: &Step) {
    let wrong = [ViolationCode::CertificateSum];
    match step {
        Step::Counters { counters, .. } => {
            let unknown = [ViolationCode::UnknownCounter];
            damager.step("weights zero", place, &wrong, ".needed", |step| {
                let Step::Counters { counters, .. } = step else {
                    return;
                };
                for one in counters {
                    one.weight = 0;
                }
            });
            damager.step("counter unknown", place, &unknown, ".counters", |step| {
                let Step::Counters { counters, .. } = step else {
                    return;
                };
                counters[0].counter = "nothing".into();
            });
            damager.step(
                "counter set unknown",
                place,
                &unknown,
                ".counters",
                |step| {
                    let Step::Counters { counters, .. } = step else {
                        return;
                    };
                    counters[0].counter_set = "nothing".into();
                },
            );
            damager.step("counter twice", place, &unknown, ".counters", |step| {
                let Step::Counters { counters, .. } = step else {
                    return;
                };
                counters.push(counters[0].clone());
            });
            for dropped in 0..counters.len() {
                damager.step("counter left out", place, &wrong, "", |step| {
                    let Step::Counters { counters, .. } = step else {
                        return;
                    };
                    counters.remove(dropped);
                });
            }
        }
        Step::Capacities { .. } => {
            let unknown = [ViolationCode::UnknownCapacity];
            damager.step("capacity weights zero", place, &wrong, ".needed", |step| {
                let Step::Capacities { capacities, .. } = step else {
                    return;
                };
                for one in capacities {
                    one.weight = 0;
                }
            });
            damager.step("capacity unknown", place, &unknown, ".capacities", |step| {
                let Step::Capacities { capacities, .. } = step else {
                    return;
                };
                capacities[0].capacity = "nothing".into();
            });
            damager.step("capacity twice", place, &unknown, ".capacities", |step| {
                let Step::Capacities { capacities, .. } = step else {
                    return;
                };
                capacities.push(capacities[0].clone());
            });
        }
        _ => {}
    }
}

fn names(damager: &mut Damager<'_>, place: usize, step: &Step) {
    if let Step::Distinct { .. } | Step::Values { .. } = step {
        let unknown = [ViolationCode::UnknownConstraint];
        damager.step(
            "constraint unknown",
            place,
            &unknown,
            ".constraint",
            |step| match step {
                Step::Distinct { constraint, .. } | Step::Values { constraint, .. } => {
                    constraint.constraint = 1_000;
                }
                _ => {}
            },
        );
    }
    if let Step::Distinct { values, .. } = step {
        let wrong = [ViolationCode::CertificateValues];
        for dropped in 0..values.len() {
            damager.step(
                "value left out of a sum",
                place,
                &wrong,
                ".values",
                |step| {
                    let Step::Distinct { values, .. } = step else {
                        return;
                    };
                    values.remove(dropped);
                },
            );
        }
        damager.step(
            "value too many in a sum",
            place,
            &wrong,
            ".values",
            |step| {
                let Step::Distinct { values, .. } = step else {
                    return;
                };
                values.push(DeviceAttribute::String("zzz".into()));
            },
        );
    }
    if let Step::Alternatives { .. } | Step::Devices { .. } = step {
        let unknown = [ViolationCode::UnknownRequest];
        damager.step(
            "split of a request unknown",
            place,
            &unknown,
            ".request",
            |step| match step {
                Step::Alternatives { request, .. } | Step::Devices { request, .. } => {
                    request.request = "nobody".into();
                }
                _ => {}
            },
        );
    }
}

/// A case is left out, alone or with what it is for; cases change places.
fn splits(damager: &mut Damager<'_>, place: usize, step: &Step) {
    let whole = damager.certificate;
    let count = cases(step);
    for dropped in 0..count {
        let first = case(whole, place, dropped);
        let mut without = whole.clone();
        without.steps.drain(first..end(whole, first));
        match &mut without.steps[place] {
            Step::Values { values, .. } => {
                values.remove(dropped);
                let wrong = [ViolationCode::CertificateValues];
                let path = format!("steps[{place}].values");
                damager.add("value left out with its case", without, &wrong, path);
            }
            Step::Alternatives { alternatives, .. } => {
                alternatives.remove(dropped);
                let wrong = [ViolationCode::CertificateCases];
                let path = format!("steps[{place}].alternatives");
                damager.add("alternative left out with its case", without, &wrong, path);
            }
            Step::Devices { devices, .. } if dropped < devices.len() => {
                // The case without any of the devices has one more then.
                devices.remove(dropped);
                damager.add(
                    "device left out with its case",
                    without,
                    &OTHER,
                    "steps[".into(),
                );
            }
            _ => {}
        }
        let mut doubled = whole.clone();
        let case: Vec<Step> = whole.steps[first..end(whole, first)].to_vec();
        doubled.steps.splice(first..first, case);
        damager.add("case twice", doubled, &MOVED, "steps[".into());
    }
    for earlier in 1..count {
        let (one, other) = (case(whole, place, earlier - 1), case(whole, place, earlier));
        let end = end(whole, other);
        if whole.steps[one..other] == whole.steps[other..end] {
            continue;
        }
        let mut swapped = whole.clone();
        swapped.steps[one..end].rotate_left(other - one);
        damager.add("cases swapped", swapped, &MOVED, "steps[".into());
    }
    if let Step::Devices { devices, .. } = step {
        let wrong = [ViolationCode::CertificateDevices];
        damager.step(
            "device of a split unknown",
            place,
            &wrong,
            ".devices",
            |step| {
                let Step::Devices { devices, .. } = step else {
                    return;
                };
                devices[0][0] = DeviceId::new("zz.example.com", "pool", "stranger");
            },
        );
        damager.step(
            "device of a split twice",
            place,
            &wrong,
            ".devices",
            |step| {
                let Step::Devices { devices, .. } = step else {
                    return;
                };
                let first = devices[0][0].clone();
                devices[0].push(first);
            },
        );
        if devices.len() > 1 {
            damager.step(
                "devices of a split thought alike",
                place,
                &wrong,
                ".devices",
                |step| {
                    let Step::Devices { devices, .. } = step else {
                        return;
                    };
                    let second = devices[1][0].clone();
                    devices[0].push(second);
                },
            );
        }
    }
}

fn groups(damager: &mut Damager<'_>, place: usize, step: &Step) {
    let Step::Groups {
        constraints,
        values,
        ..
    } = step
    else {
        return;
    };
    let unknown = [ViolationCode::UnknownConstraint];
    let sum = [ViolationCode::CertificateSum];
    damager.step(
        "constraint of a group twice",
        place,
        &unknown,
        ".constraints",
        |step| {
            let Step::Groups { constraints, .. } = step else {
                return;
            };
            constraints.push(constraints[0]);
        },
    );
    for dropped in 0..constraints.len() {
        damager.step(
            "constraint of a group left out",
            place,
            &OTHER,
            "",
            |step| {
                let Step::Groups { constraints, .. } = step else {
                    return;
                };
                constraints.remove(dropped);
            },
        );
    }
    let wrong = [ViolationCode::CertificateValues];
    for dropped in 0..values.len() {
        damager.step(
            "value of groups left out",
            place,
            &wrong,
            ".values",
            |step| {
                let Step::Groups { values, .. } = step else {
                    return;
                };
                values.remove(dropped);
            },
        );
    }
    damager.step("groups one up", place, &sum, ".available", |step| {
        let Step::Groups { available, .. } = step else {
            return;
        };
        *available += 1;
    });
    if values.is_empty() {
        return;
    }
    if let Some(wide) = values.iter().position(|value| value.available > 0) {
        damager.step("value one down", place, &sum, ".values", |step| {
            let Step::Groups { values, .. } = step else {
                return;
            };
            values[wide].available -= 1;
        });
    }
    let requests = [ViolationCode::CertificateRequests];
    damager.step(
        "request of a value left out",
        place,
        &requests,
        ".values",
        |step| {
            let Step::Groups { values, .. } = step else {
                return;
            };
            values[0].requests.pop();
        },
    );
    if values[0].requests.len() < 2 {
        return;
    }
    damager.step(
        "requests of a value turned round",
        place,
        &[],
        ".values",
        |step| {
            let Step::Groups { values, .. } = step else {
                return;
            };
            values[0].requests.reverse();
        },
    );
}
