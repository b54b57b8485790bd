//! Shortening: the smallest selector and device that still show a difference.

use dralloc_testkit::selectors::{RandomSelector, tokens};

use crate::answer::Answer;
use crate::judge::{Difference, difference, reason};
use crate::upstream::{Upstream, UpstreamAnswer};

/// How many shorter ones are tried at most.
const TRIES: usize = 600;

/// A difference with all that shows it.
pub(crate) struct Example {
    pub(crate) seed: u64,
    pub(crate) selector: RandomSelector,
    pub(crate) difference: Difference,
    pub(crate) ours: Answer,
    pub(crate) theirs: UpstreamAnswer,
}

/// Shortens an example as long as the difference stays of its kind.
pub(crate) fn shorten(
    mut example: Example,
    minor: u32,
    upstream: &mut Upstream,
) -> Result<Example, String> {
    let mut tries = TRIES;
    loop {
        let before = example.selector.expression.len();
        for shorter in shorter_texts(&example.selector.expression) {
            if tries == 0 {
                return Ok(example);
            }
            if shorter.len() >= example.selector.expression.len() {
                continue;
            }
            tries -= 1;
            let selector = RandomSelector {
                expression: shorter,
                ..example.selector.clone()
            };
            if let Some(found) = again(&example, selector, minor, upstream)? {
                example = found;
                break;
            }
        }
        if example.selector.expression.len() == before {
            break;
        }
    }
    let without_limit = RandomSelector {
        cost_limit: None,
        ..example.selector.clone()
    };
    if let Some(found) = again(&example, without_limit, minor, upstream)? {
        example = found;
    }
    'device: loop {
        for device in example.selector.device.smaller() {
            let selector = RandomSelector {
                device,
                ..example.selector.clone()
            };
            if let Some(found) = again(&example, selector, minor, upstream)? {
                example = found;
                continue 'device;
            }
        }
        return Ok(example);
    }
}

/// Returns the example with another selector if that shows the same difference.
fn again(
    example: &Example,
    selector: RandomSelector,
    minor: u32,
    upstream: &mut Upstream,
) -> Result<Option<Example>, String> {
    let theirs = upstream.ask(&selector)?;
    let ours = Answer::new(&selector, minor);
    let same = difference(&ours, &theirs).as_ref() == Some(&example.difference);
    let stable = theirs.alternatives.is_empty() && reason(&ours, &theirs).is_none();
    Ok((same && stable).then(|| Example {
        seed: example.seed,
        selector,
        difference: example.difference.clone(),
        ours,
        theirs,
    }))
}

/// Returns shorter texts, the shortest first: parts in brackets alone, without
/// brackets or left out, and texts without some tokens in a row.
fn shorter_texts(text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let mut texts = Vec::new();
    for (start, end) in groups(&tokens) {
        // Arguments, operands and elements by themselves.
        let inner = &tokens[start + 1..end];
        for part in parts(inner) {
            texts.push(part.concat());
            texts.push(
                [&tokens[..start], part, &tokens[end + 1..]]
                    .concat()
                    .concat(),
            );
        }
        texts.push([&tokens[..=start], &tokens[end..]].concat().concat());
        texts.push(tokens[..=end].concat());
        texts.push(tokens[end + 1..].concat());
    }
    let mut length = tokens.len() / 2;
    while length > 0 {
        let mut start = 0;
        while start + length <= tokens.len() {
            texts.push(
                [&tokens[..start], &tokens[start + length..]]
                    .concat()
                    .concat(),
            );
            start += length.div_ceil(2);
        }
        length = if length > 8 { length / 2 } else { length - 1 };
    }
    texts.retain(|shorter| !shorter.is_empty() && shorter.len() < text.len());
    texts.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
    texts.dedup();
    texts
}

/// Returns where brackets open and close.
fn groups(tokens: &[&str]) -> Vec<(usize, usize)> {
    let (mut open, mut groups) = (Vec::new(), Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "(" | "[" | "{" => open.push(at),
            ")" | "]" | "}" => groups.extend(open.pop().map(|start| (start, at))),
            _ => {}
        }
    }
    groups
}

/// Cuts what is in brackets at commas, colons and operators outside of further ones.
fn parts<'a, 't>(tokens: &'t [&'a str]) -> Vec<&'t [&'a str]> {
    let (mut parts, mut depth, mut start) = (vec![tokens], 0_usize, 0);
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "," | ":" | "?" | "&" | "|" | "=" | "<" | ">" | "+" | "*" | "/" | "%" | "in"
                if depth == 0 =>
            {
                parts.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if start > 0 {
        parts.push(&tokens[start..]);
    }
    parts
}
