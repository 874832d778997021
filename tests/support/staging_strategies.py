"""Hypothesis strategies for staging: random moves of hands and bodies and colours of props, as
texts.

Texts differ in all that means nothing: blanks, frames, numbers left out, the last dot.
"""

from __future__ import annotations

from hypothesis import strategies as st

from juggle_anim.choreography import BodyPlace, HandBeat
from juggle_anim.parameters import PROP_KINDS, Quantity

centimetres = st.one_of(
    st.integers(-900, 900), st.integers(-9000, 9000).map(lambda number: number / 8)
)


@st.composite
def hands_texts(draw: st.DrawFn) -> tuple[str, tuple[tuple[HandBeat, ...], ...]]:
    """A text, and the beats of each juggler that it means."""
    sides = [
        draw(st.lists(_hand_beat(), min_size=1, max_size=4)) for _ in range(draw(st.integers(1, 3)))
    ]
    texts = ["".join(f"{text}{draw(blanks)}.{draw(blanks)}" for text, _ in side) for side in sides]
    return _framed(draw, texts), tuple(tuple(beat for _, beat in side) for side in sides)


@st.composite
def body_texts(draw: st.DrawFn) -> tuple[str, tuple[tuple[tuple[BodyPlace | None, ...], ...], ...]]:
    """A text, and the places of each juggler on each beat that it means; at least one is a
    place.
    """
    sides = [draw(st.lists(_body_beat(), max_size=4)) for _ in range(draw(st.integers(0, 2)))]
    sides.insert(
        draw(st.integers(0, len(sides))),
        [draw(_body_beat(1)), *draw(st.lists(_body_beat(), max_size=2))],
    )
    texts = ["".join(f"{text}.{draw(blanks)}" for text, _ in side) for side in sides]
    return _framed(draw, texts), tuple(
        tuple(places for _, places in side) or ((),) for side in sides
    )


def colour_texts() -> st.SearchStrategy[str]:
    colour = st.one_of(
        st.sampled_from(["{red}", "{Sky Blue}", "#f80", "{#00ff7f}"]),
        st.tuples(*[st.integers(0, 255)] * 3).map(lambda rgb: f"{{{rgb[0]},{rgb[1]}, {rgb[2]}}}"),
    )
    listed = st.lists(colour, min_size=1, max_size=6).map(" ".join)
    return st.one_of(
        st.sampled_from(["mixed", "Orbits"]), listed, listed.map(lambda text: f"({text})^3{{blue}}")
    )


def catches_texts() -> st.SearchStrategy[str]:
    words = st.lists(
        st.sampled_from(["palm", " Claw", "penguin ", "Behind", "neck"]), min_size=1, max_size=4
    )
    side = words.map(",".join)
    return st.one_of(side, st.tuples(side, side).map("|".join))


def throws_texts() -> st.SearchStrategy[str]:
    """Settings that say how hands throw."""
    words = st.lists(
        st.sampled_from(["-", " backcross", "Underleg-inside ", "claw"]), min_size=1, max_size=4
    )
    return st.lists(words.map(",".join), min_size=1, max_size=3).map("|".join)


blanks = st.sampled_from(["", "", "", " ", "\n  "])


@st.composite
def _hand_beat(draw: st.DrawFn) -> tuple[str, HandBeat]:
    points = draw(st.lists(st.none() | st.tuples(*[centimetres] * 3), min_size=2, max_size=5))
    catch = draw(st.none() | st.integers(1, len(points) - 1))
    texts = ["-" if point is None else _point(draw, point, (0, 0, 0)) for point in points]
    if catch is not None:
        texts[catch] = draw(st.sampled_from("cC")) + draw(blanks) + texts[catch]
    if draw(st.booleans()):
        texts[0] = draw(st.sampled_from("tT")) + texts[0]
    around = draw(st.booleans())
    if around:
        texts[0] = "*" + draw(blanks) + texts[0]
    places = tuple(
        None if point is None else (point[0] / 100, point[1] / 100, point[2] / 100)
        for point in points
    )
    return draw(blanks).join(texts), HandBeat(
        places, len(points) - 1 if catch is None else catch, around
    )


@st.composite
def _body_beat(draw: st.DrawFn, least: int = 0) -> tuple[str, tuple[BodyPlace | None, ...]]:
    moves = draw(st.lists(st.none() | st.tuples(*[centimetres] * 4), max_size=3))
    moves += [draw(st.tuples(*[centimetres] * 4)) for _ in range(least)]
    texts = ["-" if move is None else _point(draw, move, (0, 0, 0, 100)) for move in moves]
    return draw(blanks).join(texts), tuple(
        None if move is None else _place(*move) for move in moves
    )


def _place(angle: float, right: float, forward: float, up: float) -> BodyPlace:
    return BodyPlace(
        angle * 3.141592653589793 / 180, (-right / 100, (up - 100) / 100, forward / 100)
    )


def _point(draw: st.DrawFn, numbers: tuple[float, ...], usual: tuple[float, ...]) -> str:
    written = [
        "" if same and draw(st.booleans()) else f"{number:.3f}"
        for same, number in _compared(numbers, usual)
    ]
    while len(written) > 1 and not written[-1]:
        written.pop()
    return f"({draw(blanks)}{','.join(written)}{draw(blanks)})"


def _compared(numbers: tuple[float, ...], usual: tuple[float, ...]) -> list[tuple[bool, float]]:
    return [(number == same, number) for number, same in zip(numbers, usual, strict=True)]


def _framed(draw: st.DrawFn, sides: list[str]) -> str:
    text = draw(st.sampled_from("||!")).join(sides)
    return draw(st.sampled_from(["{}", "<{}>", "{{{}}}", " {} ", "<{{{}}}>"])).format(text)


def parameter_values(quantity: Quantity) -> st.SearchStrategy[float]:
    """Any value that a parameter accepts."""
    if quantity.whole:
        return st.integers(int(quantity.low), int(quantity.high)).map(float)
    return st.floats(quantity.low, quantity.high)


def staging_settings() -> st.SearchStrategy[dict[str, str]]:
    """Some of the settings that make up a staging, by key."""
    said = {
        "hands": hands_texts().map(lambda drawn: drawn[0]),
        "catches": catches_texts(),
        "throwspins": st.lists(
            st.sampled_from(["-", "1", " 1.5", "0.5 "]), min_size=1, max_size=5
        ).map(",".join),
        "throws": throws_texts(),
        "body": body_texts().map(lambda drawn: drawn[0]),
        "prop": st.sampled_from(PROP_KINDS),
        "colors": colour_texts(),
    }
    return st.fixed_dictionaries({}, optional=said)
