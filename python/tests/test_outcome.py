"""Outcomes and what else questions are answered with."""

import html.parser
from datetime import timedelta
from typing import assert_never

import pytest

import dralloc
from objects import DRIVER, claim, hard_question, small_engine


def told(
    outcome: dralloc.Optimal | dralloc.Feasible | dralloc.Infeasible | dralloc.Unknown,
) -> str:
    """Shows that the four are all; type checkers prove it."""
    match outcome:
        case dralloc.Optimal(results):
            return f"optimal {len(results)}"
        case dralloc.Feasible(results, gap):
            return f"feasible {len(results)} {gap}"
        case dralloc.Infeasible(reason):
            return f"infeasible {reason}"
        case dralloc.Unknown(cause):
            return f"unknown {cause}"
        case _:
            assert_never(outcome)


def test_optimal() -> None:
    snapshot = small_engine().snapshot()
    transaction = snapshot.transaction()
    outcome = transaction.allocate("node-0", snapshot.prepare(claim("a"), claim("b")))
    assert told(outcome) == "optimal 2"
    assert isinstance(outcome, dralloc.Optimal)
    assert outcome.kind is dralloc.Kind.OPTIMAL
    assert outcome.fits
    assert outcome.node == "node-0"
    first, second = outcome.devices
    assert first == (0, 0, 0, (DRIVER, "node-0", "gpu-0"))
    assert str(second.device) == f"{DRIVER}/node-0/gpu-1"
    outcome.results.clear()  # a copy is the caller's to change
    assert outcome.results == outcome.to_dict()["results"]
    assert outcome.results[1]["devices"]["results"] == [
        {"request": "gpu", "driver": DRIVER, "pool": "node-0", "device": "gpu-1"}
    ]
    assert [one.devices.results[0].id for one in outcome.allocations] == [
        first.device,
        second.device,
    ]
    assert [one.to_dict() for one in outcome.allocations] == outcome.results
    assert outcome.objective == ()
    assert outcome.warnings == []
    assert repr(outcome) == f"<Optimal on node-0: {DRIVER}/node-0/gpu-0, {DRIVER}/node-0/gpu-1>"


def test_feasible_has_a_gap() -> None:
    snapshot = small_engine(1, 40).snapshot()
    claims = snapshot.prepare(claim("a", 4, "device.driver.startsWith('gpu')"))
    transaction = snapshot.transaction()
    outcome = transaction.allocate("node-0", claims, policy=["waste"])
    assert told(outcome) == "optimal 1"
    assert outcome.objective == (dralloc.TermValue("waste", 0),)
    assert str(outcome.objective[0]) == "waste 0"


def test_placement_says_what_devices_have_in_common() -> None:
    wanted = claim("a", 2)
    parameters = {
        "apiVersion": "dralloc.dev/v1alpha1",
        "kind": "PlacementPolicy",
        "affinity": [{"scope": "pcieSwitch", "mode": "preferred", "fallback": ["host"]}],
        "unit": {
            "requests": {"gpu": 1},
            "scope": "nvLink",
            "mode": "preferred",
            "apartOver": "pcieRoot",
        },
    }
    wanted["spec"]["devices"]["config"] = [
        {"requests": ["gpu"], "opaque": {"driver": "dralloc.dev", "parameters": parameters}}
    ]
    snapshot = small_engine().snapshot()
    outcome = snapshot.transaction().allocate("node-0", snapshot.prepare(wanted))
    assert outcome.objective == (
        dralloc.TermValue("affinityLevel", 1, levels=("pcieSwitch", "host")),
        dralloc.TermValue(
            "unitLevel", 0, levels=("nvLink",), requests=(("gpu", 1),), apart_over="pcieRoot"
        ),
    )
    assert str(outcome.objective[0]) == "affinityLevel=pcieSwitch,host 1"
    (together,) = outcome.placement
    assert (together.claim, together.requests, together.levels) == (0, ("gpu",), ("host",))
    assert [unit.level for unit in together.units] == ["nvLink", "nvLink"]
    devices = [str(device) for unit in together.units for device in unit.devices]
    assert devices == [f"{DRIVER}/node-0/gpu-0", f"{DRIVER}/node-0/gpu-1"]
    assert snapshot.transaction().allocate("node-0", snapshot.prepare(claim("b"))).placement == ()


