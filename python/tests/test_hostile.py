"""What odd, careless and hostile callers do: each gets an exception, and no more."""

import copy
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, timezone
from numbers import Integral
from typing import Any, cast

import pytest

import dralloc
from objects import DRIVER, claim, device, device_class, node, resource_slice, small_engine


class Changes:
    """Is an object that changes what it is in while it is read."""

    def __init__(self, change: Callable[[], object]) -> None:
        self.change = change

    def to_dict(self) -> dict[str, Any]:
        self.change()
        return {}


def nested(depth: int, name: str = "a") -> dict[str, Any]:
    form: dict[str, Any] = {}
    for _ in range(depth):
        form = {name: form}
    return form


def message(call: Callable[[], object]) -> str:
    with pytest.raises(dralloc.MalformedError) as malformed:
        call()
    return malformed.value.message


CHANGED = "a dict that changes while it is read, expected one that does not"
DEEP = "nested deeper than 128, expected an object of Kubernetes"
HALF = "a text with half a character, expected one that is UTF-8"


def test_a_dict_that_changes_while_it_is_read() -> None:
    grows: dict[str, Any] = {"a": 1}
    grows |= {"b": Changes(lambda: grows.update({str(n): n for n in range(99)})), "c": 1}
    assert message(lambda: dralloc.to_json(grows)) == CHANGED
    shrinks: dict[str, Any] = {"a": 1}
    shrinks |= {"b": Changes(shrinks.clear), "c": 1}
    assert message(lambda: dralloc.to_json(shrinks)) == CHANGED
    swaps: dict[str, Any] = {"a": 1}
    swaps |= {"b": Changes(lambda: swaps.update(z=swaps.pop("c"))), "c": 1}
    assert dralloc.to_json(swaps) == '{"a":1,"b":{},"z":1}'
    shorter: list[Any] = [0, 1]
    shorter[0] = Changes(shorter.clear)
    assert dralloc.to_json({"list": shorter}) == '{"list":[{}]}'


def test_what_is_nested_without_end() -> None:
    deep = nested(100_000)
    assert message(lambda: dralloc.to_json(deep)) == DEEP
    assert message(lambda: dralloc.to_json({"api_version": "v1", "spec": deep})) == DEEP
    cycle: dict[str, Any] = {"api_version": "v1"}
    cycle["cycle"] = cycle
    assert message(lambda: dralloc.to_json(cycle)) == DEEP
    labels = cast("Mapping[str, str]", deep)
    assert message(lambda: dralloc.to_json(dralloc.ObjectMeta(labels=labels))) == DEEP
    assert dralloc.to_json(nested(128)).count("a") == 128


@pytest.mark.thread_unsafe(reason="the size of stacks is the whole process's")
def test_little_stack_is_enough() -> None:
    messages: list[str] = []

    def run() -> None:
        messages.append(message(lambda: dralloc.to_json(nested(100_000))))
        messages.append(message(lambda: dralloc.Engine().apply('{"a":' * 100_000)))

    before = threading.stack_size(256 << 10)
    try:
        thread = threading.Thread(target=run)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    assert messages == [DEEP, "more than 10000 brackets open"]


def test_nothing_is_no_object() -> None:
    engine = small_engine()
    snapshot, nothing = engine.snapshot(), cast("dict[str, Any]", None)
    calls: list[Callable[[], object]] = [
        lambda: engine.apply(nothing),
        lambda: engine.replace("Node", nothing),
        lambda: engine.replace("Node", [node("node-0"), nothing]),
        lambda: snapshot.prepare(nothing),
        lambda: snapshot.transaction().release(nothing),
        lambda: snapshot.transaction().hold(claim("a"), nothing),
        lambda: snapshot.transaction().take_amounts("node-0", "pod", nothing),
        lambda: dralloc.Engine.load(nothing),
    ]
    for call in calls:
        assert message(call) == "`None`, expected an object of Kubernetes"
    assert engine.snapshot().nodes == ["node-0", "node-1"]


def test_halves_of_characters() -> None:
    for value in ("\ud800", {"\ud800": 1}, {"a": "\ud800"}):
        assert message(lambda value=value: dralloc.to_json(value)) == HALF  # type: ignore[misc]
    assert message(lambda: dralloc.Engine().apply(b"\xff")) == (
        "the text is not UTF-8, expected JSON"
    )
    # Names are arguments, on which Python judges.
    with pytest.raises(UnicodeEncodeError):
        dralloc.Engine().forget("\ud800")


