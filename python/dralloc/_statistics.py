"""What a search took."""

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Counts what the search for the last answer took; it says nothing of time.

    Attributes:
        branches: devices that were tried, as budgets count them.
        tries: picks.
        dead_ends: where no pick was left.
        refused: picks that a constraint refused.
        short_of_request: dead ends seen early: a request has too few devices.
        short_of_count: all requests together have too few devices.
        short_of_values: a constraint has too few devices of one value.
        short_of_bundles: constraints that are alike have too few values.
        short_of_shares: too few shares are left.
        short_of_parts: parts of cards have too little left.
        jumps: levels that were passed over on the way back.
        improvements: better answers found.
    """

    branches: int
    tries: int
    dead_ends: int
    refused: int
    short_of_request: int
    short_of_count: int
    short_of_values: int
    short_of_bundles: int
    short_of_shares: int
    short_of_parts: int
    jumps: int
    improvements: int


_NAMES = {
    "branches": "branches",
    "tries": "tries",
    "deadEnds": "dead_ends",
    "refused": "refused",
    "shortOfRequest": "short_of_request",
    "shortOfCount": "short_of_count",
    "shortOfValues": "short_of_values",
    "shortOfBundles": "short_of_bundles",
    "shortOfShares": "short_of_shares",
    "shortOfParts": "short_of_parts",
    "jumps": "jumps",
    "improvements": "improvements",
}


def statistics(text: str) -> Statistics:
    """Returns statistics; called by the native module."""
    return Statistics(**{_NAMES[name]: count for name, count in json.loads(text).items()})
