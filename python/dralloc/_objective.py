"""How good an answer is under a policy."""

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TermValue:
    """Is the value of one term of a policy; lower is better.

    Attributes:
        term: its name, such as `waste`.
        value: what the answer has.
        attribute: the attribute that the term is about, if it is about one.
    """

    term: str
    value: int
    attribute: str | None = None

    def __str__(self) -> str:
        """Returns name and value."""
        about = f"={self.attribute}" if self.attribute else ""
        return f"{self.term}{about} {self.value}"


@dataclass(frozen=True, slots=True)
class Gap:
    """Bounds how far an answer is from the best; terms before `term` are proved.

    Attributes:
        term: place of the first term that is not proved.
        value: what the answer has in that term.
        bound: no answer is better than this in that term.
    """

    term: int
    value: int
    bound: int


def term_values(text: str) -> tuple[TermValue, ...]:
    """Returns the values of an answer; called by the native module."""
    return tuple(
        TermValue(one["term"]["term"], one["value"], one["term"].get("attribute"))
        if isinstance(one["term"], dict)
        else TermValue(one["term"], one["value"])
        for one in json.loads(text)
    )
