"""Claims: what is allocated whole or not at all."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from dralloc._model._allocation_result import AllocationResult, DeviceToleration
from dralloc._model._base import Model
from dralloc._model._device_class import DeviceSelector, OpaqueDeviceConfiguration
from dralloc._model._metadata import ObjectMeta


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacityRequirements(Model):
    """Says how much of a device is needed.

    Attributes:
        requests: quantities by name of the capacity.
    """

    requests: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactDeviceRequest(Model):
    """Asks for devices of one class.

    Attributes:
        device_class_name: the class.
        selectors: conditions beside those of the class.
        allocation_mode: `ExactCount`, or `All` for all devices that match.
        count: how many; 1 by default.
        admin_access: whether for monitoring, which takes nothing from others.
        tolerations: taints that do not matter.
        capacity: how much of each device.
    """

    device_class_name: str
    selectors: tuple[DeviceSelector, ...] = ()
    allocation_mode: str = "ExactCount"
    count: int | None = None
    admin_access: bool | None = None
    tolerations: tuple[DeviceToleration, ...] = ()
    capacity: CapacityRequirements | None = None

    def __post_init__(self) -> None:
        """Fills in the count that an API server does."""
        if self.count is None and self.allocation_mode == "ExactCount":
            object.__setattr__(self, "count", 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSubRequest(Model):
    """Is one of several alternatives of a request.

    Attributes:
        name: its name in the request.
        device_class_name: the class.
        selectors: conditions beside those of the class.
        allocation_mode: `ExactCount`, or `All` for all devices that match.
        count: how many; 1 by default.
        tolerations: taints that do not matter.
        capacity: how much of each device.
    """

    name: str
    device_class_name: str
    selectors: tuple[DeviceSelector, ...] = ()
    allocation_mode: str = "ExactCount"
    count: int | None = None
    tolerations: tuple[DeviceToleration, ...] = ()
    capacity: CapacityRequirements | None = None

    def __post_init__(self) -> None:
        """Fills in the count that an API server does."""
        if self.count is None and self.allocation_mode == "ExactCount":
            object.__setattr__(self, "count", 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRequest(Model):
    """Is one line of a claim.

    Attributes:
        name: its name in the claim.
        exactly: what is asked for.
        first_available: or alternatives, the best first.
    """

    name: str
    exactly: ExactDeviceRequest | None = None
    first_available: tuple[DeviceSubRequest, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceConstraint(Model):
    """Relates the devices of a claim.

    Attributes:
        requests: for which requests; all by default.
        match_attribute: an attribute that must be equal.
        distinct_attribute: an attribute that must differ.
    """

    requests: tuple[str, ...] = ()
    match_attribute: str | None = None
    distinct_attribute: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceClaimConfiguration(Model):
    """Is configuration for what a claim gets.

    Attributes:
        requests: for which requests; all by default.
        opaque: what the driver reads.
    """

    requests: tuple[str, ...] = ()
    opaque: OpaqueDeviceConfiguration | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceClaim(Model):
    """Says which devices are needed together.

    Attributes:
        requests: what is asked for.
        constraints: how the devices relate.
        config: configuration for them.
    """

    requests: tuple[DeviceRequest, ...] = ()
    constraints: tuple[DeviceConstraint, ...] = ()
    config: tuple[DeviceClaimConfiguration, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceClaimSpec(Model):
    """Says what is claimed.

    Attributes:
        devices: which devices.
    """

    devices: DeviceClaim = field(default_factory=DeviceClaim)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceClaimConsumerReference(Model):
    """Names who uses a claim.

    Attributes:
        resource: such as `pods`.
        name: its name.
        uid: its uid.
        api_group: empty for the core.
    """

    resource: str
    name: str
    uid: str
    api_group: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceClaimStatus(Model):
    """Says what a claim has.

    Attributes:
        allocation: what it got.
        reserved_for: who uses it.
    """

    allocation: AllocationResult | None = None
    reserved_for: tuple[ResourceClaimConsumerReference, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceClaim(Model):
    """Claims devices.

    Attributes:
        metadata: its namespace and name.
        spec: what is claimed.
        status: what it has.
    """

    API_VERSION: ClassVar[str] = "resource.k8s.io/v1"
    KIND: ClassVar[str] = "ResourceClaim"

    metadata: ObjectMeta
    spec: ResourceClaimSpec
    status: ResourceClaimStatus | None = None
