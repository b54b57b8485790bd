"""Searches that are ended: by a signal, a deadline, a budget, another thread."""

import signal
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path

import pytest

import dralloc
from objects import claim, hard_question, small_engine

PROGRAM = """
import signal
import sys
# What runs in the background of a shell ignores it.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, sys.argv[1])
import dralloc
from objects import claim, hard_question, small_engine

snapshot, hard = hard_question()
transaction = snapshot.transaction()
before = transaction.dump()
workspace = dralloc.Workspace()
ask = getattr(transaction, sys.argv[2])
arguments = (hard,) if sys.argv[2].startswith("place") else ("node-0", hard)
policy = sys.argv[3] or None
try:
    print("asking", flush=True)
    ask(*arguments, policy=policy, workspace=workspace)
except KeyboardInterrupt:
    assert transaction.dump() == before
    easy = snapshot.prepare(claim("easy"))
    assert transaction.allocate("node-0", easy, workspace=workspace).fits
    print("interrupted")
"""


@pytest.mark.parametrize("policy", ["", "spread"])
@pytest.mark.parametrize(
    "method",
    ["allocate", "satisfiable", "place", "place_and_allocate", "explain", "certificate"],
)
def test_ctrl_c_raises_and_changes_nothing(method: str, policy: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(Path(__file__).parent), method, policy],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "asking\n"
        # Long enough for the search to have begun; it would take hours.
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.3)
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "interrupted\n"
        assert process.wait() == 0


@pytest.mark.thread_unsafe(reason="signals are for the main thread")
def test_a_handler_that_raises_nothing_ends_nothing() -> None:
    snapshot, hard = hard_question()
    seen: list[int] = []
    old = signal.signal(signal.SIGALRM, lambda number, _frame: seen.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        outcome = snapshot.transaction().allocate("node-0", hard, timeout=timedelta(seconds=0.3))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert isinstance(outcome, dralloc.Unknown)
    assert outcome.cause is dralloc.StopCause.DEADLINE
    assert seen == [signal.SIGALRM]


@pytest.mark.thread_unsafe(reason="signals are for the main thread")
def test_what_a_handler_raises_comes_out() -> None:
    class AlarmError(Exception):
        pass

    def handler(_number: int, _frame: object) -> None:
        raise AlarmError

    snapshot, hard = hard_question()
    transaction = snapshot.transaction()
    before = transaction.dump()
    old = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(AlarmError):
            transaction.allocate("node-0", hard)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert transaction.dump() == before


def test_deadline() -> None:
    snapshot, hard = hard_question()
    outcome = snapshot.transaction().allocate("node-0", hard, timeout=timedelta(milliseconds=20))
    assert isinstance(outcome, dralloc.Unknown)
    assert outcome.cause is dralloc.StopCause.DEADLINE
    placement = snapshot.transaction().place(hard, timeout=timedelta(milliseconds=20))
    assert placement.stopped is dralloc.StopCause.DEADLINE


def test_no_time_at_all_is_a_deadline_too() -> None:
    snapshot, hard = hard_question()
    outcome = snapshot.transaction().allocate("node-0", hard, timeout=timedelta(0))
    assert isinstance(outcome, dralloc.Unknown)
    assert outcome.cause is dralloc.StopCause.DEADLINE


def test_branches_give_the_same_always() -> None:
    snapshot, hard = hard_question()
    texts = {
        snapshot.transaction().allocate("node-0", hard, policy="spread", branches=5000).to_json()
        for _ in range(3)
    }
    assert texts == {'{"outcome":"unknown","stopCause":"branches"}'}


def test_cancel_from_another_thread() -> None:
    snapshot, hard = hard_question()
    cancel = dralloc.Cancel()
    options = dralloc.Options(cancel=cancel)
    timer = threading.Timer(0.05, cancel.set)
    timer.start()
    outcome = snapshot.transaction().allocate("node-0", hard, options=options)
    timer.join()
    assert isinstance(outcome, dralloc.Unknown)
    assert outcome.cause is dralloc.StopCause.CANCELLED
    assert cancel.is_set()
    cancel.clear()
    assert not cancel.is_set()
    snapshot = small_engine().snapshot()
    easy = snapshot.prepare(claim("easy"))
    assert snapshot.transaction().allocate("node-0", easy, options=options).fits
