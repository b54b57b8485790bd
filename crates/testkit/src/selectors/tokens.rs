//! Rough tokens of an expression: what texts are cut into to be damaged or shortened.

/// Cuts a text into words, numbers, string literals, runs of space and single signs;
/// put together again they give the text.
#[must_use]
pub fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' => quoted(rest, first),
            _ if first.is_alphanumeric() || first == '_' => run(rest, |character| {
                character.is_alphanumeric() || character == '_'
            }),
            _ if first.is_whitespace() => run(rest, char::is_whitespace),
            _ => first.len_utf8(),
        };
        let (token, remainder) = rest.split_at(length);
        tokens.push(token);
        rest = remainder;
    }
    tokens
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|character| !belongs(character))
        .unwrap_or(text.len())
}

/// Returns the length of a string literal, which ends with its text at the latest.
fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        if character == mark && !escaped {
            return at + mark.len_utf8();
        }
        escaped = character == '\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_words_literals_and_signs() {
        let text = r#"a_1.f( "x\"]" ,'é')!=1.5"#;
        let found = tokens(text);
        assert_eq!(
            found,
            [
                "a_1",
                ".",
                "f",
                "(",
                " ",
                r#""x\"]""#,
                " ",
                ",",
                "'é'",
                ")",
                "!",
                "=",
                "1",
                ".",
                "5"
            ]
        );
        assert_eq!(found.concat(), text);
    }

    #[test]
    fn a_literal_without_end_is_the_rest() {
        assert_eq!(tokens("a'b c"), ["a", "'b c"]);
    }
}
