#!/usr/bin/env python3
"""OR-Tools CP-SAT for the set of devices with the most links: the textbook model, a variable for each device and
each linked pair. best_set.py -count 8 [-machine FILE | -size 32] [-timeout 20] [-workers 1]
Without a machine all pairs are linked, with counts that `cargo bench -p dralloc-topology` draws too. Prints one JSON
object; solve_ns is the solver alone."""
import argparse, json, time
from ortools.sat.python import cp_model


def drawn(size):
    """Counts of links of all pairs, the same each time."""
    state, links = 1, {}
    for a in range(size):
        for b in range(a):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            links[b, a] = (10, 12, 25, 50, 100)[(state >> 33) % 5]
    return links


def read(path):
    """Counts of links of a machine: direct ones, and over switches those of the weaker end."""
    spec = json.load(open(path))["spec"]
    gpus = [v["id"] for v in spec["vertices"] if v["kind"] == "gpu"]
    number = {name: place for place, name in enumerate(gpus)}
    links, ports = {}, [0] * len(gpus)
    for link in spec["links"]:
        if link["type"] not in ("NVLink", "XGMI", "NVSwitch"):
            continue
        ends = sorted(number[end] for end in (link["a"], link["b"]) if end in number)
        if len(ends) == 2:
            links[ends[0], ends[1]] = link.get("count", 1)
        elif len(ends) == 1:
            ports[ends[0]] += link.get("count", 1)
    for b in range(len(gpus)):
        for a in range(b):
            if (a, b) not in links and min(ports[a], ports[b]) > 0:
                links[a, b] = min(ports[a], ports[b])
    return len(gpus), links


parser = argparse.ArgumentParser()
parser.add_argument("-count", type=int, required=True)
parser.add_argument("-machine")
parser.add_argument("-size", type=int, default=32)
parser.add_argument("-timeout", type=float, default=20)
parser.add_argument("-workers", type=int, default=1)
args = parser.parse_args()
size, links = read(args.machine) if args.machine else (args.size, drawn(args.size))
model = cp_model.CpModel()
taken = [model.new_bool_var("") for _ in range(size)]
model.add(sum(taken) == args.count)
both = []
for (a, b), count in sorted(links.items()):
    pair = model.new_bool_var("")
    model.add(pair <= taken[a])
    model.add(pair <= taken[b])
    both.append(count * pair)
model.maximize(sum(both))
solver = cp_model.CpSolver()
solver.parameters.max_time_in_seconds = args.timeout
solver.parameters.num_workers = args.workers
begin = time.perf_counter_ns()
status = solver.solve(model)
print(json.dumps({
    "devices": size, "count": args.count, "status": solver.status_name(status),
    "links": solver.objective_value, "bound": solver.best_objective_bound,
    "solve_ns": time.perf_counter_ns() - begin,
}))
