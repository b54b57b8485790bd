//! The finding as a text for a person, with a caret under the fault.

use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use dralloc_cel::Options;

use super::finding::Finding;
use crate::cel::language::Dialect;
use crate::style::{GOOD, HEADING, harmless};

/// Returns the report, with colours and without a last line feed.
pub(super) fn report(expression: &str, finding: &Finding) -> String {
    let mut text = String::new();
    let mut groups = Vec::new();
    match &finding.error {
        Some(error) => {
            let mut group = Group::with_title(Level::ERROR.primary_title(harmless(&error.message)))
                .element(snippet(expression, error.start, error.end));
            if let Some(hint) = &error.hint {
                group = group.element(Level::HELP.message(harmless(hint)));
            }
            groups.push(group);
        }
        None => accepted(&mut text, finding),
    }
    for unguarded in &finding.unguarded {
        let kind = unguarded.read.kind;
        let name = &unguarded.read.name;
        let title = format!("devices without {kind} `{name}` make the selector fail");
        let guard = guard(&expression[unguarded.start..unguarded.end]);
        groups.push(
            Group::with_title(Level::NOTE.primary_title(harmless(&title).into_owned()))
                .element(snippet(expression, unguarded.start, unguarded.end))
                .element(Level::HELP.message(format!(
                    "that ends the allocation; where such devices exist, ask first: {}",
                    harmless(&guard)
                ))),
        );
    }
    if !groups.is_empty() {
        text.push_str(&Renderer::styled().render(&groups));
    }
    text.trim_end().to_owned()
}

fn snippet(
    expression: &str,
    start: usize,
    end: usize,
) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
    Snippet::source(expression).annotation(AnnotationKind::Primary.span(start..end))
}

/// Writes how to ask whether what `read` reads is there.
fn guard(read: &str) -> String {
    // `has` takes a selection by a dot only.
    match read.rfind('[').filter(|_| read.ends_with(']')) {
        Some(bracket) => {
            let key = read[bracket + 1..read.len() - 1].trim();
            format!("`{key} in {} && …`", &read[..bracket])
        }
        None => format!("`has({read}) && …`"),
    }
}

fn accepted(text: &mut String, finding: &Finding) {
    let version = &finding.kubernetes_version;
    let remark = match finding.dialect {
        Dialect::Kubernetes => "",
        Dialect::Relaxed => ", in the relaxed dialect",
    };
    let _ = writeln!(text, "{GOOD}valid{GOOD:#} in Kubernetes {version}{remark}");
    let mut line = |heading: &str, content: &str| {
        let _ = writeln!(text, "{HEADING}{heading:<6}{HEADING:#} {content}");
    };
    for (index, read) in finding.reads.iter().enumerate() {
        let heading = if index == 0 { "reads" } else { "" };
        line(heading, &harmless(&format!("{} {}", read.kind, read.name)));
    }
    if let Some(cost) = finding.estimated_cost {
        line(
            "cost",
            &format!("at most {cost} of {}", Options::COST_LIMIT),
        );
    }
}
