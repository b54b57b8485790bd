//! Operators.

use super::Writer;
use crate::selectors::types::Type;

const ARITHMETIC: [&str; 5] = ["+", "-", "*", "/", "%"];
const ORDER: [&str; 4] = ["<", "<=", ">", ">="];
const EQUALITY: [&str; 2] = ["==", "!="];

impl Writer<'_> {
    /// Returns an operation whose result is of the wanted type, if there is one.
    pub(super) fn operator(&mut self, wanted: &Type, depth: usize) -> Option<String> {
        let (left, operator, right) = match wanted {
            Type::Bool => return Some(self.condition(depth)),
            Type::Int | Type::Double if self.random.chance(15) => {
                return Some(self.negated(wanted, depth));
            }
            Type::Int | Type::Uint => (
                wanted.clone(),
                self.random.pick(&ARITHMETIC),
                wanted.clone(),
            ),
            Type::Double => (
                Type::Double,
                self.random.pick(&ARITHMETIC[..4]),
                Type::Double,
            ),
            Type::String | Type::Bytes | Type::List(_) => (wanted.clone(), "+", wanted.clone()),
            Type::Duration => match self.random.below(3) {
                0 => (Type::Timestamp, "-", Type::Timestamp),
                1 => (Type::Duration, "-", Type::Duration),
                _ => (Type::Duration, "+", Type::Duration),
            },
            Type::Timestamp => match self.random.below(3) {
                0 => (Type::Duration, "+", Type::Timestamp),
                1 => (Type::Timestamp, "-", Type::Duration),
                _ => (Type::Timestamp, "+", Type::Duration),
            },
            Type::Dyn => {
                let kind = Type::ordered(self.random);
                (Type::Dyn, self.random.pick(&ARITHMETIC), kind)
            }
            _ => return None,
        };
        Some(self.binary(&left, operator, &right, depth))
    }

    fn binary(&mut self, left: &Type, operator: &str, right: &Type, depth: usize) -> String {
        let left = self.expression(left, depth);
        let right = self.expression(right, depth);
        let space = if self.random.chance(92) { " " } else { "" };
        // Without spaces, `in` would grow together with its operands.
        let space = if operator == "in" { " " } else { space };
        self.parenthesized(format!("{left}{space}{operator}{space}{right}"))
    }

    fn negated(&mut self, wanted: &Type, depth: usize) -> String {
        let operand = self.expression(wanted, depth);
        let minus = if self.random.chance(90) { "-" } else { "--" };
        self.parenthesized(format!("{minus}{operand}"))
    }

    /// Returns an operation that is true or false.
    fn condition(&mut self, depth: usize) -> String {
        match self.random.below(100) {
            0..=14 => self.binary(&Type::Bool, "&&", &Type::Bool, depth),
            15..=29 => self.binary(&Type::Bool, "||", &Type::Bool, depth),
            30..=36 => {
                let not = if self.random.chance(85) { "!" } else { "!!" };
                format!("{not}{}", self.expression(&Type::Bool, depth))
            }
            37..=62 => {
                let kind = Type::any(2, self.random);
                let (left, right) = match self.random.below(12) {
                    0 => (Type::Dyn, kind),
                    1 => (kind, Type::Dyn),
                    2 => (Type::Dyn, Type::Dyn),
                    _ => (kind.clone(), kind),
                };
                let operator = self.random.pick(&EQUALITY);
                self.binary(&left, operator, &right, depth)
            }
            63..=84 => {
                let (left, right) = self.comparable();
                let operator = self.random.pick(&ORDER);
                self.binary(&left, operator, &right, depth)
            }
            85..=94 => {
                let kind = Type::any(1, self.random);
                self.binary(&kind, "in", &Type::list(kind.clone()), depth)
            }
            95..=98 => {
                let key = Type::key(self.random);
                let map = Type::map(key.clone(), Type::simple(self.random));
                self.binary(&key, "in", &map, depth)
            }
            _ => self.binary(&Type::Dyn, "in", &Type::Dyn, depth),
        }
    }

    /// Returns two types whose values have an order.
    fn comparable(&mut self) -> (Type, Type) {
        let number = |below| [Type::Int, Type::Uint, Type::Double].into_iter().nth(below);
        match self.random.below(10) {
            0 => (Type::Timestamp, Type::Timestamp),
            1 => (Type::Bytes, Type::Bytes),
            2 => (Type::Dyn, Type::ordered(self.random)),
            3 | 4 => {
                let left = number(self.random.below(3)).unwrap_or(Type::Int);
                (left, number(self.random.below(3)).unwrap_or(Type::Int))
            }
            _ => {
                let kind = Type::ordered(self.random);
                (kind.clone(), kind)
            }
        }
    }
}
