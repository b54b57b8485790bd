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

/// Which language expressions are written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// What Kubernetes accepts, and nothing else.
    #[default]
    Kubernetes,
    /// Kubernetes' language and `<`, `<=`, `>`, `>=` on quantities and on
    /// versions, each at a cost of 1. An API server rejects such expressions.
    Relaxed,
}

/// The environment that an expression is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub(crate) language: Language,
    pub(crate) output: Output,
    pub(crate) cost_limit: u64,
}

/// What decides which functions there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Language {
    /// The minor version of Kubernetes.
    pub(crate) minor: u32,
    pub(crate) dialect: Dialect,
}
impl Options {
    /// The oldest minor version of Kubernetes 1 whose language is known.
    pub const OLDEST_MINOR: u32 = 34;

    /// The newest minor version of Kubernetes 1 whose language is known.
    pub const NEWEST_MINOR: u32 = 37;

    /// Kubernetes 1.37, a selector, a runtime cost of at most 1 000 000.
    #[must_use]
    pub fn selector() -> Self {
        Self {
            language: Language {
                minor: Self::NEWEST_MINOR,
                dialect: Dialect::Kubernetes,
            },
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

    /// Sets the minor version of Kubernetes that the expression is stored in,
    /// [`Self::NEWEST_MINOR`] by default; what is older or newer than the
    /// versions that are known counts as the oldest or newest of them.
    #[must_use]
    pub fn kubernetes_minor(mut self, minor: u32) -> Self {
        self.language.minor = minor.clamp(Self::OLDEST_MINOR, Self::NEWEST_MINOR);
        self
    }

    /// Sets the language; [`Dialect::Kubernetes`] by default.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.language.dialect = dialect;
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
