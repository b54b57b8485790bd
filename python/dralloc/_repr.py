"""What answers look like at a prompt."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dralloc._native import Outcome, Placement

_SHOWN = 4


def outcome(outcome: "Outcome") -> str:
    """Returns a line that says what claims got, or why nothing."""
    from dralloc._native import Feasible, Infeasible, Unknown

    name = type(outcome).__name__
    if isinstance(outcome, Infeasible):
        return f"<{name}: {outcome.reason}>"
    if isinstance(outcome, Unknown):
        return f"<{name}: {outcome.cause}>"
    devices = [str(device.device) for device in outcome.devices]
    shown = ", ".join(devices[:_SHOWN]) or "no devices"
    if len(devices) > _SHOWN:
        shown += f" and {len(devices) - _SHOWN} more"
    if isinstance(outcome, Feasible):
        gap = outcome.gap
        shown += f"; term {gap.term} is {gap.value}, at best {gap.bound}"
    return f"<{name} on {outcome.node}: {shown}>"


def placement(placement: "Placement") -> str:
    """Returns a line that says where claims fit, or why nowhere."""
    asked, feasible = placement.asked, placement.feasible
    text = f"<Placement: {feasible} of {asked} nodes"
    names = placement.names
    if names:
        text += f"; {', '.join(names[:_SHOWN])}"
        if len(names) > _SHOWN:
            text += f" and {len(names) - _SHOWN} more"
    elif placement.reasons and not feasible:
        text += f"; {placement.reasons[0]}"
    if placement.stopped is not None:
        text += f"; stopped: {placement.stopped}"
    return text + ">"
