//! How constraints and configuration name requests.

use std::borrow::Cow;
use std::fmt;

use crate::model::Str;

/// Is the name of a request, or of one alternative of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequestName {
    request: Str,
    subrequest: Option<Str>,
}

impl RequestName {
    pub(crate) fn new(request: Str, subrequest: Option<Str>) -> Self {
        Self {
            request,
            subrequest,
        }
    }

    /// Returns the name of the request.
    pub(crate) fn request(&self) -> &str {
        &self.request
    }

    /// Returns the name as results have it.
    pub(crate) fn in_results(&self) -> Cow<'_, Str> {
        match self.subrequest {
            Some(_) => Cow::Owned(self.to_string().into()),
            None => Cow::Borrowed(&self.request),
        }
    }

    /// Returns whether it is one alternative of a request.
    pub(crate) fn is_subrequest(&self) -> bool {
        self.subrequest.is_some()
    }

    /// Returns whether a list names it: `request` stands for all of its
    /// alternatives, `request/subrequest` for one. An empty list names all.
    pub(crate) fn is_among(&self, names: &[Str]) -> bool {
        names.is_empty() || self.is_listed(names)
    }

    /// Returns whether a list names it, where an empty list names nothing.
    pub(crate) fn is_listed(&self, names: &[Str]) -> bool {
        names.iter().any(|name| {
            *name == self.request
                || self.subrequest.as_ref().is_some_and(|subrequest| {
                    name.strip_prefix(&*self.request)
                        .and_then(|rest| rest.strip_prefix('/'))
                        .is_some_and(|rest| *rest == **subrequest)
                })
        })
    }
}

impl fmt::Display for RequestName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.subrequest {
            Some(subrequest) => write!(formatter, "{}/{subrequest}", self.request),
            None => formatter.write_str(&self.request),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_name_requests_and_alternatives() {
        let exact = RequestName::new("gpu".into(), None);
        let small = RequestName::new("gpu".into(), Some("small".into()));
        let names = |names: &[&str]| names.iter().map(|&name| name.into()).collect::<Vec<Str>>();
        for (list, exact_among, small_among) in [
            (&[][..], true, true),
            (&["gpu"], true, true),
            (&["gpu/small"], false, true),
            (&["gpu/large"], false, false),
            (&["small"], false, false),
            (&["nic", "gpu/small"], false, true),
        ] {
            assert_eq!(exact.is_among(&names(list)), exact_among, "{list:?}");
            assert_eq!(small.is_among(&names(list)), small_among, "{list:?}");
        }
    }
}
