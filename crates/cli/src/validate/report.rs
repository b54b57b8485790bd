//! What was found, as text and as JSON.

use std::io::{self, Write};

use anstyle::Style;
use serde::Serialize;

use super::finding::{Finding, Severity};
use crate::style::{self, ERROR, HEADING, WARNING};
use crate::words::counted;

/// Is all that is printed as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'f> {
    objects: usize,
    faults: usize,
    warnings: usize,
    hints: usize,
    findings: Vec<Entry<'f>>,
}

/// Is a finding as it is printed as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'f> {
    severity: &'static str,
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'f str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    document: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'f str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<&'f str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'f str>,
    path: &'f str,
    message: &'f str,
    /// How many more objects of the kind say the same.
    #[serde(skip_serializing_if = "is_zero")]
    others: usize,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Counts the findings of a severity.
fn count(findings: &[Finding<'_>], severity: Severity) -> usize {
    let is_such = |finding: &&Finding<'_>| finding.severity == severity;
    findings.iter().filter(is_such).count()
}

/// Prints a line for each finding, and a summary.
pub(super) fn text(findings: &[Finding<'_>], objects: usize) -> io::Result<()> {
    let mut output = io::BufWriter::new(anstream::stdout().lock());
    for finding in findings {
        if let Some(origin) = &finding.origin {
            write!(output, "{}: ", style::harmless(&origin.to_string()))?;
        }
        let style = style_of(finding.severity);
        let severity = finding.severity.as_str();
        let text = finding.to_string();
        let text = style::harmless(&text);
        let code = finding.code;
        // A message of a compiler has several lines.
        let text = text.replace('\n', "\n  ");
        writeln!(output, "{style}{severity}:{style:#} {text} [{code}]")?;
    }
    writeln!(output, "{}", summary(findings, objects))?;
    output.flush()
}

/// Returns how much was found, such as `2 faults, 1 hint in 14 objects`.
fn summary(findings: &[Finding<'_>], objects: usize) -> String {
    let found = Severity::ALL.map(|severity| (count(findings, severity), severity.as_str()));
    let found = found.into_iter().filter(|(number, _)| *number > 0);
    let found: Vec<_> = found.map(|(number, what)| counted(number, what)).collect();
    let found = if found.is_empty() {
        "nothing found".to_owned()
    } else {
        found.join(", ")
    };
    format!("{found} in {}", counted(objects, "object"))
}

/// Prints all findings as one JSON object.
pub(super) fn json(findings: &[Finding<'_>], objects: usize) -> io::Result<()> {
    let report = Report {
        objects,
        faults: count(findings, Severity::Fault),
        warnings: count(findings, Severity::Warning),
        hints: count(findings, Severity::Hint),
        findings: findings.iter().map(entry).collect(),
    };
    let mut output = io::BufWriter::new(io::stdout().lock());
    serde_json::to_writer_pretty(&mut output, &report)?;
    output.write_all(b"\n")?;
    output.flush()
}

fn entry<'f>(finding: &'f Finding<'_>) -> Entry<'f> {
    let origin = finding.origin.as_ref();
    let position = origin.and_then(|origin| origin.position);
    let name = finding.object.map(|object| object.name);
    Entry {
        severity: finding.severity.as_str(),
        code: finding.code,
        file: origin.map(|origin| &*origin.file),
        document: origin.map(|origin| origin.document),
        line: position.map(|position| position.line),
        column: position.map(|position| position.column),
        kind: finding.object.map(|object| object.kind),
        namespace: name
            .map(|name| &*name.namespace)
            .filter(|name| !name.is_empty()),
        name: name.map(|name| &*name.name),
        path: &finding.path,
        message: &finding.message,
        others: finding.object.map_or(0, |object| object.others),
    }
}

fn style_of(severity: Severity) -> Style {
    match severity {
        Severity::Fault => ERROR,
        Severity::Warning => WARNING,
        Severity::Hint => HEADING,
    }
}
