#!/usr/bin/env python3
"""Seeded generator of the benchmark workloads.  python3 gen.py [--out workloads] [--only REGEX] [--seed 1]

Every file is one JSON object:
  schema   "dralloc.bench/1"
  name, family (a..h), note, requires (allocator features beyond the core), expect (per run)
  nodes, deviceClasses, resourceSlices, claims   plain v1 / resource.k8s.io/v1 objects, lists in the order that counts
  allocated {"devices":[{driver,pool,device}], "shared":[{driver,pool,device,shareID}], "capacity":[{driver,pool,device,capacity:{}}]}
  runs     what to time, see README.md
  oracle   {"eligible": {"claim/request": [[pool,device]...]}} only for solvers without CEL (never for a DRA program)
"""
import argparse, json, os, random, re, hashlib, sys

GPU, NIC, T = "gpu.nvidia.com", "dra.net", "test-driver.cdi.k8s.io"
PRODUCT = "NVIDIA H100 80GB HBM3"
API = "resource.k8s.io/v1"
out = []


def emit(family, name, nodes, classes, slices, claims, runs, allocated=None, requires=(), oracle=None, note=""):
    a = {"devices": [], "shared": [], "capacity": []}
    a.update(allocated or {})
    out.append(dict(schema="dralloc.bench/1", name=name, family=family, note=note, requires=list(requires), nodes=nodes,
                    deviceClasses=classes, resourceSlices=slices, claims=claims, allocated=a, runs=runs,
                    oracle=oracle or {}))


def node(name, **labels):
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **labels}}}


def cls(name, *exprs):
    return {"apiVersion": API, "kind": "DeviceClass", "metadata": {"name": name},
            "spec": {"selectors": [{"cel": {"expression": e}} for e in exprs]}}


def slice_(name, driver, pool, devices, count=1, node_name=None, node_selector=None, all_nodes=None, counters=None):
    spec = {"driver": driver, "pool": {"name": pool, "generation": 1, "resourceSliceCount": count}}
    if node_name: spec["nodeName"] = node_name
    if node_selector: spec["nodeSelector"] = node_selector
    if all_nodes: spec["allNodes"] = True
    if counters: spec["sharedCounters"] = counters
    if devices: spec["devices"] = devices
    return {"apiVersion": API, "kind": "ResourceSlice", "metadata": {"name": name}, "spec": spec}


def exactly(name, klass, count=1, exprs=(), capacity=None):
    e = {"deviceClassName": klass, "allocationMode": "ExactCount", "count": count}
    if exprs: e["selectors"] = [{"cel": {"expression": x}} for x in exprs]
    if capacity: e["capacity"] = {"requests": capacity}
    return {"name": name, "exactly": e}


def sub(name, klass, count=1, exprs=()):
    e = {"name": name, "deviceClassName": klass, "allocationMode": "ExactCount", "count": count}
    if exprs: e["selectors"] = [{"cel": {"expression": x}} for x in exprs]
    return e


def claim(name, requests, constraints=None):
    d = {"requests": requests}
    if constraints: d["constraints"] = constraints
    return {"apiVersion": API, "kind": "ResourceClaim", "metadata": {"name": name, "namespace": "bench", "uid": "uid-" + name}, "spec": {"devices": d}}


def match(attr, *reqs):
    return {"requests": list(reqs), "matchAttribute": attr}


def dev(driver, pool, device):
    return {"driver": driver, "pool": pool, "device": device}


def gpu(i, uid, root, product=PRODUCT, mem="80Gi", arch="Hopper", **extra):
    return {"name": f"gpu-{i}", "attributes": {
        "type": {"string": "gpu"}, "productName": {"string": product}, "architecture": {"string": arch},
        "brand": {"string": "Nvidia"}, "cudaComputeCapability": {"version": "9.0.0"}, "driverVersion": {"version": "570.124.6"},
        "uuid": {"string": f"GPU-{uid}"}, "resource.kubernetes.io/pcieRoot": {"string": root}, **extra},
        "capacity": {"memory": {"value": mem}}}


def nic(i, root, **extra):
    return {"name": f"nic-{i}", "attributes": {"dra.net/ifName": {"string": f"eth{i}"}, "dra.net/rdma": {"bool": True},
            "dra.net/mtu": {"int": 9000}, "resource.kubernetes.io/pcieRoot": {"string": root}, **extra}}


GPUCLASS = cls("gpu.nvidia.com", "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'")
NICCLASS = cls("rdma.dra.net", "device.driver == 'dra.net' && device.attributes['dra.net'].rdma == true")
SEL80 = "device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('80Gi')) >= 0"
SELPROD = "device.attributes['gpu.nvidia.com'].productName == '" + PRODUCT + "'"
ROOT = "resource.kubernetes.io/pcieRoot"