def test_infeasible() -> None:
    snapshot = small_engine().snapshot()
    outcome = snapshot.transaction().allocate("node-0", snapshot.prepare(claim("a", 3)))
    assert told(outcome) == "infeasible request 0 of claim 0 has too few devices"
    assert isinstance(outcome, dralloc.Infeasible)
    assert not outcome.fits
    assert outcome.node is None
    assert outcome.results == []
    assert outcome.allocations == ()
    assert outcome.devices == []
    assert snapshot.device_numbers(outcome) == []
    assert outcome.reason == dralloc.Reason(
        kind="request",
        message="request 0 of claim 0 has too few devices",
        claim=0,
        request=0,
    )
    assert repr(outcome) == "<Infeasible: request 0 of claim 0 has too few devices>"


def test_amounts_that_are_short() -> None:
    snapshot = small_engine().snapshot()
    claims = snapshot.prepare(claim("a"))
    transaction = snapshot.transaction()
    amounts: dict[str, object] = {"cpu": 6}
    fits = transaction.allocate("node-0", claims, user="pod-1", amounts=amounts)
    assert fits.fits
    assert transaction.amounts_in_use("node-0") == {"cpu": "6"}
    again = transaction.allocate("node-0", claims, user="pod-2", amounts=amounts)
    assert isinstance(again, dralloc.Infeasible)
    assert (again.reason.name, again.reason.missing) == ("cpu", "4")
    assert transaction.release_amounts("pod-1")
    assert not transaction.release_amounts("pod-1")


def test_unknown() -> None:
    snapshot, hard = hard_question()
    outcome = snapshot.transaction().allocate("node-0", hard, timeout=timedelta(0))
    assert told(outcome) == "unknown deadline"
    assert repr(outcome) == "<Unknown: deadline>"


def test_outcomes_are_not_made_by_callers() -> None:
    with pytest.raises(TypeError):
        dralloc.Optimal()
    with pytest.raises(TypeError):
        dralloc.Snapshot()


def test_placement() -> None:
    engine = small_engine(3, 2)
    snapshot = engine.snapshot()
    one = snapshot.prepare(claim("one"))
    with snapshot.transaction() as transaction:
        transaction.allocate("node-1", one)
        transaction.commit()
    snapshot = engine.snapshot()
    transaction = snapshot.transaction()
    two = snapshot.prepare(claim("two", 2))
    placement = transaction.place(two, find=dralloc.Find.ALL)
    assert placement.names == ["node-0", "node-2"]
    assert (len(placement), placement.asked, placement.feasible) == (2, 3, 2)
    assert placement.stopped is None
    assert placement.failed == ()
    assert [str(reason) for reason in placement.reasons] == [
        "1 node: request `gpu` of claim 0 has too few devices"
    ]
    assert placement[-1].name == "node-2"
    assert placement[0].gap is None
    assert (placement[0].rank, placement[0].free, placement[0].place) == (0, 0, 0)
    assert repr(placement[0]) == '<PlacedNode "node-0": 0 devices free>'
    with pytest.raises(IndexError):
        placement[2]
    with pytest.raises(IndexError):
        placement[-3]
    assert [node.outcome.node for node in placement] == placement.names
    assert repr(placement) == "<Placement: 2 of 3 nodes; node-0, node-2>"
    best = transaction.place_and_allocate(
        snapshot.prepare(claim("next")), find="best", best=1, explain=True
    )
    assert best.names == ["node-1"]
    three = transaction.place(snapshot.prepare(claim("three", 3)))
    assert repr(three) == (
        "<Placement: 0 of 3 nodes; 3 nodes: request `gpu` of claim 0 has too few devices>"
    )
    nodes = snapshot.node_list(["node-2", "node-9", "node-0"])
    assert list(nodes) == ["node-2", "node-9", "node-0"]
    assert nodes[-1] == "node-0"
    some = transaction.place(two, nodes=nodes, find="all")
    assert some.names == ["node-2", "node-0"]
    assert [(one.node, one.code) for one in some.failed] == [("node-9", dralloc.Code.NOT_FOUND)]


def test_numbers() -> None:
    snapshot = small_engine().snapshot()
    nodes = snapshot.node_list()
    claims = snapshot.prepare(claim("a", 2))
    transaction = snapshot.transaction()
    kind, devices = transaction.allocate_devices(nodes, 1, claims)
    assert kind is dralloc.Kind.OPTIMAL
    assert [numbers[:3] for numbers in devices] == [(0, 0, 0), (0, 0, 0)]
    assert [str(snapshot.device(number)) for *_, number in devices] == [
        f"{DRIVER}/node-1/gpu-0",
        f"{DRIVER}/node-1/gpu-1",
    ]
    more = snapshot.prepare(claim("b"))
    assert transaction.allocate_devices(nodes, 1, more) == (dralloc.Kind.INFEASIBLE, [])
    with pytest.raises(IndexError):
        transaction.allocate_devices(nodes, 2, more)
    with pytest.raises(dralloc.NotFoundError, match="no device has the number 4000000000"):
        snapshot.device(4_000_000_000)


