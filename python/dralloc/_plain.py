"""Objects of Python that are no dicts, lists, texts and numbers, as such."""

import re
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from math import floor, isfinite
from numbers import Integral
from typing import Any, cast

from dralloc._model import Model

# No object of Kubernetes is nested as deep; what is, the native module refuses.
_DEPTH = 128

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_GROUP = "resource.k8s.io"

# Fields of Kubernetes' objects whose keys, if they have some, are the user's: they are left
# as they are.
_FREE_KEYS = frozenset(
    {
        "allocatable",
        "annotations",
        "attributes",
        "capacity",
        "consumed_capacity",
        "counters",
        "labels",
        "match_labels",
        "requests",
    }
)

# Names that the rule of the client does not turn back.
_NAMES = {
    "share_id": "shareID",
    "pod_cidr": "podCIDR",
    "pod_cidrs": "podCIDRs",
    "provider_id": "providerID",
    "external_id": "externalID",
    "machine_id": "machineID",
    "system_uuid": "systemUUID",
    "boot_id": "bootID",
}

# Such as `V1Node`, or `ResourceV1ResourceClaim` where another group has that name, too.
_CLASS = re.compile(r"(?:[A-Z][a-z]+)?V(\d+(?:(?:alpha|beta)\d+)?)([A-Z]\w*)")


def plain(value: Any) -> Any:  # noqa: PLR0911
    """Returns a value as JSON has it, or the value itself if it has no such form.

    Called by the native module for what it does not know: enumerations, times,
    decimals, dataclasses, objects and dicts of Kubernetes' Python client, and any
    mapping or iterable.
    """
    if isinstance(value, Model):
        return value.to_dict()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime | date):
        return _time(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(getattr(value, "attribute_map", None), Mapping):
        return _of_client(value)
    to_dict: Callable[[], Any] | None = getattr(value, "to_dict", None)
    if callable(to_dict) and not isinstance(value, type):
        return to_dict()
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return _collection(value)


def digits(value: int) -> str:
    """Returns the digits of a whole number; called by the native module."""
    return int.__repr__(value)


def seconds(value: object) -> int | None:
    """Returns the seconds since 1970 of a time or number; called by the native module.

    A time without a zone is UTC, as in objects.
    """
    if isinstance(value, datetime):
        time = value.replace(tzinfo=UTC) if value.tzinfo is None else value
        return (time - _EPOCH) // timedelta(seconds=1)
    if isinstance(value, int | float) and isfinite(value):
        return floor(value)
    return None


def _collection(value: Any) -> Any:
    if isinstance(value, Mapping):
        mapping = cast("Mapping[str, Any]", value)
        return _camel(mapping) if "api_version" in mapping else dict(mapping)
    # The order of a set is nobody's.
    if isinstance(value, Iterable) and not isinstance(value, bytes | bytearray | AbstractSet):
        items: list[Any] = list(cast("Any", value))
        return items
    return cast("Any", value)


def _time(value: date) -> str:
    """Returns a time as Kubernetes writes it; one without a zone is UTC."""
    text = value.isoformat()
    if not isinstance(value, datetime):
        return text
    if value.utcoffset() is None or text.endswith("+00:00"):
        return text.removesuffix("+00:00") + "Z"
    return text


def _of_client(value: Any) -> dict[str, Any]:
    """Returns an object of Kubernetes' Python client, which knows its own names.

    Those that come out of lists do not say what they are: then the class does.
    """
    names: Mapping[str, str] = value.attribute_map
    object_ = {
        json_name: field
        for name, json_name in names.items()
        if (field := getattr(value, name)) is not None
    }
    if "apiVersion" in names.values() and "kind" in names.values() and "kind" not in object_:
        matched = _CLASS.fullmatch(type(value).__name__)
        if matched:
            version, kind = f"v{matched[1]}", matched[2]
            is_core = kind.removesuffix("List") in ("Node", "Pod")
            api_version = version if is_core else f"{_GROUP}/{version}"
            object_ = {"apiVersion": api_version, "kind": kind} | object_
    return object_


def _camel(value: Any, depth: int = 0) -> Any:
    """Returns what the client's `to_dict` made, in Kubernetes' spelling."""
    if depth > _DEPTH:
        return value
    depth += 1
    if isinstance(value, list | tuple):
        return [_camel(inner, depth) for inner in cast("Iterable[Any]", value)]
    if not isinstance(value, Mapping):
        return value
    form: dict[str, Any] = {}
    for key, inner in cast("Mapping[str, Any]", value).items():
        if inner is None:
            continue
        if key == "parameters":
            form[key] = inner
        elif key in _FREE_KEYS and isinstance(inner, Mapping):
            free = cast("Mapping[str, Any]", inner)
            form[_name(key)] = {name: _camel(one, depth) for name, one in free.items()}
        else:
            form[_name(key)] = _camel(inner, depth)
    return form


def _name(name: str) -> str:
    if name in _NAMES:
        return _NAMES[name]
    first, *others = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in others)
