//! Writing shapes as SVG: one file, without scripts or references to others.

use std::fmt::Write as _;

use super::looks;
use super::shape::{Anchor, Drawing, Ink, Look, Shape};
use crate::style;

/// Returns a drawing as SVG, with a title for those who cannot see it.
pub(super) fn write(drawing: &Drawing, title: &str) -> String {
    let (width, height) = (drawing.width, drawing.height);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n",
        escaped(title)
    );
    svg.push_str(looks::DEFINITIONS);
    for shape in &drawing.shapes {
        push(&mut svg, shape);
        svg.push('\n');
    }
    svg.push_str("</svg>\n");
    svg
}

fn push(svg: &mut String, shape: &Shape) {
    // Writing to a string cannot fail.
    let _ = match shape {
        Shape::Rect {
            x,
            y,
            width,
            height,
            round,
            look,
            tip,
        } => {
            let class = class(*look);
            let round = if *round > 0 {
                format!(" rx=\"{round}\"")
            } else {
                String::new()
            };
            write!(
                svg,
                "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" \
                 height=\"{height}\"{round}{}",
                end("rect", tip.as_deref())
            )
        }
        Shape::Line {
            from,
            to,
            width,
            look,
            tip,
        } => write!(
            svg,
            "<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke-width=\"{}.{}\"{}",
            class(*look),
            from.0,
            from.1,
            to.0,
            to.1,
            width / 10,
            width % 10,
            end("line", tip.as_deref())
        ),
        Shape::Text {
            x,
            y,
            size,
            anchor,
            ink,
            text,
        } => {
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
            };
            write!(
                svg,
                "<text class=\"{}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{anchor}>{}</text>",
                ink_class(*ink),
                escaped(text)
            )
        }
    };
}

/// Returns the end of an element, with the text that a mouse over it shows.
fn end(element: &str, tip: Option<&str>) -> String {
    match tip {
        Some(tip) => format!("><title>{}</title></{element}>", escaped(tip)),
        None => "/>".to_owned(),
    }
}

fn class(look: Look) -> &'static str {
    match look {
        Look::Page => "page",
        Look::Frame => "frame",
        Look::OuterFrame => "outer",
        Look::Free => "free",
        Look::Chosen => "chosen",
        Look::Taken => "taken",
        Look::Switch => "switch",
        Look::Chip => "chip",
        Look::NvLink => "nvlink",
        Look::Xgmi => "xgmi",
        Look::Faint => "faint",
    }
}

fn ink_class(ink: Ink) -> &'static str {
    match ink {
        Ink::Title => "title",
        Ink::Plain => "plain",
        Ink::Quiet => "quiet",
        Ink::Id => "id",
        Ink::ChosenId => "on-chosen",
        Ink::SwitchId => "on-switch",
        Ink::Headline => "headline",
        Ink::LinkName => "link",
    }
}

/// Returns a text as XML; characters that XML does not have, or that would turn the
/// direction of text, are written as escapes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for next in style::harmless(text).chars() {
        match next {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(' '),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            next => escaped.push(next),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_text() {
        assert_eq!(
            escaped("</text><script>\"&\"\u{0}\u{202e}\u{ffff}\n"),
            "&lt;/text&gt;&lt;script&gt;&quot;&amp;&quot;\\u{0}\\u{202e}\u{fffd} "
        );
    }
}
