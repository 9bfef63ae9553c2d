"""What happens in a deal of a card game, as frozen records, and their JSON; knows no game."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar


@dataclass(frozen=True)
class Event:
    """Something that happened.

    Fields are JSON values, or have in their metadata under ``convert`` what makes one of them.
    """

    kind: ClassVar[str] = ""

    def seen_by(self, seat: int) -> Event | None:
        """The event as far as a player sees it; None if nothing of it."""
        return self

    def to_json(self) -> dict[str, Any]:
        """The event as JSON values, its kind under ``event``."""
        record: dict[str, Any] = {"schema": 1, "event": self.kind}
        for each in fields(self):
            value = getattr(self, each.name)
            convert = each.metadata.get("convert")
            record[each.name] = convert(value) if convert else list(value) if isinstance(value, tuple) else value
        return record
