"""Words for the files of a plotting library, each in the place where this package's readers look for them."""

from __future__ import annotations

from typing import Any


def figure_words(ending: str, words: str, title: str = "") -> dict[str, Any]:
    """What matplotlib is to say of a file, in the terms of its format; no date is among them.

    Args:
        ending: of the file's name, `.png`, `.svg` or `.pdf`.
        words: that the file is to carry, in ASCII.
        title: of the picture; empty for none.
    """
    named = {"Title": title} if title else {}
    if ending == ".svg":
        return {**named, "Description": words, "Creator": "juggle-anim", "Date": None}
    if ending == ".pdf":
        return {**named, "Keywords": words, "Creator": "juggle-anim", "CreationDate": None}
    return {"Comment": words, "Software": None}
