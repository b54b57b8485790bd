"""The pods of a group over several nodes."""

import pytest

import dralloc
from objects import DRIVER, claim, small_engine


def members(snapshot: dralloc.Snapshot, count: int) -> list[dralloc.PreparedClaims]:
    return [snapshot.prepare(claim(f"member-{place}")) for place in range(count)]


def test_placed() -> None:
    engine = small_engine()
    snapshot = engine.snapshot()
    transaction = snapshot.transaction()
    gang = transaction.gang(members(snapshot, 3), workspace=dralloc.Workspace())
    assert gang.placed
    assert gang.proved
    assert gang.shortage is None
    assert gang.stopped is None
    assert gang.nodes == {"node-0": (0, 1), "node-1": (2,)}
    assert repr(gang) == "<Gang: 2 on node-0, 1 on node-1>"
    (last,) = gang.results[2]
    assert last["devices"]["results"] == [
        {"request": "gpu", "driver": DRIVER, "pool": "node-1", "device": "gpu-0"}
    ]
    transaction.commit()
    assert engine.is_assumed("default/member-2")


def test_options() -> None:
    snapshot = small_engine().snapshot()
    transaction = snapshot.transaction()
    start = transaction.savepoint()
    two = members(snapshot, 2)
    gang = transaction.gang(two, slices="exactly", slice_size=1)
    assert gang.nodes == {"node-0": (0,), "node-1": (1,)}
    start.rollback()
    gang = transaction.gang(two, nodes=snapshot.node_list(["node-1"]), policy="pack")
    assert gang.nodes == {"node-1": (0, 1)}
    start.rollback()
    # A node without the label is a domain of its own.
    how = dralloc.Options(within="rack", labels={"rack": "example.com/rack"})
    gang = transaction.gang(
        two, options=how, most_nodes={"scope": "rack", "nodes": 1}, slices="wholeNodes"
    )
    assert gang.nodes == {"node-0": (0, 1)}
    assert gang.levels == (dralloc.GangLevel(scope="rack", domains=1, smallest=2),)


def test_shortage() -> None:
    snapshot = small_engine().snapshot()
    gang = snapshot.transaction().gang(members(snapshot, 5))
    assert not gang.placed
    assert gang.nodes == {}
    assert gang.results == []
    assert gang.shortage == dralloc.GangShortage(
        members=5,
        most=4,
        limit="free",
        message="4 of 5 members fit, there are too few devices",
        reasons=(),
    )
    assert str(gang.shortage) == str(gang)
    large = snapshot.prepare(claim("large", 3))
    shortage = snapshot.transaction().gang([large], within="rack").shortage
    assert shortage is not None
    (reason,) = shortage.reasons
    assert (shortage.scope, shortage.domain, reason.nodes) == ("rack", None, 2)


def test_stopped() -> None:
    snapshot = small_engine().snapshot()
    cancel = dralloc.Cancel()
    cancel.set()
    gang = snapshot.transaction().gang(members(snapshot, 1), cancel=cancel)
    assert gang.stopped is dralloc.StopCause.CANCELLED
    assert repr(gang) == "<Gang: not known: cancelled>"


def test_wrong() -> None:
    snapshot = small_engine().snapshot()
    transaction = snapshot.transaction()
    one = members(snapshot, 1)
    with pytest.raises(dralloc.InvalidError) as raised:
        transaction.gang(one * 2)
    assert raised.value.path == "members[1]"
    with pytest.raises(dralloc.UnsupportedError):
        transaction.gang(one, user="pod")
    with pytest.raises(dralloc.MalformedError) as raised:
        transaction.gang(one, most_nodes={"scope": "row", "nodes": 1})
    assert raised.value.path == "most_nodes.scope"
    with pytest.raises(TypeError):
        transaction.gang([claim("a")])  # type: ignore[list-item]
