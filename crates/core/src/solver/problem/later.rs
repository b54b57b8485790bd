//! [`Later`]: the requests that are still to be satisfied.

/// Names requests from a first to before an end; only those that have to do
/// with each other, where that is known.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct Later<'l> {
    first: usize,
    end: usize,
    /// By request: its component, and which of them counts.
    among: Option<(&'l [usize], usize)>,
}

impl<'l> Later<'l> {
    /// Returns all requests from a first to before an end.
    pub(in crate::solver) fn all(first: usize, end: usize) -> Self {
        Self {
            first: first.min(end),
            end,
            among: None,
        }
    }

    /// Returns those that are in the component of a request.
    pub(in crate::solver) fn beside(self, components: &'l [usize], request: usize) -> Self {
        let component = components.get(request);
        Self {
            among: component.map(|component| (components, *component)),
            ..self
        }
    }

    /// Returns the requests in order.
    pub(in crate::solver) fn iter(self) -> impl Iterator<Item = usize> + Clone + use<'l> {
        (self.first..self.end).filter(move |request| {
            self.among
                .is_none_or(|(components, component)| components.get(*request) == Some(&component))
        })
    }
}
