"""The native half of the package."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeAlias, Unpack, final

from typing_extensions import disjoint_base

from dralloc._applied import Applied
from dralloc._certificate import Certified
from dralloc._device import AllocatedDevice, DeviceId
from dralloc._difference import Difference
from dralloc._enums import Kind, StopCause
from dralloc._explanation import Explanation
from dralloc._gang import Gang
from dralloc._model import AllocationResult, Features
from dralloc._objective import Gap, TermValue
from dralloc._reason import FailedNode, NodeReason, Reason
from dralloc._runner_up import RunnerUp
from dralloc._statistics import Statistics
from dralloc._together import Together
from dralloc._types import Object, Objects, OptionFields
from dralloc._violation import Fault, Violation

__all__ = [
    "Cancel",
    "Engine",
    "Feasible",
    "Infeasible",
    "NodeList",
    "Optimal",
    "Options",
    "Outcome",
    "PlacedNode",
    "Placement",
    "PreparedClaims",
    "Savepoint",
    "Snapshot",
    "Trace",
    "Transaction",
    "Unknown",
    "Workspace",
    "__version__",
    "_panic",
    "_run",
    "defaults",
    "replay",
    "to_json",
    "validate",
]

__version__: str

_Answer: TypeAlias = Optimal | Feasible | Infeasible | Unknown
_Numbers: TypeAlias = tuple[int, int, int, int]

@final
class Engine:
    """Keeps what devices there are and what is held of them.

    Threads may share one: each call waits for the one before. As a context manager it
    is closed at the end, which frees its memory.
    """

    def __new__(
        cls,
        *,
        features: Object | None = None,
    ) -> Self:
        """Makes an engine that knows nothing yet; `features` is `Features`, or the same
        as a dict or JSON text.

        Raises `InvalidError` for a gate that does not exist.
        """

    @classmethod
    def load(cls, dump: Object) -> Self:
        """Makes an engine of what `dump` has written."""

    def apply(self, *objects: Objects) -> Applied:
        """Applies objects: slices, nodes, classes, taint rules, claims, and those of
        `dralloc.dev`, and lists of them.

        Input that cannot be read changes nothing; objects before one that is refused
        are applied. What an object is is known by its `apiVersion` and `kind`. An
        object is replaced by one with its uid and a later `resourceVersion`.

        Raises `InvalidError`, with the path of the field.
        """

    def change(self, change: Object) -> Applied:
        """Applies one change that is no object: a dict with one of `removed` (`kind`,
        and `name`, `uid` or `owner`), `held` (`devices`, `shares`, `consumedCapacity`),
        `allocated` (the same in the form of Kubernetes' allocator), `use` (`owner`,
        `node`, `amounts`), `twins` and `object`.

        Raises `InvalidError`.
        """

    def replace(self, kind: str, *objects: Objects) -> Applied:
        """Makes everything of a kind be what a full list says, such as all of `Node`.

        Objects may leave out what they are.

        Raises `InvalidError`.
        """

    def forget(self, owner: str) -> Applied:
        """Takes back what transactions gave an owner and no event has shown yet.

        Owners are claims by uid, or else by `namespace/name`, and users of amounts.
        """

    def is_assumed(self, owner: str) -> bool:
        """Returns whether an owner has what a transaction gave it and no event has
        shown yet.
        """

    def snapshot(self) -> Snapshot:
        """Returns all that is known now, in constant time."""

    def transaction(self) -> Transaction:
        """Begins a transaction on a snapshot of now."""

    def record(self) -> Trace:
        """Writes the calls that follow to a trace: those of the engine, and of what is
        made of it from now on. Its first line is all that is known now.

        It ends when the trace is gone, or with the next one. Calls that only look
        (`explain`, `runner_up`, `certificate`, `verify`) are not written. Transactions
        that began before cannot be committed any more (`ConflictError`). Signals wait
        for the end of a question that is written and has no timeout.
        """

    def dump(self) -> str:
        """Returns all that is known as JSON, of which `load` makes the same."""

    def close(self) -> None:
        """Frees the memory; what was made of the engine can be asked, not committed."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        raised: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...

