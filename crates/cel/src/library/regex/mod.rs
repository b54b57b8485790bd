//! Regular expressions: `matches`, `find` and `findAll`.
//!
//! Patterns are in the dialect of Go's `regexp` and are translated to that of
//! the `regex` crate; constant ones once, when the selector is compiled.

mod class;
mod translate;

use ::regex::Regex;

use super::cost;
use super::table::{CEL_GO_29, Function, Overload, Pattern as P};
use crate::runtime::{Context, Outcome, Value, invalid, no_such_overload};

pub(crate) use translate::compile as translate;

const TWO: &[P] = &[P::String, P::String];

pub(super) static FUNCTIONS: &[Function] = &[
    Function::global("matches", &[Overload::new(TWO, P::Bool)], matches).before(CEL_GO_29),
    Function::global(
        "matches",
        &[Overload::costing(TWO, P::Bool, cost::pattern_search)],
        matches,
    )
    .since(CEL_GO_29),
    Function::member(
        "matches",
        &[Overload::costing(TWO, P::Bool, cost::pattern_search)],
        matches,
    ),
    Function::member("find", &[Overload::new(TWO, P::String)], find).costing(cost::pattern_search),
    Function::member(
        "findAll",
        &[
            Overload::new(TWO, P::List(&P::String)),
            Overload::new(&[P::String, P::String, P::Int], P::List(&P::String)),
        ],
        find_all,
    )
    .costing(cost::pattern_search),
];

/// What a search with a pattern returns.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Search {
    Matches,
    Find,
    FindAll,
}

impl Search {
    /// Returns the search that a function of this name does.
    pub(crate) fn named(function: &str) -> Option<Self> {
        match function {
            "matches" => Some(Self::Matches),
            "find" => Some(Self::Find),
            "findAll" => Some(Self::FindAll),
            _ => None,
        }
    }

    /// Does the search; the second argument is the pattern that `regex` was made of.
    pub(crate) fn run<'a>(
        self,
        regex: &Regex,
        context: &mut Context<'a>,
        arguments: &[Value<'a>],
    ) -> Outcome<'a> {
        let (Some(Value::String(text)), limit) = (arguments.first(), arguments.get(2)) else {
            return Err(no_such_overload());
        };
        match (self, limit) {
            (Self::Matches, None) => Ok(Value::Bool(regex.is_match(text))),
            (Self::Find, None) => {
                let found = regex.find(text).map_or("", |found| found.as_str());
                context.allocate(found.len())?;
                Ok(Value::string(found))
            }
            (Self::FindAll, limit) => {
                let limit = match limit {
                    None => None,
                    Some(Value::Int(limit)) => usize::try_from(*limit).ok(),
                    Some(_) => return Err(no_such_overload()),
                };
                let mut found = Vec::new();
                for part in regex.find_iter(text).take(limit.unwrap_or(usize::MAX)) {
                    context.allocate_values(1)?;
                    context.allocate(part.len())?;
                    found.push(Value::string(part.as_str()));
                }
                Ok(Value::list(found))
            }
            _ => Err(no_such_overload()),
        }
    }
}

/// Compiles the pattern of a call, which may be any text.
fn search<'a>(search: Search, context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let (Some(Value::String(_)), Some(Value::String(pattern))) =
        (arguments.first(), arguments.get(1))
    else {
        return Err(no_such_overload());
    };
    context.allocate(pattern.len().saturating_mul(16))?;
    let regex = crate::stack::grown(|| translate(pattern))
        .map_err(|message| invalid(format!("illegal regular expression: {message}")))?;
    search.run(&regex, context, arguments)
}

fn matches<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    search(Search::Matches, context, arguments)
}

fn find<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    search(Search::Find, context, arguments)
}

fn find_all<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    search(Search::FindAll, context, arguments)
}
