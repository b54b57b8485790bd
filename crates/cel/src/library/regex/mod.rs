//! Regular expressions: `matches`, `find` and `findAll`.
//!
//! Patterns are in the dialect of Go's `regexp` and are translated to that of
//! the `regex` crate; constant ones once, when the selector is compiled.

mod class;
mod literal;
mod translate;

use ::regex::Regex;

use super::cost;
use super::table::{CEL_GO_29, Function, Overload, Pattern as P};
use crate::runtime::{Context, Outcome, Value, invalid, no_such_overload};
use crate::stack;

use literal::Literal;
use translate::compile;

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

/// A compiled pattern.
#[derive(Debug)]
pub(crate) enum Matcher {
    Literal(Literal),
    Automaton(Regex),
}

/// Bytes that compiling the patterns of one expression may try to take.
pub(crate) const PATTERNS: usize = 8 << 20;

impl Matcher {
    /// Compiles a constant pattern, with what is left for those of the expression.
    pub(crate) fn new(search: Search, pattern: &str, left: &mut usize) -> Result<Self, String> {
        Self::of(
            search,
            pattern,
            |message| message,
            |size| {
                *left = left.checked_sub(size).ok_or_else(|| {
                    "patterns of the expression are too large together, \
                     expected fewer or smaller ones"
                        .to_owned()
                })?;
                Ok(())
            },
        )
    }

    /// Compiles a pattern; `spend` is told of the bytes that this tries to take.
    fn of<E>(
        search: Search,
        pattern: &str,
        illegal: impl Fn(String) -> E,
        spend: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Self, E> {
        // Where a match lies matters only to the other searches.
        if let (Search::Matches, Some(literal)) = (search, Literal::recognize(pattern)) {
            return Ok(Self::Literal(literal));
        }
        // It recurses as deeply as groups are nested.
        let groups = pattern.bytes().filter(|byte| *byte == b'(').count();
        let compiled = stack::for_depth(groups, || compile(pattern, &illegal, spend))?;
        match compiled {
            Some(regex) => Ok(Self::Automaton(regex)),
            None => Err(illegal("pattern is too large".to_owned())),
        }
    }
}

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

    /// Does the search; the second argument is the pattern that `matcher` was made of.
    pub(crate) fn run<'a>(
        self,
        matcher: &Matcher,
        context: &mut Context<'a>,
        arguments: &[Value<'a>],
    ) -> Outcome<'a> {
        let (Some(Value::String(text)), limit) = (arguments.first(), arguments.get(2)) else {
            return Err(no_such_overload());
        };
        let regex = match matcher {
            Matcher::Automaton(regex) => regex,
            Matcher::Literal(literal) => return Ok(Value::Bool(literal.is_match(text))),
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

/// Bytes of a pattern whose compilation is worth a visit of a value.
const BYTES_PER_VISIT: usize = 8;

/// Does a search whose pattern may be any text.
fn search<'a>(search: Search, context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let (Some(Value::String(_)), Some(Value::String(pattern))) =
        (arguments.first(), arguments.get(1))
    else {
        return Err(no_such_overload());
    };
    context.allocate(pattern.len().saturating_mul(16))?;
    // It may happen again and again in the course of an evaluation.
    let illegal = |message| invalid(format!("illegal regular expression: {message}"));
    let work = |size| context.work((size / BYTES_PER_VISIT) as u64);
    let matcher = Matcher::of(search, pattern, illegal, work)?;
    search.run(&matcher, context, arguments)
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
