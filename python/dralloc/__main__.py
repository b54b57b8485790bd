"""The command line: `python -m dralloc`, and the script `dralloc`."""

import signal
import sys

from dralloc import _native


def main() -> int:
    """Runs the command line, and returns its exit code."""
    # Ctrl-C ends it at once, as it ends every other command.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    return _native._run(["dralloc", *sys.argv[1:]])  # noqa: SLF001


if __name__ == "__main__":
    sys.exit(main())
