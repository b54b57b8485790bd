//! Damage to texts.

use super::tokens::tokens;
use crate::generate::Random;

/// What is written in the place of a token.
const SPLINTERS: [&str; 44] = [
    "(", ")", "[", "]", "{", "}", ",", ".", ".?", "[?", "?", ":", "!", "-", "&&", "||", "==",
    " in ", "1", "0u", "1.5", "\"\"", "'a'", "x", "device", "null", "true", "\n", "// c\n", " ",
    "\t", "\u{a0}", "é", "`a`", "r", "b", "\"", "'", "\\", "@", ";", "..", "+", "%",
];

/// Damages a text in one to three places: tokens are left out, doubled,
/// exchanged, or replaced.
pub(super) fn mutate(text: &str, random: &mut Random) -> String {
    let mut pieces = tokens(text);
    for _ in 0..random.between(1, 3) {
        if pieces.is_empty() {
            break;
        }
        let at = random.below(pieces.len());
        match random.below(10) {
            0..=2 => {
                pieces.remove(at);
            }
            3 => pieces.insert(at, pieces[at]),
            4 => {
                let other = random.below(pieces.len());
                pieces.swap(at, other);
            }
            5 => pieces.truncate(at + 1),
            6..=7 => pieces[at] = random.pick(&SPLINTERS),
            _ => pieces.insert(at, random.pick(&SPLINTERS)),
        }
    }
    pieces.concat()
}

/// Puts spaces, line ends and comments between tokens, which changes nothing.
pub(super) fn respace(text: &str, random: &mut Random) -> String {
    let mut spaced = String::new();
    for token in tokens(text) {
        spaced.push_str(token);
        // Not inside of numbers and signs, nor after the prefix of a literal.
        if matches!(token, "(" | ")" | "[" | "]" | "{" | "}" | ",") && random.chance(30) {
            spaced.push_str(random.pick(&[
                " ",
                "\n",
                "\t",
                "\r\n",
                " // a \"comment\"\n",
                "\u{c}",
            ]));
        }
    }
    spaced
}