@final
class Snapshot:
    """Shows what an engine knew when it was made. It never changes, so that any number
    of threads may use it.
    """

    @property
    def revision(self) -> int:
        """The revision of the engine; larger is later."""

    @property
    def nodes(self) -> list[str]:
        """The names of all nodes, in order."""

    @property
    def features(self) -> Features:
        """Which features are on."""

    def objects(self, kind: str, name: str | None = None) -> list[dict[str, Any]]:
        """Returns the objects of a kind that it knows, by name: all of them, or the one
        with a name. Kinds are `Node`, `DeviceClass`, `Topology`, `AttributeOverlay`,
        `DeviceHealth` and `DeviceHold`. Only fields that the engine reads are there.

        Raises `UnsupportedError` for other kinds.
        """

    def prepare(self, *claims: Objects) -> PreparedClaims:
        """Compiles claims, which are asked about together, in their order.

        Claims with a spec that is known are not compiled again. Claims are taken as an
        API server stores them: run `defaults` and `validate` on those that were written
        by hand. They may leave out what they are.

        Raises `InvalidError` and `NotFoundError` (a class).
        """

    def transaction(self) -> Transaction:
        """Begins a transaction: a private what-if that starts from the snapshot."""

    def node_list(self, names: Sequence[str] | None = None) -> NodeList:
        """Looks nodes up by name, once for all calls; all nodes by default."""

    def device(self, number: int) -> DeviceId:
        """Returns the name of the device with a number.

        A number is that of one device for as long as the engine lives, in all its
        snapshots: keep what you were told.

        Raises `NotFoundError`.
        """

    def device_numbers(self, outcome: Outcome) -> list[_Numbers]:
        """Returns the devices of an outcome as numbers: places of claim, request and
        alternative, and the number of the device.
        """

    def dump(self) -> str:
        """Returns the snapshot as JSON, of which `Engine.load` makes an engine."""

    def close(self) -> None:
        """Lets its memory go, as far as nothing else needs it."""

    def _repr_html_(self) -> str: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        raised: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...

@final
class PreparedClaims:
    """Holds claims that are compiled, to be asked about on any node and as often as
    wanted. It never changes, so that any number of threads may use it.
    """

    def __len__(self) -> int: ...

@final
class NodeList:
    """Lists nodes in an order of the caller's, found by name once: calls name a node
    by its place. It stays right whatever nodes come and go.
    """

    def __len__(self) -> int: ...
    def __getitem__(self, place: int, /) -> str: ...
    def __iter__(self) -> Iterator[str]: ...

@final
class Options:
    """Says how questions are asked. It never changes, so that any number of threads
    may use it. `OptionFields` has the fields.
    """

    def __new__(cls, **fields: Unpack[OptionFields]) -> Self:
        """Makes options; raises `InvalidError` with the name of the field."""

    @classmethod
    def load(cls, options: Object) -> Self:
        """Makes options of JSON in the form that all languages share, such as
        `{"policy": "pack", "timeoutNanoseconds": 1000000}`.

        Raises `InvalidError` with the name of the field.
        """

    def replace(self, **fields: Unpack[OptionFields]) -> Self:
        """Returns these options with other values for some fields."""

@final
class Cancel:
    """Ends the calls that are made with it, from any thread."""

    def __new__(cls) -> Self: ...
    def set(self) -> None:
        """Ends searches soon, with the stop cause `cancelled`."""

    def clear(self) -> None:
        """Makes it as new again."""

    def is_set(self) -> bool:
        """Returns whether it is set."""

@final
class Workspace:
    """Keeps what calls found out that makes later ones faster; it never changes an
    answer.

    Calls without one share those of their engine. Who wants to know what a search took
    passes one, which one call at a time can use.
    """

    def __new__(cls) -> Self: ...
    @property
    def statistics(self) -> Statistics:
        """What the search for the last answer took."""

