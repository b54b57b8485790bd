"""Words that are one of a few; each is the text that the engine uses for it."""

from enum import StrEnum


class Policy(StrEnum):
    """Says what the best answer is; a list of terms says it in detail."""

    KUBERNETES = "kubernetes"
    """The first answer in canonical order, as Kubernetes gives it."""
    PACK = "pack"
    """The least waste, and the least harm to what can be had later."""
    SPREAD = "spread"
    """The most even use."""


class CarriedPolicies(StrEnum):
    """Says what becomes of the policies that claims and classes carry."""

    USED = "used"
    """They count where the caller asks for no policy."""
    IGNORED = "ignored"
    """They are as good as not there."""


class ErrorMode(StrEnum):
    """Says what a device does on which evaluation fails."""

    ABORT = "abort"
    """It is an error of the question, if the search comes to it."""
    SKIP = "skip"
    """It cannot be had."""


class Releasing(StrEnum):
    """Says what becomes of devices whose owners are about to give them back."""

    TAKEN = "taken"
    """They are taken until they are given back."""
    FREE = "free"
    """They count as free: who gets them has to wait for them."""


class Find(StrEnum):
    """Says which nodes are wanted of a question to many."""

    FIRST = "first"
    """The first one where the claims fit."""
    BEST = "best"
    """The best ones, the best first; the option `best` says how many, 1 by default."""
    ALL = "all"
    """All of them, in order."""
    COUNT = "count"
    """None: how many there are is enough."""


class Kind(StrEnum):
    """Classifies outcomes."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"


class StopCause(StrEnum):
    """Says why a search ended before it knew."""

    BRANCHES = "branches"
    """The budget of branches is used up."""
    DEADLINE = "deadline"
    """The time is over."""
    CANCELLED = "cancelled"
    """The caller cancelled."""


class Scope(StrEnum):
    """Says whom an error affects."""

    REQUEST = "request"
    """The call: no node can help."""
    NODE = "node"
    """One node; others may do."""


class Code(StrEnum):
    """Classifies errors; the names are stable, and the same in every language."""

    MALFORMED = "malformed"
    """The input is not an object of the expected shape."""
    UNKNOWN_FIELD = "unknown-field"
    """A field is unknown."""
    INVALID = "invalid"
    """A value is not allowed by the API."""
    DUPLICATE = "duplicate"
    """Two things have one name."""
    NOT_FOUND = "not-found"
    """A named thing does not exist."""
    UNSUPPORTED = "unsupported"
    """A kind of selector, request, constraint or mode is not known here."""
    FEATURE_DISABLED = "feature-disabled"
    """The input needs a feature that is switched off."""
    LIMIT_EXCEEDED = "limit-exceeded"
    """A size limit of the API is exceeded."""
    CEL_COMPILE = "cel-compile"
    """A CEL expression does not compile."""
    CEL_EVALUATION = "cel-evaluation"
    """A CEL expression fails on a device."""
    ATTRIBUTE = "attribute"
    """An attribute of a device has no usable value."""
    CAPACITY = "capacity"
    """An amount cannot be computed."""
    NODE_SELECTOR = "node-selector"
    """A node selector is malformed."""
    POOL = "pool"
    """A pool is incomplete or contradicts itself."""
    CONFLICT = "conflict"
    """An object changed meanwhile."""
    INTERNAL = "internal"
    """An invariant of dralloc is broken: a bug."""
    BUSY = "busy"
    """Another thread is using the object."""
    SPENT = "spent"
    """The transaction was committed."""
    CLOSED = "closed"
    """The object was closed."""
    POISONED = "poisoned"
    """An earlier call panicked, which may have left the object half done."""
    PANIC = "panic"
    """The call panicked: a bug in dralloc."""
    UNKNOWN = "unknown"
    """What a later version of the engine says."""

    @classmethod
    def _missing_(cls, value: object) -> "Code":  # noqa: ARG003
        return cls.UNKNOWN
