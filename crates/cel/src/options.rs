//! How an expression is compiled.

/// What an expression has to produce.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// A device selector: a boolean, or a value whose type shows at run time.
    #[default]
    Selector,
    /// A derived attribute: a boolean, an integer, a string, a version, or a
    /// list of one of these.
    DerivedAttribute,
}

/// The environment that an expression is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub(crate) kubernetes_minor: u32,
    pub(crate) output: Output,
    pub(crate) cost_limit: u64,
}

impl Options {
    /// Kubernetes 1.37, a selector, a runtime cost of at most 1 000 000.
    #[must_use]
    pub fn selector() -> Self {
        Self {
            kubernetes_minor: 37,
            output: Output::Selector,
            cost_limit: 1_000_000,
        }
    }

    /// Like [`Options::selector`], for a derived attribute.
    #[must_use]
    pub fn derived_attribute() -> Self {
        Self {
            output: Output::DerivedAttribute,
            ..Self::selector()
        }
    }

    /// Sets the minor version of Kubernetes that the expression is stored in;
    /// 34 to 37 are known, newer ones count as 37, 37 is the default.
    #[must_use]
    pub fn kubernetes_minor(mut self, minor: u32) -> Self {
        self.kubernetes_minor = minor;
        self
    }

    /// Sets the runtime cost at which an evaluation ends in an error; 1 000 000 by default.
    #[must_use]
    pub fn cost_limit(mut self, limit: u64) -> Self {
        self.cost_limit = limit;
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::selector()
    }
}
