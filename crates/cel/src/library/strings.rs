//! Strings, version 2 of cel-go's library.
//!
//! Positions count characters.

use std::sync::Arc;

use super::cost;
use super::quote;
use super::table::{CEL_GO_29, Function, Overload, Pattern as P};
use crate::EvaluationError;
use crate::runtime::{Context, List, Outcome, Value, invalid, no_such_overload};

const STRINGS: P = P::List(&P::String);
const SEARCH: &[Overload] = &[
    Overload::new(&[P::String, P::String], P::Int),
    Overload::new(&[P::String, P::String, P::Int], P::Int),
];

pub(super) static FUNCTIONS: &[Function] = &[
    Function::member(
        "charAt",
        &[Overload::new(&[P::String, P::Int], P::String)],
        char_at,
    ),
    Function::member("indexOf", SEARCH, unbounded_index_of)
        .costing(cost::elements)
        .before(CEL_GO_29),
    Function::member("indexOf", SEARCH, index_of)
        .costing(cost::elements)
        .since(CEL_GO_29),
    Function::member("lastIndexOf", SEARCH, unbounded_last_index_of)
        .costing(cost::elements)
        .before(CEL_GO_29),
    Function::member("lastIndexOf", SEARCH, last_index_of)
        .costing(cost::elements)
        .since(CEL_GO_29),
    Function::member(
        "lowerAscii",
        &[Overload::new(&[P::String], P::String)],
        lower_ascii,
    )
    .costing(cost::first),
    Function::member(
        "upperAscii",
        &[Overload::new(&[P::String], P::String)],
        upper_ascii,
    )
    .costing(cost::first),
    Function::member("trim", &[Overload::new(&[P::String], P::String)], trim).costing(cost::first),
    Function::member(
        "replace",
        &[
            Overload::new(&[P::String, P::String, P::String], P::String),
            Overload::new(&[P::String, P::String, P::String, P::Int], P::String),
        ],
        replace,
    )
    .costing(cost::first_twice),
    Function::member(
        "split",
        &[
            Overload::new(&[P::String, P::String], STRINGS),
            Overload::new(&[P::String, P::String, P::Int], STRINGS),
        ],
        split,
    )
    .costing(cost::first_twice),
    Function::member(
        "substring",
        &[
            Overload::new(&[P::String, P::Int], P::String),
            Overload::new(&[P::String, P::Int, P::Int], P::String),
        ],
        substring,
    )
    .costing(cost::first),
    Function::member(
        "join",
        &[
            Overload::new(&[STRINGS], P::String),
            Overload::new(&[STRINGS, P::String], P::String),
        ],
        join,
    )
    .costing(cost::result_twice),
    Function::global(
        "strings.quote",
        &[Overload::costing(&[P::String], P::String, cost::first)],
        quoted,
    ),
];

fn out_of_range(index: i64) -> EvaluationError {
    invalid(format!("index out of range: {index}"))
}

fn owned<'a>(context: &mut Context<'a>, text: String) -> Outcome<'a> {
    context.allocate(text.len())?;
    Ok(Value::string(text))
}

/// Byte offset of a position; none beyond the end.
fn offset(text: &str, position: i64) -> Option<usize> {
    let position = usize::try_from(position).ok()?;
    let ends = std::iter::once(text.len());
    text.char_indices()
        .map(|(index, _)| index)
        .chain(ends)
        .nth(position)
}

fn position(text: &str, offset: usize) -> i64 {
    let characters = text
        .get(..offset)
        .map_or(0, |before| before.chars().count());
    i64::try_from(characters).unwrap_or(i64::MAX)
}

fn char_at<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let [Value::String(text), Value::Int(index)] = arguments else {
        return Err(no_such_overload());
    };
    let start = offset(text, *index).ok_or_else(|| out_of_range(*index))?;
    let character: String = text[start..].chars().take(1).collect();
    owned(context, character)
}

/// Where the empty text is searched from, there it is found: beyond the end,
/// too.
fn unbounded<'a>(arguments: &[Value<'a>]) -> Option<Value<'a>> {
    match arguments {
        [Value::String(_), Value::String(part), Value::Int(from)] if part.is_empty() => {
            Some(Value::Int(*from))
        }
        _ => None,
    }
}

fn unbounded_index_of<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match unbounded(arguments) {
        Some(found) => Ok(found),
        None => index_of(context, arguments),
    }
}

fn unbounded_last_index_of<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match unbounded(arguments) {
        Some(found) => Ok(found),
        None => last_index_of(context, arguments),
    }
}

fn index_of<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let (text, part, from) = match arguments {
        [Value::String(text), Value::String(part)] => (text, part, 0),
        [Value::String(text), Value::String(part), Value::Int(from)] => (text, part, *from),
        _ => return Err(no_such_overload()),
    };
    if from < 0 {
        return Err(out_of_range(from));
    }
    let Some(start) = offset(text, from) else {
        let end = position(text, text.len());
        return Ok(Value::Int(if part.is_empty() { end } else { -1 }));
    };
    let found = text[start..].find(&**part);
    Ok(Value::Int(
        found.map_or(-1, |found| position(text, start + found)),
    ))
}

