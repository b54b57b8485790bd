"""The life of a transaction, and calls that cannot be made."""

import copy
import pickle
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

import dralloc
from objects import claim, node, small_engine


def broken_off(call: Callable[..., object], *arguments: object) -> None:
    """Calls something, and then goes wrong."""
    assert call(*arguments)
    raise ZeroDivisionError


def test_savepoints() -> None:
    snapshot = small_engine().snapshot()
    a, b = (snapshot.prepare(claim(name)) for name in "ab")
    with snapshot.transaction() as transaction:
        begin = transaction.savepoint()
        assert transaction.allocate("node-0", a).devices[0].device.device == "gpu-0"
        with transaction.savepoint():
            assert transaction.allocate("node-0", b).devices[0].device.device == "gpu-1"
        with pytest.raises(ZeroDivisionError), transaction.savepoint():
            broken_off(transaction.release, claim("b"))
        assert not transaction.allocate("node-0", snapshot.prepare(claim("c"))).fits
        begin.rollback()
        transaction.rollback(begin)
        assert transaction.allocate("node-0", b).devices[0].device.device == "gpu-0"
    other = snapshot.transaction()
    with pytest.raises(dralloc.NotFoundError, match="the savepoint is gone"):
        other.rollback(snapshot.transaction().savepoint())


def test_commit_and_conflict() -> None:
    engine = small_engine()
    snapshot = engine.snapshot()
    first, second = snapshot.transaction(), snapshot.transaction()
    assert first.allocate("node-0", snapshot.prepare(claim("a"))).fits
    assert second.allocate("node-0", snapshot.prepare(claim("b"))).fits
    applied = first.commit()
    assert applied.claims == ("default/a",)
    assert applied.pools == (("gpu.example.com", "node-0"),)
    assert repr(applied) == "<Applied: 1 pool, 1 claim>"
    assert engine.is_assumed("default/a")
    with pytest.raises(dralloc.ConflictError) as conflict:
        second.commit()
    assert conflict.value.code is dralloc.Code.CONFLICT
    for transaction in (first, second):
        with pytest.raises(dralloc.StateError) as spent:
            transaction.dump()
        assert spent.value.code is dralloc.Code.SPENT
    assert engine.forget("default/a").changed
    assert repr(engine.forget("default/a")) == "<Applied: nothing changed>"


def test_what_is_closed() -> None:
    with small_engine() as engine:
        snapshot = engine.snapshot()
        transaction = snapshot.transaction()
        assert repr(engine) == "<Engine>"
    with pytest.raises(dralloc.StateError) as closed:
        engine.snapshot()
    assert closed.value.code is dralloc.Code.CLOSED
    assert str(closed.value) == "the engine is closed, expected an open one"
    assert repr(engine) == "<Engine closed>"
    engine.close()
    assert transaction.allocate("node-0", snapshot.prepare(claim("a"))).fits
    with pytest.raises(dralloc.StateError, match="the engine is closed"):
        transaction.commit()
    with snapshot:
        assert snapshot.nodes == ["node-0", "node-1"]
    with pytest.raises(dralloc.StateError, match="the snapshot is closed"):
        snapshot.transaction()
    assert repr(snapshot) == "<Snapshot closed>"
    with small_engine().transaction() as transaction:
        assert repr(transaction) == "<Transaction>"
    with pytest.raises(dralloc.StateError, match="the transaction is closed"):
        transaction.savepoint()
    transaction.close()


def test_nothing_is_left_of_what_was_not_committed() -> None:
    engine = small_engine()
    snapshot = engine.snapshot()
    before = engine.dump()
    with pytest.raises(ZeroDivisionError), snapshot.transaction() as transaction:
        broken_off(transaction.allocate, "node-0", snapshot.prepare(claim("a")))
    assert engine.dump() == before


def test_clone_dump_and_load() -> None:
    snapshot = small_engine().snapshot()
    transaction = snapshot.transaction()
    clone = transaction.clone()
    transaction.allocate("node-0", snapshot.prepare(claim("a", 2)))
    assert clone.dump() == snapshot.dump()
    loaded = dralloc.Engine.load(transaction.dump())
    again = loaded.snapshot()
    assert not again.transaction().allocate("node-0", again.prepare(claim("b"))).fits
    assert dralloc.Engine.load(loaded.dump().encode()).dump() == loaded.dump()


def test_holding() -> None:
    snapshot = small_engine().snapshot()
    transaction = snapshot.transaction()
    one = claim("one")
    results = transaction.allocate("node-0", snapshot.prepare(one)).results
    assert transaction.reserve(one, "pod-1")
    assert not transaction.reserve(one, "pod-1")
    assert transaction.mark_releasing(one)
    assert not transaction.allocate("node-0", snapshot.prepare(claim("pair", 2))).fits
    free = transaction.satisfiable("node-0", snapshot.prepare(claim("pair", 2)))
    assert free.fits
    assert transaction.mark_releasing(one, releasing=False)
    assert transaction.unreserve(one, "pod-1")
    assert not transaction.release(one)
    transaction.hold(one, results[0])
    assert transaction.release(one)
    with pytest.raises(dralloc.NotFoundError):
        transaction.reserve(one, "pod-1")


