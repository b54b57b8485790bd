//! Character classes.

use regex::{Error, RegexBuilder};

use super::translate::{Translator, escaped};
use crate::runtime::excerpt;

/// Reads a class after its opening bracket.
pub(super) fn class(translator: &mut Translator<'_>) -> Result<String, String> {
    let missing = || "missing closing ]".to_owned();
    let mut text = String::from("[");
    if translator.input.next_if_eq(&'^').is_some() {
        text.push('^');
    }
    let mut first = true;
    loop {
        match translator.input.peek().copied() {
            None => return Err(missing()),
            Some(']') if !first => {
                translator.input.next();
                text.push(']');
                return Ok(text);
            }
            Some('[') => {
                if let Some(named) = named(translator)? {
                    text.push_str(&named);
                    first = false;
                    continue;
                }
            }
            Some('\\') => {
                let mut ahead = translator.input.clone();
                ahead.next();
                std::mem::swap(&mut translator.input, &mut ahead);
                if let Some(set) = set(translator)? {
                    text.push_str(&set);
                    first = false;
                    continue;
                }
                translator.input = ahead;
            }
            Some(_) => {}
        }
        first = false;
        text.push_str(&range(translator)?);
    }
}

/// Reads one character, or two with a dash between them.
fn range(translator: &mut Translator<'_>) -> Result<String, String> {
    let low = character(translator)?;
    let mut ahead = translator.input.clone();
    if ahead.next() == Some('-') && ahead.peek().is_some_and(|next| *next != ']') {
        translator.input = ahead;
        let high = character(translator)?;
        if high < low {
            return Err("invalid character class range".to_owned());
        }
        return Ok(format!("{}-{}", escaped(low), escaped(high)));
    }
    Ok(escaped(low))
}

fn character(translator: &mut Translator<'_>) -> Result<char, String> {
    match translator.input.next() {
        Some('\\') => translator.escaped_character(),
        Some(character) => Ok(character),
        None => Err("missing closing ]".to_owned()),
    }
}

/// Reads `[:name:]`, if there is one.
fn named(translator: &mut Translator<'_>) -> Result<Option<String>, String> {
    const NAMES: [&str; 14] = [
        "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
        "space", "upper", "word", "xdigit",
    ];
    let rest: String = translator.input.clone().collect();
    let Some(inner) = rest.strip_prefix("[:") else {
        return Ok(None);
    };
    let Some(end) = inner.find(":]") else {
        return Ok(None);
    };
    let name = &inner[..end];
    if !NAMES.contains(&name.strip_prefix('^').unwrap_or(name)) {
        return Err(format!(
            "invalid character class range: `[:{}:]`",
            excerpt(name)
        ));
    }
    for _ in 0..name.chars().count() + 4 {
        translator.input.next();
    }
    Ok(Some(format!("[:{name}:]")))
}

/// Reads an escape that stands for a set of characters, after its backslash,
/// and returns it as it is written inside a class.
pub(super) fn set(translator: &mut Translator<'_>) -> Result<Option<String>, String> {
    let text = match translator.input.peek() {
        Some('d') => "0-9",
        Some('D') => "[^0-9]",
        Some('w') => "0-9A-Za-z_",
        Some('W') => "[^0-9A-Za-z_]",
        Some('s') => "\\t\\n\\f\\r\\x20",
        Some('S') => "[^\\t\\n\\f\\r\\x20]",
        Some('p' | 'P') => return property(translator).map(Some),
        _ => return Ok(None),
    };
    translator.input.next();
    Ok(Some(text.to_owned()))
}

/// Reads `pN`, `p{Name}` or `p{^Name}`.
fn property(translator: &mut Translator<'_>) -> Result<String, String> {
    let invalid = || "invalid character class range".to_owned();
    let mut negated = translator.input.next() == Some('P');
    let mut name = String::new();
    match translator.input.next() {
        Some('{') => loop {
            match translator.input.next() {
                Some('}') => break,
                Some(character) => name.push(character),
                None => return Err(invalid()),
            }
        },
        Some(character) => name.push(character),
        None => return Err(invalid()),
    }
    if let Some(rest) = name.strip_prefix('^') {
        negated = !negated;
        name = rest.to_owned();
    }
    let sign = if negated { 'P' } else { 'p' };
    if name == "Any" {
        return Ok(format!("\\{sign}{{Any}}"));
    }
    if name.is_empty()
        || !name
            .bytes()
            .all(|byte| byte.is_ascii_alphabetic() || byte == b'_')
    {
        return Err(invalid());
    }
    // A category, or a script.
    ["gc", "sc"]
        .iter()
        .map(|kind| format!("\\{sign}{{{kind}={name}}}"))
        .find(|candidate| is_known(candidate))
        .ok_or_else(invalid)
}

/// Whether a class is one of Unicode's; it is looked up, but not compiled.
fn is_known(class: &str) -> bool {
    let built = RegexBuilder::new(class).size_limit(0).build();
    matches!(built, Ok(_) | Err(Error::CompiledTooBig(_)))
}
