"""Where the members of a gang go."""

from dataclasses import dataclass
from typing import Any

from dralloc._document import Document
from dralloc._enums import StopCause
from dralloc._reason import NodeReason, node_reasons


@dataclass(frozen=True, slots=True)
class GangLevel:
    """Says how the domains of a scope are used.

    Attributes:
        scope: its name, such as `rack`.
        domains: how many of its domains have members.
        smallest: the fewest members of one of these.
    """

    scope: str
    domains: int
    smallest: int


@dataclass(frozen=True, slots=True)
class GangShortage:
    """Says why the members of a gang do not fit.

    Attributes:
        members: how many were asked for.
        most: how many fit at most: in one domain if they must be in one.
        limit: what is in the way: `free`, `within`, `mostNodes`, `slices` or `together`.
        message: the same in words.
        reasons: why not even one member fits on a node.
        scope: the scope of which one domain must have all.
        domain: the domain where most fit.
    """

    members: int
    most: int
    limit: str
    message: str
    reasons: tuple[NodeReason, ...]
    scope: str | None = None
    domain: str | None = None

    def __str__(self) -> str:
        """Returns the message."""
        return self.message


class Gang(Document):
    """Says on which nodes the members of a gang are, or why they are nowhere."""

    @property
    def placed(self) -> bool:
        """Whether all members have a node; what they got is held then."""
        return bool(self._fields["outcome"] == "placed")

    @property
    def nodes(self) -> dict[str, tuple[int, ...]]:
        """Nodes in order, with the places of their members in the question."""
        return {
            node["name"]: tuple(one["member"] for one in node["members"])
            for node in self._fields.get("nodes", ())
        }

    @property
    def results(self) -> list[list[dict[str, Any]]]:
        """What each member got, by place: as in `status.allocation`, by claim."""
        nodes = self.to_dict().get("nodes", ())
        members = [one for node in nodes for one in node["members"]]
        members.sort(key=lambda one: int(one["member"]))
        return [one["results"] for one in members]

    @property
    def levels(self) -> tuple[GangLevel, ...]:
        """How domains are used, the widest first."""
        return tuple(GangLevel(**one) for one in self._fields.get("levels", ()))

    @property
    def proved(self) -> bool:
        """Whether it is the best; not known if a limit of branches ended a search."""
        return bool(self._fields.get("proved", False))

    @property
    def shortage(self) -> GangShortage | None:
        """Why the members do not fit, if they do not."""
        fields = self.to_dict().get("shortage")
        if fields is None:
            return None
        reasons = node_reasons(fields.pop("reasons"))
        return GangShortage(reasons=reasons, **fields)

    @property
    def stopped(self) -> StopCause | None:
        """What ended the call before it knew, if anything did."""
        cause = self._fields.get("stopCause")
        return None if cause is None else StopCause(cause)

    def __str__(self) -> str:
        """Returns it in words."""
        if self.shortage is not None:
            return self.shortage.message
        if self.stopped is not None:
            return f"not known: {self.stopped}"
        return ", ".join(f"{len(members)} on {name}" for name, members in self.nodes.items())

    def __repr__(self) -> str:
        """Returns it in words."""
        return f"<Gang: {self}>"
