"""Longer ladders than those of gen.py, by which a knee shows: `gen.py --ladders` writes them in place of the families.

Names begin with the letter of the family whose modes they are run in.
"""
import gen
from gen import GPU, GPUCLASS, MIGCLASS, NIC, NICCLASS, ROOT, claim, dev, emit, exactly, match, mig_pool, mig_req, nic, node, plain, slice_

ISLAND, SWITCH, SOCKET = (f"{GPU}/{name}" for name in ("island", "switch", "socket"))
MOST = 32  # devices of a claim


def one(family, name, classes, slices, claims, expect, note, used=(), requires=(), oracle=None):
    runs = [{"name": "one", "kind": "node", "node": "node-0", "claims": list(range(len(claims))), "expect": expect}]
    held = {"devices": [dev(driver, "node-0", device) for driver, device in used]}
    emit(family, name, [node("node-0")], classes, slices, claims, runs, held, requires=requires, oracle=oracle, note=note)


def requests(claims):
    for c in claims:
        for r in c["spec"]["devices"]["requests"]:
            yield f"{c['metadata']['name']}/{r['name']}", r


def all_gpus(claims, n):
    return {"eligible": {name: [[GPU, "node-0", f"gpu-{i}"] for i in range(n)] for name, _ in requests(claims)}}


