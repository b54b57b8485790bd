"""What the devices of placement policies have in common."""

import json
from dataclasses import dataclass

from dralloc._device import DeviceId


@dataclass(frozen=True, slots=True)
class UnitTogether:
    """Is one unit of a placement policy.

    Attributes:
        level: the first scope that its devices have in common, if they have one.
        devices: its devices.
    """

    level: str | None
    devices: tuple[DeviceId, ...]


@dataclass(frozen=True, slots=True)
class Together:
    """Says what the devices of one placement policy have in common.

    Attributes:
        claim: place of the claim in the question.
        requests: names of the requests that the policy is for; empty for all of the claim.
        levels: for each level of the policy the first scope that all devices have in
            common; `None` where they have nothing in common of it.
        units: the units, those at the best level first.
    """

    claim: int
    requests: tuple[str, ...] = ()
    levels: tuple[str | None, ...] = ()
    units: tuple[UnitTogether, ...] = ()


def together(text: str) -> tuple[Together, ...]:
    """Returns what policies say of an answer; called by the native module."""
    return tuple(
        Together(
            claim=one["claim"],
            requests=tuple(one.get("requests", ())),
            levels=tuple(one.get("levels", ())),
            units=tuple(
                UnitTogether(unit["level"], tuple(map(_device_id, unit["devices"])))
                for unit in one.get("units", ())
            ),
        )
        for one in json.loads(text)
    )


def _device_id(one: dict[str, str]) -> DeviceId:
    return DeviceId(one["driver"], one["pool"], one["device"])
