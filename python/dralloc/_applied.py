"""What a change made different."""

from dataclasses import dataclass

from dralloc._document import Document


@dataclass(frozen=True, slots=True)
class Warned:
    """Is a field of an object that was passed over.

    Attributes:
        path: where it is.
        message: what is wrong with it.
        hint: what may have been meant.
    """

    path: str
    message: str
    hint: str | None = None

    def __str__(self) -> str:
        """Returns path, message and hint."""
        text = f"{self.path}: {self.message}" if self.path else self.message
        return f"{text} ({self.hint})" if self.hint else text


class Applied(Document):
    """Says what a change made different, so that a host asks again only there."""

    @property
    def changed(self) -> bool:
        """Whether anything is different; if not, the change was known, or too old."""
        return bool(self._fields["changed"])

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes that see other devices, taints or amounts, by name."""
        return tuple(self._fields["nodes"])

    @property
    def any_node(self) -> bool:
        """Whether any node may see other devices, not only those listed."""
        return bool(self._fields["anyNode"])

    @property
    def pools(self) -> tuple[tuple[str, str], ...]:
        """Driver and name of each pool with other slices or holdings, in order."""
        return tuple((driver, name) for driver, name in self._fields["pools"])

    @property
    def claims(self) -> tuple[str, ...]:
        """The claims that have something else now, by uid, or else `namespace/name`."""
        return tuple(self._fields["claims"])

    @property
    def warnings(self) -> tuple[Warned, ...]:
        """Fields that were passed over since they are not known."""
        return tuple(Warned(**one) for one in self._fields.get("warnings", ()))

    def __repr__(self) -> str:
        """Returns what is different, in short."""
        if not self.changed:
            return "<Applied: nothing changed>"
        counts = (
            ("node", len(self.nodes)),
            ("pool", len(self.pools)),
            ("claim", len(self.claims)),
            ("warning", len(self.warnings)),
        )
        told = [f"{n} {noun}{'s' if n != 1 else ''}" for noun, n in counts if n]
        return f"<Applied: {', '.join(told) or 'changed'}>"
