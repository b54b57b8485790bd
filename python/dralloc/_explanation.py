"""Why claims do not fit on a node, and whether waiting helps."""

from dataclasses import dataclass
from typing import Any

from dralloc import _html
from dralloc._document import Document


@dataclass(frozen=True, slots=True)
class RequestExplanation:
    """Counts the devices for one alternative of a request.

    Attributes:
        claim: place of the claim in the question.
        name: `request` or `request/subrequest`.
        needed: how many devices are needed.
        all: whether all devices that match are asked for.
        considered: how many devices of complete pools the node sees.
        refused: how many of them fail which check first, in the order of the checks.
        usable: how many pass all checks.
    """

    claim: int
    name: str
    needed: int
    all: bool
    considered: int
    refused: tuple[tuple[str, int], ...]
    usable: int


@dataclass(frozen=True, slots=True)
class Holder:
    """Is somebody who holds devices, or amounts of a node.

    Attributes:
        owner: uid of a claim, or else `namespace/name`; `DeviceHold/name` for a hold;
            empty for what is held without an owner.
        name: `namespace/name` of the claim, if an event told of it.
    """

    owner: str
    name: str | None = None


class Explanation(Document):
    """Says what becomes of every device, and what is in the way of claims.

    As a text it is one line, which is empty if the claims fit.
    """

    def __init__(self, text: str, line: str, /) -> None:
        """Makes one of the JSON text and the line of the engine."""
        super().__init__(text)
        self._line = line

    @property
    def requests(self) -> tuple[RequestExplanation, ...]:
        """Devices by request, and in it by alternative."""
        return tuple(
            RequestExplanation(
                claim=one["claim"],
                name=one["name"],
                needed=one["needed"],
                all=one["all"],
                considered=one["considered"],
                refused=tuple((check, count) for check, count in one["refused"]),
                usable=one["usable"],
            )
            for one in self._fields["requests"]
        )

    @property
    def never_possible(self) -> bool:
        """Whether the claims do not fit even if nothing is held."""
        return bool(self._fields["class"] == "neverPossible")

    @property
    def holders(self) -> tuple[Holder, ...]:
        """Who would have to give something back; empty if that does not help."""
        kind: Any = self._fields["class"]
        if kind is None or "afterRelease" not in kind:
            return ()
        return tuple(Holder(**one) for one in kind["afterRelease"]["holders"])

    @property
    def whole(self) -> list[Any]:
        """What is wrong with the whole; empty if the claims fit."""
        whole: list[Any] = self.to_dict()["whole"]
        return whole

    @property
    def unusable_pools(self) -> tuple[tuple[str, str], ...]:
        """Pools whose devices are not counted, with what is wrong with them."""
        return tuple((one["pool"], one["state"]) for one in self._fields["unusablePools"])

    @property
    def conflict(self) -> dict[str, Any] | None:
        """What cannot be had together: `requests`, `constraints` and `holders`."""
        conflict: dict[str, Any] | None = self.to_dict()["conflict"]
        return conflict

    @property
    def arithmetic(self) -> list[dict[str, Any]]:
        """What the conflict is short of, in numbers, what says most first."""
        arithmetic: list[dict[str, Any]] = self.to_dict()["arithmetic"]
        return arithmetic

    def __str__(self) -> str:
        """Returns what is short, and who could give it back, in one line."""
        return self._line

    def __repr__(self) -> str:
        """Returns the line."""
        return f"<Explanation: {self._line or 'the claims fit'}>"

    def _repr_html_(self) -> str:
        """Returns a table for notebooks."""
        return _html.explanation(self)
