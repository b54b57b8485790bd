"""Exceptions: bad input, and calls that cannot be made. That claims do not fit is none."""

from dralloc._enums import Code, Scope


class DrallocError(Exception):
    """Says what is wrong, where, and whom it affects.

    Attributes:
        code: the stable class of the error.
        message: one line, without the path.
        path: the field that is wrong, such as `spec.devices.requests[1].exactly.count`;
            empty for the whole input.
        scope: whether another node may do.
    """

    def __init__(
        self,
        message: str,
        *,
        code: Code = Code.UNKNOWN,
        path: str = "",
        scope: Scope = Scope.REQUEST,
    ) -> None:
        """Makes an error; the engine raises them, so that only tests need to."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.path = path
        self.scope = scope

    def __str__(self) -> str:
        """Returns path and message."""
        return f"{self.path}: {self.message}" if self.path else self.message

    def __reduce__(self) -> tuple[object, ...]:
        """Is pickled with all that it says, so that processes can hand it on."""
        return _restore, (str(self.code), self.message, self.path, str(self.scope))


class InvalidError(DrallocError, ValueError):
    """The input is not what Kubernetes' API or this one allows."""


class MalformedError(InvalidError):
    """The input cannot be read: it has another shape, or fields that are not known."""


class UnsupportedError(InvalidError):
    """The input needs what is not known here, or a feature that is switched off."""


class NotFoundError(DrallocError, LookupError):
    """Something that is named does not exist."""


class ConflictError(DrallocError):
    """Something has changed meanwhile: begin anew from a new snapshot."""


class EvaluationError(DrallocError):
    """A selector, attribute or amount cannot be evaluated on a device."""


class PoolError(DrallocError):
    """A pool is incomplete or contradicts itself."""


class StateError(DrallocError, RuntimeError):
    """The object cannot be used: it is closed, spent, or in use by another thread."""


class BusyError(StateError):
    """Another thread is using the object."""


class InternalError(DrallocError, RuntimeError):
    """A bug in dralloc; the message belongs into a report."""


_CLASSES: dict[Code, type[DrallocError]] = {
    Code.MALFORMED: MalformedError,
    Code.UNKNOWN_FIELD: MalformedError,
    Code.INVALID: InvalidError,
    Code.DUPLICATE: InvalidError,
    Code.NOT_FOUND: NotFoundError,
    Code.UNSUPPORTED: UnsupportedError,
    Code.FEATURE_DISABLED: UnsupportedError,
    Code.LIMIT_EXCEEDED: InvalidError,
    Code.CEL_COMPILE: InvalidError,
    Code.CEL_EVALUATION: EvaluationError,
    Code.ATTRIBUTE: EvaluationError,
    Code.CAPACITY: EvaluationError,
    Code.NODE_SELECTOR: InvalidError,
    Code.POOL: PoolError,
    Code.CONFLICT: ConflictError,
    Code.INTERNAL: InternalError,
    Code.BUSY: BusyError,
    Code.SPENT: StateError,
    Code.CLOSED: StateError,
    Code.POISONED: StateError,
    Code.PANIC: InternalError,
    Code.UNKNOWN: DrallocError,
}


for _class in {DrallocError, *_CLASSES.values()}:
    # The name that callers know them by.
    _class.__module__ = "dralloc"


def exception(code: str, message: str, path: str, scope: str) -> DrallocError:
    """Returns the exception of a code; called by the native module."""
    known = Code(code)
    return _CLASSES[known](message, code=known, path=path, scope=Scope(scope))


def _restore(code: str, message: str, path: str, scope: str) -> DrallocError:
    return exception(code, message, path, scope)
