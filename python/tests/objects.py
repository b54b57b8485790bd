"""Objects for tests."""

from collections.abc import Iterable
from typing import Any

import dralloc

DRIVER = "gpu.example.com"


def node(name: str, **allocatable: str) -> dict[str, Any]:
    status = {"allocatable": allocatable}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": status}


def device_class(name: str = "gpu", *expressions: str) -> dict[str, Any]:
    selectors = [{"cel": {"expression": one}} for one in expressions]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": name},
        "spec": {"selectors": selectors},
    }


def device(name: str, **attributes: object) -> dict[str, Any]:
    kinds: dict[type, str] = {str: "string", int: "int", bool: "bool"}
    return {
        "name": name,
        "attributes": {name: {kinds[type(one)]: one} for name, one in attributes.items()},
    }


def resource_slice(
    node: str, devices: Iterable[dict[str, Any]], version: int = 1
) -> dict[str, Any]:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {
            "name": f"{node}-gpus",
            "uid": f"uid-{node}-gpus",
            "resourceVersion": str(version),
        },
        "spec": {
            "driver": DRIVER,
            "nodeName": node,
            "pool": {"name": node, "generation": 1, "resourceSliceCount": 1},
            "devices": list(devices),
        },
    }


def claim(
    name: str,
    count: int = 1,
    *expressions: str,
    constraints: Iterable[dict[str, Any]] = (),
    requests: int = 1,
) -> dict[str, Any]:
    exactly = {
        "deviceClassName": "gpu",
        "allocationMode": "ExactCount",
        "count": count,
        "selectors": [{"cel": {"expression": one}} for one in expressions],
    }
    names = ["gpu", *(f"gpu-{place}" for place in range(1, requests))]
    devices = {
        "requests": [{"name": one, "exactly": exactly} for one in names],
        "constraints": list(constraints),
    }
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"namespace": "default", "name": name},
        "spec": {"devices": devices},
    }


def small_engine(nodes: int = 2, devices: int = 2) -> dralloc.Engine:
    """Returns an engine with a few nodes that have a few devices each."""
    engine = dralloc.Engine()
    engine.apply(device_class())
    for place in range(nodes):
        name = f"node-{place}"
        engine.apply(node(name, cpu="8"))
        engine.apply(resource_slice(name, [device(f"gpu-{one}") for one in range(devices)]))
    return engine


def hard_question(side: int = 14) -> tuple[dralloc.Snapshot, dralloc.PreparedClaims]:
    """Returns a question that a search answers only after very long.

    Devices are fields of a board whose edges are joined; queens that do not see each
    other are wanted, as many as there are rows. If 2 or 3 divides that number there are
    none, which only a search finds out.
    """
    fields = [
        device(f"{row:02}-{column:02}", row=row, column=column, up=up % side, down=down % side)
        for row in range(side)
        for column in range(side)
        for up, down in [(row + column, row - column)]
    ]
    engine = dralloc.Engine()
    engine.apply(device_class(), node("node-0"), resource_slice("node-0", fields))
    constraints = [
        {"distinctAttribute": f"{DRIVER}/{name}"} for name in ("row", "column", "up", "down")
    ]
    snapshot = engine.snapshot()
    return snapshot, snapshot.prepare(claim("hard", side, constraints=constraints))
