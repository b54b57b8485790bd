#!/usr/bin/env python3
"""DIR/results/{upstream,cp-sat,dralloc}.jsonl -> one Markdown table side by side, with ratios.
  python3 benches/peers/compare.py [--dir DIR]
Ends with 1 if an outcome is not the expected one, or an answer differs from upstream's,
or one says yes and CP-SAT no. Without cp-sat.jsonl its column is empty."""
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


def solved():
    """What CP-SAT found, by workload and run: it has one mode, in which nothing is kept between calls."""
    if not os.path.exists(os.path.join(results, "cp-sat.jsonl")):
        return {}
    return {key[:2]: row for key, row in read("cp-sat").items()}


def load(peer):
    path = os.path.join(results, peer + ".load")
    if not os.path.exists(path):
        return "not known"
    with open(path) as file:
        return ", ".join(line.strip() for line in file)


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


def processor(row):
    return time(row["cpu_ns_per_call"]) if row.get("cpu_ns_per_call") else ""


def memory(row):
    return f"{row['bytes_per_call']:,} B in {row['allocs_per_call']:,}" if "bytes_per_call" in row else ""


def is_stopped(row):
    return str(row["outcome"]).startswith((">", "as incubating"))


def wrong_by_itself(row):
    """What is wrong with our answer, whatever upstream says."""
    expected, outcome = row.get("expect"), row["outcome"]
    if outcome.startswith("error"):
        return [outcome]
    if expected in ("yes", "no") and outcome in ("yes", "no", ">timeout") and outcome != expected:
        return [f"{outcome}, expected {expected}"]
    return []


def of_solver(row):
    if row is None:
        return ""
    stopped = str(row["outcome"])[:60] + " " if is_stopped(row) else ""
    return stopped + shown(row)


def contradiction(row, solver):
    """Whether we and CP-SAT know different answers to the same question."""
    answers = row["outcome"], solver["outcome"] if solver else None
    return [f"{answers[0]}, CP-SAT {answers[1]}"] if set(answers) == {"yes", "no"} else []


def differences(row, other):
    """How our answer differs from one that upstream came to."""
    found = [] if other["outcome"] == row["outcome"] else [f"{row['outcome']}, upstream {other['outcome']}"]
    for field in ("feasible", "placed", "misses", "digest"):
        ours, theirs = row.get(field), other.get(field)
        if ours not in (None, "") and theirs not in (None, "") and ours != theirs:
            found.append(f"another {field}, {ours} and upstream {theirs}")
    return found


ours, theirs, solver = read("dralloc"), read("upstream"), solved()
wrong, outcomes, digests, alone = [], 0, 0, []
rows = []
for key, row in ours.items():
    other, outcome, name = theirs.get(key), row["outcome"], " / ".join(key)
    if outcome.startswith("unsupported"):
        alone.append(f"{name}: {outcome}")
        continue
    wrong += [f"{name}: {text}" for text in wrong_by_itself(row) + contradiction(row, solver.get(key[:2]))]
    if other is None:
        alone.append(f"{name}: upstream did not run it")
        continue
    cells = [shown(other), shown(row), "", processor(other), processor(row), memory(other), memory(row), outcome]
    if str(other["outcome"]).startswith(("unsupported", "error")) or not figure(other) or not figure(row):
        cells[0] = str(other["outcome"])[:60]
    else:
        # A time at which upstream gave up is less than it needs.
        mark = ">" if is_stopped(other) else ""
        cells[2] = mark + f"{figure(other) / figure(row):.3g}"
        if other.get("cpu_ns_per_call") and row.get("cpu_ns_per_call"):
            cells[2] += f" ({mark}{other['cpu_ns_per_call'] / row['cpu_ns_per_call']:.3g})"
        if is_stopped(other):
            cells[0] = str(other["outcome"])[:60] + " " + cells[0]
    if not is_stopped(other) and not str(other["outcome"]).startswith("unsupported"):
        wrong += [f"{name}: {text}" for text in differences(row, other)]
        outcomes += 1
        digests += bool(other.get("digest") and row.get("digest"))
    if row.get("kind") == "score":
        cells[7] += f", {row.get('feasible')} of {row.get('tried')} nodes"
    if row.get("kind") == "sequence":
        cells[7] += f", {row.get('placed')} placed, {row.get('misses')} not"
    if "load_ns" in row:
        cells[7] += f" (loading {time(row['load_ns'])})"
    cells.insert(1, of_solver(solver.get(key[:2])))
    rows.append(f"| {name} | " + " | ".join(cells) + " |")
alone += [f"{' / '.join(key)}: only upstream ran it" for key in theirs if key not in ours]

print("Load of the machine over 1, 5 and 15 minutes:\n")
print(f"- upstream: {load('upstream')}\n- CP-SAT: {load('cp-sat')}\n- dralloc: {load('dralloc')}\n")
calibration = [[row["calib_ns"] for row in peer.values() if row.get("calib_ns")] for peer in (theirs, ours)]
if all(calibration):
    moved = [f"{time(min(times))} to {time(max(times))}" for times in calibration]
    print(f"The same loop of integers took {moved[0]} with upstream, {moved[1]} with dralloc.\n")
print("Times are the shortest (median) of a call, or the mean of a whole round for a sequence. Processor time and memory are for")
print("a call or a pod; memory is what was taken, whether it was given back or not, and how often. The ratio in brackets is")
print("that of processor time, which a busy machine disturbs less. CP-SAT answers whether there is a solution, any one; its time is")
print("that of the solver without making the model, the same in each mode.\n")
print("| workload / run / mode | upstream | CP-SAT | dralloc | ratio | processor, upstream | dralloc | memory, upstream | dralloc | answer |")
print("|---|--:|--:|--:|--:|--:|--:|--:|--:|---|")
print("\n".join(rows))
print(f"\n{len(rows)} records of both; {outcomes} outcomes and {digests} digests compared, {len(wrong)} wrong or different")
for line in wrong:
    print("-", line)
if alone:
    print(f"\n{len(alone)} records without a counterpart:\n")
for line in alone:
    print("-", line)
sys.exit(1 if wrong else 0)
