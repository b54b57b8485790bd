#!/usr/bin/env python3
"""Makes bounds and pruning rules of the solver one too strong, and sees whether a test fails.

usage: mutate.py [--tests lib|all] [--only TEXT] [--jobs N] WORKDIR

All mutations are built at once, into a copy of the repository in WORKDIR;
the variable DRALLOC_MUTATION says which of them a run has.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
SOURCES = "crates/core/src"

# The fast ones first: the first test that fails ends a run.
TESTS = ["just_fits_ways", "trouble", "just_fits", "lib", "partitions", "policies", "objectives",
         "shortcuts", "properties", "runner_up", "certificates"]
FILTERS = {"lib": ["solver::", "objective::"]}

# Seconds after which a mutation counts as caught.
LIMIT = 120

SWITCH = """
pub(crate) fn is_mutation(number: u32) -> bool {
    static CHOSEN: std::sync::OnceLock<Option<u32>> = std::sync::OnceLock::new();
    let read = || std::env::var("DRALLOC_MUTATION").ok()?.parse().ok();
    *CHOSEN.get_or_init(read) == Some(number)
}
"""


def read_table():
    """Returns (line, file, text) of each mutation."""
    file, table = None, []
    for number, line in enumerate((HERE / "mutations.txt").read_text().splitlines(), 1):
        if line.startswith("[") and line.endswith(".rs]"):
            file = line[1:-1]
        elif line and not line.startswith("#"):
            table.append((number, file, line))
    return table


def pattern(text):
    """Returns an expression for some code, however it is laid out."""
    return r"\s*".join(re.escape(word) for word in text.split())


def place(source, number, file, line):
    """Returns where a mutation goes in a source, and what stands there instead."""
    parts = re.split(r"\{\{(.*?) ~> (.*?)\}\}(?!\})", line)
    spans = []
    regex = pattern(parts[0])
    for old, after in zip(parts[1::3], parts[3::3]):
        regex += r"\s*(" + pattern(old) + r")\s*" + pattern(after)
    found = list(re.finditer(regex, source))
    if len(found) != 1:
        sys.exit(f"mutations.txt:{number}: found {len(found)} times in {file}")
    switch = f"crate::is_mutation({number})"
    for group, new in enumerate(parts[2::3], 1):
        old = found[0].group(group)
        new = new.replace("§", switch) if "§" in new else f"(if {switch} {{ {new} }} else {{ {old} }})"
        spans.append((*found[0].span(group), new))
    return spans


def write(path, content):
    """Writes a file, unless that is what it holds: what stays the same is not built again."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def mutate(work, table):
    """Makes the copy with all mutations."""
    copy = work / "copy"
    changed = {copy / SOURCES / file for _, file, _ in table}
    changed |= {copy / SOURCES / "lib.rs", copy / "crates/core/Cargo.toml"}

    def copy_one(source, target):
        if Path(target) not in changed:
            write(Path(target), Path(source).read_bytes())

    shutil.copytree(ROOT, copy, dirs_exist_ok=True, copy_function=copy_one,
                    ignore=shutil.ignore_patterns("target", ".git"))
    for path in (copy / "crates").rglob("*.rs"):
        if not (ROOT / path.relative_to(copy)).exists():
            path.unlink()
    for file in sorted({file for _, file, _ in table}):
        source = (ROOT / SOURCES / file).read_text()
        spans = sorted(span for entry in table if entry[1] == file for span in place(source, *entry))
        for (start, end, new), following in reversed(list(zip(spans, spans[1:] + [None]))):
            if following and following[0] < end:
                sys.exit(f"two mutations overlap in {file}: {new}")
            source = source[:start] + new + source[end:]
        write(copy / SOURCES / file, source.encode())
    library = (ROOT / SOURCES / "lib.rs").read_text() + SWITCH
    write(copy / SOURCES / "lib.rs", library.encode())
    manifest = (ROOT / "crates/core/Cargo.toml").read_text()
    manifest = manifest.replace("[lints]\nworkspace = true", "")
    write(copy / "crates/core/Cargo.toml", manifest.encode())
    return copy


def build(copy, tests):
    """Returns the test programs by name."""
    command = ["cargo", "test", "--no-run", "--offline", "-p", "dralloc", "--lib"]
    for test in tests:
        if test != "lib":
            command += ["--test", test]
    done = subprocess.run(command, cwd=copy, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    programs = re.findall(r"Executable .*\((.*?)\)", done.stderr)
    names = {re.sub(r"-[0-9a-f]+$", "", Path(path).name): path for path in programs}
    names["lib"] = names.pop("dralloc")
    return {test: (copy / names[test]).resolve() for test in tests}


def run(copy, programs, mutation):
    """Returns which test catches a mutation, or nothing."""
    environment = {**os.environ, "DRALLOC_MUTATION": str(mutation),
                   "CARGO_MANIFEST_DIR": str(copy / "crates/core"), "RUST_BACKTRACE": "0"}
    for test, program in programs.items():
        command = [program, *FILTERS.get(test, []), "--test-threads", "1"]
        process = subprocess.Popen(command, cwd=copy / "crates/core", env=environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        timer = threading.Timer(LIMIT, process.kill)
        timer.start()
        began = failed = None
        for line in process.stdout:
            began = re.match(r"test (\S+) \.\.\.", line) or began
            if began and line.rstrip().endswith("FAILED"):
                failed = began.group(1)
                process.kill()
                break
        process.stdout.close()
        code = process.wait()
        timer.cancel()
        if failed or code != 0:
            return f"{test}: {failed or f'stopped, {code}'}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tests", choices=["lib", "all"], default="all")
    parser.add_argument("--only", default="", help="lines of the table with this text or number")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("work", type=Path)
    options = parser.parse_args()
    table = read_table()
    copy = mutate(options.work.resolve(), table)
    programs = build(copy, TESTS[:1] if options.tests == "lib" else TESTS)
    if (failed := run(copy, programs, 0)) is not None:
        sys.exit(f"without a mutation: {failed}")
    chosen = [entry for entry in table
              if options.only in f"{entry[1]} {entry[2]}" or options.only == str(entry[0])]
    survived = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda entry: run(copy, programs, entry[0]), chosen)
        for (number, file, line), caught in zip(chosen, results):
            survived += caught is None
            print(f"{number:3} {file}: {line}\n    {caught or 'SURVIVED'}", flush=True)
    print(f"{len(chosen)} mutations, {survived} survived")
    sys.exit(survived > 0)


if __name__ == "__main__":
    main()
