"""Texts in which a § marks where the caret of an error is to stand."""


def unmarked(marked: str) -> tuple[str, int]:
    """The text without its mark, and the index that it marked."""
    return marked.replace("§", ""), marked.index("§")
