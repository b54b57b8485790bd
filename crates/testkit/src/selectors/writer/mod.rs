//! [`Writer`]: writes expressions of a wanted type.

mod calls;
mod loops;
mod mistakes;
mod operators;
mod reads;

use super::device::RandomDevice;
use super::literal::literal;
use super::types::Type;
use crate::generate::Random;

/// Writes expressions for one device.
pub(super) struct Writer<'a> {
    random: &'a mut Random,
    device: &'a RandomDevice,
    minor: u32,
    /// Variables of the loops around the place that is written.
    scope: Vec<(String, Type)>,
    /// In how many of 1000 places something is written that does not fit.
    mistakes: usize,
}

/// Names of variables: some hide others or are words of the language.
const VARIABLES: [&str; 12] = [
    "x", "y", "k", "v", "i", "a", "b", "e", "_", "device", "type", "size",
];

impl<'a> Writer<'a> {
    pub(super) fn new(
        random: &'a mut Random,
        device: &'a RandomDevice,
        minor: u32,
        mistakes: usize,
    ) -> Self {
        Self {
            random,
            device,
            minor,
            scope: Vec::new(),
            mistakes,
        }
    }

    /// Returns an expression that is mostly of the wanted type.
    pub(super) fn expression(&mut self, wanted: &Type, depth: usize) -> String {
        if self.random.below(1000) < self.mistakes {
            return self.mistake(depth);
        }
        if depth == 0 {
            return self.leaf(wanted);
        }
        let inner = depth - 1;
        let written = match self.random.below(100) {
            0..=13 => None,
            14..=41 => self.call(wanted, inner),
            42..=67 => self.operator(wanted, inner),
            68..=82 => self.loops(wanted, inner),
            83..=86 => Some(self.conditional(wanted, inner)),
            87..=90 => Some(self.bind(wanted, inner)),
            91..=94 => Some(self.element(wanted, inner)),
            95..=96 => Some(self.optional_element(wanted, inner)),
            _ => self.read(wanted),
        };
        match written {
            Some(text) => text,
            None if self.random.chance(50) => self.composed(wanted, inner),
            None => self.leaf(wanted),
        }
    }

    /// Returns a variable, an attribute or a literal.
    fn leaf(&mut self, wanted: &Type) -> String {
        let variables: Vec<&str> = self
            .scope
            .iter()
            .filter(|(_, kind)| kind == wanted)
            .map(|(name, _)| name.as_str())
            .collect();
        if !variables.is_empty() && self.random.chance(60) {
            return self.random.pick(&variables).to_owned();
        }
        if self.random.chance(45)
            && let Some(read) = self.read(wanted)
        {
            return read;
        }
        literal(wanted, self.random)
    }

    /// Returns a literal whose parts are expressions.
    fn composed(&mut self, wanted: &Type, depth: usize) -> String {
        match wanted {
            Type::List(element) => {
                let items: Vec<String> = (0..self.random.between(1, 3))
                    .map(|_| {
                        if self.random.chance(6) {
                            let optional = Type::optional((**element).clone());
                            format!("?{}", self.expression(&optional, depth))
                        } else {
                            self.expression(element, depth)
                        }
                    })
                    .collect();
                let comma = if self.random.chance(5) { "," } else { "" };
                format!("[{}{comma}]", items.join(", "))
            }
            Type::Map(key, value) => {
                let key = self.expression(key, depth.min(1));
                if self.random.chance(10) {
                    let optional = Type::optional((**value).clone());
                    format!("{{?{key}: {}}}", self.expression(&optional, depth))
                } else {
                    format!("{{{key}: {}}}", self.expression(value, depth))
                }
            }
            Type::Optional(value) => format!("optional.of({})", self.expression(value, depth)),
            Type::Dyn => {
                let kind = Type::simple(self.random);
                format!("dyn({})", self.expression(&kind, depth))
            }
            _ => self.leaf(wanted),
        }
    }

    fn conditional(&mut self, wanted: &Type, depth: usize) -> String {
        let condition = self.expression(&Type::Bool, depth);
        let (yes, no) = (
            self.expression(wanted, depth),
            self.expression(wanted, depth),
        );
        self.parenthesized(format!("{condition} ? {yes} : {no}"))
    }

    fn bind(&mut self, wanted: &Type, depth: usize) -> String {
        let kind = Type::any(1, self.random);
        let value = self.expression(&kind, depth);
        let name = self.variable();
        let body = self.within(&[(&name, &kind)], wanted, depth);
        format!("cel.bind({name}, {value}, {body})")
    }

    /// Returns an element of a list or map.
    fn element(&mut self, wanted: &Type, depth: usize) -> String {
        if self.random.chance(60) {
            let list = self.expression(&Type::list(wanted.clone()), depth);
            let index = match self.random.below(10) {
                0..=4 => "0".to_owned(),
                5..=6 => "1".to_owned(),
                7 => "0u".to_owned(),
                8 => "1.0".to_owned(),
                _ => self.expression(&Type::Int, depth),
            };
            return format!("{list}[{index}]");
        }
        let key = Type::key(self.random);
        let index = self.expression(&key, depth.min(1));
        let other = if self.random.chance(75) {
            index.clone()
        } else {
            self.expression(&key, depth.min(1))
        };
        let value = self.expression(wanted, depth);
        format!("{{{other}: {value}}}[{index}]")
    }

    /// Returns an element that may be missing, with or without a substitute.
    fn optional_element(&mut self, wanted: &Type, depth: usize) -> String {
        let container = if self.random.chance(50) {
            let list = self.expression(&Type::list(wanted.clone()), depth);
            format!("{list}[?{}]", self.random.below(3))
        } else {
            let value = self.expression(wanted, depth);
            let name = self.random.pick(&["a", "b"]);
            match self.random.below(3) {
                0 => format!("{{\"a\": {value}}}[?\"{name}\"]"),
                1 => format!("{{\"a\": {value}}}.?{name}"),
                _ => format!("optional.of({{\"a\": {value}}}).?{name}"),
            }
        };
        if self.random.chance(70) {
            let substitute = self.expression(wanted, depth);
            format!("{container}.orValue({substitute})")
        } else {
            format!("{container}.value()")
        }
    }

    /// Returns an expression inside of a loop that declares variables.
    fn within(&mut self, variables: &[(&str, &Type)], wanted: &Type, depth: usize) -> String {
        let outside = self.scope.len();
        for (name, kind) in variables {
            self.scope.push(((*name).to_owned(), (*kind).clone()));
        }
        let text = self.expression(wanted, depth);
        self.scope.truncate(outside);
        text
    }

    /// Returns a name for a variable: usual ones mostly.
    fn variable(&mut self) -> String {
        let usual = if self.random.chance(97) {
            8
        } else {
            VARIABLES.len()
        };
        VARIABLES[self.random.below(usual)].to_owned()
    }

    /// Puts parentheses around a text, unless it is left to precedence.
    fn parenthesized(&mut self, text: String) -> String {
        if self.random.chance(90) {
            format!("({text})")
        } else {
            text
        }
    }
}