@final
class Transaction:
    """Tries things on a snapshot that nobody else sees before they are committed.

    One thread at a time can use it: `BusyError` if another does. As a context manager
    it is closed at the end: what was not committed is undone.

    Questions take options as keywords, or `options` that were made before and are
    cheaper where they are used often; keywords count before these. A signal handler
    that raises, such as that of Ctrl-C, ends a question: the transaction is as before.
    """

    def clone(self) -> Transaction:
        """Makes a transaction of its own that is where this one is; savepoints of one
        are none of the other.
        """

    def savepoint(self) -> Savepoint:
        """Returns a point to go back to."""

    def rollback(self, savepoint: Savepoint) -> None:
        """Takes back everything since a savepoint.

        Raises `NotFoundError` if it is of another transaction, or was itself taken
        back.
        """

    def commit(self) -> Applied:
        """Makes the changes known to everybody, all or none. The transaction is spent.

        Raises `ConflictError` if something has changed that it decided by: begin anew
        from a new snapshot.
        """

    def dump(self) -> str:
        """Returns the transaction as JSON, of which `Engine.load` makes an engine."""

    def close(self) -> None:
        """Undoes what was not committed."""

    def allocate(
        self,
        node: str,
        claims: PreparedClaims,
        *,
        options: Options | None = None,
        workspace: Workspace | None = None,
        **fields: Unpack[OptionFields],
    ) -> _Answer:
        """Allocates claims together on a node; what they get is held by the transaction.

        Raises `NotFoundError` (the node), `EvaluationError`, `PoolError` and
        `InvalidError`.
        """

    def allocate_devices(
        self,
        nodes: NodeList,
        place: int,
        claims: PreparedClaims,
        *,
        options: Options | None = None,
        workspace: Workspace | None = None,
        **fields: Unpack[OptionFields],
    ) -> tuple[Kind, list[_Numbers]]:
        """Allocates like `allocate`, by numbers: the node by its place in a list,
        devices as `Snapshot.device_numbers` has them.
        """

    def satisfiable(
        self,
        node: str,
        claims: PreparedClaims,
        *,
        options: Options | None = None,
        workspace: Workspace | None = None,
        **fields: Unpack[OptionFields],
    ) -> _Answer:
        """Answers whether claims would fit on a node if nothing were held. Nothing is
        held by it.
        """

    def place(
        self,
        claims: PreparedClaims,
        *,
        nodes: NodeList | None = None,
        options: Options | None = None,
        workspace: Workspace | None = None,
        **fields: Unpack[OptionFields],
    ) -> Placement:
        """Asks many nodes, all by default, about claims that are to be allocated
        together on one. Nothing is held by it.
        """

    def place_and_allocate(
        self,
        claims: PreparedClaims,
        *,
        nodes: NodeList | None = None,
        options: Options | None = None,
        workspace: Workspace | None = None,
        **fields: Unpack[OptionFields],
    ) -> Placement:
        """Asks like `place`, and allocates on the first node that is returned."""

    def gang(
        self,
        members: Sequence[PreparedClaims],
        *,
        nodes: NodeList | None = None,
        options: Options | None = None,
        workspace: Workspace | None = None,
        **fields: Unpack[OptionFields],
    ) -> Gang:
        """Allocates the claims of all members of a gang (the pods of a group) over
        several nodes, or of none; what they get is held by the transaction.

        Members have claims of one template, which they alone use. They are as near to
        each other as they can be, by labels of the nodes.

        Raises `InvalidError` if they are no gang, and `UnsupportedError` for options of
        one pod: `user` and `amounts`.
        """

    def explain(
        self,
        node: str,
        claims: PreparedClaims,
        *,
        options: Options | None = None,
        workspace: Workspace | None = None,
        **fields: Unpack[OptionFields],
    ) -> Explanation:
        """Says why claims do not fit on a node, and whether waiting helps."""

    def runner_up(
        self,
        node: str,
        claims: PreparedClaims,
        *,
        options: Options | None = None,
        workspace: Workspace | None = None,
        **fields: Unpack[OptionFields],
    ) -> RunnerUp:
        """Returns the best of the answers that are not as good as the best."""

    def certificate(
        self,
        node: str,
        claims: PreparedClaims,
        *,
        options: Options | None = None,
        workspace: Workspace | None = None,
        **fields: Unpack[OptionFields],
    ) -> Certified:
        """Proves that claims do not fit on a node, or that the answer is the best."""

    def verify(self, node: str, claims: Objects, results: Objects) -> list[Violation]:
        """Checks an answer without a search: that `results`, one for each claim, give
        the claims what they ask for, of what others leave free. Returns what is wrong.
        """

    def verify_certificate(
        self, node: str, claims: Objects, certificate: Object
    ) -> list[Violation]:
        """Checks a proof that claims do not fit, without a search. Returns what is
        wrong.
        """

    def verify_optimality(
        self, node: str, claims: Objects, results: Objects, certificate: Object
    ) -> list[Violation]:
        """Checks a proof that no answer is better than `results`, and the answer
        itself, without a search; what is held must be what was held before the answer.
        Returns what is wrong.
        """

    def hold(self, claim: Object, allocation: Object) -> None:
        """Holds exactly what an allocation says, as in `status.allocation`, for a
        claim. Whether others hold the same is not asked.
        """

    def release(self, claim: Object) -> bool:
        """Gives back what a claim holds, whoever uses it; returns whether it held
        anything.
        """

    def reserve(self, claim: Object, user: str) -> bool:
        """Reserves a claim for one more user, by uid; returns whether that is new.

        Raises `NotFoundError` if it holds nothing, and `InvalidError` if it has as many
        users as it may have.
        """

    def unreserve(self, claim: Object, user: str) -> bool:
        """Ends the use of a claim by a user; with the last one the claim gives back
        what it holds, and this returns true.
        """

    def mark_releasing(self, claim: Object, *, releasing: bool = True) -> bool:
        """Marks what a claim holds as on its way out, or takes that back; returns
        whether it holds anything.
        """

    def add_node(self, name: str, *, like: str) -> None:
        """Adds a node that is like another, with devices of its own, nothing of it
        held.
        """

    def remove_node(self, name: str) -> None:
        """Takes a node away."""

    def take_amounts(self, node: str, owner: str, amounts: Mapping[str, object] | str) -> None:
        """Makes an owner, such as a pod by its uid, use exactly these amounts of a node,
        whether there is enough or not.
        """

    def release_amounts(self, owner: str) -> bool:
        """Gives back what an owner uses of the amounts of a node; returns whether it
        used any.
        """

    def amounts_in_use(self, node: str) -> dict[str, str]:
        """Returns what is used of the amounts of a node, by name."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        raised: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...

@final
class Savepoint:
    """Is a point of a transaction to go back to; it stays one after going back to it.

    As a context manager it takes back what its block did, if that raises.
    """

    def rollback(self) -> None:
        """Takes back everything since."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        raised: type[BaseException] | None,
        _value: BaseException | None,
        _traceback: TracebackType | None,
        /,
    ) -> None: ...

