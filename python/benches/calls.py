"""What calls from Python take.

The questions are those of `crates/capi/benches/calls.rs`, which prints what the same
takes from Rust: one node of 5,000 is asked for one of its eight devices; `place` asks
all nodes. Least times are printed, since the machine may be busy.
"""

import json
import threading
import time
from collections.abc import Callable

import dralloc

NODES = 5_000
SAMPLES = 25
CALLS = 10_000
DRIVER = "gpu.example.com"
NODE = "node-0000"

CLAIM = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": {
        "namespace": "default",
        "name": "training",
        "uid": "1f9cd81a-3b4e-4a51-a62d-3b7b7f5e0d61",
    },
    "spec": {
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
    },
}


def device(node: int, place: int) -> dict[str, object]:
    """Returns one device of a node."""
    return {
        "name": f"gpu-{place}",
        "attributes": {
            "uuid": {"string": f"GPU-{node}-{place}"},
            "productName": {"string": "H100"},
            "resource.kubernetes.io/pcieRoot": {"string": f"pci{place // 2}"},
        },
        "capacity": {"memory": {"value": "80Gi"}},
    }


def engine() -> dralloc.Engine:
    """Returns an engine with nodes of eight devices each."""
    made = dralloc.Engine()
    made.apply(
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "DeviceClass",
            "metadata": {"name": "gpu"},
            "spec": {"selectors": [{"cel": {"expression": f"device.driver == '{DRIVER}'"}}]},
        }
    )
    for node in range(NODES):
        name = f"node-{node:04}"
        spec = {
            "driver": DRIVER,
            "nodeName": name,
            "devices": [device(node, place) for place in range(8)],
            "pool": {"name": name, "generation": 1, "resourceSliceCount": 1},
        }
        made.apply(
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}},
            {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "ResourceSlice",
                "metadata": {"name": f"{name}-gpus", "uid": name},
                "spec": spec,
            },
        )
    return made


def least(call: Callable[[], object], calls: int = CALLS) -> float:
    """Returns the least time of a call, in nanoseconds."""
    call()
    best = float("inf")
    for _ in range(SAMPLES):
        begin = time.perf_counter_ns()
        for _ in range(calls):
            call()
        best = min(best, (time.perf_counter_ns() - begin) / calls)
    return best


def two_threads(work: Callable[[], object], calls: int = 1_000) -> float:
    """Returns how many times as much two threads do as one, at best."""

    def took(threads: int) -> float:
        # Threads look at the clock themselves: one that only waits may get no core.
        times: list[int] = []

        def note() -> None:
            times.append(time.perf_counter_ns())

        barrier = threading.Barrier(threads, action=note)

        def run() -> None:
            for _ in range(10):
                work()
            barrier.wait()
            for _ in range(calls):
                work()
            note()

        running = [threading.Thread(target=run) for _ in range(threads)]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        return max(times) - min(times)

    return 2 * min(took(1) for _ in range(5)) / min(took(2) for _ in range(5))


def main() -> None:
    """Measures and prints."""
    snapshot = engine().snapshot()
    claims = snapshot.prepare(CLAIM)
    text = json.dumps(CLAIM)
    nodes = snapshot.node_list()
    options = dralloc.Options(find="all")
    transaction = snapshot.transaction()
    start = transaction.savepoint()
    cancel = dralloc.Cancel()

    def binary() -> None:
        transaction.allocate_devices(nodes, 0, claims)
        start.rollback()

    def outcome() -> None:
        transaction.allocate(NODE, claims)
        start.rollback()

    def results() -> None:
        assert transaction.allocate(NODE, claims).results
        start.rollback()

    def as_json() -> None:
        assert transaction.allocate(NODE, claims).to_json()
        start.rollback()

    def cold(claim: dralloc.Object) -> Callable[[], None]:
        def ask() -> None:
            transaction.allocate(NODE, snapshot.prepare(claim)).to_json()
            start.rollback()

        return ask

    def place() -> None:
        assert transaction.place(claims, nodes=nodes, options=options).feasible == NODES

    other = threading.local()

    def place_of_this_thread() -> None:
        if not hasattr(other, "transaction"):
            other.transaction = snapshot.transaction()
        other.transaction.place(claims, nodes=nodes, options=options)

    rows: list[tuple[str, Callable[[], object], int]] = [
        ("no call", lambda: None, CALLS),
        ("trivial call (`Cancel.is_set`)", cancel.is_set, CALLS),
        ("rollback", start.rollback, CALLS),
        ("binary: allocate_devices, rollback", binary, CALLS),
        ("allocate, rollback", outcome, CALLS),
        ("json: allocate, to_json, rollback", as_json, CALLS),
        ("allocate, results as dicts, rollback", results, CALLS),
        ("dict to text (`to_json`)", lambda: dralloc.to_json(CLAIM), CALLS),
        ("prepare a dict", lambda: snapshot.prepare(CLAIM), CALLS),
        ("prepare text", lambda: snapshot.prepare(text), CALLS),
        ("cold: dict, prepare, allocate, to_json, rollback", cold(CLAIM), CALLS),
        ("cold: text, prepare, allocate, to_json, rollback", cold(text), CALLS),
        ("place on 5,000 nodes", place, 11),
    ]
    for name, call, calls in rows:
        print(f"{name:<52}{least(call, calls) / 1000:>10.2f} µs")
    print(f"two threads do {two_threads(place_of_this_thread):.2f} times what one does")


if __name__ == "__main__":
    main()
