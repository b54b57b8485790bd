//! `string.format`, as in version 2 of cel-go's strings, for American English.

mod clause;
mod number;

use super::conversions;
use super::cost;
use super::quote::quote;
use super::table::{Function, Overload, Pattern as P};
use super::time;
use crate::EvaluationError;
use crate::runtime::{Context, List, Map, Outcome, Value, invalid, no_such_overload};
use number::DEFAULT_PRECISION;

pub(crate) use clause::{Piece, Pieces, Verb};

pub(super) static FUNCTIONS: &[Function] = &[Function::member(
    "format",
    &[Overload::costing(
        &[P::String, P::List(&P::Dyn)],
        P::String,
        cost::first,
    )],
    format,
)];

type Written = Result<(), EvaluationError>;

fn format<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let [Value::String(text), Value::List(list)] = arguments else {
        return Err(no_such_overload());
    };
    let mut writer = Writer {
        context,
        text: String::new(),
    };
    let mut pieces = Pieces::new(text, list.len());
    while let Some(piece) = pieces.next().map_err(invalid)? {
        match piece {
            Piece::Text(text) => writer.push(text)?,
            Piece::Clause(verb, precision) => {
                let argument = list.get(pieces.used() - 1).unwrap_or(Value::Null);
                writer.clause(verb, precision, &argument)?;
            }
        }
    }
    Ok(Value::string(writer.text))
}

struct Writer<'c, 'a> {
    context: &'c mut Context<'a>,
    text: String,
}

/// Visits of values that writing a double is worth, and one of many digits.
const NUMBER: u64 = 10;
const LONG_NUMBER: u64 = 2500;

/// Digits after the point up to which a double is written fast.
const FEW_DIGITS: u64 = 20;

fn is_long(value: f64) -> bool {
    value.abs() > 1e17
}

fn unsuitable(verb: Verb, argument: &Value<'_>) -> EvaluationError {
    let expectation = verb.expectation();
    invalid(format!("{expectation}, not `{}`", argument.type_name()))
}

fn unformattable(value: &Value<'_>) -> EvaluationError {
    invalid(format!(
        "no formatting function for `{}`",
        value.type_name()
    ))
}

impl<'a> Writer<'_, 'a> {
    fn push(&mut self, text: &str) -> Written {
        self.context.allocate(text.len())?;
        self.text.push_str(text);
        Ok(())
    }

    fn clause(&mut self, verb: Verb, precision: Option<u64>, argument: &Value<'a>) -> Written {
        let precision = precision.unwrap_or(DEFAULT_PRECISION);
        if let Verb::Fixed | Verb::Scientific = verb {
            self.context.work(NUMBER)?;
            if precision > FEW_DIGITS || double(argument).is_some_and(is_long) {
                self.context.work(LONG_NUMBER)?;
            }
        }
        let text = match (verb, argument) {
            (Verb::String, argument) => return self.string(argument),
            (Verb::Decimal, Value::Int(value)) => value.to_string(),
            (Verb::Decimal, Value::Uint(value)) => value.to_string(),
            (Verb::Fixed, argument) => match double(argument) {
                Some(value) => number::fixed(value, precision),
                None => return Err(unsuitable(verb, argument)),
            },
            (Verb::Scientific, argument) => match double(argument) {
                Some(value) => number::scientific(value, precision),
                None => return Err(unsuitable(verb, argument)),
            },
            (Verb::Binary, Value::Int(value)) => {
                format!("{}{:b}", sign(*value), value.unsigned_abs())
            }
            (Verb::Binary, Value::Uint(value)) => format!("{value:b}"),
            (Verb::Binary, Value::Bool(value)) => u8::from(*value).to_string(),
            (Verb::Octal, Value::Int(value)) => {
                format!("{}{:o}", sign(*value), value.unsigned_abs())
            }
            (Verb::Octal, Value::Uint(value)) => format!("{value:o}"),
            (Verb::Hexadecimal | Verb::UpperHexadecimal, argument) => {
                let text = match argument {
                    Value::Int(value) => format!("{}{:x}", sign(*value), value.unsigned_abs()),
                    Value::Uint(value) => format!("{value:x}"),
                    Value::String(text) => return self.hexadecimal(verb, text.as_bytes()),
                    Value::Bytes(bytes) => return self.hexadecimal(verb, bytes),
                    _ => return Err(unsuitable(verb, argument)),
                };
                if verb == Verb::UpperHexadecimal {
                    text.to_ascii_uppercase()
                } else {
                    text
                }
            }
            _ => return Err(unsuitable(verb, argument)),
        };
        self.push(&text)
    }

    fn hexadecimal(&mut self, verb: Verb, bytes: &[u8]) -> Written {
        self.context.allocate(bytes.len().saturating_mul(2))?;
        let digits = match verb {
            Verb::UpperHexadecimal => b"0123456789ABCDEF",
            _ => b"0123456789abcdef",
        };
        for byte in bytes {
            for nibble in [byte >> 4, byte & 15] {
                self.text.push(char::from(digits[usize::from(nibble)]));
            }
        }
        Ok(())
    }

    /// Writes what `%s` takes.
    fn string(&mut self, value: &Value<'a>) -> Written {
        match value {
            Value::List(list) => self.list(list),
            Value::Map(map) => self.map(map),
            Value::Null => self.push("null"),
            Value::Type(name) => self.push(name),
            Value::String(text) => self.push(text),
            Value::Bool(_)
            | Value::Int(_)
            | Value::Uint(_)
            | Value::Double(_)
            | Value::Bytes(_)
            | Value::Duration(_)
            | Value::Timestamp(_) => {
                let text = conversions::text(value)?;
                self.push(&text)
            }
            _ => Err(unsuitable(Verb::String, value)),
        }
    }

    /// Writes an element of a list or a value of a map, as a literal.
    fn literal(&mut self, value: &Value<'a>) -> Written {
        if !self.context.step() {
            return self.context.check_steps();
        }
        match value {
            Value::String(text) => self.push(&quote(text.as_bytes())),
            Value::Bytes(_) => {
                let text = conversions::text(value)?;
                self.push("b")?;
                self.push(&quote(text.as_bytes()))
            }
            Value::Double(value) if value.is_nan() => self.push("\"NaN\""),
            Value::Double(value) if value.is_infinite() => {
                self.push(if *value > 0.0 { "\"+Inf\"" } else { "\"-Inf\"" })
            }
            Value::Double(value) => {
                if is_long(*value) {
                    self.context.work(LONG_NUMBER)?;
                }
                self.push(&format!("{value:.6}"))
            }
            Value::Timestamp(time) => {
                let text = quote(time::format_timestamp(*time).as_bytes());
                self.push(&format!("timestamp({text})"))
            }
            Value::Duration(nanos) => {
                let text = quote(time::format_duration(*nanos).as_bytes());
                self.push(&format!("duration({text})"))
            }
            Value::Bool(_)
            | Value::Int(_)
            | Value::Uint(_)
            | Value::Null
            | Value::Type(_)
            | Value::List(_)
            | Value::Map(_) => self.string(value),
            _ => Err(unformattable(value)),
        }
    }

    fn list(&mut self, list: &List<'a>) -> Written {
        self.push("[")?;
        for (index, element) in list.iter().enumerate() {
            if index > 0 {
                self.push(", ")?;
            }
            self.literal(&element)?;
        }
        self.push("]")
    }

    /// Writes a map, sorted by the text of its keys.
    fn map(&mut self, map: &Map<'a>) -> Written {
        let row = self.context.row;
        let mut entries = Vec::new();
        for key in map.keys(row) {
            if !matches!(
                key,
                Value::String(_) | Value::Bool(_) | Value::Int(_) | Value::Uint(_)
            ) {
                return Err(unformattable(&key));
            }
            let value = map.find(&key, row).unwrap_or(Value::Null);
            let key = self.apart(&key)?;
            entries.push((key, self.apart(&value)?));
        }
        entries.sort();
        self.push("{")?;
        for (index, (key, value)) in entries.iter().enumerate() {
            if index > 0 {
                self.push(", ")?;
            }
            self.push(key)?;
            self.push(":")?;
            self.push(value)?;
        }
        self.push("}")
    }

    /// Writes a literal to a text of its own.
    fn apart(&mut self, value: &Value<'a>) -> Result<String, EvaluationError> {
        let outer = std::mem::take(&mut self.text);
        let written = self.literal(value);
        let text = std::mem::replace(&mut self.text, outer);
        written.map(|()| text)
    }
}

fn sign(value: i64) -> &'static str {
    if value < 0 { "-" } else { "" }
}

/// The number of a double, or of a string that stands for one without digits.
fn double(value: &Value<'_>) -> Option<f64> {
    match value {
        Value::Double(value) => Some(*value),
        Value::String(text) => match &**text {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    }
}