def test_numbers_of_odd_classes() -> None:
    class Odd(int):
        def __str__(self) -> str:
            return '"odd"'

        __repr__ = __str__

    class Whole:
        def __int__(self) -> int:
            return 3

    Integral.register(Whole)
    assert dralloc.to_json({"a": [Odd(2**80), Odd(2), Whole()]}) == f'{{"a":[{2**80},2,3]}}'
    assert message(lambda: dralloc.to_json({"a": 10**5000})) == (
        "more digits than Python writes, expected a number of Kubernetes"
    )


def test_subclasses_are_what_they_hold() -> None:
    class Dict(dict[str, Any]):
        def __getitem__(self, _name: str) -> Any:
            raise ZeroDivisionError

        def __contains__(self, _name: object) -> bool:
            raise ZeroDivisionError

    class Text(str):
        __slots__ = ()

        def __str__(self) -> str:
            raise ZeroDivisionError

    assert dralloc.to_json({"a": Dict(b=Text("c"))}) == '{"a":{"b":"c"}}'


def test_objects_that_call_back() -> None:
    engine = small_engine()
    transaction = engine.transaction()

    class Calls:
        def to_dict(self) -> dict[str, Any]:
            engine.apply(node("inner"))
            transaction.savepoint().rollback()
            return node("outer")

    engine.apply(Calls())
    assert engine.snapshot().nodes == ["inner", "node-0", "node-1", "outer"]
    with pytest.raises(dralloc.MalformedError, match="kind `ResourceClaim`"):
        transaction.release(Calls())

    class Closes:
        def to_dict(self) -> dict[str, Any]:
            engine.close()
            return node("late")

    with pytest.raises(dralloc.StateError):
        engine.apply(Closes())


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (True, "expected kubernetes, pack, spread, affinity or a list of terms"),
        ({"term": "waste"}, "expected kubernetes, pack, spread, affinity or a list of terms"),
        (["pack"], "expected kubernetes, pack, spread, affinity or a list of terms"),
        ({"waste"}, "a value of type `set`, expected an object of Kubernetes"),
        (b"pack", "a value of type `bytes`, expected an object of Kubernetes"),
        ("Pack", "policy `Pack` is not supported, expected kubernetes, pack, spread or affinity"),
    ],
)
def test_policies_that_are_none(policy: Any, expected: str) -> None:
    with pytest.raises(dralloc.MalformedError) as malformed:
        dralloc.Options(policy=policy)
    assert (malformed.value.path, malformed.value.message) == ("policy", expected)


def test_certificates_that_are_none() -> None:
    transaction = small_engine().transaction()
    for certificate, expected in (
        ("5", "expected an object, found `5`"),
        ("[]", "expected an object, found a list"),
        ("null", "field `steps` is missing"),
    ):
        told = message(
            lambda certificate=certificate: transaction.verify_certificate(  # type: ignore[misc]
                "node-0", claim("a"), certificate
            )
        )
        assert expected in told


def test_options_are_what_they_were_made_of() -> None:
    terms: list[str | Mapping[str, str]] = ["waste"]
    amounts: dict[str, object] = {"cpu": 1}
    options = dralloc.Options(policy=terms, amounts=amounts, user="pod")
    shown = repr(options)
    terms.append("nonsense")
    amounts["options"] = options
    assert repr(options) == shown
    assert repr(options.replace(branches=5)) == shown.removesuffix(")") + ", branches=5)"
    assert repr(dralloc.Options(policy=iter(["waste"]))) == "Options(policy=['waste'])"  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    assert repr(dralloc.Options.load("null")) == "Options()"


def test_the_time_of_a_question() -> None:
    with small_engine().snapshot() as snapshot:
        claims = snapshot.prepare(claim("a"))
        times: list[datetime | float] = [
            datetime.min,  # noqa: DTZ901
            datetime.max,  # noqa: DTZ901
            datetime.max.replace(tzinfo=timezone(timedelta(hours=-14))),
            datetime.min.replace(tzinfo=UTC),
            -1.5,
            2**63 - 1,
        ]
        for now in times:
            assert snapshot.transaction().allocate("node-0", claims, now=now).fits
        no_times: list[object] = [float("nan"), float("inf"), 2**63, "2026-01-01", timedelta(1)]
        for no_time in no_times:
            with pytest.raises(dralloc.MalformedError, match="now: expected a `datetime`"):
                dralloc.Options(now=cast("float", no_time))


def test_times_without_end() -> None:
    snapshot = small_engine().snapshot()
    claims = snapshot.prepare(claim("a"))
    assert snapshot.transaction().allocate("node-0", claims, timeout=timedelta.max).fits
    for timeout in (timedelta(microseconds=-1), timedelta.min, 5, float("nan"), True):
        with pytest.raises(dralloc.MalformedError, match="timeout: expected a `timedelta`"):
            snapshot.transaction().allocate("node-0", claims, timeout=cast("timedelta", timeout))


