"""Devices by name."""

from typing import NamedTuple


class DeviceId(NamedTuple):
    """Names a device; prints as `driver/pool/device`."""

    driver: str
    pool: str
    device: str

    def __str__(self) -> str:
        """Returns the name in one word."""
        return "/".join(self)


class AllocatedDevice(NamedTuple):
    """Is one device that a claim got.

    Attributes:
        claim: place of the claim in the question.
        request: place of the request in the claim; the number of requests for a
            device that it had already by a request that it does not have.
        alternative: place of the alternative in the request, 0 for one without a
            choice.
        device: its name.
    """

    claim: int
    request: int
    alternative: int
    device: DeviceId