def test_nodes_that_are_not_there() -> None:
    snapshot = small_engine(1).snapshot()
    transaction = snapshot.transaction()
    transaction.add_node("node-1", like="node-0")
    pair = snapshot.prepare(claim("a", 2))
    assert transaction.allocate("node-1", pair).fits
    transaction.remove_node("node-1")
    with pytest.raises(dralloc.NotFoundError) as gone:
        transaction.allocate("node-1", pair)
    assert gone.value.scope is dralloc.Scope.NODE
    transaction.take_amounts("node-0", "pod", {"cpu": 2})
    assert transaction.amounts_in_use("node-0") == {"cpu": "2"}


def test_changes() -> None:
    engine = small_engine()
    assert engine.change({"removed": {"kind": "Node", "name": "node-1"}}).nodes == ("node-1",)
    assert engine.snapshot().nodes == ["node-0"]
    with pytest.raises(dralloc.MalformedError, match="expected one of object, removed"):
        engine.change({})
    assert engine.apply(node("node-2")).nodes == ("node-2",)
    assert not engine.apply().changed


def test_options() -> None:
    options = dralloc.Options(
        policy=dralloc.Policy.PACK,
        timeout=timedelta(seconds=1.5),
        now=datetime(2026, 1, 1, tzinfo=UTC),
        branches=None,
    )
    assert repr(options) == (
        "Options(policy=<Policy.PACK: 'pack'>, timeout=datetime.timedelta(seconds=1, "
        "microseconds=500000), now=datetime.datetime(2026, 1, 1, 0, 0, "
        "tzinfo=datetime.timezone.utc))"
    )
    assert repr(options.replace(policy="spread", timeout=None, now=None)) == (
        "Options(policy='spread')"
    )
    loaded = dralloc.Options.load('{"policy": "pack", "timeoutNanoseconds": 1500000000}')
    assert repr(loaded) == (
        "Options(policy='pack', timeout=datetime.timedelta(seconds=1, microseconds=500000))"
    )


@pytest.mark.parametrize(
    ("fields", "path", "message"),
    [
        ({"find": "some"}, "find", "`some`, expected one of first, best, all, count"),
        ({"carried_policies": 1}, "carried_policies", "expected a string, found `1`"),
        ({"timeout": timedelta(-1)}, "timeout", "expected a `timedelta` that is not negative"),
        ({"timeout": 5}, "timeout", "expected a `timedelta` that is not negative"),
        ({"now": "today"}, "now", "expected a `datetime` or seconds since 1970"),
        ({"now": float("nan")}, "now", "expected a `datetime` or seconds since 1970"),
        ({"branches": -1}, "branches", "`-1`, expected 0 or more"),
        ({"timeoutNanoseconds": 1}, "timeoutNanoseconds", None),
        ({"nothingHeld": True}, "nothingHeld", "unknown option, expected one of `Options`"),
        ({"polcy": "pack"}, "polcy", None),
    ],
)
def test_options_that_are_wrong(fields: dict[str, object], path: str, message: str | None) -> None:
    with pytest.raises(dralloc.InvalidError) as invalid:
        dralloc.Options(**fields)  # type: ignore[arg-type]
    assert invalid.value.path == path
    if message is not None:
        assert invalid.value.message == message
    snapshot = small_engine().snapshot()
    claims = snapshot.prepare(claim("a"))
    with pytest.raises(dralloc.InvalidError):
        snapshot.transaction().allocate("node-0", claims, **fields)  # type: ignore[arg-type]


def test_what_is_of_another_type() -> None:
    snapshot = small_engine().snapshot()
    claims = snapshot.prepare(claim("a"))
    transaction = snapshot.transaction()
    with pytest.raises(TypeError):
        transaction.allocate(5, claims)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        transaction.allocate("node-0", claim("a"))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        transaction.allocate("node-0", claims, cancel=True)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        transaction.allocate("node-0", claims, dralloc.Options())  # type: ignore[call-arg]
    assert transaction.allocate("node-0", claims).fits


def test_claims_of_another_engine() -> None:
    claims = dralloc.Engine(features={"gates": {"DRAAdminAccess": False}}).snapshot().prepare()
    with pytest.raises(dralloc.InvalidError):
        small_engine().transaction().allocate("node-0", claims)


def test_errors_can_be_handed_on() -> None:
    with pytest.raises(dralloc.NotFoundError) as caught:
        small_engine().transaction().remove_node("node-9")
    error = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    assert type(error) is dralloc.NotFoundError
    assert (error.code, error.message, error.path, error.scope) == (
        caught.value.code,
        caught.value.message,
        caught.value.path,
        caught.value.scope,
    )
    assert str(copy.copy(error)) == str(error)
    assert dralloc.Code("of a later version") is dralloc.Code.UNKNOWN


def test_every_error_is_one_of_the_tree() -> None:
    from dralloc._errors import exception

    for code in dralloc.Code:
        error = exception(code, "message", "path", "node")
        assert isinstance(error, dralloc.DrallocError)
        assert error.code is code
        assert str(error) == "path: message"


def test_a_panic_is_an_exception(capfd: pytest.CaptureFixture[str]) -> None:
    from dralloc import _native

    with pytest.raises(dralloc.InternalError) as panicked:
        _native._panic()
    assert panicked.value.code is dralloc.Code.PANIC
    assert str(panicked.value) == "dralloc panicked, which is a bug: as it was asked for"
    assert "as it was asked for" in capfd.readouterr().err


def test_version() -> None:
    from importlib.metadata import version

    assert dralloc.__version__ == version("dralloc")
