//! [`Names`]: what expressions denote, and what they say about presence.

use std::collections::BTreeMap;

use crate::syntax::{Expr, ExprKind, Literal};
use crate::{Kind, Slot};

/// The names that a device has, as far as it is known: a bit for each slot by
/// its [number](Names::number).
#[derive(Clone, Default)]
pub(super) struct Facts(Vec<u64>);

impl Facts {
    fn of(number: usize) -> Self {
        let mut bits = vec![0; number / 64 + 1];
        bits[number / 64] = 1 << (number % 64);
        Self(bits)
    }

    fn contains(&self, number: usize) -> bool {
        self.0
            .get(number / 64)
            .is_some_and(|bits| bits & (1 << (number % 64)) != 0)
    }

    /// What either says.
    pub(super) fn or(&self, other: &Self) -> Self {
        let (longer, shorter) = if self.0.len() < other.0.len() {
            (other, self)
        } else {
            (self, other)
        };
        let mut bits = longer.0.clone();
        for (bits, other) in bits.iter_mut().zip(&shorter.0) {
            *bits |= other;
        }
        Self(bits)
    }

    /// What both say.
    fn and(&self, other: &Self) -> Self {
        let both = self.0.iter().zip(&other.0);
        Self(both.map(|(left, right)| left & right).collect())
    }
}

/// A part of `device` that an expression stands for.
#[derive(Clone)]
pub(super) enum Denoted {
    Device,
    /// `device.attributes` or `device.capacity`.
    Domains(Kind),
    /// One domain of these.
    Domain(Kind, String),
    Name(Slot),
}

/// The variables of macros in scope, with what they denote.
#[derive(Default)]
pub(super) struct Names {
    variables: Vec<(String, Option<Denoted>)>,
    numbers: BTreeMap<Slot, usize>,
    /// What expressions say, by their ids: those that hold and those that
    /// fail. Every expression has one scope only.
    known: [Vec<Option<Facts>>; 2],
}

impl Names {
    pub(super) fn push(&mut self, variable: &str, denoted: Option<Denoted>) {
        // Reading a bound attribute fails where it is first used; the place to
        // show is the one where it is named.
        let denoted = denoted.filter(|denoted| !matches!(denoted, Denoted::Name(_)));
        self.variables.push((variable.to_owned(), denoted));
    }

    pub(super) fn pop(&mut self, count: usize) {
        let left = self.variables.len().saturating_sub(count);
        self.variables.truncate(left);
    }

    /// Returns the part of the device that an expression stands for.
    pub(super) fn denoted(&self, expr: &Expr) -> Option<Denoted> {
        match &expr.kind {
            ExprKind::Ident(name) => {
                let variable = self.variables.iter().rev().find(|(other, _)| other == name);
                match variable {
                    Some((_, denoted)) => denoted.clone(),
                    None => (name.trim_start_matches('.') == "device").then_some(Denoted::Device),
                }
            }
            ExprKind::Select { operand, field, .. } => select(self.denoted(operand)?, field),
            ExprKind::Call {
                function,
                target: None,
                arguments,
            } if function == "_[_]" => {
                let [operand, key] = arguments.as_slice() else {
                    return None;
                };
                match self.denoted(operand)? {
                    Denoted::Device => None,
                    denoted => select(denoted, text(key)?),
                }
            }
            _ => None,
        }
    }

    fn number(&mut self, slot: Slot) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(slot).or_insert(next)
    }

    /// Whether a slot is known to be there.
    pub(super) fn has(&self, facts: &Facts, slot: &Slot) -> bool {
        let number = self.numbers.get(slot);
        number.is_some_and(|number| facts.contains(*number))
    }

    /// Returns what is there whenever a condition holds, or fails to hold.
    pub(super) fn facts(&mut self, condition: &Expr, holds: bool) -> Facts {
        let known = self.known[usize::from(holds)].get(condition.id);
        if let Some(Some(facts)) = known {
            return facts.clone();
        }
        let facts = self.find_facts(condition, holds);
        let known = &mut self.known[usize::from(holds)];
        if known.len() <= condition.id {
            known.resize(condition.id + 1, None);
        }
        known[condition.id] = Some(facts.clone());
        facts
    }

    fn find_facts(&mut self, condition: &Expr, holds: bool) -> Facts {
        match &condition.kind {
            ExprKind::Select { test: true, .. } if holds => match self.denoted(condition) {
                Some(Denoted::Name(slot)) => Facts::of(self.number(slot)),
                _ => Facts::default(),
            },
            ExprKind::Call {
                function,
                target: None,
                arguments,
            } => self.facts_of_call(function, arguments, holds),
            ExprKind::Bind {
                variable,
                value,
                body,
            } => {
                let denoted = self.denoted(value);
                self.push(variable, denoted);
                let facts = self.facts(body, holds);
                self.pop(1);
                facts
            }
            _ => Facts::default(),
        }
    }

    fn facts_of_call(&mut self, function: &str, arguments: &[Expr], holds: bool) -> Facts {
        match (function, arguments) {
            ("!_", [operand]) => self.facts(operand, !holds),
            ("_&&_" | "_||_", [left, right]) => {
                let left = self.facts(left, holds);
                let right = self.facts(right, holds);
                // That a conjunction holds tells of both sides, that a
                // disjunction does of one of them.
                if (function == "_&&_") == holds {
                    left.or(&right)
                } else {
                    left.and(&right)
                }
            }
            ("@in", [name, domain]) if holds => {
                let denoted = self
                    .denoted(domain)
                    .zip(text(name))
                    .and_then(|(domain, name)| match domain {
                        Denoted::Domain(..) => select(domain, name),
                        _ => None,
                    });
                match denoted {
                    Some(Denoted::Name(slot)) => Facts::of(self.number(slot)),
                    _ => Facts::default(),
                }
            }
            _ => Facts::default(),
        }
    }
}

fn text(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Literal(Literal::String(text)) => Some(text),
        _ => None,
    }
}

fn select(denoted: Denoted, field: &str) -> Option<Denoted> {
    Some(match denoted {
        Denoted::Device if field == "attributes" => Denoted::Domains(Kind::Attribute),
        Denoted::Device if field == "capacity" => Denoted::Domains(Kind::Capacity),
        Denoted::Domains(kind) => Denoted::Domain(kind, field.to_owned()),
        Denoted::Domain(kind, domain) => Denoted::Name(Slot {
            kind,
            domain,
            name: field.to_owned(),
        }),
        Denoted::Device | Denoted::Name(_) => return None,
    })
}
