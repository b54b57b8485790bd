"""Which features of Kubernetes are on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dralloc._model._base import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class Features(Model):
    """Says which features are on: all, also what is alpha, if nothing is said.

    Attributes:
        kubernetes_minor: those that this version has on by default, such as 35 for
            Kubernetes 1.35.
        gates: single ones, by their names in Kubernetes.
        relaxed_selectors: whether selectors may compare quantities and versions by
            `<`, `<=`, `>` and `>=`, which they may not in Kubernetes.
    """

    kubernetes_minor: int | None = None
    gates: Mapping[str, bool] = field(default_factory=dict[str, bool])
    relaxed_selectors: bool = False


def features(form: Mapping[str, Any]) -> Features:
    """Returns which features are on; called by the native module."""
    return Features.from_dict(form)
