//! Patterns that only look for a text, the most usual ones: `^.*a100.*$`.
//!
//! Searching for a text is as good as an automaton, and needs none to be built.

/// A pattern that is a text with something at its ends.
#[derive(Debug)]
pub(crate) struct Literal {
    /// Has no line feed.
    text: String,
    before: Edge,
    after: Edge,
}

/// What a pattern has before or after its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    /// Nothing, or `.*`, which can be empty.
    Anything,
    /// `^.*` or `.*$`: everything up to the end, but no line feed.
    Line,
    /// `^` or `$`: the end itself.
    End,
}

impl Edge {
    fn of(anchored: bool, dots: bool) -> Self {
        match (anchored, dots) {
            (false, _) => Self::Anything,
            (true, true) => Self::Line,
            (true, false) => Self::End,
        }
    }
}

impl Literal {
    /// Recognizes a pattern; none if it may be something else.
    pub(super) fn recognize(pattern: &str) -> Option<Self> {
        let (anchored, rest) = stripped(pattern, "^");
        let (dots, mut rest) = stripped(rest, ".*");
        let before = Edge::of(anchored, dots);
        let mut text = String::new();
        let mut characters = rest.chars();
        while let Some(mut character) = characters.next() {
            if is_special(character) {
                if character != '\\' {
                    break;
                }
                character = characters.next().filter(|escaped| is_special(*escaped))?;
            }
            if character == '\n' {
                return None;
            }
            text.push(character);
            rest = characters.as_str();
        }
        let (dots, rest) = stripped(rest, ".*");
        let (anchored, rest) = stripped(rest, "$");
        let after = Edge::of(anchored, dots);
        rest.is_empty().then_some(Self {
            text,
            before,
            after,
        })
    }

    /// Whether the pattern matches somewhere in a text.
    pub(super) fn is_match(&self, text: &str) -> bool {
        let is_line = || !text.contains('\n');
        let literal = self.text.as_str();
        match (self.before, self.after) {
            (Edge::Anything, Edge::Anything) => text.contains(literal),
            (Edge::End, Edge::Anything) => text.starts_with(literal),
            (Edge::Anything, Edge::End) => text.ends_with(literal),
            (Edge::End, Edge::End) => text == literal,
            (Edge::Line, Edge::Anything) => first(text.split('\n')).contains(literal),
            (Edge::Anything, Edge::Line) => first(text.rsplit('\n')).contains(literal),
            (Edge::Line, Edge::End) => text.ends_with(literal) && is_line(),
            (Edge::End, Edge::Line) => text.starts_with(literal) && is_line(),
            (Edge::Line, Edge::Line) => text.contains(literal) && is_line(),
        }
    }
}

fn first<'t>(mut lines: impl Iterator<Item = &'t str>) -> &'t str {
    lines.next().unwrap_or_default()
}

/// Removes a prefix; whether it was there, and the rest.
fn stripped<'t>(text: &'t str, prefix: &str) -> (bool, &'t str) {
    match text.strip_prefix(prefix) {
        Some(rest) => (true, rest),
        None => (false, text),
    }
}

fn is_special(character: char) -> bool {
    r"\.+*?()|[]{}^$".contains(character)
}

#[cfg(test)]
mod tests {
    use super::Literal;
    use crate::library::regex::compile;

    /// All sequences of up to `length` pieces.
    fn sequences(pieces: &[&str], length: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut start = 0;
        for _ in 0..length {
            let end = all.len();
            for index in start..end {
                for piece in pieces {
                    all.push(format!("{}{piece}", all[index]));
                }
            }
            start = end;
        }
        all
    }

    #[test]
    fn literals_match_as_their_automata_do() {
        let texts = sequences(&["a", "B", ".", "\n", "é"], 4);
        let mut recognized = 0;
        for pattern in sequences(&["^", ".*", "a", "é", "\\.", "$", "?", "B"], 4) {
            let Some(literal) = Literal::recognize(&pattern) else {
                continue;
            };
            recognized += 1;
            let regex = compile(&pattern, |message| message, |_| Ok(()))
                .expect("a pattern")
                .expect("a small one");
            for text in &texts {
                assert_eq!(
                    literal.is_match(text),
                    regex.is_match(text),
                    "`{pattern}` in {text:?}"
                );
            }
        }
        assert_eq!(recognized, 824);
    }

    #[test]
    fn other_patterns_are_left_alone() {
        for pattern in [
            "a|b", "(a)", "a+", "a.b", "a{2}", "[a]", "\\d", "\\Qa\\E", "a\\", "a\nb", ".*?a",
            "^*", "a$b", "a^", "$.*", ".*.*a", "\\_", "a]", "a}", "(?i)a", "^^a", "a$$",
        ] {
            assert!(Literal::recognize(pattern).is_none(), "{pattern}");
        }
    }
}
