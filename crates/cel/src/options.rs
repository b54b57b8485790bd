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

/// What decides which functions and fields there are, and what they cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Language {
    /// The minor version of Kubernetes.
    pub(crate) minor: u32,
    pub(crate) dialect: Dialect,
    /// Whether the expression is being written, and not stored already.
    is_new: bool,
    consumable_capacity: bool,
    list_attributes: bool,
}

/// Minor version of Kubernetes that brought attributes that are lists.
const LIST_ATTRIBUTES: u32 = 36;

/// Minor version of Kubernetes in which stored expressions became independent
/// of the gate of attributes that are lists.
const STORED_LIST_ATTRIBUTES: u32 = 37;

impl Language {
    const STORED: Self = Self {
        minor: Options::NEWEST_MINOR,
        dialect: Dialect::Kubernetes,
        is_new: false,
        consumable_capacity: true,
        list_attributes: true,
    };

    /// Whether `device.allowMultipleAllocations` is there.
    pub(crate) fn has_multiple_allocations(self) -> bool {
        !self.is_new || self.consumable_capacity
    }

    /// Whether the checker takes into account that attributes may be lists.
    pub(crate) fn has_list_attributes(self) -> bool {
        let is_independent = !self.is_new && self.minor >= STORED_LIST_ATTRIBUTES;
        self.minor >= LIST_ATTRIBUTES && (self.list_attributes || is_independent)
    }

    /// Whether functions that came with attributes that are lists are there.
    pub(crate) fn has_list_attribute_functions(self) -> bool {
        !self.is_new || self.list_attributes
    }

    /// The language of another minor version.
    pub(crate) fn of_minor(self, minor: u32) -> Self {
        Self { minor, ..self }
    }

    /// The language of expressions that are stored.
    pub(crate) fn stored(self) -> Self {
        Self {
            is_new: false,
            ..self
        }
    }

    /// The language with attributes that are lists.
    pub(crate) fn with_list_attributes(self) -> Self {
        Self {
            list_attributes: true,
            ..self
        }
    }

    /// Whether a derived attribute may be a list.
    pub(crate) fn has_derived_lists(self) -> bool {
        !self.is_new || self.list_attributes
    }

    /// Whether a library is there that Kubernetes introduced in a minor version.
    ///
    /// An API server keeps new expressions to what the version before it knows,
    /// to which it may have to be rolled back.
    pub(crate) fn has_library_of(self, introduced: u32) -> bool {
        let is_too_new = self.is_new && self.minor <= introduced;
        !is_too_new
    }
}

impl Options {
    /// The oldest minor version of Kubernetes 1 whose language is known.
    pub const OLDEST_MINOR: u32 = 34;

    /// The newest minor version of Kubernetes 1 whose language is known.
    pub const NEWEST_MINOR: u32 = 37;

    /// The runtime cost at which Kubernetes ends an evaluation, and the estimate
    /// up to which an API server admits an expression
    /// (`resource/v1 CELSelectorExpressionMaxCost`).
    pub const COST_LIMIT: u64 = 1_000_000;

    /// Kubernetes 1.37, a stored selector, a runtime cost of at most 1 000 000.
    #[must_use]
    pub fn selector() -> Self {
        Self {
            language: Language::STORED,
            output: Output::Selector,
            cost_limit: Self::COST_LIMIT,
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

    /// Sets the minor version of Kubernetes, [`Self::NEWEST_MINOR`] by
    /// default; what is older or newer than the
    /// versions that are known counts as the oldest or newest of them.
    #[must_use]
    pub fn kubernetes_minor(mut self, minor: u32) -> Self {
        self.language.minor = minor.clamp(Self::OLDEST_MINOR, Self::NEWEST_MINOR);
        self
    }

    /// Asks for what an API server lets in when an expression is written.
    ///
    /// It is less than what counts once an expression is stored, the default:
    /// functions that came with the minor version are left out, and so is what
    /// belongs to features that are off.
    ///
    /// ```
    /// use dralloc_cel::{Options, Program};
    ///
    /// let stored = Options::selector().kubernetes_minor(34);
    /// assert!(Program::compile("[[1]].flatten() == [1]", &stored).is_ok());
    /// let new = stored.new_expression();
    /// assert!(Program::compile("[[1]].flatten() == [1]", &new).is_err());
    /// ```
    #[must_use]
    pub fn new_expression(mut self) -> Self {
        self.language.is_new = true;
        self
    }

    /// Sets whether the feature `DRAConsumableCapacity` is on, as by default;
    /// it decides on `device.allowMultipleAllocations` in new expressions.
    #[must_use]
    pub fn consumable_capacity(mut self, on: bool) -> Self {
        self.language.consumable_capacity = on;
        self
    }

    /// Sets whether the feature `DRAListTypeAttributes` is on, as by default;
    /// it decides on loops over attributes and on `includes` in new
    /// expressions, and in Kubernetes 1.36 on such loops in stored ones, too.
    #[must_use]
    pub fn list_attributes(mut self, on: bool) -> Self {
        self.language.list_attributes = on;
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
