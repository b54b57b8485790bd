"""Published devices."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dralloc._model._base import Model
from dralloc._model._metadata import ObjectMeta

_Named = dict[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourcePool(Model):
    """Says which slices belong together.

    Attributes:
        name: its name; a node's pool often has the node's.
        generation: only slices of the newest one count.
        resource_slice_count: how many slices that has.
    """

    name: str
    generation: int = 1
    resource_slice_count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceTaint(Model):
    """Keeps claims off a device that do not tolerate it.

    Attributes:
        key: its name.
        value: its value.
        effect: `None`, `NoSchedule` or `NoExecute`.
        time_added: since when, as RFC 3339.
    """

    key: str
    value: str = ""
    effect: str = "NoSchedule"
    time_added: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter(Model):
    """Is an amount of something.

    Attributes:
        value: a quantity, such as `40Gi`.
    """

    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterSet(Model):
    """Is what devices of a pool share.

    Attributes:
        name: its name.
        counters: amounts by name.
    """

    name: str
    counters: Mapping[str, Counter]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceCounterConsumption(Model):
    """Is what a device takes of a counter set while it is held.

    Attributes:
        counter_set: name of the set.
        counters: amounts by name.
    """

    counter_set: str
    counters: Mapping[str, Counter]


@dataclass(frozen=True, slots=True, kw_only=True)
class Device(Model):
    """Is one thing that can be allocated.

    Attributes:
        name: its name in the pool.
        attributes: by name, each a dict of one of `string`, `int`, `bool`, `version`,
            or of a list of these (`strings`, ...).
        capacity: by name, each a dict with `value` and maybe `requestPolicy`.
        consumes_counters: what it takes of shared counters.
        allow_multiple_allocations: whether several claims may share it.
        node_name: its node, where the slice has devices of several.
        node_selector: its nodes, where the slice has devices of several.
        all_nodes: whether all nodes see it, where the slice has devices of several.
        taints: what keeps claims off it.
        binds_to_node: whether it makes its claim stay on the node.
        binding_conditions: what must become true before a pod is bound.
        binding_failure_conditions: what says that it will not.
    """

    name: str
    attributes: Mapping[str, Mapping[str, Any]] = field(default_factory=_Named)
    capacity: Mapping[str, Mapping[str, Any]] = field(default_factory=_Named)
    consumes_counters: tuple[DeviceCounterConsumption, ...] = ()
    allow_multiple_allocations: bool | None = None
    node_name: str | None = None
    node_selector: Mapping[str, Any] | None = None
    all_nodes: bool | None = None
    taints: tuple[DeviceTaint, ...] = ()
    binds_to_node: bool | None = None
    binding_conditions: tuple[str, ...] = ()
    binding_failure_conditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceSliceSpec(Model):
    """Says which devices there are, and who sees them.

    Attributes:
        driver: who publishes them.
        pool: which slices belong together.
        node_name: the node that sees them.
        node_selector: or the nodes that do.
        all_nodes: or whether all do.
        devices: the devices.
        per_device_node_selection: whether each device says who sees it.
        shared_counters: what its devices share; then it has no devices.
    """

    driver: str
    pool: ResourcePool
    node_name: str | None = None
    node_selector: Mapping[str, Any] | None = None
    all_nodes: bool | None = None
    devices: tuple[Device, ...] = ()
    per_device_node_selection: bool | None = None
    shared_counters: tuple[CounterSet, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceSlice(Model):
    """Publishes devices.

    Attributes:
        metadata: its name.
        spec: the devices.
    """

    API_VERSION: ClassVar[str] = "resource.k8s.io/v1"
    KIND: ClassVar[str] = "ResourceSlice"

    metadata: ObjectMeta
    spec: ResourceSliceSpec
