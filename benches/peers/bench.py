#!/usr/bin/env python3
"""Runs peers over workloads, one process at a time, appending JSON lines to results/<peer>.jsonl.
  python3 bench.py [--dir DIR] [--peer upstream] [--only REGEX] [--budget 300ms] [--fresh]
A ladder is a family of growing instances: once a variant times out, its larger members are recorded as '>timeout (ladder)'."""
import argparse, atexit, json, os, re, subprocess, sys, time
peers = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers.json")
bench = os.path.join(os.environ.get("CARGO_TARGET_DIR") or os.path.join(os.path.dirname(peers), "..", "..", "target"), "bench")
LADDER = [r"d-count", r"d-requests", r"d-overlap", r"d-groups", r"d-unrelated", r"d-island-last-k\d+", r"c-mig-tight", r"c-mig-short", r"c-mig-seven", r"b-pairs-k\d-short1", r"e-alt8-count", r"e-alt8-x"]
def ladder(n):
    if "-long-" in n: return re.sub(r"-[ng]\d+|(?<=pairs|atch3|chain)-k\d+", "", n)
    for l in LADDER:
        if re.match(l, n): return re.sub(r"k\d-short1|k\\d\+", "", l) if "short1" not in l else "b-pairs-short1"
def seconds(text):  # of a duration as Go writes it, of one unit
    number, unit = re.fullmatch(r"([0-9.]+)(ms|s|m)", text).groups(); return float(number) * {"ms": 0.001, "s": 1, "m": 60}[unit]
def modes(w, variant):
    f, n = w["family"], len(w["nodes"])
    if variant == "kubernetes": variant = "incubating"  # ours is asked all that is compared
    if f == "a":
        for r in w["runs"]:
            if r["kind"] == "node": yield r["name"], "held,rebuild,coldcel" if r["name"].endswith("k1") else "held,rebuild"
            elif r["kind"] == "place": yield r["name"], "perpod,rebuild" if n <= 1000 or variant == "incubating" else "perpod"
            else: yield r["name"], ("perpod,par,rebuild" if variant == "incubating" else "perpod,rebuild" if n <= 100 else "perpod") if "frag" not in w["name"] else "perpod"
    elif f == "d": yield ".", "held"
    elif f in "bce": yield ".", "held,rebuild" if not any(r["kind"] in ("place", "sequence") for r in w["runs"]) else "perpod"
    elif f == "f": yield ".", "held,rebuild" if "fill" not in w["name"] else "perpod,rebuild"
    elif f == "g": yield ".", "held,coldcel"
    else:
        for r in w["runs"]: yield "^" + r["name"] + "$", "perpod,rebuild" if r["kind"] == "sequence" else "held,rebuild"
ap = argparse.ArgumentParser(); ap.add_argument("--dir", default=bench, help="where workloads and results are, bench in the target folder of Cargo if not given"); ap.add_argument("--peer", default="upstream"); ap.add_argument("--only", default="."); ap.add_argument("--budget", default="300ms")
ap.add_argument("--timeout", default="20s"); ap.add_argument("--seqcap", default="40s"); ap.add_argument("--fresh", action="store_true"); ap.add_argument("--variants", default="")
ap.add_argument("--limit", type=float, default=1e9, help="stop after this many seconds"); a = ap.parse_args(); os.chdir(a.dir)
peer = json.load(open(peers))[a.peer]; out = f"results/{a.peer}.jsonl"; os.makedirs("results", exist_ok=True)
if a.fresh and os.path.exists(out): os.remove(out)
done = set()
if os.path.exists(out):
    for l in open(out): r = json.loads(l); done.add((r["workload"], r["variant"]))
def load(when):  # how busy the machine is, for the head of the table
    with open(f"results/{a.peer}.load", "w" if when == "before" and a.fresh else "a") as f: f.write(when + " " + " ".join(f"{x:.1f}" for x in os.getloadavg()) + "\n")
load("before"); atexit.register(load, "after")
names = [l.split()[2] for l in open("workloads/MANIFEST")]; t0 = time.time(); dead = {}
for n in names:
    if not re.search(a.only, n): continue
    if peer.get("families") and n[0] not in peer["families"]: continue
    w = None
    for v in (a.variants.split(",") if a.variants else peer.get("variants", ["workers1"])):
        if (n, v) in done: continue
        if time.time() - t0 > a.limit: sys.exit("limit reached")
        lad = ladder(n); dk = dead.get((lad, v)) or (v == "experimental" and dead.get((lad, "incubating")) and "as incubating")
        fh = open(out, "a")
        if lad and dk:
            fh.write(json.dumps({"workload": n, "family": n[0], "run": "one", "kind": "node", "peer": a.peer, "variant": v, "mode": "held", "outcome": ">timeout (ladder)"}) + "\n"); continue
        if w is None: w = json.load(open(f"workloads/{n}.json"))
        if a.peer == "cp-sat" and not w["oracle"].get("eligible"): break
        lines = []
        for run, mode in ([(None, None)] if peer.get("plain") else modes(w, v)):
            cmd = [part.replace("PEERS", os.path.dirname(peers)) for part in peer["cmd"]] + ["-workload", f"workloads/{n}.json"]
            if peer.get("plain"): cmd += ["-timeout", str(seconds(a.timeout)), "-budget", str(seconds(a.budget))]
            else: cmd += ["-variant", v, "-mode", mode, "-run", run, "-budget", a.budget, "-timeout", a.timeout, "-seqcap", a.seqcap]
            p = subprocess.run(cmd, capture_output=True, text=True)
            if p.returncode: print("FAILED", n, v, run, p.stderr[-400:], file=sys.stderr)
            lines += [l for l in p.stdout.splitlines() if l.startswith("{")]
        for l in lines:
            fh.write(l + "\n"); r = json.loads(l)
            if lad and str(r["outcome"]).startswith(">timeout"): dead[(lad, v)] = n
            print(f"{time.time()-t0:6.0f}s {n} {r['run']} {v} {r['mode']} {r.get('median_ns',0)/1e6:.4g} ms cpu {r.get('cpu_ns_per_call',0)/1e6:.4g} {r['outcome']} {'!!! expected '+r['expect'] if r.get('expect') in ('yes','no') and r['outcome'] in ('yes','no') and r['outcome']!=r['expect'] else ''}", flush=True)
        fh.close()
