//! Bars, where people look at them.

use std::io::IsTerminal as _;

/// A bar has so many characters, or fewer where the terminal is narrow.
const LONGEST: usize = 20;
/// With fewer than that it says nothing.
const SHORTEST: usize = 5;
/// Taken for the width of a terminal that does not tell it.
const USUAL_WIDTH: usize = 80;

/// Returns how many columns standard output has, if it is a terminal.
pub(super) fn room() -> Option<usize> {
    if !std::io::stdout().is_terminal() {
        return None;
    }
    let size = terminal_size::terminal_size_of(std::io::stdout());
    Some(size.map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0)))
}

/// Returns how long bars are beside a table of some width; none if they have no room.
pub(super) fn length(room: Option<usize>, width: usize) -> Option<usize> {
    let left = room?.checked_sub(width)?.min(LONGEST);
    (left >= SHORTEST).then_some(left)
}

/// Draws how much of a total is used; it is never full or empty unless that is true.
pub(super) fn draw((used, total): (u64, u64), length: usize) -> String {
    let columns = u64::try_from(length).unwrap_or(u64::MAX);
    let filled = match (used, total) {
        (0, _) | (_, 0) => 0,
        (used, total) if used >= total => columns,
        (used, total) => (used.saturating_mul(columns) / total).clamp(1, columns - 1),
    };
    let filled = usize::try_from(filled).unwrap_or(length);
    "█".repeat(filled) + &"░".repeat(length - filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_full_and_empty_only_where_that_is_true() {
        let bars = [(0, 8), (1, 800), (4, 8), (799, 800), (8, 8), (0, 0)];
        let bars = bars.map(|parts| draw(parts, 6));
        assert_eq!(
            bars,
            ["░░░░░░", "█░░░░░", "███░░░", "█████░", "██████", "░░░░░░"]
        );
    }

    #[test]
    fn bars_have_the_room_that_is_left() {
        let lengths = [
            (None, 10),
            (Some(80), 40),
            (Some(80), 68),
            (Some(80), 76),
            (Some(8), 9),
        ];
        let lengths = lengths.map(|(room, width)| length(room, width));
        assert_eq!(lengths, [None, Some(20), Some(12), None, None]);
    }
}
