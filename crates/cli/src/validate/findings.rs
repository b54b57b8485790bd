//! [`Findings`]: what was found so far.

use dralloc::Error;

use super::code::Code;
use super::finding::{Finding, Object, Severity};
use crate::cluster::faults::{Fault, locate};
use crate::cluster::kind::Kind;
use crate::cluster::read::Passed;
use crate::cluster::{Conflict, Given, ObjectName};
use crate::input::{InputError, path_within_object};

/// Collects findings, but for those that are switched off.
#[derive(Debug)]
pub(super) struct Findings<'c> {
    disabled: &'c [Code],
    found: Vec<Finding<'c>>,
}

impl<'c> Object<'c> {
    /// Returns an object of a cluster.
    pub(super) fn of<T: Kind>(name: &'c ObjectName, given: &'c Given<T>) -> Self {
        Self {
            kind: T::KIND,
            name,
            start: given.origin.as_ref(),
            others: 0,
        }
    }
}

impl<'c> Findings<'c> {
    pub(super) fn new(disabled: &'c [Code]) -> Self {
        Self {
            disabled,
            found: Vec::new(),
        }
    }

    /// Adds a warning or a hint.
    pub(super) fn add(
        &mut self,
        code: Code,
        object: Object<'c>,
        path: impl Into<String>,
        message: impl Into<String>,
    ) {
        if !self.disabled.contains(&code) {
            self.found.push(Finding {
                severity: code.severity(),
                code: code.as_str(),
                object: Some(object),
                path: path.into(),
                message: message.into(),
                origin: None,
            });
        }
    }

    /// Adds what an API server would refuse.
    pub(super) fn refused(&mut self, fault: &Fault<'c>) {
        let object = Object {
            kind: fault.kind,
            name: fault.name,
            start: fault.start,
            others: 0,
        };
        self.fault(Some(object), &fault.error);
    }

    /// Adds a fault of an object.
    pub(super) fn fault(&mut self, object: Option<Object<'c>>, error: &Error) {
        self.found.push(Finding {
            severity: Severity::Fault,
            code: error.code().as_str(),
            object,
            path: error.path().to_owned(),
            message: error.message().to_owned(),
            origin: None,
        });
    }

    /// Adds what cannot be read.
    pub(super) fn unreadable(&mut self, error: &'c InputError) {
        for fault in error.faults() {
            let object = fault.object.as_ref().map(|object| Object {
                kind: object.kind,
                name: &object.name,
                start: None,
                others: 0,
            });
            self.fault(object, &fault.error);
            if let Some(added) = self.found.last_mut() {
                added.origin = Some(fault.origin.clone());
            }
        }
    }

    /// Adds objects that cannot be told apart.
    pub(super) fn conflicts(&mut self, conflicts: &[Conflict]) {
        for conflict in conflicts {
            self.found.push(Finding {
                severity: Severity::Fault,
                code: conflict.code.as_str(),
                object: None,
                path: String::new(),
                message: conflict.message.clone(),
                origin: Some(conflict.origin.origin().clone()),
            });
        }
    }

    /// Adds what was passed over when objects were read.
    pub(super) fn passed_over(&mut self, passed: &'c [Passed], is_strict: bool) {
        for one in passed {
            let code = match one.warning.kind {
                dralloc::wire::WarningKind::OtherVersion => Code::OtherVersion,
                _ => Code::UnknownField,
            };
            // What is a fault cannot be switched off.
            if !is_strict && self.disabled.contains(&code) {
                continue;
            }
            let message = match &one.warning.hint {
                Some(hint) => format!("{} ({hint})", one.warning.message),
                None => one.warning.message.clone(),
            };
            self.found.push(Finding {
                severity: if is_strict {
                    Severity::Fault
                } else {
                    code.severity()
                },
                code: code.as_str(),
                object: Some(Object {
                    kind: one.kind,
                    name: &one.name,
                    start: None,
                    others: 0,
                }),
                path: path_within_object(&one.warning.path).to_owned(),
                message,
                origin: Some(one.origin.clone()),
            });
        }
    }

    /// Returns what was found, each with its place, in the order of places.
    pub(super) fn finish(mut self) -> Vec<Finding<'c>> {
        let wanted = self.found.iter().map(|finding| {
            let start = finding.object.and_then(|object| object.start);
            (start, &*finding.path)
        });
        let origins = locate(wanted);
        for (finding, origin) in self.found.iter_mut().zip(origins) {
            finding.origin = finding.origin.take().or(origin);
        }
        self.found
            .sort_by(|one, other| one.order().cmp(&other.order()));
        self.found
    }
}
