//! What was found out, as text to read.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use dralloc::model::Str;
use textwrap::{Options, WordSplitter};

use super::found::{Devices, Found, Given, Group, Named, Pick, Report, Suggestion, Verdict};
use crate::reasons::{self, Groups};
use crate::style::{BAD, GOOD, HEADING, WARNING, harmless};
use crate::words::{counted, listed, named};

/// Widths beyond that are hard to read.
const WIDTH_MAX: usize = 100;

/// Where there is no terminal.
const WIDTH: usize = 80;

/// So many reasons are told of a verdict.
const GROUPS_MAX: usize = 5;

/// So many devices are named.
const NAMED_DEVICES: usize = 16;

/// Prints all of it.
pub(super) fn print(report: &Report, is_all: bool) -> io::Result<()> {
    let mut page = Page::new();
    if is_all && report.subjects.is_empty() {
        page.line("", "No pod waits for devices, and no claim without one.");
        page.blank();
    }
    for found in &report.subjects {
        page.found(found);
        page.blank();
    }
    let waiting = match (report.waiting, report.waiting.total()) {
        (_, 0) => "Nothing waits".to_owned(),
        (one, 1) => format!("{one} waits"),
        (several, _) => format!("{several} wait"),
    };
    let allocated = match report.allocated {
        1 => "1 claim has devices".to_owned(),
        allocated => format!("{allocated} claims have devices"),
    };
    page.line("", &format!("{waiting}; {allocated}."));
    let mut output = anstream::stdout();
    output.write_all(page.text.as_bytes())?;
    output.flush()
}

/// Is text in lines that are not too long.
struct Page {
    text: String,
    width: usize,
}

impl Page {
    fn new() -> Self {
        let width = terminal_size::terminal_size_of(io::stdout());
        let width = width.map_or(WIDTH, |(width, _)| usize::from(width.0).min(WIDTH_MAX));
        Self {
            text: String::new(),
            width,
        }
    }

