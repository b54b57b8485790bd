//! [`Drawing`]: shapes with places and looks, and nothing of SVG.

/// Says how a shape looks; colours are those of [`super::looks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Look {
    /// The ground of the whole drawing.
    Page,
    /// A place around others: host, NUMA node, switch.
    Frame,
    /// A place around those.
    OuterFrame,
    /// A device or NIC, by what it is to the question.
    Free,
    Chosen,
    Taken,
    /// A switch of a fabric.
    Switch,
    /// One switch of several on one ground.
    Chip,
    NvLink,
    Xgmi,
    /// A link that is not between chosen devices, where some are.
    Faint,
}

/// Says how a text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ink {
    Title,
    Plain,
    Quiet,
    /// On a device.
    Id,
    /// On a chosen device.
    ChosenId,
    /// On a switch.
    SwitchId,
    /// What is chosen and how good it is.
    Headline,
    /// On a link.
    LinkName,
}

/// Says where a text is anchored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
}

/// Is one shape; lengths are pixels.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Rect {
        x: i64,
        y: i64,
        width: i64,
        height: i64,
        /// Radius of the corners.
        round: i64,
        look: Look,
        /// What a mouse over it shows.
        tip: Option<String>,
    },
    Line {
        from: (i64, i64),
        to: (i64, i64),
        /// In tenths of pixels.
        width: i64,
        look: Look,
        tip: Option<String>,
    },
    Text {
        x: i64,
        /// The base line.
        y: i64,
        size: i64,
        anchor: Anchor,
        ink: Ink,
        text: String,
    },
}

/// Is a part of a drawing: shapes inside a rectangle that starts at 0, 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Drawing {
    pub(super) width: i64,
    pub(super) height: i64,
    pub(super) shapes: Vec<Shape>,
}

impl Drawing {
    /// Adds another drawing at a place, over what is there.
    pub(super) fn place(&mut self, other: Self, x: i64, y: i64) {
        self.width = self.width.max(x + other.width);
        self.height = self.height.max(y + other.height);
        let shapes = other.shapes.into_iter();
        self.shapes.extend(shapes.map(|shape| shape.moved(x, y)));
    }

    /// Adds a shape, which does not make the drawing larger.
    pub(super) fn add(&mut self, shape: Shape) {
        self.shapes.push(shape);
    }

    /// Adds a text, which does not make the drawing larger.
    pub(super) fn write(
        &mut self,
        (x, y): (i64, i64),
        size: i64,
        anchor: Anchor,
        ink: Ink,
        text: String,
    ) {
        self.shapes.push(Shape::Text {
            x,
            y,
            size,
            anchor,
            ink,
            text,
        });
    }
}

impl Shape {
    fn moved(mut self, dx: i64, dy: i64) -> Self {
        match &mut self {
            Self::Rect { x, y, .. } | Self::Text { x, y, .. } => {
                *x += dx;
                *y += dy;
            }
            Self::Line { from, to, .. } => {
                for end in [from, to] {
                    end.0 += dx;
                    end.1 += dy;
                }
            }
        }
        self
    }
}

/// Returns how wide a text is at most, by the width of usual letters.
pub(super) fn text_width(text: &str, size: i64) -> i64 {
    let letters = i64::try_from(text.chars().count()).unwrap_or(i64::from(i32::MAX));
    letters * size * 58 / 100
}

/// Returns a text that is no wider than a number of pixels.
pub(super) fn fitting(text: &str, size: i64, width: i64) -> String {
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    let most = usize::try_from(width * 100 / (size * 58).max(1)).unwrap_or(0);
    let mut cut: String = text.chars().take(most.saturating_sub(1)).collect();
    cut.push('…');
    cut
}
