"""Calls that are made very often do not need more memory."""

import itertools
import os
from pathlib import Path

import pytest

import dralloc
from objects import claim, device, resource_slice, small_engine

# The millions are for the long run.
CALLS = int(os.environ.get("DRALLOC_PYTHON_CALLS", "20000"))
PAGE = os.sysconf("SC_PAGE_SIZE")


def resident() -> int:
    """Returns how much memory the process has, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


@pytest.mark.thread_unsafe(reason="memory is the whole process's")
def test_calls_do_not_grow_memory() -> None:
    engine = small_engine(4, 4)
    text = dralloc.to_json(claim("one", 2))
    form = claim("one", 2)
    three = engine.snapshot().prepare(claim("three", 5))
    versions = itertools.count(2)
    wrong = {"metadata": {"name": {1}}}

    def call(number: int) -> None:
        snapshot = engine.snapshot()
        claims = snapshot.prepare(form if number % 2 else text)
        transaction = snapshot.transaction()
        savepoint = transaction.savepoint()
        node = f"node-{number % 4}"
        outcome = transaction.allocate(node, claims, branches=1000)
        assert len(outcome.results) == len(outcome.allocations) == 1
        savepoint.rollback()
        assert not transaction.allocate(node, three).fits
        with pytest.raises(dralloc.MalformedError):
            snapshot.prepare(wrong)
        if number % 10 == 0:
            placement = transaction.place(claims, find="all")
            assert repr(placement[0].outcome)
            assert str(transaction.explain(node, three))
            clone = transaction.clone()
            assert clone.allocate(node, claims).fits
            assert clone.commit().to_json()
            assert engine.forget("default/one").changed
            devices = [device(f"gpu-{place}", turn=number) for place in range(4)]
            assert engine.apply(resource_slice(node, devices, next(versions))).changed

    def calls(count: int) -> int:
        for number in range(count):
            call(number)
        return resident()

    calls(CALLS // 10)
    before = calls(CALLS // 10)
    assert calls(CALLS) - before < 4 << 20
