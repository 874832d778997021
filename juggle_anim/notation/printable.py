"""Text from anywhere, as a terminal can show it."""


def printable(text: str, longest: int = 1_000) -> str:
    """A text in one line without signs that would steer a terminal, cut off where it is too long."""
    shown = "".join(character if character.isprintable() else " " for character in text[:longest])
    return shown + "…" * (len(text) > longest)
