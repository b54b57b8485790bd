//! Proofs, and checks of them and of answers.

use dralloc::Violation;
use dralloc::wire::Decoder;

use super::dralloc_transaction;
use super::question::ask;
use crate::bytes::dralloc_bytes;
use crate::claims::dralloc_claims;
use crate::error::{Failure, dralloc_error};
use crate::options::dralloc_options;
use crate::raw::{Out, call};
use crate::status::dralloc_status;
use crate::workspace::dralloc_workspace;

/// Says what is wrong, if anything is.
fn tell(
    verdict: Result<(), Vec<Violation>>,
    out: Out<'_, *mut dralloc_bytes>,
) -> Result<(), Failure> {
    let violations = verdict.err().unwrap_or_default();
    out.give(dralloc_forms::violations(&violations)?);
    Ok(())
}

/// Proves that claims do not fit on a node, or that the answer is the best, as JSON:
/// `certified` (`fits`, `optimal`, `infeasible`, `unrecorded`) and `certificate`.
///
/// `options` and `workspace` may be null. Nothing is held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_certificate(
    transaction: *mut dralloc_transaction,
    node: *const u8,
    node_length: usize,
    claims: *const dralloc_claims,
    options: *const dralloc_options,
    workspace: *mut dralloc_workspace,
    certified: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(certified, "certified")?;
        let node = caller.text(node, node_length, "node")?;
        let how = (options, workspace);
        let certified = ask(
            caller,
            transaction,
            node,
            claims,
            how,
            |it, node, claims, options, room| {
                it.get().certificate(node, claims.get(), options, room)
            },
        )?;
        out.give(dralloc_forms::certified(&certified)?);
        Ok(())
    })
}

/// Checks an answer without a search: that `results` (a JSON array, one for each
/// claim) give the claims (as for `dralloc_snapshot_prepare`) what they ask for, of
/// what others leave free. Returns what is wrong, as a JSON array of `code`, `path`
/// and `message`; it is empty if nothing is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_verify(
    transaction: *mut dralloc_transaction,
    node: *const u8,
    node_length: usize,
    claims: *const u8,
    claims_length: usize,
    results: *const u8,
    results_length: usize,
    violations: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(violations, "violations")?;
        let node = caller.text(node, node_length, "node")?;
        let claims = caller.text(claims, claims_length, "claims")?;
        let results = caller.text(results, results_length, "results")?;
        let mut begun = caller.exclusive(transaction)?;
        let claims = dralloc_forms::claims(&mut Decoder::new(), claims)?;
        let results = dralloc_forms::allocations(results)?;
        let verdict = begun.get()?.get().verify(node, &claims, &results);
        tell(verdict, out)
    })
}

/// Checks a proof that claims do not fit, without a search; `certificate` is that of
/// `dralloc_transaction_certificate`. Returns what is wrong as
/// `dralloc_transaction_verify` does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_verify_certificate(
    transaction: *mut dralloc_transaction,
    node: *const u8,
    node_length: usize,
    claims: *const u8,
    claims_length: usize,
    certificate: *const u8,
    certificate_length: usize,
    violations: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(violations, "violations")?;
        let node = caller.text(node, node_length, "node")?;
        let claims = caller.text(claims, claims_length, "claims")?;
        let certificate = caller.text(certificate, certificate_length, "certificate")?;
        let mut begun = caller.exclusive(transaction)?;
        let claims = dralloc_forms::claims(&mut Decoder::new(), claims)?;
        let certificate = dralloc_forms::certificate(certificate)?;
        let verdict = begun
            .get()?
            .get()
            .verify_certificate(node, &claims, &certificate);
        tell(verdict, out)
    })
}

/// Checks a proof that no answer is better than `results` (a JSON array, one for each
/// claim), and the answer itself, without a search; `certificate` is that of
/// `dralloc_transaction_certificate`. Returns what is wrong as
/// `dralloc_transaction_verify` does.
///
/// What is held must be what was held before the answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_verify_optimality(
    transaction: *mut dralloc_transaction,
    node: *const u8,
    node_length: usize,
    claims: *const u8,
    claims_length: usize,
    results: *const u8,
    results_length: usize,
    certificate: *const u8,
    certificate_length: usize,
    violations: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(violations, "violations")?;
        let node = caller.text(node, node_length, "node")?;
        let claims = caller.text(claims, claims_length, "claims")?;
        let results = caller.text(results, results_length, "results")?;
        let certificate = caller.text(certificate, certificate_length, "certificate")?;
        let mut begun = caller.exclusive(transaction)?;
        let claims = dralloc_forms::claims(&mut Decoder::new(), claims)?;
        let results = dralloc_forms::allocations(results)?;
        let certificate = dralloc_forms::optimality_certificate(certificate)?;
        let verdict = begun
            .get()?
            .get()
            .verify_optimality(node, &claims, &results, &certificate);
        tell(verdict, out)
    })
}
