"""Queries to a server that nobody sends in good faith."""

import random
from collections.abc import Iterator
from urllib.parse import quote

_SIGNS = "0123456789abxpz()[]{}<>|,.*^!/?RLBHFT;&=%#\\'\"\0\n é🤹-+~$"
_KEYS = ("pattern", "hands", "body", "colors", "hss", "throws", "catches", "bps", "dwell", "width",
    "height", "fps",
    "camera", "title", "human", "spins", "format", "stereo", "slowdown", "people", "handspec",
    "jugglers")  # fmt: skip
_FILES = ("/etc/passwd", "../../../../etc/passwd", "file:///etc/passwd", "~root/.bashrc",
    "C:\\boot.ini",
    "/dev/zero", "/proc/self/environ", "\\\\host\\share",
    "patterns/starters.toml#1", "pyproject.toml", "a.jml", "/dev/stdin")  # fmt: skip
_LARGE = (
    "(" * 400 + "3" + ")" * 400, "(3^999)", "(((3^99)^99)^99)", "?" * 40, "{99999}", "z" * 900,
    "9" * 4000,
    "[" + "z" * 60 + "]",
    "<" + "|".join(["3p"] * 200) + ">", "(y,y)*" * 60, "97531" * 40, "b" * 200, "8 for 900",
    "(4^40)(5^40)",
)  # fmt: skip
_NUMBERS = (
    "nan",
    "inf",
    "-1",
    "1e308",
    "0",
    "99999999999999999999",
    "1920",
    "0x10",
    "",
    "1,2,3",
    "٣",
    "60",
)


def hostile_queries(seed: int, count: int) -> Iterator[str]:
    """So many paths with queries; the same seed gives the same."""
    choices = random.Random(seed)
    for _ in range(count):
        kind = choices.randrange(6)
        path = choices.choice(
            ["anim", "anim", "embed", "facts", "anim.gif", "anim.png", "anim.json", "anim.svg"]
        )
        if kind == 0:
            yield f"{path}?pattern={quote(choices.choice(_FILES))}"
        elif kind == 1:
            yield f"{path}?pattern={quote(choices.choice(_LARGE)[:3000])};fps={choices.choice(_NUMBERS)}"
        elif kind == 2:
            yield f"{path}?{quote(_noise(choices, 200), safe='=;&%')}"
        elif kind == 3:
            pairs = (
                f"{choices.choice(_KEYS)}={quote(choices.choice((*_NUMBERS, *_LARGE, _noise(choices, 40))))}"
                for _ in range(4)
            )
            yield f"{path}?pattern={choices.choice(['3', '531', '(6x,4)*', '<3p|3p>'])};{';'.join(pairs)}"[
                :3500
            ]
        elif kind == 4:
            yield quote(choices.choice(_FILES).lstrip("/") or "x", safe="") + "?3"
        else:
            throws = "".join(
                choices.choice("0123456789abcdexp[](),<>|*")
                for _ in range(choices.randrange(1, 24))
            )
            yield f"{path}?pattern={quote(throws)};width={choices.choice(_NUMBERS)};height=64"


def _noise(choices: random.Random, most: int) -> str:
    return "".join(choices.choice(_SIGNS) for _ in range(choices.randrange(most)))