# ---------------------------------------------------------------- a: uniform nodes of 8 GPUs
def fam_a(rng):
    for n in (100, 1000, 5000):
        nodes, slices, used = [], [], []
        kinds = ["empty"] * max(1, n // 100) + ["part"] * (n * 19 // 100)
        kinds += ["full"] * (n - len(kinds)); rng.shuffle(kinds)
        free = {}
        for i, kind in enumerate(kinds):
            nm = f"node-{i:05d}"
            nodes.append(node(nm))
            slices.append(slice_(f"{nm}-gpu", GPU, nm, [gpu(g, f"{i}-{g}", f"pci0000:{g:02x}") for g in range(8)], node_name=nm))
            u = {"empty": 0, "full": 8}.get(kind) if kind != "part" else rng.randint(1, 7)
            free[nm] = 8 - u
            used += [dev(GPU, nm, f"gpu-{g}") for g in sorted(rng.sample(range(8), u))]
        claims = [claim(f"gpu{k}", [exactly("gpu", "gpu.nvidia.com", k, [SEL80, SELPROD])]) for k in (1, 2, 8)]
        runs = []
        for ci, k in enumerate((1, 2, 8)):
            target = next(m for m, f in free.items() if f >= k and (k == 8 or f < 8))
            runs.append({"name": f"one-k{k}", "kind": "node", "node": target, "claims": [ci], "expect": "yes"})
            runs.append({"name": f"place-k{k}", "kind": "place", "claims": [ci], "expect": "yes"})
            runs.append({"name": f"score-k{k}", "kind": "score", "claims": [ci], "expect": "yes"})
        emit("a", f"a-uniform-n{n}", nodes, [GPUCLASS], slices, claims, runs, {"devices": used},
             note=f"{n} nodes x 8 GPUs, 80 % of nodes full, 19 % partly used, 1 % empty; class CEL + 2 request CEL")
    n = 1000
    nodes, slices, used = [], [], []
    for i in range(n):
        nm = f"node-{i:05d}"; nodes.append(node(nm))
        slices.append(slice_(f"{nm}-gpu", GPU, nm, [gpu(g, f"{i}-{g}", f"pci0000:{g:02x}") for g in range(8)], node_name=nm))
        used.append(dev(GPU, nm, f"gpu-{rng.randrange(8)}"))
    emit("a", "a-fragmented-n1000", nodes, [GPUCLASS], slices, [claim("gpu8", [exactly("gpu", "gpu.nvidia.com", 8, [SEL80, SELPROD])])],
         [{"name": "one-k8", "kind": "node", "node": "node-00000", "claims": [0], "expect": "no"},
          {"name": "score-k8", "kind": "score", "claims": [0], "expect": "no"}], {"devices": used},
         note="1000 nodes with 7 of 8 GPUs free each; a pod asks for 8: no node fits")


# ---------------------------------------------------------------- b: GPU+NIC pairs by pcieRoot
def b_node(nm, gpus=8, per_root=1):
    rt = lambda i: f"pci0000:{(i // per_root):02x}"
    return [slice_(f"{nm}-gpu", GPU, nm, [gpu(i, f"{nm}-{i}", rt(i)) for i in range(gpus)], node_name=nm),
            slice_(f"{nm}-nic", NIC, nm, [nic(i, rt(i)) for i in range(gpus)], node_name=nm)]


def pair_claim(name, k):
    req, con = [], []
    for i in range(k):
        req += [exactly(f"gpu-{i}", "gpu.nvidia.com", 1, [SEL80]), exactly(f"nic-{i}", "rdma.dra.net", 1)]
        con.append(match(ROOT, f"gpu-{i}", f"nic-{i}"))
    return claim(name, req, con)


def b_oracle(nm, c, used):
    u = {(x["driver"], x["device"]) for x in used if x["pool"] == nm}
    e = {}
    for r in c["spec"]["devices"]["requests"]:
        d, p = (GPU, "gpu") if r["name"].startswith("gpu") else (NIC, "nic")
        e[f"{c['metadata']['name']}/{r['name']}"] = [[d, nm, f"{p}-{i}"] for i in range(8) if (d, f"{p}-{i}") not in u]
    return {"eligible": e}


def fam_b(rng):
    def one(name, k, used, expect, note, per_root=1):
        c = pair_claim(f"pairs{k}", k)
        used = [dev(d, "node-0", x) for d, x in used]
        emit("b", name, [node("node-0")], [GPUCLASS, NICCLASS], b_node("node-0", per_root=per_root), [c],
             [{"name": "one", "kind": "node", "node": "node-0", "claims": [0], "expect": expect}], {"devices": used}, oracle=b_oracle("node-0", c, used), note=note)
    one("b-pairs-k1-free", 1, [], "yes", "1 GPU+NIC pair, node free")
    one("b-pairs-k4-free", 4, [], "yes", "4 GPU+NIC pairs, node free")
    one("b-pairs-k8-free", 8, [], "yes", "8 GPU+NIC pairs, node free")
    one("b-pairs-k4-pix2", 4, [], "yes", "4 pairs, two GPUs + two NICs per root", per_root=2)
    # roots 0,1 have a GPU but no free NIC; 2,3 a NIC but no free GPU; 4..7 both
    one("b-pairs-k4-tight", 4, [(NIC, "nic-0"), (NIC, "nic-1"), (GPU, "gpu-2"), (GPU, "gpu-3")], "yes",
        "4 pairs, exactly 4 complete roots at the end of the order, 6 GPUs and 6 NICs free")
    for k in (2, 3, 4, 5, 6, 7, 8):
        # k-1 complete roots; the others have only a GPU or only a NIC
        used = []
        for i in range(k - 1, 8):
            used.append((NIC, f"nic-{i}") if i % 2 else (GPU, f"gpu-{i}"))
        one(f"b-pairs-k{k}-short1", k, used, "no", f"{k} pairs asked, {k-1} complete roots, {8-(8-k+2)//2} GPUs free")
    nodes, slices, used = [], [], []
    for i in range(100):
        nm = f"node-{i:03d}"; nodes.append(node(nm)); slices += b_node(nm)
        if i != 99:
            for r in range(3, 8):
                used.append(dev(NIC, nm, f"nic-{r}") if r % 2 else dev(GPU, nm, f"gpu-{r}"))
    emit("b", "b-pairs-k4-place100", nodes, [GPUCLASS, NICCLASS], slices, [pair_claim("pairs4", 4)],
         [{"name": "place", "kind": "place", "claims": [0], "expect": "yes"}], {"devices": used},
         note="100 nodes, 99 of them have 3 complete roots, the last one is free")


# ---------------------------------------------------------------- c: MIG as partitionable devices (H100 80GB placements)
MIG = [  # profile, memory slices, placements, SM, CE, DEC, JPEG, OFA, memory
    ("1g.10gb", 1, range(7), 16, 1, 1, 1, 0, "9856Mi"), ("1g.10gb.me", 1, range(7), 16, 1, 1, 1, 1, "9856Mi"),
    ("1g.20gb", 2, (0, 2, 4, 6), 26, 1, 1, 1, 0, "19968Mi"), ("2g.20gb", 2, (0, 2, 4), 32, 2, 2, 2, 0, "19968Mi"),
    ("3g.40gb", 4, (0, 4), 60, 3, 3, 3, 0, "40320Mi"), ("4g.40gb", 4, (0,), 64, 4, 4, 4, 0, "40320Mi"),
    ("7g.80gb", 8, (0,), 132, 8, 7, 7, 1, "80896Mi")]


def mig_pool(nm, gpus):
    """one pool per node: one counter slice, device slices of <= 64 devices"""
    sets, devs = [], []
    v = lambda x: {"value": str(x)}
    for g in range(gpus):
        sets.append({"name": f"gpu-{g}-counter-set", "counters": {
            "multiprocessors": v(132), "copy-engines": v(8), "decoders": v(7), "jpeg-engines": v(7), "ofa-engines": v(1),
            "memory": {"value": "80Gi"}, **{f"memory-slice-{m}": v(1) for m in range(8)}}})
        full = gpu(g, f"{nm}-{g}", f"pci0000:{g:02x}")
        full["consumesCounters"] = [{"counterSet": f"gpu-{g}-counter-set", "counters": dict(sets[-1]["counters"])}]
        mine = []
        for prof, width, places, sm, ce, dec, jpg, ofa, mem in MIG:
            for p in places:
                c = {"multiprocessors": v(sm), "copy-engines": v(ce), "decoders": v(dec), "jpeg-engines": v(jpg), "memory": {"value": mem}}
                if ofa: c["ofa-engines"] = v(ofa)
                c.update({f"memory-slice-{m}": v(1) for m in range(p, p + width)})
                mine.append({"name": f"gpu-{g}-mig-{prof.replace('.', '-')}-{p}",
                             "attributes": {"type": {"string": "mig"}, "profile": {"string": prof}, "parentUUID": {"string": f"GPU-{nm}-{g}"},
                                            "parentIndex": {"int": g}, "productName": {"string": PRODUCT}, "resource.kubernetes.io/pcieRoot": {"string": f"pci0000:{g:02x}"}},
                             "capacity": {"memory": {"value": mem}, "multiprocessors": v(sm)},
                             "consumesCounters": [{"counterSet": f"gpu-{g}-counter-set", "counters": c}]})
        devs += mine + [full]
    chunks = [devs[i:i + 64] for i in range(0, len(devs), 64)]
    cnt = [sets[i:i + 8] for i in range(0, len(sets), 8)]
    total = len(chunks) + len(cnt)
    sl = [slice_(f"{nm}-counters-{i}", GPU, nm, None, total, node_name=nm, counters=c) for i, c in enumerate(cnt)]
    sl += [slice_(f"{nm}-devices-{i}", GPU, nm, c, total, node_name=nm) for i, c in enumerate(chunks)]
    return sl, devs


MIGCLASS = cls("mig.nvidia.com", "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'mig'")


def mig_req(name, prof, count):
    return exactly(name, "mig.nvidia.com", count, [f"device.attributes['gpu.nvidia.com'].profile == '{prof}'"])


def mig_oracle(nm, devs, claims):
    e = {}
    for c in claims:
        for r in c["spec"]["devices"]["requests"]:
            prof = re.search(r"profile == '(.*)'", r["exactly"]["selectors"][0]["cel"]["expression"]).group(1)
            e[f"{c['metadata']['name']}/{r['name']}"] = [[GPU, nm, d["name"]] for d in devs if d["attributes"].get("profile", {}).get("string") == prof]
    return {"eligible": e}


def fam_c(rng):
    def one(name, gpus, asks, expect, note, split=False, used=()):
        sl, devs = mig_pool("node-0", gpus)
        if split:  # one claim per profile ask
            claims = [claim(f"c{i}", [mig_req(f"r{i}", p, k)]) for i, (p, k) in enumerate(asks)]
        else:
            claims = [claim("mix", [mig_req(f"r{i}", p, k) for i, (p, k) in enumerate(asks)])]
        emit("c", name, [node("node-0")], [MIGCLASS], sl, claims, [{"name": "one", "kind": "node", "node": "node-0", "claims": list(range(len(claims))), "expect": expect}],
             {"devices": [dev(GPU, "node-0", d) for d in used]}, requires=["PartitionableDevices"], oracle=mig_oracle("node-0", devs, claims), note=note)
    one("c-mig-easy-g8", 8, [("3g.40gb", 1), ("2g.20gb", 2), ("1g.10gb", 1)], "yes", "8 empty H100 (26 devices each): 3g + 2x2g + 1g")
    for g in (1, 2, 3, 4, 5, 6, 8):
        if 3 * g <= 32:
            one(f"c-mig-tight-g{g}", g, [("3g.40gb", g), ("2g.20gb", 2 * g)], "yes",
                f"{g} GPUs, {g}x3g + {2*g}x2g: only 3g@4 + 2g@0,2 on every GPU works, first-fit starts with 3g@0")
    for g in (1, 2, 3, 4, 5, 6):
        one(f"c-mig-short-g{g}", g, [("3g.40gb", g), ("2g.20gb", 2 * g), ("1g.10gb", 1)], "no", f"as tight plus 1x1g: no memory slice left, infeasible ({g} GPUs)")
    for g in (1, 2, 4, 8):
        one(f"c-mig-seven-g{g}", g, [("1g.10gb", 7)] * 1 + [("1g.20gb", 1)] if g == 1 else [("2g.20gb", 3), ("7g.80gb", g - 1), ("1g.10gb", 2)], "no",
            f"{g} GPUs: " + ("7x1g + 1x1g.20gb" if g == 1 else f"3x2g + {g-1}x7g + 2x1g: one 1g too many"))
    # close to full: 8 GPUs, 6 fully carved; the claim must use exact leftovers
    used = [f"gpu-{g}-mig-7g-80gb-0" for g in range(5)] + ["gpu-5-mig-1g-10gb-0", "gpu-6-mig-1g-10gb-2", "gpu-7-mig-1g-10gb-4"]
    one("c-mig-nearfull-g8", 8, [("3g.40gb", 2), ("2g.20gb", 4), ("1g.10gb", 2)], "yes", "5 GPUs taken whole, 3 GPUs with a stray 1g; 2x3g + 4x2g + 2x1g", used=used)
    one("c-mig-nearfull-g8-split", 8, [("3g.40gb", 2), ("2g.20gb", 4), ("1g.10gb", 2)], "yes", "the same asks as three claims of one pod", split=True, used=used)
    # random fill until nothing fits
    sl, devs = mig_pool("node-0", 8)
    profs = ["1g.10gb"] * 8 + ["1g.20gb"] * 2 + ["2g.20gb"] * 4 + ["3g.40gb"] * 3 + ["4g.40gb", "7g.80gb"]
    claims = [claim(f"seq-{i}", [mig_req("mig", rng.choice(profs), 1)]) for i in range(80)]
    emit("c", "c-mig-fill-g8", [node("node-0")], [MIGCLASS], sl, claims, [{"name": "fill", "kind": "sequence", "range": [0, len(claims)], "expect": "unknown"}],
         requires=["PartitionableDevices"], note="80 random single-profile claims one after another on 8 H100; misses allowed")


# ---------------------------------------------------------------- d: infeasible by counting
def plain(n, nm="node-0", attrs=lambda i: {}, driver=GPU):
    devs = [gpu(i, f"{nm}-{i}", f"pci0000:{i:02x}", **attrs(i)) for i in range(n)]
    ch = [devs[i:i + 128] for i in range(0, n, 128)]
    return [slice_(f"{nm}-{j}", driver, nm, c, len(ch), node_name=nm) for j, c in enumerate(ch)]


def fam_d(rng):
    N0 = [node("node-0")]
    def one(name, n, claims, note, expect="no", attrs=lambda i: {}, elig=None):
        e = {f"{c['metadata']['name']}/{r['name']}": [[GPU, "node-0", f"gpu-{i}"] for i in (elig(r["name"]) if elig else range(n))]
             for c in claims for r in c["spec"]["devices"]["requests"]}
        emit("d", name, N0, [GPUCLASS], plain(n, attrs=attrs), claims, [{"name": "one", "kind": "node", "node": "node-0", "claims": list(range(len(claims))), "expect": expect}],
             oracle={"eligible": e}, note=note)
    for n in (6, 7, 8, 9, 10, 12, 16, 18, 20, 22, 24, 31):
        one(f"d-count-{n+1}of{n}", n, [claim("c", [exactly("gpu", "gpu.nvidia.com", n + 1)])], f"one request, {n+1} of {n} devices")
    for n in (6, 7, 8, 9, 10, 12, 16, 31):
        one(f"d-requests-{n+1}of{n}", n, [claim("c", [exactly(f"gpu-{i}", "gpu.nvidia.com", 1) for i in range(n + 1)])], f"{n+1} identical single-device requests, {n} devices")
    for n in (8, 10, 12, 16, 24, 31):
        h = n // 2
        sel = f"device.attributes['gpu.nvidia.com'].half == 'low'"
        one(f"d-overlap-n{n}", n, [claim("c", [exactly("any", "gpu.nvidia.com", n - h + 1), exactly("low", "gpu.nvidia.com", h, [sel])])],
            f"request any x{n-h+1} and low x{h} over {n} devices of which {h} are low: union too small", attrs=lambda i: {"half": {"string": "low" if i < h else "high"}},
            elig=lambda r: range(h) if r == "low" else range(n))
    for k in (4, 8, 12, 16, 20, 24, 32):
        for n in (16, 32, 64, 128):
            if n >= k - 1 and (k <= 16 or n >= 64):
                one(f"d-groups-k{k}-n{n}", n, [claim("c", [exactly("gpu", "gpu.nvidia.com", k)], [match("gpu.nvidia.com/island", "gpu")])],
                    f"{k} devices with one island value, {n} devices in islands of {k-1}", attrs=lambda i: {"island": {"int": i // (k - 1)}})
    for n in (8, 16, 32, 64, 128):
        sel = "device.attributes['gpu.nvidia.com'].special == 'yes'"
        nos = "device.attributes['gpu.nvidia.com'].special == 'no'"
        one(f"d-unrelated-n{n}", n + 1, [claim("first", [exactly("gpu", "gpu.nvidia.com", 4, [nos])]), claim("second", [exactly("special", "gpu.nvidia.com", 2, [sel])])],
            f"claim 1: 4 of {n} (fits); unrelated claim 2: 2 of 1 (never)", attrs=lambda i: {"special": {"string": "yes" if i == n else "no"}},
            elig=lambda r: [n] if r == "special" else range(n))
    for k, n in ((4, 16), (4, 32), (4, 64), (4, 128), (6, 32), (8, 32)):
        # feasible twin: only the last island is big enough
        one(f"d-island-last-k{k}-n{n}", n, [claim("c", [exactly("gpu", "gpu.nvidia.com", k)], [match("gpu.nvidia.com/island", "gpu")])],
            f"{k} devices of one island; all islands have {k-1} but the last has {k}", expect="yes", attrs=lambda i: {"island": {"int": min(i, n - 2) // (k - 1) if i < n - k else 9999}})


# ---------------------------------------------------------------- e: prioritized list
def fam_e(rng):
    def run(expect): return [{"name": "one", "kind": "node", "node": "node-0", "claims": [0], "expect": expect}]
    N0 = [node("node-0")]
    nope = lambda i: [f"device.attributes['gpu.nvidia.com'].productName == 'NVIDIA X{i}'"]
    alts = [sub(f"s{i}", "gpu.nvidia.com", 1, nope(i)) for i in range(7)] + [sub("s7", "gpu.nvidia.com", 1, [SELPROD])]
    emit("e", "e-alt8-selector", N0, [GPUCLASS], plain(8), [claim("c", [{"name": "gpu", "firstAvailable": alts}])], run("yes"), requires=["PrioritizedList"],
         note="8 alternatives, the first 7 name products that are not there")
    for n in (8, 12, 16, 20):
        alts = [sub(f"s{i}", "gpu.nvidia.com", n + 7 - i, [SELPROD]) for i in range(7)] + [sub("s7", "gpu.nvidia.com", n, [SELPROD])]
        if n + 7 <= 32:
            emit("e", f"e-alt8-count-n{n}", N0, [GPUCLASS], plain(n), [claim("c", [{"name": "gpu", "firstAvailable": alts}])], run("yes"), requires=["PrioritizedList"],
                 note=f"8 alternatives asking {n+7}..{n} of {n} devices, only the last fits")
    for r in (2, 3, 4):
        rq = [{"name": f"r{j}", "firstAvailable": [sub(f"s{i}", "gpu.nvidia.com", 9 - i, [SELPROD]) for i in range(8)]} for j in range(r)]
        emit("e", f"e-alt8-x{r}", N0, [GPUCLASS], plain(2 * r), [claim("c", rq)], run("yes"), requires=["PrioritizedList"],
             note=f"{r} requests x 8 alternatives (9..2 devices) over {2*r} devices: only all-last fits")


# ---------------------------------------------------------------- f: consumable capacity
def shared_gpu(i, uid):
    d = gpu(i, uid, f"pci0000:{i % 256:02x}")
    d["allowMultipleAllocations"] = True
    d["capacity"] = {"memory": {"value": "80Gi", "requestPolicy": {"default": "80Gi", "validRange": {"min": "1Gi", "step": "1Gi", "max": "80Gi"}}},
                     "cores": {"value": "100", "requestPolicy": {"default": "100", "validRange": {"min": "5", "step": "5", "max": "100"}}}}
    return d


def fam_f(rng):
    Q = {"cores": "25", "memory": "20Gi"}
    req = ["ConsumableCapacity"]
    devs = [shared_gpu(i, str(i)) for i in range(1000)]
    ch = [devs[i:i + 125] for i in range(0, 1000, 125)]
    sl = [slice_(f"pool-{j}", GPU, "fabric", c, len(ch), all_nodes=True) for j, c in enumerate(ch)]
    def state(frac):
        sh, ca = [], []
        for i in range(1000):
            s = 4 if i < 1000 * frac else rng.randint(0, 3)
            if s and (i < 1000 * frac or rng.random() < .5):
                sh += [{**dev(GPU, "fabric", f"gpu-{i}"), "shareID": f"00000000-0000-4000-8000-{i:08d}{j:04d}"} for j in range(s)]
                ca.append({**dev(GPU, "fabric", f"gpu-{i}"), "capacity": {"cores": str(25 * s), "memory": f"{20*s}Gi"}})
        return {"shared": sh, "capacity": ca}
    N0 = [node("node-0")]
    one = [{"name": f"one-{k}", "kind": "node", "node": "node-0", "claims": [i], "expect": "yes"} for i, k in enumerate((1, 4, 8))]
    claims = [claim(f"q{k}", [exactly(f"r{j}", "gpu.nvidia.com", 1, [SEL80], Q) for j in range(k)]) for k in (1, 4, 8)]
    for frac in (0, .9):
        emit("f", f"f-shared1000-{int(frac*100)}full", N0, [GPUCLASS], sl, claims, one, state(frac) if frac else {}, requires=req,
             note=f"1000 shareable GPUs in one network pool, first {int(frac*100)} % full; 1, 4 or 8 quarter-GPU requests")
    # distinct devices asked where too few remain
    c = claim("q8d", [exactly("r", "gpu.nvidia.com", 8, [SEL80], {"cores": "60", "memory": "50Gi"})])
    st = {"capacity": [{**dev(GPU, "fabric", f"gpu-{i}"), "capacity": {"cores": "50", "memory": "40Gi"}} for i in range(993)],
          "shared": [{**dev(GPU, "fabric", f"gpu-{i}"), "shareID": f"00000000-0000-4000-8000-{i:012d}"} for i in range(993)]}
    emit("f", "f-shared1000-8of7", N0, [GPUCLASS], sl, [c], [{"name": "one", "kind": "node", "node": "node-0", "claims": [0], "expect": "no"}], st, requires=req,
         note="8 devices with 60 % each, 993 devices are half used, 7 are free")
    nodes, slices = [], []
    for i in range(125):
        nm = f"node-{i:03d}"; nodes.append(node(nm))
        slices.append(slice_(f"{nm}-gpu", GPU, nm, [shared_gpu(g, f"{i}-{g}") for g in range(8)], node_name=nm))
    cl = [claim(f"q-{i}", [exactly("gpu", "gpu.nvidia.com", 1, [SEL80], Q)]) for i in range(1000)]
    emit("f", "f-fill-125x8", nodes, [GPUCLASS], slices, cl, [{"name": "fill", "kind": "sequence", "range": [0, 1000], "expect": "yes"}], requires=req,
         note="125 nodes x 8 shareable GPUs, 1000 quarter-GPU claims one after another")


# ---------------------------------------------------------------- g: CEL heavy
def fam_g(rng):
    N0 = [node("node-0")]
    devs = [gpu(i, f"{rng.getrandbits(64):016x}", f"pci0000:{i % 256:02x}", product=f"NVIDIA H100 {rng.choice(['PCIe','NVL','80GB HBM3'])} rev{i}",
                serial={"string": f"SN-{rng.getrandbits(40):010x}-{i:05d}"}, firmware={"string": f"96.00.{i % 100:02d}.00.{i % 7:02d}"}) for i in range(5000)]
    devs[4999]["attributes"]["serial"] = {"string": "SN-feedface00-04999"}
    ch = [devs[i:i + 125] for i in range(0, 5000, 125)]
    sl = [slice_(f"pool-{j:03d}", GPU, "fabric", c, len(ch), all_nodes=True) for j, c in enumerate(ch)]
    A = "device.attributes['gpu.nvidia.com']"
    heavy = (f"{A}.productName.lowerAscii().contains('h100') && {A}.firmware.startsWith('96.00') && "
             f"{A}.serial.split('-').size() == 3 && {A}.serial.substring(3).matches('^feed[0-9a-f]{{6}}-[0-9]+$') && "
             f"{A}.driverVersion.compareTo(semver('550.0.0')) > 0")
    simple = f"{A}.serial == 'SN-feedface00-04999'"
    many = [f"{A}.firmware.startsWith('96.00') || {A}.serial == 'x{i}'" for i in range(12)]
    claims = [claim("heavy", [exactly("gpu", "gpu.nvidia.com", 1, [heavy])]), claim("simple", [exactly("gpu", "gpu.nvidia.com", 1, [simple])]),
              claim("many", [exactly(f"r{i}", "gpu.nvidia.com", 1, [m]) for i, m in enumerate(many)])]
    emit("g", "g-cel-5000", N0, [GPUCLASS], sl, claims,
         [{"name": n, "kind": "node", "node": "node-0", "claims": [i], "expect": "yes"} for i, n in enumerate(("heavy", "simple", "distinct12"))],
         note="5000 devices in one network pool, only the last matches; 'distinct12' = 12 different cheap selectors that hit at once (upstream's CEL cache holds 10)")


# ---------------------------------------------------------------- h: scheduler_perf shapes
def fam_h(rng):
    C = cls("test-class", 'device.driver == "test-driver.cdi.k8s.io"')
    NOC = cls("no-such-class", "false")
    def cluster(n, per):
        nodes, sl = [], []
        for i in range(n):
            nm = f"scheduler-perf-dra-{i}"; nodes.append(node(nm, **{"node-with-dra": "true"}))
            sl.append(slice_(f"slice-{i}", T, nm, [{"name": f"instance-{j:02d}"} for j in range(per)], node_name=nm))
        return nodes, sl
    def taken(m, per):
        return [dev(T, f"scheduler-perf-dra-{i // per}", f"instance-{i % per:02d}") for i in range(m)]
    one = lambda i: claim(f"test-claim-{i}", [exactly("req-0", "test-class")])
    for n, per, init in ((100, 20, 0), (500, 10, 0)):
        nodes, sl = cluster(n, per); m = n * per - init
        emit("h", f"h-template-{n*per}pods-{n}nodes", nodes, [C], sl, [one(i) for i in range(m)], [{"name": "fill", "kind": "sequence", "range": [0, m], "expect": "yes"}],
             note="SchedulingWithResourceClaimTemplate: one device per pod until the cluster is full")
    for label, init in (("empty", 0), ("half", 2500), ("full", 4990)):
        nodes, sl = cluster(500, 10)
        emit("h", f"h-steady-{label}-500nodes", nodes, [C], sl, [one(i) for i in range(10)], [{"name": "ten", "kind": "sequence", "range": [0, 10], "expect": "yes", "repeat": True}], {"devices": taken(init, 10)},
             note=f"SteadyStateClusterResourceClaimTemplate {label}_500nodes: {init} of 5000 devices in use, 10 claims per round")
    nodes, sl = cluster(100, 10)
    fa = lambda i: claim(f"test-claim-{i}", [{"name": "req-0", "firstAvailable": [sub("sub-0", "no-such-class"), sub("sub-1", "test-class")]}])
    emit("h", "h-firstavailable-100nodes", nodes, [C, NOC], sl, [fa(i) for i in range(10)], [{"name": "ten", "kind": "sequence", "range": [0, 10], "expect": "yes", "repeat": True}], {"devices": taken(500, 10)}, requires=["PrioritizedList"],
         note="...FirstAvailable: sub-0 is a class without devices; 100 nodes half full")
    # partitionable: 2000 slices for 100 nodes, 2000 claims preallocated on the 2-counter device
    NS = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "node-with-dra", "operator": "In", "values": ["true"]}]}]}
    nodes = [node(f"scheduler-perf-dra-{i}", **{"node-with-dra": "true"}) for i in range(100)]
    sl, used = [], []
    cs = lambda *x: [{"counterSet": "counter-set", "counters": {f"counter{i}": {"value": "1"} for i in x}}]
    for i in range(2000):
        at = lambda p: {"preallocate": {"bool": p}, "dra.example.com/slice": {"int": i}}
        d = [{"name": "device-2-counters-1", "attributes": at(True), "capacity": {"counters": {"value": "2"}}, "consumesCounters": cs(1, 2)},
             {"name": "device-2-counters-2", "attributes": at(False), "capacity": {"counters": {"value": "2"}}, "consumesCounters": cs(3, 4)}]
        d += [{"name": f"device-1-counter-{k}", "attributes": at(False), "capacity": {"counters": {"value": "1"}}, "consumesCounters": cs(k)} for k in (1, 2, 3, 4)]
        p = f"resourceslice-{i}"
        sl += [slice_(f"resourceslice-countersets-{i}", T, p, None, 2, node_selector=NS, counters=[{"name": "counter-set", "counters": {f"counter{k}": {"value": "1"} for k in (1, 2, 3, 4)}}]),
               slice_(f"resourceslice-devices-{i}", T, p, d, 2, node_selector=NS)]
        used.append(dev(T, p, "device-2-counters-1"))
    two = lambda i: claim(f"test-claim-{i}", [exactly("req-0", "test-class", 2)], [match("dra.example.com/slice", "req-0")])
    emit("h", "h-partitionable-2000slices", nodes, [C], sl, [two(i) for i in range(2000)], [{"name": "one", "kind": "node", "node": "scheduler-perf-dra-0", "claims": [0], "expect": "yes"},
         {"name": "first20", "kind": "sequence", "range": [0, 20], "expect": "yes"}], {"devices": used}, requires=["PartitionableDevices"],
         note="SteadyState...Partitionable 2000pods_100nodes (counter sets in their own slice as 1.35+ requires): one backtrack per pool")
    c = {"counter-set-for-cpu": {f"cpu{i}": {"value": "1"} for i in range(1, 9)}, "counter-set-for-mem": {"mem": {"value": "70Gi"}}}
    d = [{"name": f"device-{i}", "consumesCounters": [{"counterSet": "counter-set-for-cpu", "counters": {f"cpu{i}": {"value": "1"}}},
         {"counterSet": "counter-set-for-mem", "counters": {"mem": {"value": "20Gi" if i == 1 else "10Gi"}}}]} for i in range(1, 9)]
    sl = [slice_("resourceslice-countersets-0", T, "resourceslice-0", None, 2, node_selector=NS, counters=[{"name": k, "counters": v} for k, v in c.items()]),
          slice_("resourceslice-devices-0", T, "resourceslice-0", d, 2, node_selector=NS)]
    cl = claim("test-claim-0", [exactly("req-0", "test-class", 7)])
    emit("h", "h-partitionable-backtracking", nodes[:1], [C], sl, [cl], [{"name": "one", "kind": "node", "node": "scheduler-perf-dra-0", "claims": [0], "expect": "yes"}], requires=["PartitionableDevices"],
         oracle={"eligible": {"test-claim-0/req-0": [[T, "resourceslice-0", f"device-{i}"] for i in range(1, 9)]}}, note="...PartitionableBacktracking: 7 of 8, the first device is too heavy")
    SH = cls("test-class", 'device.driver == "test-driver.cdi.k8s.io" && device.allowMultipleAllocations == true')
    sl = []
    for i in range(2000):
        mem = {"value": "80Gi", "requestPolicy": {"default": "1Gi", "validRange": {"min": "1Gi"}}}
        at = lambda p: {"preallocate": {"bool": p}, "dra.example.com/slice": {"int": i}}
        p = f"resourceslice-{i}"
        sl += [slice_(f"resourceslice-countersets-{i}", T, p, None, 2, node_selector=NS, counters=[{"name": "counter-set", "counters": {f"counter{k}": {"value": "1"} for k in (1, 2)}}]),
               slice_(f"resourceslice-devices-{i}", T, p, [{"name": "shareable-device", "allowMultipleAllocations": True, "attributes": at(False), "capacity": {"memory": mem}},
                {"name": "device-2-counters-1", "allowMultipleAllocations": True, "attributes": at(True), "capacity": {"counters": {"value": "2"}, "memory": mem}, "consumesCounters": cs(1, 2)}], 2, node_selector=NS)]
    q = lambda i: claim(f"test-claim-{i}", [exactly(f"req-{j}", "test-class", 1, (), {"memory": "10Gi"}) for j in range(2)])
    emit("h", "h-consumable-2000slices", nodes, [SH], sl, [q(i) for i in range(2000)], [{"name": "one", "kind": "node", "node": "scheduler-perf-dra-0", "claims": [0], "expect": "yes"},
         {"name": "first20", "kind": "sequence", "range": [0, 20], "expect": "yes"}], requires=["ConsumableCapacity", "PartitionableDevices"],
         note="...ConsumableCapacity 2000pods_100nodes: 2 x 10Gi per pod out of 80Gi shareable devices")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--out", default=os.path.join(os.environ.get("CARGO_TARGET_DIR") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "target"), "bench", "workloads"))
    ap.add_argument("--only", default="."); ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--ladders", action="store_true", help="those of ladders.py instead of the families")
    a = ap.parse_args()
    if a.ladders:
        # What it adds to is the list of the module `gen`, which is not that of the script.
        sys.dont_write_bytecode = True
        import gen, ladders
        ladders.add()
        out = gen.out
    else:
        for f in "abcdefgh":
            globals()[f"fam_{f}"](random.Random(f"{a.seed}{f}"))
    os.makedirs(a.out, exist_ok=True)
    man = []
    for w in out:
        if not re.search(a.only, w["name"]): continue
        s = json.dumps(w, separators=(",", ":"))
        with open(os.path.join(a.out, w["name"] + ".json"), "w") as fh: fh.write(s)
        man.append(f"{hashlib.sha256(s.encode()).hexdigest()[:16]}  {len(s):>9}  {w['name']}")
    if a.only == ".":
        with open(os.path.join(a.out, "MANIFEST"), "w") as fh: fh.write("\n".join(man) + "\n")
    print(len(man), "workloads")