fn last_index_of<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let (text, part, from) = match arguments {
        [Value::String(text), Value::String(part)] => {
            let found = text.rfind(&**part);
            return Ok(Value::Int(found.map_or(-1, |found| position(text, found))));
        }
        [Value::String(text), Value::String(part), Value::Int(from)] => (text, part, *from),
        _ => return Err(no_such_overload()),
    };
    if from < 0 {
        return Err(out_of_range(from));
    }
    let start = offset(text, from).filter(|start| *start < text.len());
    let Some(start) = start else {
        let end = position(text, text.len());
        return Ok(Value::Int(if part.is_empty() { end } else { -1 }));
    };
    // The match may reach beyond the start, but must begin at it or before.
    let mut end = text.len().min(start.saturating_add(part.len()));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let found = text[..end].rfind(&**part);
    Ok(Value::Int(found.map_or(-1, |found| position(text, found))))
}

/// Copies a text once, and changes the copy.
fn recased<'a>(context: &mut Context<'a>, text: &str, change: fn(&mut str)) -> Outcome<'a> {
    context.allocate(text.len())?;
    let mut copy: Arc<str> = Arc::from(text);
    if let Some(copy) = Arc::get_mut(&mut copy) {
        change(copy);
    }
    Ok(Value::string(copy))
}

fn lower_ascii<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::String(text)] if !text.bytes().any(|byte| byte.is_ascii_uppercase()) => {
            Ok(Value::String(text.clone()))
        }
        [Value::String(text)] => recased(context, text, str::make_ascii_lowercase),
        _ => Err(no_such_overload()),
    }
}

fn upper_ascii<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::String(text)] => recased(context, text, str::make_ascii_uppercase),
        _ => Err(no_such_overload()),
    }
}

fn trim<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::String(text)] => owned(context, text.trim().to_owned()),
        _ => Err(no_such_overload()),
    }
}

fn replace<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let (text, old, new, limit) = match arguments {
        [Value::String(text), Value::String(old), Value::String(new)] => (text, old, new, None),
        [
            Value::String(text),
            Value::String(old),
            Value::String(new),
            Value::Int(limit),
        ] => (text, old, new, usize::try_from(*limit).ok()),
        _ => return Err(no_such_overload()),
    };
    let matches = text
        .matches(&**old)
        .count()
        .min(limit.unwrap_or(usize::MAX));
    context.allocate(text.len().saturating_add(matches.saturating_mul(new.len())))?;
    let replaced = match limit {
        Some(limit) => text.replacen(&**old, new, limit),
        None => text.replace(&**old, new),
    };
    Ok(Value::string(replaced))
}

fn split<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let (text, separator, limit) = match arguments {
        [Value::String(text), Value::String(separator)] => (text, separator, None),
        [
            Value::String(text),
            Value::String(separator),
            Value::Int(limit),
        ] => (text, separator, usize::try_from(*limit).ok()),
        _ => return Err(no_such_overload()),
    };
    context.allocate_values(text.matches(&**separator).count().saturating_add(1))?;
    context.allocate(text.len())?;
    let limit = limit.unwrap_or(usize::MAX);
    let parts: Vec<Value<'a>> = if limit == 0 {
        Vec::new()
    } else if separator.is_empty() {
        characters(text, limit)
    } else {
        text.splitn(limit, &**separator)
            .map(Value::string)
            .collect()
    };
    Ok(Value::list(parts))
}

/// The characters, the last part holding what is beyond the limit.
fn characters<'a>(text: &str, limit: usize) -> Vec<Value<'a>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if parts.len() + 1 == limit {
            parts.push(Value::string(rest));
            break;
        }
        let (first, others) = rest.split_at(character.len_utf8());
        parts.push(Value::string(first));
        rest = others;
    }
    parts
}

fn substring<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let (text, start, end) = match arguments {
        [Value::String(text), Value::Int(start)] => (text, *start, None),
        [Value::String(text), Value::Int(start), Value::Int(end)] => (text, *start, Some(*end)),
        _ => return Err(no_such_overload()),
    };
    if let Some(end) = end.filter(|end| start > *end) {
        return Err(invalid(format!(
            "invalid substring range: start {start}, end {end}"
        )));
    }
    let from = offset(text, start).ok_or_else(|| out_of_range(start))?;
    let to = match end {
        Some(end) => offset(text, end).ok_or_else(|| out_of_range(end))?,
        None => text.len(),
    };
    owned(context, text[from..to].to_owned())
}

fn join<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::List(list)] => join_with(context, list, ""),
        [Value::List(list), Value::String(separator)] => join_with(context, list, separator),
        _ => Err(no_such_overload()),
    }
}

fn join_with<'a>(context: &mut Context<'a>, list: &List<'a>, separator: &str) -> Outcome<'a> {
    let mut joined = String::new();
    for (index, element) in list.iter().enumerate() {
        let Value::String(part) = element else {
            return Err(invalid("join: expected strings"));
        };
        context.allocate(separator.len() + part.len())?;
        if index > 0 {
            joined.push_str(separator);
        }
        joined.push_str(&part);
    }
    Ok(Value::string(joined))
}

fn quoted<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let [Value::String(text)] = arguments else {
        return Err(no_such_overload());
    };
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match quote::escape(character) {
            Some(escape) => quoted.push_str(escape),
            None => quoted.push(character),
        }
    }
    quoted.push('"');
    owned(context, quoted)
}
