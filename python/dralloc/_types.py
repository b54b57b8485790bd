"""Types of arguments."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypedDict, runtime_checkable

from dralloc._enums import CarriedPolicies, ErrorMode, Find, Policy, Releasing
from dralloc._model import Model

if TYPE_CHECKING:
    from dralloc._native import Cancel


@runtime_checkable
class SupportsToDict(Protocol):
    """Is an object that becomes a dict, such as those of Kubernetes' Python client."""

    def to_dict(self) -> Any:
        """Returns it as a dict."""


Object: TypeAlias = Mapping[str, Any] | Model | SupportsToDict | str | bytes
"""An object of Kubernetes: a dict, a class, an object of its client, or JSON text."""

Objects: TypeAlias = Object | Iterable[Object]
"""One object or any number of them; text may have several, one after the other."""


class OptionFields(TypedDict, total=False):
    """Says how a question is asked; `None` is as good as nothing said.

    Attributes:
        policy: a preset, or a list of terms such as `["waste"]`; by default the
            policies that claims and classes carry count.
        carried_policies: what becomes of those; `used` by default.
        branches: ends a search after so many devices that are tried.
        timeout: ends a search so long after the beginning of its call.
        cancel: ends a search when it is set.
        errors: what a device does on which evaluation fails; as the policy has it by
            default, `skip` for many nodes.
        now: the time of the question, for policies that look at failures of devices;
            a `datetime` (UTC if it has no zone) or seconds since 1970; by default nothing
            is forgotten.
        releasing: what becomes of devices on their way out; `taken` by default.
        user: who will use the claims, by uid.
        amounts: plain amounts of the node that are needed beside the claims.
        find: for many nodes, which of them are wanted; `first` by default.
        best: how many with `find="best"`; 1 by default.
        start: for many nodes, the place of the order to begin at; 0 by default.
        explain: for many nodes, whether reasons say which checks refuse devices.
        nothing_held: whether all counts as free.
        labels: for a gang, the label that names the domain of a node, by scope: `region`,
            `zone`, `core`, `block`, `rack` or `nvLinkDomain`; well known ones come after.
        within: for a gang, the scope of which one domain must have all members.
        most_nodes: for a gang, how many `nodes` of one domain of a `scope` may be used.
        slices: for a gang, how many members a node may have: `any` by default, `same`,
            `multipleOf`, `exactly`, `atLeast` or `wholeNodes`.
        slice_size: the number for `slices`; 1 by default.
    """

    policy: Policy | str | Sequence[str | Mapping[str, str]] | None
    carried_policies: CarriedPolicies | str | None
    branches: int | None
    timeout: timedelta | None
    cancel: "Cancel | None"
    errors: ErrorMode | str | None
    now: datetime | float | None
    releasing: Releasing | str | None
    user: str | None
    amounts: Mapping[str, object] | None
    find: Find | str | None
    best: int | None
    start: int | None
    explain: bool | None
    nothing_held: bool | None
    labels: Mapping[str, str] | None
    within: str | None
    most_nodes: Mapping[str, str | int] | None
    slices: str | None
    slice_size: int | None
