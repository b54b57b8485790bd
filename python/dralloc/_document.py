"""What the engine answers with, as JSON text and as fields."""

import json
from functools import cached_property
from typing import Any, Self


class Document:
    """Is an answer of the engine; it never changes.

    Two are equal if they say the same.
    """

    def __init__(self, text: str, /) -> None:
        """Makes one of the JSON text of the engine."""
        self._text = text

    @cached_property
    def _fields(self) -> Any:
        return json.loads(self._text)

    def to_json(self) -> str:
        """Returns the JSON text: the same in every language, to the byte."""
        return self._text

    def to_dict(self) -> dict[str, Any]:
        """Returns the same as a dict, which is the caller's to change."""
        fields: dict[str, Any] = json.loads(self._text)
        return fields

    def __eq__(self, other: object) -> bool:
        """Returns whether both say the same."""
        if isinstance(other, Document) and type(self) is type(other):
            return self._text == other._text
        return NotImplemented

    def __hash__(self) -> int:
        """Is the same for those that say the same."""
        return hash(self._text)

    def __copy__(self) -> Self:
        """Returns itself, since it never changes."""
        return self

    def __deepcopy__(self, _memo: object) -> Self:
        """Returns itself, since it never changes."""
        return self
