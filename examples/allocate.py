"""Allocates two GPUs of one node, and says why a third claim has to wait.

python examples/allocate.py
"""

import dralloc

NODE = dralloc.Node(metadata=dralloc.ObjectMeta(name="node-1"))

CLASS = dralloc.DeviceClass(
    metadata=dralloc.ObjectMeta(name="gpu"),
    spec=dralloc.DeviceClassSpec(
        selectors=(dralloc.DeviceSelector.of("device.driver == 'gpu.example.com'"),)
    ),
)

SLICE = dralloc.ResourceSlice(
    metadata=dralloc.ObjectMeta(name="node-1-gpus"),
    spec=dralloc.ResourceSliceSpec(
        driver="gpu.example.com",
        node_name="node-1",
        pool=dralloc.ResourcePool(name="node-1"),
        devices=(dralloc.Device(name="gpu-0"), dralloc.Device(name="gpu-1")),
    ),
)


def claim(name: str) -> dralloc.ResourceClaim:
    """Returns a claim for one GPU."""
    request = dralloc.DeviceRequest(
        name="gpu", exactly=dralloc.ExactDeviceRequest(device_class_name="gpu")
    )
    return dralloc.ResourceClaim(
        metadata=dralloc.ObjectMeta(namespace="default", name=name),
        spec=dralloc.ResourceClaimSpec(devices=dralloc.DeviceClaim(requests=(request,))),
    )


def main() -> None:
    """Asks for one GPU after the other."""
    engine = dralloc.Engine()
    engine.apply(NODE, CLASS, SLICE)
    for name in ("a", "b", "c"):
        snapshot = engine.snapshot()
        claims = snapshot.prepare(claim(name))
        with snapshot.transaction() as transaction:
            outcome = transaction.allocate("node-1", claims)
            print(name, outcome)
            if outcome.fits:
                transaction.commit()
            else:
                print(transaction.explain("node-1", claims))


if __name__ == "__main__":
    main()
