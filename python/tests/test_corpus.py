"""The corpus that all languages share, byte for byte."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import dralloc
from world import TESTDATA, error_json, run_file

FILES = sorted((TESTDATA / "corpus").glob("*.calls"))
CONFORMANCE = TESTDATA / "conformance" / "generated.jsonl"

GATES = {
    "adminAccess": "DRAAdminAccess",
    "compatibilityGroups": "DRADeviceCompatibilityGroups",
    "consumableCapacity": "DRAConsumableCapacity",
    "derivedAttributes": "DRADerivedAttributes",
    "deviceBindingAndStatus": "DRADeviceBindingConditions",
    "deviceTaints": "DRADeviceTaints",
    "fractionalCapacityRange": "DRAFractionalCapacityRange",
    "listTypeAttributes": "DRAListTypeAttributes",
    "optionalNodeOperations": "DRAOptionalNodeOperations",
    "partitionableDevices": "DRAPartitionableDevices",
    "prioritizedList": "DRAPrioritizedList",
}


def test_there_are_files() -> None:
    assert len(FILES) >= 8


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_calls(path: Path) -> None:
    assert run_file(path) > 0


def test_calls_in_threads() -> None:
    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(run_file, FILES * 2))
    assert counts[: len(FILES)] == counts[len(FILES) :]


def fnv1a(text: str) -> str:
    digest = 0xCBF29CE484222325
    for byte in text.encode():
        digest = (digest ^ byte) * 0x100000001B3 % 2**64
    return f"{digest:016x}"


def digest(line: str) -> str:
    case: dict[str, Any] = json.loads(line)
    gates = {gate: case["features"].get(name, False) for name, gate in GATES.items()}
    try:
        with dralloc.Engine(features=dralloc.Features(gates=gates)) as engine:
            engine.apply(case["node"])
            engine.apply(case.get("deviceClasses", []))
            engine.apply(case.get("resourceSlices", []))
            if case.get("allocated") is not None:
                engine.change({"allocated": case["allocated"]})
            with engine.snapshot() as snapshot, snapshot.transaction() as transaction:
                claims = snapshot.prepare(case["claims"])
                before = transaction.savepoint()
                node = case["node"]["metadata"]["name"]
                outcome = transaction.allocate(node, claims)
                before.rollback()
                nodes = snapshot.node_list([node])
                kind, numbers = transaction.allocate_devices(nodes, 0, claims)
                assert (kind, numbers) == (outcome.kind, snapshot.device_numbers(outcome))
                answer, text = str(kind), outcome.to_json()
    except dralloc.DrallocError as error:
        answer, text = "error", error_json(error)
    return f"{case['name']}\t{answer}\t{fnv1a(text)}"


def test_conformance() -> None:
    digests = (TESTDATA / "corpus" / "conformance.digests").read_text().splitlines()
    cases = CONFORMANCE.read_text(encoding="utf-8").splitlines()
    assert len(cases) == len(digests) == 2000
    with ThreadPoolExecutor(2) as pool:
        for found, expected in zip(pool.map(digest, cases), digests, strict=True):
            assert found == expected
