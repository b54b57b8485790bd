//! The answer as a table.

use std::fmt::Write as _;

use dralloc::model::DeviceRequestAllocationResult;

use super::{Placed, failed, judgements};
use crate::allocate::placement::{Found, Verdict};
use crate::cluster::queue::{Subject, Work};
use crate::cluster::{Cluster, ObjectName};
use crate::columns::{Columns, Side};
use crate::style::{BAD, GOOD};

/// Titles of the columns; empty columns are left out.
const TITLES: [&str; 7] = [
    "NAMESPACE",
    "POD",
    "CLAIM",
    "NODE",
    "REQUEST",
    "DEVICE",
    "DETAILS",
];

type Row = [String; TITLES.len()];

/// Returns the table, what did not fit, and a summary.
pub(super) fn write(cluster: &Cluster, placed: &[Placed]) -> String {
    if placed.is_empty() {
        let place = if cluster.is_behind_files() {
            " of the files"
        } else {
            ""
        };
        return format!("Nothing to allocate: no pod or claim{place} waits for devices.\n");
    }
    let mut output = String::new();
    let rows = rows(cluster, placed);
    if !rows.is_empty() {
        write_rows(&mut output, &rows);
        output.push('\n');
    }
    for line in judgements(placed) {
        output.push_str(&line);
        output.push('\n');
    }
    if judgements(placed).next().is_some() {
        output.push('\n');
    }
    for (work, reasons) in failed(placed) {
        let _ = writeln!(output, "{BAD}Not allocated:{BAD:#} {}", work.subject);
        for reason in reasons {
            let _ = writeln!(output, "  {reason}");
        }
    }
    if failed(placed).next().is_some() {
        output.push('\n');
    }
    let _ = writeln!(output, "{}", summary("Allocated", placed));
    output
}

/// Returns what would fit if nothing were held, and on which node, and what would not.
pub(super) fn write_satisfiable(placed: &[Placed]) -> String {
    if placed.is_empty() {
        return "Nothing to ask for: no pod or claim waits for devices.\n".to_owned();
    }
    let mut output = String::new();
    for Placed { work, verdict } in placed {
        match verdict {
            Verdict::Placed(Found { node, .. }) => {
                let subject = &work.subject;
                let _ = writeln!(output, "{GOOD}Satisfiable:{GOOD:#} {subject} on {node}");
            }
            Verdict::Failed(reasons) => {
                let _ = writeln!(output, "{BAD}Not satisfiable:{BAD:#} {}", work.subject);
                for reason in reasons {
                    let _ = writeln!(output, "  {reason}");
                }
            }
        }
    }
    let _ = writeln!(output, "\n{}", summary("Satisfiable", placed));
    output
}

/// Counts what was placed, such as `Allocated: 2 of 3 pods, 1 claim.`
fn summary(verb: &str, placed: &[Placed]) -> String {
    let is_pod = |work: &Work| matches!(work.subject, Subject::Pod(_));
    let mut parts = Vec::new();
    for (pods, noun) in [(true, "pod"), (false, "claim")] {
        let all = placed
            .iter()
            .filter(|placed| is_pod(&placed.work) == pods)
            .count();
        let failures = failed(placed)
            .filter(|(work, _)| is_pod(work) == pods)
            .count();
        let plural = if all == 1 { "" } else { "s" };
        match (all, failures) {
            (0, _) => {}
            (_, 0) => parts.push(format!("{GOOD}{all}{GOOD:#} {noun}{plural}")),
            _ => parts.push(format!(
                "{BAD}{}{BAD:#} of {all} {noun}{plural}",
                all - failures
            )),
        }
    }
    format!("{verb}: {}.", parts.join(", "))
}

