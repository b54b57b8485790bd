"""What became different when the calls of a trace were made again."""

from dralloc._document import Document


class Difference(Document):
    """Is the first result that is not the recorded one."""

    @property
    def line(self) -> int:
        """The line of the trace, the first being 1."""
        return int(self._fields["line"])

    @property
    def call(self) -> str:
        """The name of the call."""
        return str(self._fields["call"])

    @property
    def recorded(self) -> str:
        """The result in the trace, as JSON."""
        return str(self._fields["recorded"])

    @property
    def replayed(self) -> str:
        """The result now, as JSON."""
        return str(self._fields["replayed"])

    def __repr__(self) -> str:
        """Returns where it is."""
        return f"<Difference in line {self.line}, {self.call}>"
