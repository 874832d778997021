"""What a command found, for other programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def json_list(found: Iterable[dict[str, Any]]) -> str:
    """A JSON list with an object in each line."""
    import json

    return "[\n" + ",\n".join(map(json.dumps, found)) + "\n]"
