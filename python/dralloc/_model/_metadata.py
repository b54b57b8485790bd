"""Metadata of objects, and nodes, of which little else is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dralloc._model._base import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectMeta(Model):
    """Names an object.

    Attributes:
        name: its name.
        namespace: its namespace, if it is in one.
        uid: what tells it from others of that name that were before; objects without
            one are known by their place in a list.
        resource_version: what tells its states apart; later is larger.
        labels: for selectors.
        annotations: for people and tools.
        creation_timestamp: when it was made, as RFC 3339.
        deletion_timestamp: when it was asked to go.
    """

    name: str = ""
    namespace: str = ""
    uid: str = ""
    resource_version: str = ""
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    annotations: Mapping[str, str] = field(default_factory=dict[str, str])
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeStatus(Model):
    """Says what a node has.

    Attributes:
        allocatable: its plain amounts, such as `{"cpu": "64"}`.
    """

    allocatable: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Node(Model):
    """Is a machine of the cluster.

    Attributes:
        metadata: name and labels.
        spec: as Kubernetes has it.
        status: what it has.
    """

    API_VERSION: ClassVar[str] = "v1"
    KIND: ClassVar[str] = "Node"

    metadata: ObjectMeta
    spec: Mapping[str, Any] = field(default_factory=dict[str, Any])
    status: NodeStatus = field(default_factory=NodeStatus)