def test_answers_are_the_callers_to_change() -> None:
    snapshot = small_engine().snapshot()
    transaction = snapshot.transaction()
    outcome = transaction.allocate("node-0", snapshot.prepare(claim("a")))
    before = outcome.to_json()
    outcome.results.clear()
    outcome.to_dict().clear()
    outcome.devices.clear()
    assert (len(outcome.results), len(outcome.devices), len(outcome.allocations)) == (1, 1, 1)
    assert outcome.to_json() == before
    explanation = transaction.explain("node-0", snapshot.prepare(claim("b", 9)))
    explanation.whole[0].clear()
    assert explanation.whole == [{"tooFew": {"claim": 0, "request": "gpu"}}]
    (found,) = snapshot.objects("Node", "node-0")
    found.clear()
    snapshot.nodes.clear()
    assert snapshot.nodes == ["node-0", "node-1"]
    assert snapshot.objects("Node", "node-0")[0]["metadata"]["name"] == "node-0"


def test_dicts_that_are_no_objects_of_a_class() -> None:
    with pytest.raises(TypeError, match="type `int`, expected a dict of `ResourceClaimSpec`"):
        dralloc.ResourceClaim.from_dict({"spec": 5})
    with pytest.raises(TypeError, match="type `NoneType`, expected a dict of `ResourceClaim`"):
        dralloc.ResourceClaim.from_dict(cast("dict[str, Any]", None))
    with pytest.raises(TypeError, match="type `str`, expected a list"):
        dralloc.ResourceClaim.from_dict({"spec": {"devices": {"requests": "gpu"}}})


def test_what_lives_cannot_be_copied() -> None:
    engine = small_engine()
    snapshot = engine.snapshot()
    transaction = snapshot.transaction()
    claims = snapshot.prepare(claim("a"))
    outcome = transaction.allocate("node-0", claims)
    alive: list[object] = [
        *(engine, snapshot, transaction, transaction.savepoint(), claims, outcome),
        *(transaction.place(claims), snapshot.node_list(), engine.record()),
        *(dralloc.Options(), dralloc.Cancel(), dralloc.Workspace()),
    ]
    for one in alive:
        assert one == one  # noqa: PLR0124
        assert one != 5
        assert len({one, one}) == 1
        for copied in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="cannot pickle"):
                copied(one)


def test_notebooks_are_shown_texts_and_no_code() -> None:
    script = "<script>alert(1)</script>"
    engine = dralloc.Engine()
    engine.apply(device_class(), node(script), resource_slice(script, [device(script)]))
    snapshot = engine.snapshot()
    form = claim("a")
    form["spec"]["devices"]["requests"][0]["name"] = script
    claims = snapshot.prepare(form)
    transaction = snapshot.transaction()
    placed = transaction.place(claims, find="all")
    outcome = transaction.allocate(script, claims)
    short = transaction.explain(script, snapshot.prepare(form | {"metadata": {"name": "b"}}))
    nowhere = transaction.place(snapshot.prepare(claim("c")))
    for shown in (outcome, placed, short, nowhere):
        html: str = shown._repr_html_()
        assert "<script" not in html
    assert f"<td>{DRIVER}</td><td>&lt;script&gt;" in outcome._repr_html_()


def test_a_process_that_forks() -> None:
    program = """
import os, sys
sys.path.insert(0, sys.argv[1])
from objects import claim, small_engine
engine = small_engine()
snapshot = engine.snapshot()
claims = snapshot.prepare(claim("a"))
child = os.fork()
with engine.transaction() as transaction:
    assert transaction.allocate("node-0", claims).fits
    transaction.commit()
if child:
    assert os.waitpid(child, 0)[1] == 0
kept = [engine, snapshot, claims, engine.transaction()]
"""
    assert run_program(program) == ""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="the module has another name there")
def test_sub_interpreters_are_refused() -> None:
    program = """
import _xxsubinterpreters as interpreters
import dralloc
code = "try:\\n import dralloc\\nexcept ImportError as error: print(type(error).__name__)"
interpreters.run_string(interpreters.create(), code)
"""
    assert run_program(program) == "ImportError\n"


def test_an_interpreter_that_ends_during_a_search() -> None:
    program = """
import sys, threading
sys.path.insert(0, sys.argv[1])
from objects import hard_question
snapshot, hard = hard_question()
transaction = snapshot.transaction()
thread = threading.Thread(target=transaction.allocate, args=("node-0", hard), daemon=True)
thread.start()
while repr(transaction) != "<Transaction in use>":
    pass
"""
    assert run_program(program) == ""


def run_program(program: str) -> str:
    """Returns what a program writes, whichever way Python is run."""
    folder = os.path.dirname(__file__)  # noqa: PTH120
    done = subprocess.run(
        [sys.executable, "-O", "-W", "error", "-c", program, folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout
