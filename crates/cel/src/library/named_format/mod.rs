//! Named formats, Kubernetes' `kubernetes.format` library.

mod rules;

use super::cost;
use super::table::{Function, Overload, Pattern as P};
use super::url::{LENIENT, STRICT, STRICT_SINCE};
use crate::check::NAMED_FORMAT;
use crate::runtime::{Context, Outcome, Value, no_such_overload};
use rules::Wording;

const F: P = P::Opaque(NAMED_FORMAT);

/// Minor version of Kubernetes that words complaints anew.
const REWORDED: u32 = 35;

/// A rule for strings that has a name.
#[derive(Debug)]
pub(crate) struct NamedFormat {
    /// The name that tells formats apart; not the one that they are found by.
    pub(crate) name: &'static str,
    /// Returns what is wrong with a text.
    validate: fn(&str) -> Vec<String>,
    /// Size of the regular expression that counts for the cost.
    pattern_size: u64,
}

/// A format and the functions around it, by version of Kubernetes where that matters.
macro_rules! formats {
    ($($function:ident $call:literal [$since:expr, $before:expr] $constant:ident:
        $name:literal, $size:literal, $validate:expr;)*) => {
        $(
            static $constant: NamedFormat = NamedFormat {
                name: $name,
                validate: $validate,
                pattern_size: $size,
            };

            fn $function<'a>(_: &mut Context<'a>, _: &[Value<'a>]) -> Outcome<'a> {
                Ok(Value::Format(&$constant))
            }
        )*

        pub(super) static FUNCTIONS: &[Function] = &[
            $(
                Function::global(concat!("format.", $call), &[Overload::new(&[], F)], $function)
                    .since($since)
                    .before($before),
            )*
            Function::global("format.named", NAMED, named_before_rewording)
                .before(REWORDED),
            Function::global("format.named", NAMED, named_before_strict_urls)
                .since(REWORDED)
                .before(STRICT_SINCE),
            Function::global("format.named", NAMED, named).since(STRICT_SINCE),
            Function::member(
                "validate",
                &[Overload::new(&[F, P::String], P::Optional(&P::List(&P::String)))],
                validate,
            )
            .costing(validation),
        ];

        /// Finds the format of a name in a minor version of Kubernetes.
        fn find(name: &str, minor: u32) -> Option<&'static NamedFormat> {
            match name {
                $($call if ($since..$before).contains(&minor) => Some(&$constant),)*
                _ => None,
            }
        }
    };
}

const ALWAYS: u32 = u32::MAX;
const NAMED: &[Overload] = &[Overload::new(&[P::String], P::Optional(&F))];

formats! {
    dns1123_label "dns1123Label" [0, ALWAYS] DNS1123_LABEL:
        "DNS1123Label", 30, |text| rules::label(text.as_bytes());
    dns1123_subdomain "dns1123Subdomain" [0, ALWAYS] DNS1123_SUBDOMAIN:
        "DNS1123Subdomain", 60, |text| rules::subdomain(text.as_bytes(), Wording::Old);
    dns1035_label "dns1035Label" [0, ALWAYS] DNS1035_LABEL:
        "DNS1035Label", 30, |text| rules::old_label(text.as_bytes());
    dns1123_label_prefix "dns1123LabelPrefix" [0, ALWAYS] DNS1123_LABEL_PREFIX:
        "DNS1123LabelPrefix", 30, |text| rules::label(&rules::without_dash(text.as_bytes()));
    dns1123_subdomain_prefix "dns1123SubdomainPrefix" [0, ALWAYS] DNS1123_SUBDOMAIN_PREFIX:
        "DNS1123SubdomainPrefix", 60,
        |text| rules::subdomain(&rules::without_dash(text.as_bytes()), Wording::Old);
    dns1035_label_prefix "dns1035LabelPrefix" [0, ALWAYS] DNS1035_LABEL_PREFIX:
        "DNS1035LabelPrefix", 30, |text| rules::old_label(&rules::without_dash(text.as_bytes()));
    old_qualified_name "qualifiedName" [0, REWORDED] OLD_QUALIFIED_NAME:
        "QualifiedName", 60, |text| rules::qualified_name(text.as_bytes(), Wording::Old);
    qualified_name "qualifiedName" [REWORDED, ALWAYS] QUALIFIED_NAME:
        "QualifiedName", 60, |text| rules::qualified_name(text.as_bytes(), Wording::New);
    old_label_value "labelValue" [0, REWORDED] OLD_LABEL_VALUE:
        "LabelValue", 40, |text| rules::label_value(text.as_bytes(), Wording::Old);
    label_value "labelValue" [REWORDED, ALWAYS] LABEL_VALUE:
        "LabelValue", 40, |text| rules::label_value(text.as_bytes(), Wording::New);
    lenient_uri "uri" [0, STRICT_SINCE] LENIENT_URI:
        "URI", 1103, |text| rules::uri(text, LENIENT);
    uri "uri" [STRICT_SINCE, ALWAYS] URI:
        "URI", 1103, |text| rules::uri(text, STRICT);
    uuid "uuid" [0, ALWAYS] UUID: "uuid", 70, rules::uuid;
    byte "byte" [0, ALWAYS] BYTE: "byte", 84, rules::byte;
    date "date" [0, ALWAYS] DATE: "date", 71, rules::date;
    datetime "datetime" [0, ALWAYS] DATETIME: "datetime", 71, rules::datetime;
}

fn find_named<'a>(arguments: &[Value<'a>], minor: u32) -> Outcome<'a> {
    match arguments {
        [Value::String(name)] => Ok(match find(name, minor) {
            Some(format) => Value::some(Value::Format(format)),
            None => Value::none(),
        }),
        _ => Err(no_such_overload()),
    }
}

fn named<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    find_named(arguments, STRICT_SINCE)
}

fn named_before_strict_urls<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    find_named(arguments, STRICT_SINCE - 1)
}

fn named_before_rewording<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    find_named(arguments, REWORDED - 1)
}

/// The complaints about a text; none if there are none.
fn validate<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let [Value::Format(format), Value::String(text)] = arguments else {
        return Err(no_such_overload());
    };
    let complaints = (format.validate)(text);
    if complaints.is_empty() {
        return Ok(Value::none());
    }
    context.allocate_values(complaints.len())?;
    context.allocate(complaints.iter().map(String::len).sum())?;
    let complaints = complaints.into_iter().map(Value::string).collect();
    Ok(Value::some(Value::list(complaints)))
}

/// A search for the regular expression of the format.
fn validation<'a>(context: &Context<'a>, arguments: &[Value<'a>], _: &Value<'a>) -> u64 {
    match arguments {
        [Value::Format(format), text] => {
            let size = text.cost_size(context.row).saturating_add(1);
            let traversals = cost::scaled(size, cost::TRAVERSAL);
            traversals.saturating_mul(cost::scaled(format.pattern_size, cost::PATTERN))
        }
        _ => 1,
    }
}