    /// Adds a text under a first indent; more lines of it are indented by as much.
    fn line(&mut self, first: &str, text: &str) {
        let rest = " ".repeat(first.chars().count());
        let options = Options::new(self.width)
            .initial_indent(first)
            .subsequent_indent(&rest)
            // Names are not broken: people copy them.
            .break_words(false)
            .word_splitter(WordSplitter::NoHyphenation);
        for line in textwrap::wrap(&harmless(text), options) {
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }

    fn blank(&mut self) {
        self.text.push('\n');
    }

    fn found(&mut self, found: &Found) {
        let subject = &found.subject;
        let label = label(found.verdict);
        let style = match found.verdict {
            verdict if verdict.is_good() => GOOD,
            Verdict::AfterRelease | Verdict::Unknown => WARNING,
            _ => BAD,
        };
        let (kind, name) = (subject.kind, &subject.name);
        let _ = writeln!(
            self.text,
            "{HEADING}{kind} {}/{}:{HEADING:#} {style}{label}{style:#}",
            harmless(&name.namespace),
            harmless(&name.name)
        );
        // Of a claim that has devices the devices say it.
        let is_given = subject.kind == "claim" && found.verdict == Verdict::Allocated;
        if !is_given {
            self.line("  ", &sentence(&found.message));
        }
        self.others(found);
        self.claims(found);
        if !found.asks.is_empty() {
            self.line(
                "  ",
                &format!("It asks for {}.", listed(&found.asks, "and")),
            );
        }
        if let Some(devices) = &found.would_get {
            self.devices(devices);
        }
        self.groups(found);
        if !found.remedies.is_empty() {
            self.blank();
            let these = match found.remedies.len() {
                1 => "This would make it fit, and was tried:",
                _ => "Each of these would make it fit, and was tried:",
            };
            self.line("  ", these);
            for remedy in &found.remedies {
                self.remedy(remedy);
            }
        }
        for given in &found.has {
            if !is_given {
                self.blank();
            }
            self.given(given, found.has.len() > 1 || subject.kind == "pod");
        }
    }

    /// Names those that ask for the same.
    fn others(&mut self, found: &Found) {
        let name = |other: &Named| {
            let Named { kind, name } = other;
            format!("{kind} {}/{}", name.namespace, name.name)
        };
        match found.others.as_slice() {
            [] => {}
            few @ ([_] | [_, _]) => {
                let names: Vec<String> = few.iter().map(name).collect();
                self.line(
                    "  ",
                    &format!("The same goes for {}.", listed(&names, "and")),
                );
            }
            [first, rest @ ..] => {
                let (first, count) = (name(first), rest.len());
                let text = format!("The same goes for {first} and {count} others.");
                self.line("  ", &text);
            }
        }
    }

    /// Names the claims of a pod.
    fn claims(&mut self, found: &Found) {
        if found.subject.kind != "pod" || found.claims.is_empty() {
            return;
        }
        let names: Vec<String> = found
            .claims
            .iter()
            .map(|claim| format!("`{}`", claim.name))
            .collect();
        let plural = if names.len() == 1 { "" } else { "s" };
        self.line(
            "  ",
            &format!("It needs claim{plural} {}.", names.join(", ")),
        );
    }

    fn groups(&mut self, found: &Found) {
        let mut groups = found.groups.iter().peekable();
        while let Some(first) = groups.next() {
            let mut of_verdict = vec![first];
            while let Some(next) = groups.next_if(|next| next.verdict == first.verdict) {
                of_verdict.push(next);
            }
            let nodes: usize = of_verdict.iter().map(|group| group.nodes.len()).sum();
            self.blank();
            let label = capital(label(first.verdict));
            let nodes = counted(nodes, "node");
            let _ = writeln!(self.text, "  {HEADING}{label}:{HEADING:#} {nodes}");
            if first.verdict == Verdict::Fits {
                self.line("    ", &named(&nodes_of(&of_verdict)));
            } else {
                self.reasons(&of_verdict);
            }
        }
    }

    /// Tells why, and on which nodes.
    fn reasons(&mut self, groups: &[&Group]) {
        let groups = groups.iter();
        let reasons = groups.filter_map(|group| Some((group.reason.as_ref()?, &*group.nodes)));
        let Groups { told, rest } = reasons::groups(reasons, GROUPS_MAX);
        for one in &told {
            let nodes = named(&one.nodes);
            self.line("    - ", &format!("{nodes}: {}", one.text));
            if let Some(example) = one.in_particular() {
                self.line("      ", &format!("({example})"));
            }
        }
        if rest > 0 {
            let nodes = counted(rest, "node");
            let text = format!("{nodes}: other reasons (`-o json` has all)");
            self.line("    - ", &text);
        }
    }

    fn remedy(&mut self, remedy: &Suggestion) {
        let place = match (remedy.nodes, &remedy.example) {
            (1, node) => format!("on {node}"),
            (nodes, node) => format!("on {nodes} nodes, such as {node}"),
        };
        self.line("    - ", &format!("{} ({place})", remedy.text));
    }

    fn devices(&mut self, devices: &Devices) {
        let node = &devices.node;
        self.line("  ", &format!("It would get on {node}:"));
        self.picks(&devices.devices);
    }

    fn picks(&mut self, picks: &[Pick]) {
        for pick in picks.iter().take(NAMED_DEVICES) {
            self.line("    ", &format!("{}  {}", pick.request, pick.device));
        }
        if let Some(more @ 1..) = picks.len().checked_sub(NAMED_DEVICES) {
            self.line("    ", &format!("and {more} more"));
        }
    }

    fn given(&mut self, given: &Given, is_named: bool) {
        let whose = if is_named {
            format!("Claim `{}` has", given.claim.name)
        } else {
            "It has".to_owned()
        };
        let place = given.node.as_ref();
        let place = place.map_or_else(String::new, |node| format!(" on {node}"));
        self.line("  ", &format!("{whose}{place}:"));
        self.picks(&given.devices);
        self.line("  ", &sentence(&given.message));
        if let Some(today) = &given.today {
            self.line("  ", "Today's answer would be:");
            self.picks(today);
        }
        if let Some(second) = &given.runner_up {
            self.line("  ", &format!("{}:", capital(&second.message)));
            self.picks(&second.devices);
        }
    }
}

fn label(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allocated => "allocated",
        Verdict::Idle => "waits for nothing",
        Verdict::Fits => "fits",
        Verdict::AfterRelease => "not now",
        Verdict::Unknown => "not known",
        Verdict::BadInput => "bad input",
        Verdict::NeverPossible => "never",
        Verdict::RuledOut => "not asked",
    }
}

/// Returns the nodes of groups, by name.
fn nodes_of(groups: &[&Group]) -> Vec<Str> {
    let nodes = groups.iter().flat_map(|group| &group.nodes);
    let mut nodes: Vec<Str> = nodes.cloned().collect();
    nodes.sort_unstable();
    nodes
}

fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + rest.as_str()
    })
}

/// Makes a sentence of a text.
fn sentence(text: &str) -> String {
    // What comes from paths of fields stays as it is.
    let is_word = |text: &str| {
        text.split(' ')
            .next()
            .is_some_and(|word| !word.contains(['.', '[', '`']))
    };
    let text = if is_word(text) {
        capital(text)
    } else {
        text.to_owned()
    };
    text + "."
}