@disjoint_base
class Outcome:
    """Answers whether claims fit, and how: one of `Optimal`, `Feasible`, `Infeasible`
    and `Unknown`. It never changes.

    What it says beside its kind is made when it is asked for.
    """

    @property
    def kind(self) -> Kind:
        """Which of the four it is."""

    @property
    def fits(self) -> bool:
        """Whether there is an answer."""

    @property
    def node(self) -> str | None:
        """The node, if there is an answer."""

    @property
    def results(self) -> list[dict[str, Any]]:
        """What Kubernetes keeps in `status.allocation` of each claim, in the order of
        the claims; empty if there is no answer. It is made anew each time, and the
        caller's to change.
        """

    @property
    def allocations(self) -> tuple[AllocationResult, ...]:
        """The same as classes."""

    @property
    def devices(self) -> list[AllocatedDevice]:
        """The devices in the order of the search; none if there is no answer."""

    @property
    def objective(self) -> tuple[TermValue, ...]:
        """The values of the terms of the policy, the most important first."""

    @property
    def placement(self) -> tuple[Together, ...]:
        """What the devices of each placement policy with levels or units have in common,
        in the order of claims and policies.
        """

    @property
    def warnings(self) -> list[Fault]:
        """Devices that could not be had since evaluation failed on them."""

    def to_json(self) -> str:
        """Returns the outcome as JSON: the same in every language, to the byte."""

    def to_dict(self) -> dict[str, Any]:
        """Returns the outcome as a dict, which is the caller's to change."""

    def _repr_html_(self) -> str: ...

