"""How good an answer is under a policy."""

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TermValue:
    """Is the value of one term of a policy; lower is better.

    Attributes:
        term: its name, such as `waste`.
        value: what the answer has.
        attribute: the attribute that the term is about, if it is about one.
        levels: the scopes that a term of a placement policy compares, the best first.
        requests: names of requests, and how many devices of each a unit has, if the
            term is about units.
        apart_over: the scope over which units are apart, if they are.
    """

    term: str
    value: int
    attribute: str | None = None
    levels: tuple[str, ...] = ()
    requests: tuple[tuple[str, int], ...] = ()
    apart_over: str | None = None

    def __str__(self) -> str:
        """Returns name and value."""
        about = self.attribute or ",".join(self.levels)
        about = f"={about}" if about else ""
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
    return tuple(_term_value(one["term"], one["value"]) for one in json.loads(text))


def _term_value(term: str | dict[str, Any], value: int) -> TermValue:
    if isinstance(term, str):
        return TermValue(term, value)
    return TermValue(
        term["term"],
        value,
        attribute=term.get("attribute"),
        levels=tuple(term.get("levels", ())),
        requests=tuple(term.get("requests", {}).items()),
        apart_over=term.get("apartOver"),
    )
