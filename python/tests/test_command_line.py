"""The command line, as a module and as a script."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dralloc

EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPT = str(Path(sys.executable).with_name("dralloc"))
COMMANDS = [[sys.executable, "-m", "dralloc"], [SCRIPT]]


def run(command: list[str], *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, *arguments], input=text, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("command", COMMANDS, ids=["module", "script"])
def test_it_is_the_command_line(command: list[str]) -> None:
    done = run(command, "allocate", "-f", str(EXAMPLES / "two-gpus-one-root.yaml"))
    assert done.returncode == 0
    assert done.stdout.endswith("\nAllocated: 1 pod.\n")
    assert done.stderr == ""
    piped = run(command, "allocate", "-f", "-", text=(EXAMPLES / "does-not-fit.yaml").read_text())
    assert piped.returncode == 1
    nothing = run(command, "allocate", "-f", "no-such-file.yaml")
    assert nothing.returncode == 2
    assert nothing.stderr.startswith("error: ")
    assert nothing.stdout == ""
    version = run(command, "--version")
    assert (version.returncode, version.stdout) == (0, f"dralloc {dralloc.__version__}\n")
    assert run(command, "--help").stdout.startswith("Allocates devices by the rules")
    usage = run(command, "alocate")
    assert usage.returncode == 2
    assert "Usage: dralloc" in usage.stderr


@pytest.mark.parametrize("command", COMMANDS, ids=["module", "script"])
def test_a_reader_that_goes_away_is_no_failure(command: list[str]) -> None:
    process = subprocess.Popen(
        [*command, "completions", "bash"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


@pytest.mark.parametrize("command", COMMANDS, ids=["module", "script"])
def test_ctrl_c_ends_it(command: list[str], tmp_path: Path) -> None:
    pipe = tmp_path / "objects"
    os.mkfifo(pipe)
    with subprocess.Popen([*command, "dump", "-f", str(pipe)], stderr=subprocess.PIPE) as process:
        # It waits for its input as soon as there is somebody to write to.
        writer = None
        while writer is None and process.poll() is None:
            time.sleep(0.01)
            with contextlib.suppress(OSError):
                writer = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        assert writer is not None
        process.send_signal(signal.SIGINT)
        assert process.wait() == -signal.SIGINT
        os.close(writer)
        assert process.stderr is not None
        assert process.stderr.read() == b""