@final
class Optimal(Outcome):
    """The best allocation; without a policy the first in canonical order."""

    __match_args__ = ("results",)

@final
class Feasible(Outcome):
    """An allocation that may not be the best."""

    __match_args__ = ("results", "gap")

    @property
    def gap(self) -> Gap:
        """How far from the best it can be."""

@final
class Infeasible(Outcome):
    """There is no allocation."""

    __match_args__ = ("reason",)

    @property
    def reason(self) -> Reason:
        """What the proof of that rests on."""

@final
class Unknown(Outcome):
    """The search ended before it knew."""

    __match_args__ = ("cause",)

    @property
    def cause(self) -> StopCause:
        """What ended it."""

@final
class Placement:
    """Says on which nodes claims fit, and why not elsewhere. It never changes.

    It is a sequence of the nodes that were wanted.
    """

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> PlacedNode: ...
    def __iter__(self) -> Iterator[PlacedNode]: ...
    @property
    def names(self) -> list[str]:
        """The names of the nodes that were wanted."""

    @property
    def scores(self) -> list[tuple[int, int, int]]:
        """Place, rank and free devices of each of them; `PlacedNode` says what that is."""

    @property
    def asked(self) -> int:
        """How many nodes answered."""

    @property
    def feasible(self) -> int:
        """On how many of them the claims fit, wanted or not."""

    @property
    def next(self) -> int:
        """The place after the last node that was asked, where another call may begin."""

    @property
    def stopped(self) -> StopCause | None:
        """What ended the call before all nodes were asked, if anything did."""

    @property
    def reasons(self) -> tuple[NodeReason, ...]:
        """Why the claims do not fit, the most frequent reason first."""

    @property
    def failed(self) -> tuple[FailedNode, ...]:
        """Nodes that could not be asked."""

    def to_json(self) -> str:
        """Returns the placement as JSON: the same in every language, to the byte."""

    def to_dict(self) -> dict[str, Any]:
        """Returns the placement as a dict, which is the caller's to change."""

    def _repr_html_(self) -> str: ...

@final
class PlacedNode:
    """Is a node where claims fit."""

    @property
    def name(self) -> str:
        """The name of the node."""

    @property
    def place(self) -> int:
        """Its place in the order that was asked."""

    @property
    def rank(self) -> int:
        """How good the alternatives are: for each request with a choice 8, less the
        place of the one that it gets; more is better.
        """

    @property
    def free(self) -> int:
        """How many devices nobody would hold afterwards; less is better where the rank
        is the same.
        """

    @property
    def gap(self) -> Gap | None:
        """How far from the best for the node the answer may be; none if it is proved."""

    @property
    def outcome(self) -> Optimal | Feasible:
        """What the claims would get there."""

@final
class Trace:
    """Keeps the calls of an engine, and of what was made of it, as lines of text; any
    number of threads may use it.
    """

    def take(self) -> str:
        """Takes the lines that were written since the last time, each with its end.

        All lines together are the trace. They are kept in memory until they are taken.
        """

def replay(lines: str | bytes) -> Difference | None:
    """Makes all calls of a trace again; returns the first result that is not the
    recorded one, if there is any.
    """

def validate(
    *objects: Objects,
    features: Object | None = None,
) -> list[Fault]:
    """Checks objects as an API server does; returns what is wrong.

    Fields that are not known are among it. What comes from an API server needs none of
    this.
    """

def defaults(*objects: Objects) -> list[dict[str, Any]]:
    """Fills in what an API server fills in, such as `count` 1."""

def to_json(*objects: Objects) -> str:
    """Returns the JSON text that is read where objects are taken."""

def _run(arguments: Iterable[str]) -> int: ...
def _panic() -> None: ...
