"""A device-allocation engine with the semantics of Kubernetes dynamic resource allocation.

An `Engine` is told what devices there are. A `Snapshot` of it never changes; a
`Transaction` on it allocates `PreparedClaims` on a node, can be rolled back, and is
committed or dropped. The answer is an `Outcome`: that claims do not fit is a value, not
an exception.

>>> import dralloc
>>> engine = dralloc.Engine()
>>> engine.apply(
...     {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}},
...     {
...         "apiVersion": "resource.k8s.io/v1",
...         "kind": "DeviceClass",
...         "metadata": {"name": "gpu"},
...     },
...     {
...         "apiVersion": "resource.k8s.io/v1",
...         "kind": "ResourceSlice",
...         "metadata": {"name": "node-1-gpus"},
...         "spec": {
...             "driver": "gpu.example.com",
...             "nodeName": "node-1",
...             "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 1},
...             "devices": [{"name": "gpu-0"}, {"name": "gpu-1"}],
...         },
...     },
... )
<Applied: 1 node, 1 pool>
>>> snapshot = engine.snapshot()
>>> claims = snapshot.prepare(
...     {
...         "metadata": {"namespace": "default", "name": "training"},
...         "spec": {
...             "devices": {
...                 "requests": [
...                     {
...                         "name": "gpu",
...                         "exactly": {
...                             "deviceClassName": "gpu",
...                             "allocationMode": "ExactCount",
...                             "count": 1,
...                         },
...                     }
...                 ]
...             }
...         },
...     }
... )
>>> with snapshot.transaction() as transaction:
...     outcome = transaction.allocate("node-1", claims)
...     print(outcome)
...     transaction.commit()
<Optimal on node-1: gpu.example.com/node-1/gpu-0>
<Applied: 1 pool, 1 claim>
"""

from dralloc._applied import Applied, Warned
from dralloc._certificate import Certified, Proved
from dralloc._device import AllocatedDevice, DeviceId
from dralloc._difference import Difference
from dralloc._enums import (
    CarriedPolicies,
    Code,
    ErrorMode,
    Find,
    Kind,
    Policy,
    Releasing,
    Scope,
    StopCause,
)
from dralloc._errors import (
    BusyError,
    ConflictError,
    DrallocError,
    EvaluationError,
    InternalError,
    InvalidError,
    MalformedError,
    NotFoundError,
    PoolError,
    StateError,
    UnsupportedError,
)
from dralloc._explanation import Explanation, Holder, RequestExplanation
from dralloc._gang import Gang, GangLevel, GangShortage
from dralloc._model import (
    AllocationResult,
    CapacityRequirements,
    CELDeviceSelector,
    Counter,
    CounterSet,
    Device,
    DeviceAllocationConfiguration,
    DeviceAllocationResult,
    DeviceClaim,
    DeviceClaimConfiguration,
    DeviceClass,
    DeviceClassConfiguration,
    DeviceClassSpec,
    DeviceConstraint,
    DeviceCounterConsumption,
    DeviceRequest,
    DeviceRequestAllocationResult,
    DeviceSelector,
    DeviceSubRequest,
    DeviceTaint,
    DeviceToleration,
    ExactDeviceRequest,
    Features,
    Model,
    Node,
    NodeStatus,
    ObjectMeta,
    OpaqueDeviceConfiguration,
    ResourceClaim,
    ResourceClaimConsumerReference,
    ResourceClaimSpec,
    ResourceClaimStatus,
    ResourcePool,
    ResourceSlice,
    ResourceSliceSpec,
)
from dralloc._native import (
    Cancel,
    Engine,
    Feasible,
    Infeasible,
    NodeList,
    Optimal,
    Options,
    Outcome,
    PlacedNode,
    Placement,
    PreparedClaims,
    Savepoint,
    Snapshot,
    Trace,
    Transaction,
    Unknown,
    Workspace,
    __version__,
    defaults,
    replay,
    to_json,
    validate,
)
from dralloc._objective import Gap, TermValue
from dralloc._reason import FailedNode, NodeReason, Reason
from dralloc._runner_up import RunnerUp
from dralloc._statistics import Statistics
from dralloc._together import Together, UnitTogether
from dralloc._types import Object, Objects, OptionFields
from dralloc._violation import Fault, Violation

__all__ = [
    "AllocatedDevice",
    "AllocationResult",
    "Applied",
    "BusyError",
    "CELDeviceSelector",
    "Cancel",
    "CapacityRequirements",
    "CarriedPolicies",
    "Certified",
    "Code",
    "ConflictError",
    "Counter",
    "CounterSet",
    "Device",
    "DeviceAllocationConfiguration",
    "DeviceAllocationResult",
    "DeviceClaim",
    "DeviceClaimConfiguration",
    "DeviceClass",
    "DeviceClassConfiguration",
    "DeviceClassSpec",
    "DeviceConstraint",
    "DeviceCounterConsumption",
    "DeviceId",
    "DeviceRequest",
    "DeviceRequestAllocationResult",
    "DeviceSelector",
    "DeviceSubRequest",
    "DeviceTaint",
    "DeviceToleration",
    "Difference",
    "DrallocError",
    "Engine",
    "ErrorMode",
    "EvaluationError",
    "ExactDeviceRequest",
    "Explanation",
    "FailedNode",
    "Fault",
    "Feasible",
    "Features",
    "Find",
    "Gang",
    "GangLevel",
    "GangShortage",
    "Gap",
    "Holder",
    "Infeasible",
    "InternalError",
    "InvalidError",
    "Kind",
    "MalformedError",
    "Model",
    "Node",
    "NodeList",
    "NodeReason",
    "NodeStatus",
    "NotFoundError",
    "Object",
    "ObjectMeta",
    "Objects",
    "OpaqueDeviceConfiguration",
    "Optimal",
    "OptionFields",
    "Options",
    "Outcome",
    "PlacedNode",
    "Placement",
    "Policy",
    "PoolError",
    "PreparedClaims",
    "Proved",
    "Reason",
    "Releasing",
    "RequestExplanation",
    "ResourceClaim",
    "ResourceClaimConsumerReference",
    "ResourceClaimSpec",
    "ResourceClaimStatus",
    "ResourcePool",
    "ResourceSlice",
    "ResourceSliceSpec",
    "RunnerUp",
    "Savepoint",
    "Scope",
    "Snapshot",
    "StateError",
    "Statistics",
    "StopCause",
    "TermValue",
    "Together",
    "Trace",
    "Transaction",
    "UnitTogether",
    "Unknown",
    "UnsupportedError",
    "Violation",
    "Warned",
    "Workspace",
    "__version__",
    "defaults",
    "replay",
    "to_json",
    "validate",
]
