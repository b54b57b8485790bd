"""Classes of devices, and what selects devices."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dralloc._model._base import Model
from dralloc._model._metadata import ObjectMeta


@dataclass(frozen=True, slots=True, kw_only=True)
class CELDeviceSelector(Model):
    """Is a condition of one device, in CEL.

    Attributes:
        expression: such as `device.driver == "gpu.example.com"`.
    """

    expression: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSelector(Model):
    """Selects devices.

    Attributes:
        cel: the condition.
    """

    cel: CELDeviceSelector

    @classmethod
    def of(cls, expression: str) -> "DeviceSelector":
        """Returns a selector with a condition in CEL."""
        return cls(cel=CELDeviceSelector(expression=expression))


@dataclass(frozen=True, slots=True, kw_only=True)
class OpaqueDeviceConfiguration(Model):
    """Is configuration that a driver reads.

    Attributes:
        driver: who reads it.
        parameters: an object of the driver's.
    """

    driver: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceClassConfiguration(Model):
    """Is configuration for all devices of a class.

    Attributes:
        opaque: what the driver reads.
    """

    opaque: OpaqueDeviceConfiguration | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceClassSpec(Model):
    """Says which devices are of a class.

    Attributes:
        selectors: conditions that all must hold.
        config: configuration for them.
        extended_resource_name: the plain amount that stands for the class.
    """

    selectors: tuple[DeviceSelector, ...] = ()
    config: tuple[DeviceClassConfiguration, ...] = ()
    extended_resource_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceClass(Model):
    """Names selectors and configuration, for claims.

    Attributes:
        metadata: its name.
        spec: which devices are of it.
    """

    API_VERSION: ClassVar[str] = "resource.k8s.io/v1"
    KIND: ClassVar[str] = "DeviceClass"

    metadata: ObjectMeta
    spec: DeviceClassSpec = field(default_factory=DeviceClassSpec)
