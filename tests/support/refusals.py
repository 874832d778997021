"""What reading a text is refused with."""

from juggle_anim.errors import NotationError
from juggle_anim.notation import read_siteswap


def refusal(text: str) -> NotationError | None:
    """The error that a siteswap is refused with; None where it is read."""
    try:
        read_siteswap(text)
    except NotationError as error:
        return error
    return None
