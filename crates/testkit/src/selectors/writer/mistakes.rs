//! What does not fit where it is written.

use super::Writer;
use super::calls::write;
use crate::selectors::functions::{FUNCTIONS, STRANGERS};
use crate::selectors::literal;
use crate::selectors::types::Type;

const WORDS: [&str; 22] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "false",
    "for",
    "function",
    "if",
    "import",
    "in",
    "let",
    "loop",
    "namespace",
    "null",
    "package",
    "return",
    "true",
    "var",
    "void",
    "while",
    "devices",
];

impl Writer<'_> {
    /// Returns something that does not fit, or only by chance.
    pub(super) fn mistake(&mut self, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return self.small_mistake();
        };
        match self.random.below(20) {
            0..=7 => {
                let kind = Type::any(2, self.random);
                self.expression(&kind, depth)
            }
            8 => literal::bad(self.random).to_owned(),
            9 => self.random.pick(&WORDS).to_owned(),
            10 => format!(
                "device.{}",
                self.random
                    .pick(&["name", "taints", "attribute", "`driver`", "map"])
            ),
            11..=12 => self.stranger(depth),
            13..=16 => self.other_arguments(depth),
            17 => self.odd_macro(depth),
            18 => {
                let target = Type::any(1, self.random);
                let target = self.expression(&target, depth.min(1));
                let suffix = self.random.pick(&[
                    ".a", "[0]", "[\"a\"]", ".?a", "[?0]", "()", ".a()", "[1.5]", "[0u]", "{}",
                ]);
                format!("{target}{suffix}")
            }
            _ => {
                let kind = Type::any(1, self.random);
                let operand = self.expression(&kind, depth.min(1));
                let other = Type::any(1, self.random);
                let other = self.expression(&other, depth.min(1));
                let operator = self.random.pick(&[
                    "+", "-", "*", "/", "%", "<", "==", "in", "&&", "||", "=", "===", "&", "??",
                    "<=>",
                ]);
                format!("({operand} {operator} {other})")
            }
        }
    }

    /// Returns a mistake without parts.
    fn small_mistake(&mut self) -> String {
        match self.random.below(6) {
            0 => literal::bad(self.random).to_owned(),
            1 => self.random.pick(&WORDS).to_owned(),
            _ => {
                let kind = Type::any(2, self.random);
                literal::literal(&kind, self.random)
            }
        }
    }

    /// Returns a call of a function that selectors do not have.
    fn stranger(&mut self, depth: usize) -> String {
        let name = self.random.pick(&STRANGERS);
        let arguments = self.arguments(depth);
        write(name, self.random.chance(60), &arguments)
    }

    /// Returns a call of a function with arguments as they come.
    fn other_arguments(&mut self, depth: usize) -> String {
        let signature = &FUNCTIONS[self.random.below(FUNCTIONS.len())];
        let arguments = self.arguments(depth);
        let member = signature.member ^ self.random.chance(20);
        write(signature.name, member, &arguments)
    }

    fn arguments(&mut self, depth: usize) -> Vec<String> {
        (0..self.random.below(5))
            .map(|_| {
                let kind = if self.random.chance(25) {
                    Type::Dyn
                } else {
                    Type::any(1, self.random)
                };
                self.expression(&kind, depth.min(1))
            })
            .collect()
    }

    /// Returns a macro with arguments that it may not take.
    fn odd_macro(&mut self, depth: usize) -> String {
        const MACROS: [&str; 15] = [
            "all",
            "exists",
            "exists_one",
            "existsOne",
            "map",
            "filter",
            "transformList",
            "transformMap",
            "transformMapEntry",
            "sortBy",
            "optMap",
            "optFlatMap",
            "has",
            "bind",
            "cel.bind",
        ];
        let name = self.random.pick(&MACROS);
        let mut arguments = self.arguments(depth);
        if self.random.chance(70) {
            let at = arguments.len().min(1);
            arguments.insert(
                at,
                self.random
                    .pick(&["x", "_x", "x.y", "device", "__result__", "@result", "`x`"])
                    .to_owned(),
            );
        }
        if self.random.chance(50) {
            arguments.insert(0, self.expression(&Type::list(Type::Int), depth.min(1)));
        }
        write(name, self.random.chance(80), &arguments)
    }
}
