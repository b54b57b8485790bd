#!/usr/bin/env python3
"""DIR/results/{upstream,dralloc}.jsonl -> one Markdown table side by side, with ratios.
  python3 benches/peers/compare.py [--dir DIR]
Ends with 1 if an outcome is not the expected one, or an answer differs from upstream's where that is deterministic."""
import argparse, json, os, sys

here = os.path.dirname(os.path.abspath(__file__))
target = os.environ.get("CARGO_TARGET_DIR") or os.path.join(here, "..", "..", "target")
parser = argparse.ArgumentParser()
parser.add_argument("--dir", default=os.path.join(target, "bench"), help="bench in the target folder of Cargo if not given")
results = os.path.join(parser.parse_args().dir, "results")


def read(peer):
    with open(os.path.join(results, peer + ".jsonl")) as file:
        rows = [json.loads(line) for line in file if line.startswith("{")]
    return {(row["workload"], row["run"], row["mode"]): row for row in rows}


def time(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.0f} ns"


def figure(row):
    """The time that is compared: of the whole for a sequence, else the shortest, which a busy machine disturbs least."""
    return row.get("total_ns") if row.get("kind") == "sequence" else row.get("min_ns")


def shown(row):
    if not figure(row):
        return ""
    return time(figure(row)) + ("" if row.get("kind") == "sequence" else f" ({time(row['median_ns'])})")


ours, theirs, wrong, compared = read("dralloc"), read("upstream"), [], 0
print("Shortest (median) of a call, of the whole for a sequence.\n")
print("| workload / run / mode | upstream | dralloc | ratio | answer |\n|---|--:|--:|--:|---|")
for key, row in ours.items():
    other, outcome = theirs.get(key), row["outcome"]
    if outcome.startswith("unsupported"):
        continue
    name = " / ".join(key)
    if row.get("expect") in ("yes", "no") and outcome in ("yes", "no") and outcome != row["expect"]:
        wrong.append(f"{name}: {outcome}, expected {row['expect']}")
    if outcome.startswith("error"):
        wrong.append(f"{name}: {outcome}")
    cells = ["", shown(row), "", outcome]
    if row.get("kind") == "score":
        cells[3] += f", {row['feasible']} of {row['tried']} nodes"
    if row.get("kind") == "sequence":
        cells[3] += f", {row.get('placed')} placed"
    if other and str(other["outcome"]).startswith((">", "unsupported", "error")):
        cells[0] = str(other["outcome"])[:40]
    elif other and figure(other) and figure(row):
        cells[0], cells[2] = shown(other), f"{figure(other) / figure(row):.3g}"
        same = {field: row.get(field) == other.get(field) for field in ("feasible", "placed", "misses") if other.get(field) is not None and row.get(field) is not None}
        if other.get("digest") and row.get("digest") and row["kind"] != "sequence":
            same["digest"], compared = other["digest"] == row["digest"], compared + 1
        wrong += [f"{name}: another {field}, {row.get(field)} and upstream {other.get(field)}" for field, equal in same.items() if not equal]
        if str(other["outcome"]) != outcome:
            wrong.append(f"{name}: {outcome}, upstream {other['outcome']}")
    print(f"| {name} | " + " | ".join(cells) + " |")
print(f"\n{len(ours)} records, {compared} answers compared with upstream's by digest, {len(wrong)} differences")
for line in wrong:
    print("-", line)
sys.exit(1 if wrong else 0)