def test_explanation() -> None:
    engine = small_engine()
    with engine.transaction() as transaction:
        transaction.allocate("node-0", engine.snapshot().prepare(claim("first")))
        transaction.commit()
    snapshot = engine.snapshot()
    transaction = snapshot.transaction()
    second = snapshot.prepare(claim("second", 2))
    explanation = transaction.explain("node-0", second)
    assert str(explanation) == (
        "request `gpu`: 2 devices needed, 1 can serve (1 in use); "
        "if claim `default/first` were released 2 could serve"
    )
    (request,) = explanation.requests
    assert (request.name, request.needed, request.considered, request.usable) == ("gpu", 2, 2, 1)
    assert request.refused == (("in use", 1),)
    assert explanation.holders == (dralloc.Holder(owner="default/first"),)
    assert not explanation.never_possible
    assert explanation.unusable_pools == ()
    assert explanation.whole == [{"tooFew": {"claim": 0, "request": "gpu"}}]
    assert explanation.conflict is not None
    assert explanation.arithmetic == [{"count": {"needed": 2, "available": 1, "afterRelease": 2}}]
    assert explanation == transaction.explain("node-0", second)
    never = transaction.explain("node-0", snapshot.prepare(claim("third", 3)))
    assert never.never_possible
    assert never.holders == ()
    assert never != explanation
    assert len({never, explanation, explanation}) == 2
    fits = transaction.explain("node-0", snapshot.prepare(claim("fourth")))
    assert (str(fits), repr(fits)) == ("", "<Explanation: the claims fit>")
    assert transaction.satisfiable("node-0", second).fits


def test_proofs() -> None:
    snapshot = small_engine(1, 4).snapshot()
    transaction = snapshot.transaction()
    many, some = claim("many", 5), claim("some", 2)
    certified = transaction.certificate("node-0", snapshot.prepare(many))
    assert certified.proved is dralloc.Proved.INFEASIBLE
    assert certified.certificate is not None
    assert transaction.verify_certificate("node-0", many, certified.certificate) == []
    (violation,) = transaction.verify_certificate("node-0", some, certified.certificate)
    assert str(violation) == "steps[0].needed: 5, expected 2"
    pack = dralloc.Options(policy="pack")
    claims = snapshot.prepare(some)
    best = transaction.certificate("node-0", claims, options=pack)
    assert repr(best) == "<Certified: optimal>"
    outcome = snapshot.transaction().allocate("node-0", claims, options=pack)
    assert best.certificate is not None
    results = outcome.results
    assert transaction.verify_optimality("node-0", some, results, best.certificate) == []
    assert transaction.verify("node-0", some, outcome.results) == []
    assert transaction.verify("node-0", [some], list(outcome.allocations)) == []
    assert [one.code for one in transaction.verify("node-0", some, [])] == ["result-count"]
    runner_up = transaction.runner_up("node-0", claims, options=pack)
    assert not runner_up.found
    assert str(runner_up) == "no answer is worse than another"


class Page(html.parser.HTMLParser):
    """Checks that tags are closed, and keeps texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_notebooks() -> None:
    snapshot = small_engine().snapshot()
    transaction = snapshot.transaction()
    one, three = snapshot.prepare(claim("one")), snapshot.prepare(claim("three", 3))
    assert Page(snapshot._repr_html_()).texts == ["Snapshot of 2 nodes at revision 5"]
    outcome = transaction.allocate("node-0", one)
    heads = ["claim", "request", "driver", "pool", "device"]
    row = ["0", "gpu", DRIVER, "node-0", "gpu-0"]
    assert Page(outcome._repr_html_()).texts == ["Optimal on node-0", *heads, *row]
    infeasible = transaction.allocate("node-0", three)
    assert Page(infeasible._repr_html_()).texts == [
        "Infeasible: request 0 of claim 0 has too few devices"
    ]
    placement = transaction.place(one, find="all")
    assert Page(placement._repr_html_()).texts[:1] == ["1 of 2 nodes"]
    explanation = transaction.explain("node-1", three)
    assert Page(explanation._repr_html_()).texts[0] == str(explanation)


def test_what_is_written_is_escaped() -> None:
    engine = small_engine()
    nasty = claim("nasty", 9)
    nasty["spec"]["devices"]["requests"][0]["name"] = "<script>"
    snapshot = engine.snapshot()
    placement = snapshot.transaction().place(snapshot.prepare(nasty), find="all")
    assert "<script>" not in placement._repr_html_()
    assert "&lt;script&gt;" in placement._repr_html_()
