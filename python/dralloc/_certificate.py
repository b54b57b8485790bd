"""Proofs that claims do not fit, or that an answer is the best."""

from enum import StrEnum
from typing import Any

from dralloc._document import Document


class Proved(StrEnum):
    """Says what was proved."""

    FITS = "fits"
    """Nothing had to be: the claims fit, and no policy asks for the best."""
    OPTIMAL = "optimal"
    """No answer is better."""
    INFEASIBLE = "infeasible"
    """The claims do not fit."""
    UNRECORDED = "unrecorded"
    """There is no proof; `unrecorded` says why."""


class Certified(Document):
    """Is what could be proved, and the proof, which can be checked without a search."""

    @property
    def proved(self) -> Proved:
        """What was proved."""
        return Proved(self._fields["certified"])

    @property
    def certificate(self) -> dict[str, Any] | None:
        """The proof, for `verify_certificate` or `verify_optimality`."""
        certificate: dict[str, Any] | None = self.to_dict().get("certificate")
        return certificate

    @property
    def unrecorded(self) -> str | None:
        """Why there is no proof, such as `deadline` or `size`."""
        unrecorded: str | None = self._fields.get("unrecorded")
        return unrecorded

    def __repr__(self) -> str:
        """Returns what was proved."""
        if self.unrecorded:
            return f"<Certified: {self.proved}, {self.unrecorded}>"
        return f"<Certified: {self.proved}>"
