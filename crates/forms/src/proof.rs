//! Certificates, and what is wrong with an answer.

use dralloc::{Certificate, Certified, Error, OptimalityCertificate, Unrecorded, Violation};
use serde::Serialize;

use crate::outcome::ReasonForm;
use crate::text::{read, text};

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct CertifiedForm<'a> {
    certified: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<Proof<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unrecorded: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<ReasonForm<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Proof<'a> {
    Infeasible(&'a Certificate),
    Optimal(&'a OptimalityCertificate),
}

/// Writes what could be proved: `certified` (`fits`, `optimal`, `infeasible` or
/// `unrecorded`), and the `certificate`, or why there is none (`unrecorded`).
///
/// # Errors
///
/// Those of [`text`](crate::text()).
pub fn certified(certified: &Certified) -> Result<String, Error> {
    let mut form = CertifiedForm::default();
    match certified {
        Certified::Fits => form.certified = "fits",
        Certified::Optimal(certificate) => {
            form.certified = "optimal";
            form.certificate = Some(Proof::Optimal(certificate));
        }
        Certified::Infeasible(certificate) => {
            form.certified = "infeasible";
            form.certificate = Some(Proof::Infeasible(certificate));
        }
        Certified::Unrecorded(why) => {
            form.certified = "unrecorded";
            match why {
                Unrecorded::Stopped(cause) => form.unrecorded = Some(cause.as_str()),
                Unrecorded::Size => form.unrecorded = Some("size"),
                Unrecorded::Reason(reason) => {
                    form.unrecorded = Some("reason");
                    form.reason = Some(reason.into());
                }
                _ => form.unrecorded = Some("other"),
            }
        }
    }
    text(&form)
}

/// Reads the `certificate` of what does not fit.
///
/// # Errors
///
/// [`Code::Malformed`](dralloc::Code::Malformed) and
/// [`Code::UnknownField`](dralloc::Code::UnknownField).
pub fn certificate(json: &str) -> Result<Certificate, Error> {
    read(json)
}

/// Reads the `certificate` of an answer that is the best.
///
/// # Errors
///
/// Those of [`certificate`].
pub fn optimality_certificate(json: &str) -> Result<OptimalityCertificate, Error> {
    read(json)
}

#[derive(Serialize)]
struct ViolationForm<'a> {
    code: &'static str,
    path: &'a str,
    message: &'a str,
}

/// Writes what is wrong with an answer: an array of `code`, `path` and `message`.
///
/// # Errors
///
/// Those of [`text`](crate::text()).
pub fn violations(violations: &[Violation]) -> Result<String, Error> {
    let violations = violations.iter().map(|violation| ViolationForm {
        code: violation.code().as_str(),
        path: violation.path(),
        message: violation.message(),
    });
    text(&violations.collect::<Vec<_>>())
}
