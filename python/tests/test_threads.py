"""Threads that share what can be shared, and what happens where it cannot."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

import dralloc
from objects import claim, hard_question, node, resource_slice, small_engine


def test_a_snapshot_is_everybodys() -> None:
    snapshot = small_engine(8, 4).snapshot()
    claims = snapshot.prepare(claim("shared", 3))

    def ask(place: int) -> str:
        with snapshot.transaction() as transaction:
            return transaction.allocate(f"node-{place % 8}", claims).to_json()

    expected = [ask(place) for place in range(64)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(64))) == expected


def test_an_engine_waits_for_the_call_before() -> None:
    engine = small_engine()

    def tell(place: int) -> bool:
        name = f"more-{place}"
        return engine.apply(node(name), resource_slice(name, [{"name": "gpu"}])).changed

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(tell, range(100)))
    assert len(engine.snapshot().nodes) == 102


def test_a_transaction_is_one_threads() -> None:
    snapshot, hard = hard_question()
    transaction = snapshot.transaction()
    cancel = dralloc.Cancel()
    begun = threading.Event()
    outcomes: list[dralloc.Outcome] = []

    def search() -> None:
        begun.set()
        outcomes.append(transaction.allocate("node-0", hard, cancel=cancel))

    thread = threading.Thread(target=search)
    thread.start()
    begun.wait()
    while repr(transaction) != "<Transaction in use>":
        pass
    for call in (transaction.savepoint, transaction.commit, transaction.close, transaction.dump):
        with pytest.raises(dralloc.BusyError) as busy:
            call()
        assert busy.value.code is dralloc.Code.BUSY
        assert str(busy.value) == "another thread is using the transaction, expected one at a time"
    cancel.set()
    thread.join()
    assert [str(one) for one in outcomes] == ["<Unknown: cancelled>"]
    transaction.savepoint()


def test_a_workspace_is_one_calls() -> None:
    snapshot, hard = hard_question()
    workspace, cancel = dralloc.Workspace(), dralloc.Cancel()
    transaction = snapshot.transaction()
    thread = threading.Thread(
        target=transaction.allocate,
        args=("node-0", hard),
        kwargs={"workspace": workspace, "cancel": cancel},
    )
    thread.start()
    while repr(transaction) != "<Transaction in use>":
        pass
    with pytest.raises(dralloc.BusyError, match="another thread is using the workspace"):
        snapshot.transaction().allocate("node-0", hard, workspace=workspace)
    cancel.set()
    thread.join()
    transaction.allocate("node-0", hard, workspace=workspace, branches=5000)
    assert workspace.statistics.branches == 5000


def test_others_run_while_one_searches() -> None:
    snapshot, hard = hard_question()
    cancel = dralloc.Cancel()
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(snapshot.transaction().allocate, "node-0", hard, cancel=cancel)
        # It holds nothing that this thread needs, for as long as it searches.
        count = sum(range(100_000))
        assert not search.done()
        cancel.set()
        assert count == 4_999_950_000
        assert str(search.result()) == "<Unknown: cancelled>"


def test_two_searches_at_a_time() -> None:
    snapshot, hard = hard_question()

    def search(_: int) -> dralloc.Outcome:
        return snapshot.transaction().allocate("node-0", hard, timeout=timedelta(milliseconds=100))

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(search, range(4)))
    assert [str(one) for one in outcomes] == ["<Unknown: deadline>"] * 4
