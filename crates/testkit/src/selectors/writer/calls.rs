//! Calls of functions.

use super::Writer;
use crate::selectors::functions::FUNCTIONS;
use crate::selectors::literal;
use crate::selectors::signature::{Bindings, Pattern, Signature};
use crate::selectors::text::Flavour;
use crate::selectors::types::Type;

impl Writer<'_> {
    /// Returns a call whose result is of the wanted type, if a function has it.
    pub(super) fn call(&mut self, wanted: &Type, depth: usize) -> Option<String> {
        if *wanted == Type::String && self.random.chance(6) {
            return Some(self.format(depth));
        }
        // Any function may return what is dyn to the checker.
        let fitting: Vec<&Signature> = FUNCTIONS
            .iter()
            .filter(|signature| {
                let fits = Bindings::default().fit(&signature.result, wanted);
                fits && (signature.since <= self.minor || self.random.chance(5))
            })
            .collect();
        if fitting.is_empty() {
            return None;
        }
        // Functions that return this type, rather than any type, come first.
        let own: Vec<&Signature> = fitting
            .iter()
            .copied()
            .filter(|signature| !matches!(signature.result, Pattern::A))
            .collect();
        let choice = if own.is_empty() || self.random.chance(15) {
            self.random.pick(&fitting)
        } else {
            self.random.pick(&own)
        };
        let mut bindings = Bindings::default();
        bindings.fit(&choice.result, wanted);
        let arguments: Vec<String> = choice
            .arguments
            .iter()
            .map(|pattern| self.argument(pattern, &mut bindings, depth))
            .collect();
        Some(write(choice.name, choice.member, &arguments))
    }

    /// Returns an argument: text of the right sort where there is a sort.
    fn argument(&mut self, pattern: &Pattern, bindings: &mut Bindings, depth: usize) -> String {
        if let Pattern::Text(flavour) = pattern
            && (*flavour != Flavour::Any || depth == 0)
            && self.random.chance(75)
        {
            return literal::text(*flavour, self.random);
        }
        let kind = bindings.instantiate(pattern, self.random);
        if kind == Type::Int && self.random.chance(60) {
            return self.random.below(5).to_string();
        }
        self.expression(&kind, depth)
    }

    /// Returns a call of `format` with about as many arguments as verbs.
    fn format(&mut self, depth: usize) -> String {
        const VERBS: [&str; 16] = [
            "%s", "%d", "%f", "%.2f", "%e", "%.3e", "%b", "%x", "%X", "%o", "%%", "%", "%.0f",
            "%q", "%5d", "é",
        ];
        let verbs: Vec<&str> = (0..self.random.between(1, 4))
            .map(|_| {
                let usual = if self.random.chance(90) {
                    11
                } else {
                    VERBS.len()
                };
                VERBS[self.random.below(usual)]
            })
            .collect();
        let count = verbs
            .iter()
            .filter(|verb| verb.len() > 1 && **verb != "%%")
            .count();
        let count = if self.random.chance(90) {
            count
        } else {
            self.random.below(4)
        };
        let same = Type::any(1, self.random);
        let wrapped = self.random.chance(60);
        let arguments: Vec<String> = (0..count)
            .map(|index| {
                let kind = match verbs.get(index) {
                    _ if !wrapped => same.clone(),
                    Some(&("%d" | "%b" | "%o")) => Type::Int,
                    Some(&("%f" | "%.2f" | "%e" | "%.3e" | "%.0f")) => Type::Double,
                    Some(&("%x" | "%X")) => Type::String,
                    _ => Type::any(2, self.random),
                };
                let argument = self.expression(&kind, depth);
                if wrapped {
                    format!("dyn({argument})")
                } else {
                    argument
                }
            })
            .collect();
        format!("\"{}\".format([{}])", verbs.join(" "), arguments.join(", "))
    }
}

/// Writes a call.
pub(super) fn write(name: &str, member: bool, arguments: &[String]) -> String {
    match arguments.split_first() {
        Some((target, rest)) if member => format!("{target}.{name}({})", rest.join(", ")),
        _ => format!("{name}({})", arguments.join(", ")),
    }
}
