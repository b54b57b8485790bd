"""What is wrong with objects, and with answers."""

import json
from dataclasses import dataclass

from dralloc._enums import Code, Scope


@dataclass(frozen=True, slots=True)
class Fault:
    """Is what is wrong with an object, or with a device that could not be had.

    Attributes:
        code: the class of the error.
        message: one line, without the path.
        path: the field that is wrong, such as `spec.devices.requests[1].exactly.count`.
        scope: whether another node may do.
    """

    code: Code
    message: str
    path: str
    scope: Scope

    def __str__(self) -> str:
        """Returns path and message."""
        return f"{self.path}: {self.message}" if self.path else self.message


@dataclass(frozen=True, slots=True)
class Violation:
    """Is a rule that an answer breaks, or what is wrong with a proof.

    Attributes:
        code: its stable name, such as `unknown-device`.
        path: where in the answer.
        message: one line, without the path.
    """

    code: str
    path: str
    message: str

    def __str__(self) -> str:
        """Returns path and message."""
        return f"{self.path}: {self.message}" if self.path else self.message


def faults(text: str) -> list[Fault]:
    """Returns what is wrong; called by the native module."""
    return [
        Fault(Code(one["code"]), one["message"], one["path"], Scope(one["scope"]))
        for one in json.loads(text)
    ]


def violations(text: str) -> list[Violation]:
    """Returns what is wrong; called by the native module."""
    return [Violation(**one) for one in json.loads(text)]
