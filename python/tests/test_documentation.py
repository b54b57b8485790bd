"""The programs of the documentation, and what they print."""

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: str) -> list[tuple[str, str]]:
    """Returns programs, each with what it prints, which is nothing if nothing is said."""
    found = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    programs = [place for place, (kind, _) in enumerate(found) if kind == "python"]
    printed = [found[place + 1] if place + 1 < len(found) else ("", "") for place in programs]
    return [
        (found[place][1], text if kind == "text" else "")
        for place, (kind, text) in zip(programs, printed, strict=True)
    ]


@pytest.mark.thread_unsafe(reason="what is printed is the whole process's")
def test_programs_print_what_the_page_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = "docs/python.md"
    programs = blocks(page)
    assert len(programs) == 8
    names: dict[str, object] = {}
    for program, expected in programs:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(program, page, "exec"), names)  # noqa: S102
        assert printed.getvalue() == expected


def test_the_example_prints_what_it_says() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "allocate.py")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == (
        "a <Optimal on node-1: gpu.example.com/node-1/gpu-0>\n"
        "b <Optimal on node-1: gpu.example.com/node-1/gpu-1>\n"
        "c <Infeasible: request 0 of claim 0 has too few devices>\n"
        "request `gpu`: 1 device needed, 0 can serve (2 in use); "
        "if claim `default/a` were released 1 could serve\n"
    )
