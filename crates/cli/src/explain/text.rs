//! What was found out, as text to read.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use dralloc::Remedy;
use dralloc::model::Str;
use textwrap::{Options, WordSplitter};

use super::found::{Devices, Found, Given, Group, Pick, Report, Suggestion, Verdict};
use crate::reasons::{self, Groups};
use crate::style::{self, BAD, GOOD, HEADING, WARNING, harmless};
use crate::words::{counted, few, named};

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
    if let Some(together) = &report.together {
        page.line("", &together.sentence());
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
        Self {
            text: String::new(),
            width: style::width(),
        }
    }

    /// Adds a text under a first indent; more lines of it are indented by as much.
    fn line(&mut self, first: &str, text: &str) {
        self.hanging(first, first.chars().count(), text);
    }

    /// Adds a text under a first indent; more lines of it are indented by so many blanks.
    fn hanging(&mut self, first: &str, rest: usize, text: &str) {
        let rest = " ".repeat(rest);
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
        let is_given = subject.kind == "claim"
            && matches!(found.verdict, Verdict::Allocated | Verdict::DeviceGone);
        if !is_given {
            self.line("  ", &sentence(&found.message));
        }
        self.others(found);
        self.claims(found);
        self.asks(found);
        if let Some(devices) = &found.would_get {
            self.devices(devices);
        }
        self.groups(found);
        self.remedies(&found.remedies);
        if let Some(gates) = &found.gates_off {
            if found.remedies.is_empty() && !found.groups.is_empty() {
                self.blank();
            }
            let mut text = gates.to_string();
            if !found.remedies.is_empty() {
                text = text.replacen("would fit", "would also fit", 1);
            }
            self.line("  ", &sentence(&text));
        }
        for given in &found.has {
            if !is_given {
                self.blank();
            }
            self.given(given, found.has.len() > 1 || subject.kind == "pod");
        }
    }

    /// Says what is asked for.
    fn asks(&mut self, found: &Found) {
        match found.asks.as_slice() {
            [] => {}
            [one] => self.line("  ", &format!("It asks for {one}.")),
            several => {
                self.line("  ", "It asks for:");
                for one in several {
                    self.line("    - ", one);
                }
            }
        }
        for constraint in &found.constraints {
            self.line("  ", &sentence(constraint));
        }
    }

    /// Names those that ask for the same.
    fn others(&mut self, found: &Found) {
        if !found.others.is_empty() {
            let text = format!("The same goes for {}.", few(&found.others));
            self.line("  ", &text);
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
                self.line("    - ", &named(&nodes_of(&of_verdict)));
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

    /// Tells what would help, and last which taints would have to be tolerated.
    fn remedies(&mut self, remedies: &[Suggestion]) {
        let is_toleration =
            |one: &&Suggestion| matches!(one.remedy, Some(Remedy::Toleration { .. }));
        let (tolerations, changes): (Vec<_>, Vec<_>) = remedies.iter().partition(is_toleration);
        if !remedies.is_empty() {
            self.blank();
        }
        match changes.len() {
            0 => {}
            1 => self.line("  ", "This would make it fit, and was tried:"),
            _ => self.line("  ", "Each of these would make it fit, and was tried:"),
        }
        for remedy in &changes {
            let text = format!("{} ({})", remedy.text, place(remedy));
            self.line("    - ", &text);
        }
        let also = if changes.is_empty() { "" } else { "also " };
        for remedy in tolerations {
            let what = remedy.text.strip_prefix("tolerate ");
            let what = what.unwrap_or(&remedy.text);
            let place = place(remedy);
            let text = format!("It would {also}fit if it tolerated {what} (tried {place}).");
            self.line("  ", &text);
        }
    }

    fn devices(&mut self, devices: &Devices) {
        let node = &devices.node;
        self.line("  ", &format!("It would get on {node}:"));
        self.picks(&devices.devices);
    }

    /// Lists devices, those below each other that are for requests.
    fn picks(&mut self, picks: &[Pick]) {
        let named = &picks[..picks.len().min(NAMED_DEVICES)];
        let width = named.iter().map(|pick| pick.request.chars().count()).max();
        let width = width.unwrap_or_default();
        for Pick {
            request, device, ..
        } in named
        {
            let text = format!("{request:width$}  {device}");
            self.hanging("    - ", 6 + width + 2, &text);
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
        if let Some(gone) = gone(given) {
            self.line("  ", &gone);
        }
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

/// Says which devices of a claim are not published any more, and what to do.
fn gone(given: &Given) -> Option<String> {
    let (first, rest) = given.gone.split_first()?;
    let (it, of) = (
        if rest.is_empty() { "it" } else { "them" },
        given.devices.len(),
    );
    let which = match (rest.len() + 1, of) {
        (1, _) => format!("Device `{first}` is not published any more"),
        (count, of) if count == of => format!("None of its {of} devices is published any more"),
        (count, of) => {
            format!("{count} of its {of} devices, such as `{first}`, are not published any more")
        }
    };
    let cure = format!("Let the driver publish {it} again");
    let names = given.used_by.iter();
    let names: Vec<String> = names
        .map(|pod| format!("{}/{}", pod.namespace, pod.name))
        .collect();
    let (pods, use_it) = match names.as_slice() {
        [] => {
            let text = "No pod uses the claim: if it is not needed, delete it.";
            return Some(format!("{which}. {cure}. {text}"));
        }
        [_] => ("the pod", "Pod"),
        _ => ("these pods", "Pods"),
    };
    let verb = if names.len() == 1 { "uses" } else { "use" };
    let names = few(&names);
    Some(format!(
        "{which}. {use_it} {names} {verb} the claim. {cure}, or delete {pods}: a claim that no pod \
         uses gives back what it has."
    ))
}

/// Says where something helps.
fn place(remedy: &Suggestion) -> String {
    match (remedy.nodes, &remedy.example) {
        (1, node) => format!("on {node}"),
        (nodes, node) => format!("on {nodes} nodes, such as {node}"),
    }
}

fn label(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allocated => "allocated",
        Verdict::Idle => "waits for nothing",
        Verdict::DeviceGone => "device gone",
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
    if text.ends_with('?') {
        text
    } else {
        text + "."
    }
}
