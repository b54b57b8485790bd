"""Objects of Kubernetes' Python client, which has no types."""
# pyright: basic

import datetime as dt
from typing import Any

import kubernetes.client as kube


def client_claim() -> Any:
    return kube.ResourceV1ResourceClaim(
        metadata=kube.V1ObjectMeta(
            namespace="default",
            name="one",
            labels={"node_name": "left_alone"},
            creation_timestamp=dt.datetime(2026, 1, 2, tzinfo=dt.UTC),
        ),
        spec=kube.V1ResourceClaimSpec(
            devices=kube.V1DeviceClaim(
                requests=[
                    kube.V1DeviceRequest(
                        name="gpu",
                        exactly=kube.V1ExactDeviceRequest(
                            device_class_name="gpu", allocation_mode="ExactCount", count=1
                        ),
                    )
                ]
            )
        ),
    )


def client_lists() -> Any:
    """Returns a list of slices and one of nodes."""
    slices = kube.V1ResourceSliceList(
        items=[
            kube.V1ResourceSlice(
                metadata=kube.V1ObjectMeta(name="a"),
                spec=kube.V1ResourceSliceSpec(
                    driver="gpu.example.com",
                    node_name="node-0",
                    pool=kube.V1ResourcePool(name="node-0", generation=1, resource_slice_count=1),
                    devices=[
                        kube.V1Device(
                            name="gpu-0",
                            attributes={"share_id": kube.V1DeviceAttribute(string="x")},
                        )
                    ],
                ),
            )
        ]
    )
    nodes = kube.V1NodeList(
        items=[
            kube.V1Node(
                metadata=kube.V1ObjectMeta(name="node-0"),
                spec=kube.V1NodeSpec(pod_cidr="10.0.0.0/24", pod_cidrs=["10.0.0.0/24"]),
                status=kube.V1NodeStatus(allocatable={"cpu": "8"}),
            )
        ]
    )
    return slices, nodes


def sanitized(value: Any) -> Any:
    """Returns an object as the client sends it."""
    return kube.ApiClient().sanitize_for_serialization(value)  # type: ignore[no-untyped-call]
