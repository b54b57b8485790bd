//! Values that the text of a selector names.

use crate::model::DeviceAttribute;

/// Returns what is written in an expression as a text, a whole number, or true and
/// false, each once.
///
/// It only says what may be tried, so it need not be exact.
pub(super) fn literals(source: &str) -> Vec<DeviceAttribute> {
    let mut found: Vec<DeviceAttribute> = Vec::new();
    let mut add = |value: DeviceAttribute| {
        if !found.contains(&value) {
            found.push(value);
        }
    };
    let mut rest = source;
    while let Some(next) = rest.chars().next() {
        let after = &rest[next.len_utf8()..];
        if next == '"' || next == '\'' {
            let end = after.find(next).unwrap_or(after.len());
            add(DeviceAttribute::String(after[..end].into()));
            rest = after.get(end + 1..).unwrap_or_default();
        } else if next.is_alphanumeric() || next == '_' {
            let is_outside = |next: char| !next.is_alphanumeric() && next != '_';
            let end = rest.find(is_outside).unwrap_or(rest.len());
            if let Ok(number) = rest[..end].parse() {
                add(DeviceAttribute::Int(number));
            }
            rest = &rest[end..];
        } else {
            rest = after;
        }
    }
    add(DeviceAttribute::Bool(true));
    add(DeviceAttribute::Bool(false));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_are_found_once() {
        let source = r#"device.attributes["d"].model == 'H100' || x2 > 20 && y == "H100""#;
        let text = |text: &str| DeviceAttribute::String(text.into());
        let expected = [
            text("d"),
            text("H100"),
            DeviceAttribute::Int(20),
            DeviceAttribute::Bool(true),
            DeviceAttribute::Bool(false),
        ];
        assert_eq!(literals(source), expected);
    }

    #[test]
    fn a_text_that_does_not_end_is_one() {
        let text = |text: &str| DeviceAttribute::String(text.into());
        assert_eq!(literals("'a")[..1], [text("a")]);
        assert_eq!(literals("'")[..1], [text("")]);
    }
}
