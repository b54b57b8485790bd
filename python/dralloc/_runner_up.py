"""What comes after the best answer."""

from typing import Any

from dralloc._document import Document
from dralloc._enums import StopCause


class RunnerUp(Document):
    """Is the best of the answers that are not as good as the best."""

    @property
    def found(self) -> bool:
        """Whether there is one."""
        return bool(self._fields["runnerUp"] == "found")

    @property
    def results(self) -> list[dict[str, Any]]:
        """What the claims would get, as in `status.allocation`; empty without one."""
        return list(self._fields.get("results", ()))

    @property
    def term(self) -> int | None:
        """Place of the term in which it loses."""
        term: int | None = self._fields.get("term")
        return term

    @property
    def best(self) -> int | None:
        """What the best answer has in that term."""
        best: int | None = self._fields.get("best")
        return best

    @property
    def value(self) -> int | None:
        """What it has itself in that term."""
        value: int | None = self._fields.get("value")
        return value

    @property
    def stopped(self) -> StopCause | None:
        """What ended the search before it knew, if anything did."""
        cause = self._fields.get("stopCause")
        return None if cause is None else StopCause(cause)

    def __str__(self) -> str:
        """Returns it in words."""
        return str(self._fields["message"])

    def __repr__(self) -> str:
        """Returns it in words."""
        return f"<RunnerUp: {self}>"