def islands():
    """One request with a match constraint, up to 1,024 devices."""
    for k in (8, 16, 32):
        for n in (64, 128, 256, 512, 1024):
            c = [claim("c", [exactly("gpu", "gpu.nvidia.com", k)], [match(ISLAND, "gpu")])]
            short = lambda i, k=k: {"island": {"int": i // (k - 1)}}
            last = lambda i, k=k, n=n: {"island": {"int": min(i, n - k - 1) // (k - 1) if i < n - k else 9999}}
            one("d", f"d-long-islands-k{k}-n{n}-short", [GPUCLASS], plain(n, attrs=short), c, "no", f"{k} devices of one island, {n} devices in islands of {k - 1}", oracle=all_gpus(c, n))
            one("d", f"d-long-islands-k{k}-n{n}-last", [GPUCLASS], plain(n, attrs=last), c, "yes", f"{k} devices of one island, of which only the last has so many; {n} devices", oracle=all_gpus(c, n))


def constraints():
    """A quarter of all devices with three match constraints: one combination of values has enough, or each has one too few."""
    for k in (4, 8, 16, 32):
        n = 4 * k
        names = ("island", "switch", "socket")
        for expect in ("yes", "no"):
            # Two of the values cut the devices in quarters. The third one takes one device off each quarter, but off the last if there is to be an answer.
            def values(i, k=k, n=n, expect=expect):
                quarter, place = i % 4, i // 4
                off = place == 0 and not (expect == "yes" and quarter == 3)
                return {"island": {"int": quarter % 2}, "switch": {"int": quarter // 2}, "socket": {"int": 1 + quarter if off else 0}}
            c = [claim("c", [exactly("gpu", "gpu.nvidia.com", k)], [match(f"{GPU}/{name}", "gpu") for name in names])]
            one("d", f"d-long-match3-k{k}-n{n}-{expect}", [GPUCLASS], plain(n, attrs=values), c, expect, f"{k} of {n} devices that agree in three attributes", oracle=all_gpus(c, n))
            # The same in four requests, of which neighbours share a constraint.
            parts = [exactly(f"r{i}", "gpu.nvidia.com", k // 4) for i in range(4)]
            chain = [match(ISLAND, "r0", "r1", "r2", "r3"), match(SWITCH, "r0", "r1", "r2", "r3"), match(SOCKET, "r0", "r1"), match(SOCKET, "r1", "r2"), match(SOCKET, "r2", "r3")]
            c = [claim("c", parts, chain)]
            one("d", f"d-long-chain-k{k}-n{n}-{expect}", [GPUCLASS], plain(n, attrs=values), c, expect, f"{k} of {n} devices in four requests that are chained by five constraints", oracle=all_gpus(c, n))


def pairs():
    """GPU and NIC of one root, so many pairs; a claim has 16 at most."""
    for k in (8, 16, 32):
        root = lambda i: f"pci0000:{i:02x}"
        slices = [slice_("node-0-gpu", GPU, "node-0", [gen.gpu(i, f"node-0-{i}", root(i)) for i in range(k)], node_name="node-0"),
                  slice_("node-0-nic", NIC, "node-0", [nic(i, root(i)) for i in range(k)], node_name="node-0")]
        claims = []
        for part, first in enumerate(range(0, k, MOST // 2)):
            c = gen.pair_claim(f"pairs{part}", min(k - first, MOST // 2))
            claims.append(c)
        spare = [gen.gpu(k, "node-0-spare", root(k)), nic(k + 1, root(k + 1))]
        more = [slice_("node-0-gpu", GPU, "node-0", slices[0]["spec"]["devices"] + spare[:1], node_name="node-0"),
                slice_("node-0-nic", NIC, "node-0", slices[1]["spec"]["devices"] + spare[1:], node_name="node-0")]
        for name, expect, given, used in (("free", "yes", slices, []), ("short1", "no", more, [(NIC, "nic-0")])):
            have = {(s["spec"]["driver"], d["name"]) for s in given for d in s["spec"]["devices"]} - set(used)
            oracle = {"eligible": {at: [[d, "node-0", n] for d, n in sorted(have) if (d == GPU) == r["name"].startswith("gpu")] for at, r in requests(claims)}}
            one("b", f"b-long-pairs-k{k}-{name}", [GPUCLASS, NICCLASS], given, claims, expect,
                f"{k} pairs; as many complete roots, or one fewer with a GPU and a NIC of two others", used=used, oracle=oracle)


def racks():
    """Up to 72 GPUs in one pool, whole and as partitions; eight cards or a full request to a claim."""
    for n in (8, 16, 32, 72):
        counts = [min(MOST, n - first) for first in range(0, n, MOST)]
        for more, expect in ((0, "yes"), (1, "no")):
            claims = [claim(f"c{i}", [exactly("gpu", "gpu.nvidia.com", k)]) for i, k in enumerate(counts)]
            if more:
                claims.append(claim("more", [exactly("gpu", "gpu.nvidia.com", 1)]))
            one("d", f"d-long-rack-n{n}-{'full' if not more else 'short1'}", [GPUCLASS], plain(n), claims, expect, f"{n} GPUs asked by {len(claims)} claims" + (", one too many" if more else ""), oracle=all_gpus(claims, n))
    for g in (8, 16, 24, 40, 56, 72):
        slices, devices = mig_pool("node-0", g)
        parts = [claim(f"c{i}", [mig_req("three", "3g.40gb", 8), mig_req("two", "2g.20gb", 16)]) for i in range(g // 8)]
        small = claim("small", [mig_req("one", "1g.10gb", 1)])
        for name, expect, claims in (("tight", "yes", parts), ("short1", "no", parts + [small])):
            one("c", f"c-long-mig-g{g}-{name}", [MIGCLASS], slices, claims, expect, f"{g} cards full of 3g+2g+2g in {len(parts)} claims" + (", and one 1g" if name == "short1" else ""),
                requires=["PartitionableDevices"], oracle=gen.mig_oracle("node-0", devices, claims))
        used = [(GPU, f"gpu-{i}-mig-7g-80gb-0") for i in range(g - 3)] + [(GPU, f"gpu-{g - 3 + i}-mig-1g-10gb-{2 * i}") for i in range(3)]
        rest = [claim("mix", [mig_req("three", "3g.40gb", 2), mig_req("two", "2g.20gb", 4), mig_req("one", "1g.10gb", 2)])]
        one("c", f"c-long-mig-g{g}-nearfull", [MIGCLASS], slices, rest, "yes", f"{g} cards, of which 3 have a 1g and the others nothing left; 2x3g + 4x2g + 2x1g",
            used=used, requires=["PartitionableDevices"], oracle=gen.mig_oracle("node-0", devices, rest))


def add():
    for ladder in (islands, constraints, pairs, racks):
        ladder()
