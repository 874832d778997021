"""A siteswap cut into tokens that know where they stood."""

import re
from typing import NamedTuple


class Token(NamedTuple):
    """A piece of text that means one thing, and the index of its first character. The last token of all is empty."""

    text: str
    start: int


def tokenize(text: str) -> list[Token]:
    """Cut a text into single characters and `{12}` values, and leave out spaces."""
    found = [Token(match.group(), match.start()) for match in _TOKEN.finditer(text)]
    found.append(Token("", len(text)))
    return found


# A brace that never closes is a token too, so that the parser can say what is wrong with it.
_TOKEN = re.compile(r"\{[0-9]*\}?|\S")