/// Returns one row per device.
fn rows(cluster: &Cluster, placed: &[Placed]) -> Vec<Row> {
    let mut rows = Vec::new();
    for placed in placed {
        let (Verdict::Placed(Found { node, amounts, .. }), Ok(claims)) =
            (&placed.verdict, &placed.work.claims)
        else {
            continue;
        };
        for claim in claims {
            rows.extend(claim_rows(cluster, &placed.work.subject, claim, node));
        }
        if let Subject::Pod(pod) = &placed.work.subject {
            rows.extend(amounts.iter().map(|(name, amount)| {
                let texts = [
                    &pod.namespace,
                    &*pod.name,
                    "",
                    node,
                    "",
                    "from device plugin",
                ];
                let [namespace, pod, claim, node, request, device] = texts.map(str::to_owned);
                let details = format!("{name} {amount}");
                [namespace, pod, claim, node, request, device, details]
            }));
        }
    }
    if rows.iter().all(|row: &Row| row[0] == "default") {
        for row in &mut rows {
            row[0].clear();
        }
    }
    rows
}

fn claim_rows(cluster: &Cluster, subject: &Subject, name: &ObjectName, node: &str) -> Vec<Row> {
    let pod = match subject {
        Subject::Pod(pod) => &*pod.name,
        Subject::Claim(_) => "",
    };
    let row = |request: &str, device: String, details: String| {
        let texts = [&name.namespace, pod, &name.name, node, request];
        let [namespace, pod, claim, node, request] = texts.map(str::to_owned);
        [namespace, pod, claim, node, request, device, details]
    };
    let allocation = cluster
        .claim(name)
        .and_then(|claim| claim.status.allocation.as_ref());
    let results = allocation.map_or(&[][..], |allocation| &allocation.devices.results);
    if results.is_empty() {
        return vec![row("", "none needed".to_owned(), String::new())];
    }
    let rows = results.iter().map(|result| {
        let mut details = details(result);
        details.extend(extended(cluster, subject, &name.name, &result.request));
        row(&result.request, device(result), details.join(", "))
    });
    rows.collect()
}

/// Returns the extended resource that a request of a claim stands for, and who uses it.
fn extended(cluster: &Cluster, subject: &Subject, claim: &str, request: &str) -> Option<String> {
    let Subject::Pod(pod) = subject else {
        return None;
    };
    let status = &cluster.pod(pod)?.status.extended_resource_claim_status;
    let status = status.as_ref()?;
    let mappings = status.request_mappings.iter();
    let mappings: Vec<_> = mappings
        .filter(|one| &*one.request_name == request && &*status.resource_claim_name == claim)
        .collect();
    let containers: Vec<&str> = mappings.iter().map(|one| &*one.container_name).collect();
    let resource = &mappings.first()?.resource_name;
    Some(format!("{resource} for {}", containers.join(", ")))
}

fn device(result: &DeviceRequestAllocationResult) -> String {
    format!("{}/{}/{}", result.driver, result.pool, result.device)
}

/// Returns what sets a result apart: its share, or its kind of access.
fn details(result: &DeviceRequestAllocationResult) -> Vec<String> {
    let consumed = result.consumed_capacity.iter().flatten();
    let mut details: Vec<String> = consumed
        .map(|(name, amount)| format!("{name} {amount}"))
        .collect();
    if result.admin_access == Some(true) {
        details.push("admin access".to_owned());
    }
    details
}

/// Writes rows in columns. What is as in the row above is left out, up to the first
/// difference.
fn write_rows(output: &mut String, rows: &[Row]) {
    let mut columns = Columns::new(&TITLES.map(|title| (title, Side::Left)));
    let mut above: Option<&Row> = None;
    for row in rows {
        let mut texts = row.to_vec();
        if let Some(above) = above {
            // Namespace, pod, claim and node; requests and devices are always told.
            let equal = row
                .iter()
                .zip(above)
                .take(4)
                .take_while(|(one, other)| one == other);
            let equal = equal.count();
            texts[..equal].fill(String::new());
        }
        columns.push(texts);
        above = Some(row);
    }
    columns.write(output);
}
