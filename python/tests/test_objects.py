"""Objects on their way in, in every form that hosts have them in."""

import copy
import datetime as dt
import decimal
import enum
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, cast

import pytest
import yaml

import dralloc
from client_objects import client_claim, client_lists, sanitized
from objects import claim, device_class, node, resource_slice, small_engine

CLAIM = claim("one")
TEXT = dralloc.to_json(CLAIM)


def prepared(claims: dralloc.Objects) -> str:
    """Returns what a claim in any form gets."""
    snapshot = small_engine().snapshot()
    return snapshot.transaction().allocate("node-0", snapshot.prepare(claims)).to_json()


EXPECTED = prepared(TEXT)


def typed_claim() -> dralloc.ResourceClaim:
    return dralloc.ResourceClaim(
        metadata=dralloc.ObjectMeta(namespace="default", name="one"),
        spec=dralloc.ResourceClaimSpec(
            devices=dralloc.DeviceClaim(
                requests=(
                    dralloc.DeviceRequest(
                        name="gpu",
                        exactly=dralloc.ExactDeviceRequest(device_class_name="gpu"),
                    ),
                )
            )
        ),
    )


def test_claims_in_every_form() -> None:
    assert '"device":"gpu-0"' in EXPECTED
    assert prepared(CLAIM) == EXPECTED
    assert prepared(TEXT.encode()) == EXPECTED
    assert prepared([CLAIM]) == EXPECTED
    assert prepared((CLAIM,)) == EXPECTED
    assert prepared(one for one in [CLAIM]) == EXPECTED
    assert prepared(cast("Mapping[str, Any]", MappingProxyType(CLAIM))) == EXPECTED
    assert prepared(yaml.safe_load(TEXT)) == EXPECTED
    assert prepared(typed_claim()) == EXPECTED
    assert prepared(client_claim()) == EXPECTED
    assert prepared(client_claim().to_dict()) == EXPECTED
    assert prepared(sanitized(client_claim())) == EXPECTED


def test_claims_need_not_say_what_they_are() -> None:
    bare = {key: value for key, value in CLAIM.items() if key not in ("apiVersion", "kind")}
    assert prepared(bare) == EXPECTED
    assert prepared(bare | {"kind": None, "apiVersion": None}) == EXPECTED


def test_objects_of_a_kind_need_not_say_it() -> None:
    engine = dralloc.Engine()
    engine.replace("Node", {"metadata": {"name": "a"}}, {"metadata": {"name": "b"}})
    assert engine.snapshot().nodes == ["a", "b"]
    engine.replace("Node", [{"metadata": {"name": "c"}}])
    assert engine.snapshot().nodes == ["c"]
    uses = [{"owner": "pod", "node": "c", "amounts": {"cpu": "1"}}]
    assert engine.replace("NodeUse", uses).nodes == ("c",)
    assert engine.replace("NodeUse").nodes == ("c",)


def test_text_of_the_client() -> None:
    expected: dict[str, Any] = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {
            "creationTimestamp": "2026-01-02T00:00:00Z",
            "labels": {"node_name": "left_alone"},
            "name": "one",
            "namespace": "default",
        },
        "spec": copy.deepcopy(CLAIM["spec"]),
    }
    del expected["spec"]["devices"]["constraints"]
    del expected["spec"]["devices"]["requests"][0]["exactly"]["selectors"]
    assert json.loads(dralloc.to_json(client_claim())) == expected
    of_dict = json.loads(dralloc.to_json(client_claim().to_dict() | {"kind": "ResourceClaim"}))
    assert of_dict == {key: expected[key] for key in ("kind", "metadata", "spec")}


def test_lists_of_the_client() -> None:
    slices, nodes = client_lists()
    engine = dralloc.Engine()
    applied = engine.apply(slices, nodes, device_class("gpu", "'share_id' in device.attributes"))
    assert applied.warnings == ()
    other = dralloc.Engine()
    applied = other.apply(
        slices.to_dict() | {"api_version": "resource.k8s.io/v1", "kind": "ResourceSliceList"},
        nodes.to_dict() | {"api_version": "v1", "kind": "NodeList"},
        device_class("gpu", "'share_id' in device.attributes"),
    )
    assert applied.warnings == ()
    assert other.dump() == engine.dump()


def test_times_decimals_and_enumerations() -> None:
    class Color(enum.Enum):
        RED = "red"

    zone = dt.timezone(dt.timedelta(hours=2))
    values = {
        "utc": dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC),
        "zone": dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=zone),
        "naive": dt.datetime(2026, 1, 2, 3, 4, 5),  # noqa: DTZ001
        "date": dt.date(2026, 1, 2),
        "decimal": decimal.Decimal("0.10"),
        "enumeration": Color.RED,
        "policy": dralloc.Policy.PACK,
        "large": 2**70,
        "negative": -(2**63),
        "float": 1.5,
        "true": True,
        "none": None,
        "tuple": (1, 2),
        "range": range(2),
    }
    assert json.loads(dralloc.to_json(values)) == {
        "utc": "2026-01-02T03:04:05Z",
        "zone": "2026-01-02T03:04:05+02:00",
        "naive": "2026-01-02T03:04:05Z",
        "date": "2026-01-02",
        "decimal": "0.10",
        "enumeration": "red",
        "policy": "pack",
        "large": 2**70,
        "negative": -(2**63),
        "float": 1.5,
        "true": True,
        "none": None,
        "tuple": [1, 2],
        "range": [0, 1],
    }


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": [{"b": {1, 2}}]}, "a[0].b: a value of type `set`, expected an object of Kubernetes"),
        ({"a": object()}, "a: a value of type `object`, expected an object of Kubernetes"),
        ({"a": {1: 2}}, "a: a key of type `int`, expected a text"),
        ({"a": float("nan")}, "a: `NaN`, expected a number that has digits"),
        ({"a": [0, float("inf")]}, "a[1]: `inf`, expected a number that has digits"),
        ({"a": b"text"}, "a: a value of type `bytes`, expected an object of Kubernetes"),
    ],
)
def test_what_is_no_object(value: dict[str, object], message: str) -> None:
    with pytest.raises(dralloc.MalformedError) as malformed:
        dralloc.to_json(value)
    assert str(malformed.value) == message
    assert malformed.value.code is dralloc.Code.MALFORMED


