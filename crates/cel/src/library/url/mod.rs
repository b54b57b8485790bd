//! URLs, Kubernetes' `kubernetes.urls` library.

mod address;
mod escape;
mod parse;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::cost;
use super::table::{Function, Overload, Pattern as P};
use crate::check::URL;
use crate::runtime::{Context, Map, Outcome, Value, ends, invalid, no_such_overload};
use crate::{ErrorKind, EvaluationError};
use escape::Part;

pub(crate) use parse::Url;
pub(super) use parse::{Dialect, complaint};

const U: P = P::Opaque(URL);
const FROM_TEXT: &[Overload] = &[Overload::new(&[P::String], U)];
const TEST: &[Overload] = &[Overload::new(&[P::String], P::Bool)];
const GETTER: &[Overload] = &[Overload::new(&[U], P::String)];

/// Minor version of Kubernetes that is the first with the strict dialect.
pub(super) const STRICT_SINCE: u32 = 36;
pub(super) const LENIENT: Dialect = Dialect {
    strict_colons: false,
};
pub(super) const STRICT: Dialect = Dialect {
    strict_colons: true,
};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::global("url", FROM_TEXT, lenient_url)
        .costing(cost::first)
        .before(STRICT_SINCE),
    Function::global("url", FROM_TEXT, url)
        .costing(cost::first)
        .since(STRICT_SINCE),
    Function::global("isURL", TEST, is_lenient_url).before(STRICT_SINCE),
    Function::global("isURL", TEST, is_url).since(STRICT_SINCE),
    Function::member("getScheme", GETTER, scheme),
    Function::member("getHost", GETTER, host),
    Function::member("getHostname", GETTER, host_name),
    Function::member("getPort", GETTER, port),
    Function::member("getEscapedPath", GETTER, escaped_path),
    Function::member(
        "getQuery",
        &[Overload::new(
            &[U],
            P::Map(&P::String, &P::List(&P::String)),
        )],
        query,
    ),
];

/// Most parameters of a query; of one with more, Go reads none.
const MAX_PARAMETERS: usize = 10_000;

fn url<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    read(context, arguments, STRICT)
}

fn lenient_url<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    read(context, arguments, LENIENT)
}

fn read<'a>(context: &mut Context<'a>, arguments: &[Value<'a>], dialect: Dialect) -> Outcome<'a> {
    let [Value::String(text)] = arguments else {
        return Err(no_such_overload());
    };
    context.allocate(text.len().saturating_mul(2))?;
    let url = parse::absolute(text, dialect).map_err(|message| invalid(ends(&message)))?;
    Ok(Value::Url(Arc::new(url)))
}

fn is_url<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    test(arguments, STRICT)
}

fn is_lenient_url<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    test(arguments, LENIENT)
}

fn test<'a>(arguments: &[Value<'a>], dialect: Dialect) -> Outcome<'a> {
    match arguments {
        [Value::String(text)] => Ok(Value::Bool(complaint(text, dialect).is_none())),
        _ => Err(no_such_overload()),
    }
}

/// Percent encoding can hide bytes that are no text. Kubernetes lets them be a
/// string all the same; here they are an error that `||` does not absorb.
fn text(bytes: Vec<u8>) -> Result<String, EvaluationError> {
    String::from_utf8(bytes).map_err(|_| {
        EvaluationError::new(
            ErrorKind::Internal,
            "URLs with escapes that are not UTF-8 are not supported",
        )
    })
}

fn getter<'a>(
    context: &mut Context<'a>,
    arguments: &[Value<'a>],
    part: impl Fn(&Url) -> Vec<u8>,
) -> Outcome<'a> {
    let [Value::Url(url)] = arguments else {
        return Err(no_such_overload());
    };
    let text = text(part(url))?;
    context.allocate(text.len())?;
    Ok(Value::string(text))
}

fn scheme<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    getter(context, arguments, |url| url.scheme.clone().into_bytes())
}

fn host<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    getter(context, arguments, |url| url.host.clone())
}

fn host_name<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    getter(context, arguments, |url| url.host_and_port().0.to_vec())
}

fn port<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    getter(context, arguments, |url| url.host_and_port().1.to_vec())
}

fn escaped_path<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    getter(context, arguments, Url::encoded_path)
}

/// A map of all values of every parameter; what cannot be decoded is left out.
fn query<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let [Value::Url(url)] = arguments else {
        return Err(no_such_overload());
    };
    let mut found: BTreeMap<String, Vec<Value<'a>>> = BTreeMap::new();
    let parameters = url.query.split('&');
    if parameters.clone().count() <= MAX_PARAMETERS {
        for parameter in parameters {
            if parameter.is_empty() || parameter.contains(';') {
                continue;
            }
            let (key, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let (Ok(key), Ok(value)) = (
                Part::Query.decode(key.as_bytes()),
                Part::Query.decode(value.as_bytes()),
            ) else {
                continue;
            };
            context.allocate(parameter.len())?;
            context.allocate_values(4)?;
            let value = Value::string(text(value)?);
            found.entry(text(key)?).or_default().push(value);
        }
    }
    let pairs = found
        .into_iter()
        .map(|(key, values)| (Value::string(key), Some(Value::list(values))));
    Ok(Value::Map(Map::from_pairs(pairs.collect())))
}
