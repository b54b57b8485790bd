"""Finished answers, as Kubernetes keeps them in `status.allocation`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dralloc._device import DeviceId
from dralloc._model._base import Model
from dralloc._model._device_class import OpaqueDeviceConfiguration


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceToleration(Model):
    """Makes taints not matter.

    Attributes:
        key: name of the taint; all by default.
        operator: `Equal` or `Exists`.
        value: value of the taint.
        effect: effect of the taint; all by default.
        toleration_seconds: for how long.
    """

    key: str = ""
    operator: str = "Equal"
    value: str = ""
    effect: str = ""
    toleration_seconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRequestAllocationResult(Model):
    """Is one device that a claim got.

    Attributes:
        request: `request`, or `request/subrequest`.
        driver: driver of the device.
        pool: pool of the device.
        device: its name.
        admin_access: whether for monitoring.
        tolerations: those of the request.
        binding_conditions: what must become true before a pod is bound.
        binding_failure_conditions: what says that it will not.
        share_id: which share of the device.
        consumed_capacity: how much of it.
    """

    RENAMED: ClassVar[Mapping[str, str]] = {"share_id": "shareID"}

    request: str
    driver: str
    pool: str
    device: str
    admin_access: bool | None = None
    tolerations: tuple[DeviceToleration, ...] = ()
    binding_conditions: tuple[str, ...] = ()
    binding_failure_conditions: tuple[str, ...] = ()
    share_id: str | None = None
    consumed_capacity: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def id(self) -> DeviceId:
        """The name of the device."""
        return DeviceId(self.driver, self.pool, self.device)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceAllocationConfiguration(Model):
    """Is configuration for devices that a claim got.

    Attributes:
        source: `FromClass` or `FromClaim`.
        requests: for which requests; all by default.
        opaque: what the driver reads.
    """

    source: str
    requests: tuple[str, ...] = ()
    opaque: OpaqueDeviceConfiguration | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceAllocationResult(Model):
    """Says which devices a claim got.

    Attributes:
        results: the devices.
        config: configuration for them.
    """

    results: tuple[DeviceRequestAllocationResult, ...] = ()
    config: tuple[DeviceAllocationConfiguration, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AllocationResult(Model):
    """Is what a claim got.

    Attributes:
        devices: which devices.
        node_selector: where they can be used.
        allocation_timestamp: since when, as RFC 3339.
    """

    devices: DeviceAllocationResult = field(default_factory=DeviceAllocationResult)
    node_selector: Mapping[str, Any] | None = None
    allocation_timestamp: str | None = None


def allocations(results: Sequence[Mapping[str, Any]]) -> tuple[AllocationResult, ...]:
    """Returns answers as classes; called by the native module."""
    return tuple(AllocationResult.from_dict(one) for one in results)
