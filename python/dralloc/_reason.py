"""Why claims do not fit, in short; `Transaction.explain` tells it in detail."""

import json
from dataclasses import dataclass
from typing import Any

from dralloc._enums import Code, Scope


@dataclass(frozen=True, slots=True)
class Reason:
    """Says what the proof that nothing fits rests on.

    Attributes:
        kind: `request`, `count`, `exhausted`, `allocatedElsewhere`, `releasing`,
            `fullyReserved` or `amount`.
        message: the same in words.
        claim: place of the claim in the question, where it is about one.
        request: place of the request in the claim, where it is about one.
        name: name of the amount that is short.
        missing: how much of it is missing.
    """

    kind: str
    message: str
    claim: int | None = None
    request: int | None = None
    name: str | None = None
    missing: str | None = None

    def __str__(self) -> str:
        """Returns the message."""
        return self.message


@dataclass(frozen=True, slots=True)
class NodeReason:
    """Is why claims do not fit on some nodes.

    Attributes:
        cause: its stable name, such as `request` or `constraint`.
        nodes: on how many nodes.
        example: the first one.
        message: the same in words.
    """

    cause: str
    nodes: int
    example: str
    message: str

    def __str__(self) -> str:
        """Returns the number of nodes and the message."""
        return f"{self.nodes} node{'s' if self.nodes != 1 else ''}: {self.message}"


@dataclass(frozen=True, slots=True)
class FailedNode:
    """Is a node that could not be asked, with the error.

    Attributes:
        node: its name.
        code: the class of the error.
        message: one line, without the path.
        path: the field that is wrong.
        scope: whether another node may do.
    """

    node: str
    code: Code
    message: str
    path: str
    scope: Scope


def reason(text: str) -> Reason:
    """Returns a reason; called by the native module."""
    return Reason(**json.loads(text))


def node_reasons(reasons: list[dict[str, Any]]) -> tuple[NodeReason, ...]:
    """Returns reasons of nodes; called by the native module."""
    return tuple(NodeReason(**one) for one in reasons)


def failed_nodes(failed: list[dict[str, Any]]) -> tuple[FailedNode, ...]:
    """Returns nodes with errors; called by the native module."""
    return tuple(
        FailedNode(
            node=one["node"],
            code=Code(one["error"]["code"]),
            message=one["error"]["message"],
            path=one["error"]["path"],
            scope=Scope(one["error"]["scope"]),
        )
        for one in failed
    )