def test_half_a_character() -> None:
    with pytest.raises(dralloc.MalformedError) as malformed:
        dralloc.to_json({"a": ["\ud800"]})
    assert malformed.value.path == "a[0]"


def test_an_object_that_contains_itself() -> None:
    loop: dict[str, object] = {}
    loop["again"] = loop
    with pytest.raises(dralloc.MalformedError, match="nested deeper than 128"):
        dralloc.to_json(loop)
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(dralloc.MalformedError, match="nested deeper than 128"):
        dralloc.to_json({"list": endless})


def test_what_an_object_raises_comes_out() -> None:
    class Broken:
        def to_dict(self) -> dict[str, Any]:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        dralloc.to_json(Broken())


def test_paths_of_faults() -> None:
    engine = dralloc.Engine()
    with pytest.raises(dralloc.InvalidError) as malformed:
        engine.apply({"apiVersion": "v1", "kind": "Node", "metadata": {"name": ["x"]}})
    assert (malformed.value.path, malformed.value.scope) == (
        "metadata.name",
        dralloc.Scope.REQUEST,
    )
    assert malformed.value.message == "expected a string, found a list"
    broken = claim("broken", 1, "device.driver ==")
    snapshot = small_engine().snapshot()
    claims = snapshot.prepare(broken)
    with pytest.raises(dralloc.InvalidError) as compile_error:
        snapshot.transaction().allocate("node-0", claims)
    assert compile_error.value.code is dralloc.Code.CEL_COMPILE
    assert compile_error.value.path == ("claims[0].spec.devices.requests[0].exactly.selectors[0]")


def test_fields_that_are_not_known_are_told() -> None:
    odd_slice = resource_slice("a", [{"name": "gpu-0", "basic": {}}])
    applied = dralloc.Engine().apply(node("a"), odd_slice)
    (warning,) = applied.warnings
    assert str(warning) == (
        "spec.devices[0].basic: unknown field `basic` "
        "(this is the form of v1beta1, in v1 its fields stand in the device)"
    )


def test_validate_and_defaults() -> None:
    bare = claim("a b")
    del bare["spec"]["devices"]["requests"][0]["exactly"]["count"]
    del bare["spec"]["devices"]["requests"][0]["exactly"]["allocationMode"]
    (fault,) = dralloc.validate(bare)
    assert (fault.code, fault.path) == (dralloc.Code.INVALID, "metadata.name")
    (filled,) = dralloc.defaults(bare)
    exactly = filled["spec"]["devices"]["requests"][0]["exactly"]
    assert (exactly["allocationMode"], exactly["count"]) == ("ExactCount", 1)
    assert dralloc.validate(claim("ok")) == []
    large = claim("large", 1, 'device.capacity["gpu.example.com"].memory >= quantity("40Gi")')
    assert [one.code for one in dralloc.validate(large)] == [dralloc.Code.CEL_COMPILE]
    relaxed = dralloc.Features(relaxed_selectors=True)
    assert dralloc.validate(large, features=relaxed) == []


def test_classes_and_dicts_are_the_same() -> None:
    typed = typed_claim()
    assert dralloc.ResourceClaim.from_dict(typed.to_dict()) == typed
    assert typed.to_dict()["spec"] == {
        "devices": {
            "requests": [
                {
                    "name": "gpu",
                    "exactly": {
                        "deviceClassName": "gpu",
                        "allocationMode": "ExactCount",
                        "count": 1,
                    },
                }
            ]
        }
    }
    slice_ = dralloc.ResourceSlice(
        metadata=dralloc.ObjectMeta(name="a"),
        spec=dralloc.ResourceSliceSpec(
            driver="gpu.example.com",
            node_name="node-0",
            pool=dralloc.ResourcePool(name="node-0"),
            shared_counters=(
                dralloc.CounterSet(name="card", counters={"memory": dralloc.Counter(value="8Gi")}),
            ),
            devices=(
                dralloc.Device(
                    name="gpu-0",
                    attributes={"model": {"string": "a100"}},
                    taints=(dralloc.DeviceTaint(key="sick"),),
                    all_nodes=False,
                ),
            ),
        ),
    )
    form = slice_.to_dict()
    assert form["spec"]["devices"][0]["allNodes"] is False
    assert dralloc.ResourceSlice.from_dict(form) == slice_
    assert dralloc.Engine().apply(slice_).warnings == ()
