"""Makes the calls of the corpus; testdata/corpus/README.md has their form."""

import json
from pathlib import Path
from typing import Any

import dralloc

TESTDATA = Path(__file__).parents[2] / "testdata"


def compact(value: object) -> str:
    """Returns JSON without spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def error_json(error: dralloc.DrallocError) -> str:
    """Returns an error as the corpus has it."""
    return compact(
        {
            "code": error.code,
            "message": error.message,
            "path": error.path,
            "scope": error.scope,
        }
    )


def violations_json(violations: list[dralloc.Violation]) -> str:
    """Returns what is wrong with an answer as the corpus has it."""
    return compact(
        [{"code": one.code, "path": one.path, "message": one.message} for one in violations]
    )


def faults_json(faults: list[dralloc.Fault]) -> str:
    """Returns what is wrong with objects as the corpus has it."""
    return compact(
        [
            {"code": one.code, "message": one.message, "path": one.path, "scope": one.scope}
            for one in faults
        ]
    )


def features_form(features: dralloc.Features) -> dict[str, Any]:
    """Returns features as the corpus has them, in its order."""
    return {
        "kubernetesMinor": features.kubernetes_minor,
        "relaxedSelectors": features.relaxed_selectors,
        "gates": dict(features.gates),
    }


class World:
    """Is all that there is at a time; each call of the corpus is a method."""

    engine: dralloc.Engine
    snapshot_: dralloc.Snapshot
    transaction_: dralloc.Transaction
    claims: dralloc.PreparedClaims
    outcome: dralloc.Outcome
    placement: dralloc.Placement
    trace_: dralloc.Trace

    def __init__(self) -> None:
        """Begins anew."""
        self.call_engine("")

    def call(self, name: str, *fields: str) -> str | None:
        """Makes a call; returns its line in the corpus, if it has one."""
        method = getattr(self, f"call_{name}")
        try:
            result: str | None = method(*fields)
        except dralloc.DrallocError as error:
            return f"!\t{error_json(error)}"
        return None if result is None else f"=\t{result}"

    @property
    def how(self) -> dict[str, Any]:
        """How questions are asked."""
        return {"options": self.options, "workspace": self.workspace}

    def call_engine(self, features: str = "") -> None:
        self.engine = dralloc.Engine(features=features)
        self.workspace = dralloc.Workspace()
        self.options: dralloc.Options | None = None
        self.savepoints: list[dralloc.Savepoint] = []
        self.members: list[dralloc.PreparedClaims] = []
        self.call_snapshot()

    def call_reload(self) -> None:
        self.engine = dralloc.Engine.load(self.engine.dump())

    def call_apply(self, objects: str) -> str:
        return self.engine.apply(objects).to_json()

    def call_change(self, change: str) -> str:
        return self.engine.change(change).to_json()

    def call_replace(self, kind: str, objects: str) -> str:
        return self.engine.replace(kind, objects).to_json()

    def call_forget(self, owner: str) -> str:
        return self.engine.forget(owner).to_json()

    def call_assumed(self, owner: str) -> str:
        return str(int(self.engine.is_assumed(owner)))

    def call_snapshot(self) -> None:
        self.snapshot_ = self.engine.snapshot()

    def call_nodes(self) -> str:
        return compact(self.snapshot_.nodes)

    def call_objects(self, kind: str, name: str | None = None) -> str:
        items = self.snapshot_.objects(kind, name)
        return compact({"apiVersion": "v1", "kind": "List", "items": items})

    def call_features(self) -> str:
        return compact(features_form(self.snapshot_.features))

    def call_record(self) -> None:
        self.trace_ = self.engine.record()
        self.lines = ""

    def call_trace(self) -> str:
        lines = self.trace_.take()
        self.lines += lines
        dropped = '{"call":"drop",'
        return " ".join(line for line in lines.splitlines() if not line.startswith(dropped))

    def call_replay(self) -> str:
        difference = dralloc.replay(self.lines)
        return "null" if difference is None else difference.to_json()

    def call_prepare(self, claims: str) -> None:
        self.claims = self.snapshot_.prepare(claims)

    def call_options(self, options: str = "") -> None:
        self.options = dralloc.Options.load(options)

    def call_transaction(self) -> None:
        self.savepoints = []
        self.transaction_ = self.snapshot_.transaction()

    def call_allocate(self, node: str) -> str:
        self.outcome = self.transaction_.allocate(node, self.claims, **self.how)
        return self.outcome.to_json()

    def call_satisfiable(self, node: str) -> str:
        self.outcome = self.transaction_.satisfiable(node, self.claims, **self.how)
        return self.outcome.to_json()

    def call_results(self) -> str:
        return compact(self.outcome.results)

    def call_devices(self) -> str:
        named: list[str] = []
        for *places, number in self.snapshot_.device_numbers(self.outcome):
            name = compact(self.snapshot_.device(number)._asdict())
            named.append(" ".join([*map(str, places), name]))
        return ";".join(named)

    def nodes(self, names: str) -> dralloc.NodeList | None:
        """Returns the nodes of a call; none are all."""
        return self.snapshot_.node_list(json.loads(names)) if names else None

    def call_place(self, names: str = "") -> str:
        nodes = self.nodes(names)
        self.placement = self.transaction_.place(self.claims, nodes=nodes, **self.how)
        return self.placement.to_json()

    def call_placeAndAllocate(self, names: str = "") -> str:  # noqa: N802
        nodes = self.nodes(names)
        placement = self.transaction_.place_and_allocate(self.claims, nodes=nodes, **self.how)
        self.placement = placement
        return placement.to_json()

    def call_member(self, claims: str) -> None:
        self.members.append(self.snapshot_.prepare(claims))

    def call_gang(self, names: str = "") -> str:
        members, self.members = self.members, []
        nodes = self.nodes(names)
        return self.transaction_.gang(members, nodes=nodes, **self.how).to_json()

    def call_placed(self) -> str:
        nodes = list(self.placement)
        scores = [(node.place, node.rank, node.free) for node in nodes]
        assert scores == self.placement.scores
        assert [node.name for node in nodes] == self.placement.names
        return ";".join(f"{node.place} {node.rank} {node.free} {node.name}" for node in nodes)

    def call_placedOutcome(self, place: str) -> str:  # noqa: N802
        self.outcome = self.placement[int(place)].outcome
        return self.outcome.to_json()

    def call_explain(self, node: str) -> str:
        return self.transaction_.explain(node, self.claims, **self.how).to_json()

    def call_runnerUp(self, node: str) -> str:  # noqa: N802
        return self.transaction_.runner_up(node, self.claims, **self.how).to_json()

    def call_certificate(self, node: str) -> str:
        return self.transaction_.certificate(node, self.claims, **self.how).to_json()

    def call_verify(self, *fields: str) -> str:
        return violations_json(self.transaction_.verify(*fields))

    def call_verifyCertificate(self, *fields: str) -> str:  # noqa: N802
        return violations_json(self.transaction_.verify_certificate(*fields))

    def call_verifyOptimality(self, *fields: str) -> str:  # noqa: N802
        return violations_json(self.transaction_.verify_optimality(*fields))

    def call_validate(self, objects: str, features: str = "") -> str:
        return faults_json(dralloc.validate(objects, features=features))

    def call_default(self, objects: str) -> str:
        items = dralloc.defaults(objects)
        return compact({"apiVersion": "v1", "kind": "List", "items": items})

    def call_amounts(self, node: str) -> str:
        return compact(self.transaction_.amounts_in_use(node))

    def call_hold(self, claim: str, allocation: str) -> None:
        self.transaction_.hold(claim, allocation)

    def call_release(self, claim: str) -> str:
        return str(int(self.transaction_.release(claim)))

    def call_reserve(self, claim: str, user: str) -> str:
        return str(int(self.transaction_.reserve(claim, user)))

    def call_unreserve(self, claim: str, user: str) -> str:
        return str(int(self.transaction_.unreserve(claim, user)))

    def call_markReleasing(self, claim: str, releasing: str) -> str:  # noqa: N802
        return str(int(self.transaction_.mark_releasing(claim, releasing=releasing == "1")))

    def call_addNode(self, name: str, like: str) -> None:  # noqa: N802
        self.transaction_.add_node(name, like=like)

    def call_removeNode(self, name: str) -> None:  # noqa: N802
        self.transaction_.remove_node(name)

    def call_takeAmounts(self, node: str, owner: str, amounts: str) -> None:  # noqa: N802
        self.transaction_.take_amounts(node, owner, amounts)

    def call_releaseAmounts(self, owner: str) -> str:  # noqa: N802
        return str(int(self.transaction_.release_amounts(owner)))

    def call_savepoint(self) -> None:
        self.savepoints.append(self.transaction_.savepoint())

    def call_rollback(self, number: str) -> None:
        self.transaction_.rollback(self.savepoints[int(number)])

    def call_clone(self) -> None:
        self.transaction_ = self.transaction_.clone()

    def call_commit(self) -> str:
        return self.transaction_.commit().to_json()


def run_file(path: Path) -> int:
    """Runs a file of calls, and compares their results; returns how many calls."""
    world, result, calls = World(), None, 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        is_result = line.startswith(("=\t", "!\t"))
        if is_result or result is not None:
            assert result == (line if is_result else None), f"{path.name}:{number}"
            result = None
        if not is_result:
            result = world.call(*line.split("\t"))
            calls += 1
    assert result is None
    return calls
