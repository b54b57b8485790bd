//! Escape sequences of terminals in a text.

/// Returns how many bytes at the beginning of a text are an escape sequence.
///
/// `nvidia-smi` underlines its header also where nobody sees it. What was copied from a
/// screen has such a sequence without its first character (`[4m`), or with a stand-in
/// for it.
pub(super) fn length(text: &str) -> usize {
    // Most characters begin none.
    if !text.starts_with(['\u{1b}', '\u{9b}', '␛', '^', '[']) {
        return 0;
    }
    for lead in ["\u{1b}", "\u{9b}", "␛", "^[", ""] {
        let Some(rest) = text.strip_prefix(lead) else {
            continue;
        };
        let known = lead == "\u{1b}" || lead == "\u{9b}";
        let inside = match rest.strip_prefix('[') {
            Some(inside) => inside,
            None if lead == "\u{9b}" => rest,
            // An escape character by itself is nothing to read.
            None if known => return lead.len(),
            None => continue,
        };
        let is_parameter = |next: char| next.is_ascii_digit() || matches!(next, ';' | '?' | ':');
        let end = inside.trim_start_matches(is_parameter);
        match end.chars().next() {
            Some(last) if last == 'm' || (known && ('@'..='~').contains(&last)) => {
                return text.len() - end.len() + last.len_utf8();
            }
            _ if known => return lead.len(),
            _ => {}
        }
    }
    0
}
