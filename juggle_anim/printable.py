"""Text from anywhere, as a terminal can show it."""


def printable(text: str, longest: int | None = 1_000) -> str:
    """A text in one line without signs that would steer a terminal, each in one column.

    Args:
        text: any.
        longest: how many characters are kept before a …; None keeps all.
    """
    shown = "".join(character if character.isprintable() else " " for character in text[:longest])
    return shown + "…" * (longest is not None and len(text) > longest)


def character_name(character: str) -> str:
    """A character as a message names it: itself, or its number where it cannot be seen."""
    return character if character.isprintable() else f"character U+{ord(character):04X}"
