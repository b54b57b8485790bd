"""What answers look like in a notebook."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dralloc._explanation import Explanation
    from dralloc._native import Outcome, Placement, Snapshot

_SHOWN = 50


def _line(text: object) -> str:
    return f"<p>{escape(str(text))}</p>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    head = "".join(f"<th>{escape(one)}</th>" for one in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def snapshot(snapshot: "Snapshot") -> str:
    """Returns what a snapshot is of."""
    return _line(repr(snapshot).strip("<>"))


def outcome(outcome: "Outcome") -> str:
    """Returns a table of devices, or why there are none."""
    from dralloc._native import Infeasible, Unknown

    if isinstance(outcome, Infeasible):
        return _line(f"Infeasible: {outcome.reason}")
    if isinstance(outcome, Unknown):
        return _line(f"Unknown: {outcome.cause}")
    rows = [
        (place, one["request"], one["driver"], one["pool"], one["device"])
        for place, result in enumerate(outcome.results)
        for one in result["devices"].get("results", ())
    ]
    title = _line(f"{outcome.kind.capitalize()} on {outcome.node}")
    terms = ", ".join(str(one) for one in outcome.objective)
    below = _line(terms) if terms else ""
    return title + _table(("claim", "request", "driver", "pool", "device"), rows) + below


def placement(placement: "Placement") -> str:
    """Returns tables of the nodes where claims fit, and of the reasons elsewhere."""
    html = _line(f"{placement.feasible} of {placement.asked} nodes")
    shown = [placement[index] for index in range(min(len(placement), _SHOWN))]
    if shown:
        html += _table(
            ("node", "rank", "devices left free"),
            ((one.name, one.rank, one.free) for one in shown),
        )
    if len(placement) > _SHOWN:
        html += _line(f"and {len(placement) - _SHOWN} more")
    if placement.reasons:
        html += _table(
            ("nodes", "reason", "such as"),
            ((one.nodes, one.message, one.example) for one in placement.reasons),
        )
    return html


def explanation(explanation: "Explanation") -> str:
    """Returns a table of what becomes of devices, and the line above it."""
    rows = [
        (
            one.name,
            "all" if one.all else one.needed,
            one.considered,
            one.usable,
            ", ".join(f"{check}: {count}" for check, count in one.refused),
        )
        for one in explanation.requests
    ]
    heads = ("request", "needed", "devices", "usable", "refused")
    return _line(str(explanation) or "the claims fit") + _table(heads, rows)
