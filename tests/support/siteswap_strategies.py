"""Hypothesis strategies for siteswaps: random valid ones, and texts that are almost siteswaps.

A valid siteswap is made from a permutation: the throws of one loop land, one for one, where throws
are made.
"""

from __future__ import annotations

from hypothesis import strategies as st

Values = list[list[tuple[int, bool]]]
"""For each hand in turn, what it throws at once: values with their crossing flags."""


def valid_siteswaps(max_props: int = 9) -> st.SearchStrategy[str]:
    """Texts of valid siteswaps of 1 to `max_props` props: vanilla, multiplex, sync, and sync with
    `*`.
    """
    kinds = [vanilla_siteswaps(max_props), sync_siteswaps(max_props)]
    if max_props > 1:
        kinds += [multiplex_siteswaps(max_props), sync_multiplex_siteswaps(max_props)]
    return st.one_of(kinds)


@st.composite
def vanilla_siteswaps(draw: st.DrawFn, max_props: int = 9) -> str:
    beats = draw(st.integers(1, min(8, max_props + 1)))
    return _async_text(_async_values(draw, beats, max_props))


@st.composite
def multiplex_siteswaps(draw: st.DrawFn, max_props: int = 9) -> str:
    beats = draw(st.integers(1, min(6, max_props // 2 + 1)))
    one, other = (_async_values(draw, beats, max_props // 2) for _ in range(2))
    return _async_text(_merge(one, other))


@st.composite
def sync_siteswaps(draw: st.DrawFn, max_props: int = 9) -> str:
    swaps = draw(st.booleans()) if max_props > 1 else False
    pairs = draw(st.integers(1, max(1, min(4, max_props // 2))))
    return _sync_text(_sync_values(draw, pairs, max_props, swaps), swaps)


@st.composite
def sync_multiplex_siteswaps(draw: st.DrawFn, max_props: int = 9) -> str:
    swaps = draw(st.booleans())
    pairs = draw(st.integers(1, max(1, min(3, max_props // 4))))
    one, other = (_sync_values(draw, pairs, max_props // 2, swaps) for _ in range(2))
    return _sync_text(_merge(one, other), swaps)


@st.composite
def valid_passing_siteswaps(draw: st.DrawFn, max_jugglers: int = 4) -> str:
    """Texts of valid passing patterns of 2 to `max_jugglers`: single throws or pairs, some of them
    multiplexes.

    Every juggler throws once a beat, or with both hands every two, so throws and landings are a
    permutation of sites.
    """
    jugglers = draw(st.integers(2, max_jugglers))
    layers = draw(st.integers(1, 2))
    if draw(st.booleans()):
        return _passing_pairs(draw, jugglers, draw(st.integers(1, 3)), layers)
    return _passing_singles(draw, jugglers, draw(st.integers(1, 5)), layers)


def flying_siteswaps() -> st.SearchStrategy[str]:
    """Texts of valid siteswaps, of one juggler or several, in which nothing bounces."""
    passing = valid_passing_siteswaps().filter(lambda text: not {"B", "F"} & set(text))
    return st.one_of(valid_siteswaps(), passing)


def any_text() -> st.SearchStrategy[str]:
    """Texts of all kinds: wild ones, ones of siteswap characters, and valid siteswaps with a
    character changed.
    """
    characters = st.sampled_from("0123456789abpxzABFHLRTX[](){},,*!^/×<|>.?;=- \t\n²é")
    changed = _changed(valid_siteswaps() | valid_passing_siteswaps(), characters)
    return st.one_of(st.text(max_size=30), st.text(characters, max_size=20), changed)


@st.composite
def _changed(
    draw: st.DrawFn, texts: st.SearchStrategy[str], characters: st.SearchStrategy[str]
) -> str:
    text = draw(texts)
    at = draw(st.integers(0, len(text)))
    return (
        text[:at] + draw(st.one_of(st.just(""), characters)) + text[at + draw(st.integers(0, 1)) :]
    )


def _async_values(draw: st.DrawFn, beats: int, max_props: int) -> Values:
    """Throw number i lands on beat targets[i] of this or, by its laps, of a later repetition."""
    targets = draw(st.permutations(range(beats)))
    values = [(target - beat) % beats for beat, target in enumerate(targets)]
    for beat in _extra_laps(draw, beats, sum(values) // beats, max_props):
        values[beat] += beats
    return [[(value, False)] for value in values]


def _sync_values(draw: st.DrawFn, pairs: int, max_props: int, swaps: bool) -> Values:
    """Places are numbered 2 × pair + hand; with `swaps` each repetition turns the hands round."""
    places = range(2 * pairs)
    targets = draw(st.permutations(places)) if max_props >= 2 * pairs else list(places)
    pair_values = [
        (target // 2 - place // 2) % pairs for place, target in zip(places, targets, strict=True)
    ]
    for place, target in zip(places, targets, strict=True):
        if pair_values[place] == 0 and place % 2 != target % 2:
            pair_values[place] = pairs  # a hand cannot pass on a prop in no time
    for place in _extra_laps(draw, 2 * pairs, sum(pair_values) // pairs, max_props):
        pair_values[place] += pairs
    return [
        [_sync_throw(place, targets[place], pair_values[place], pairs, swaps)] for place in places
    ]


def _sync_throw(
    place: int, target: int, pair_value: int, pairs: int, swaps: bool
) -> tuple[int, bool]:
    repetitions = (place // 2 + pair_value) // pairs
    turned = swaps and repetitions % 2 == 1
    return 2 * pair_value, (place % 2 != target % 2) != turned and pair_value > 0


def _extra_laps(draw: st.DrawFn, places: int, props: int, max_props: int) -> list[int]:
    """The places whose throws fly one repetition longer; each adds one prop. No place comes more
    than three times.
    """
    least, most = (0 if props else 1), min(max_props - props, 3 * places)
    chosen = draw(
        st.lists(
            st.integers(0, 3 * places - 1),
            min_size=min(least, most),
            max_size=max(0, most),
            unique=True,
        )
    )
    return [number % places for number in chosen]


def _merge(one: Values, other: Values) -> Values:
    merged = [first + second for first, second in zip(one, other, strict=True)]
    return [[throw for throw in throws if throw[0]] or [(0, False)] for throws in merged]


def _async_text(values: Values) -> str:
    return "".join(_hand_text(throws) for throws in values)


def _sync_text(values: Values, swaps: bool) -> str:
    hands = [_hand_text(throws) for throws in values]
    pairs = (f"({left},{right})" for left, right in zip(hands[::2], hands[1::2], strict=True))
    return "".join(pairs) + ("*" if swaps else "")


def _hand_text(throws: list[tuple[int, bool]]) -> str:
    written = "".join(_value_text(value) + "x" * crossing for value, crossing in throws)
    return written if len(throws) == 1 else f"[{written}]"


def _value_text(value: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    # x is left to the crossing flag.
    return digits[value] if value < len(digits) and value != 33 else f"{{{value}}}"


def _passing_singles(draw: st.DrawFn, jugglers: int, beats: int, layers: int) -> str:
    """A juggler who starts with the left hand turns passes round; odd lengths leave all on the
    right hand.
    """
    left = [beats % 2 == 0 and draw(st.booleans()) for _ in range(jugglers)]
    places = [(juggler, beat) for juggler in range(jugglers) for beat in range(beats)]
    written: dict[tuple[int, int], list[str]] = {place: [] for place in places}
    for _ in range(layers):
        for place, (receiver, caught) in zip(places, draw(st.permutations(places)), strict=True):
            juggler, beat = place
            value = _flight(draw, (caught - beat) % beats, beats, instant=receiver == juggler)
            flags = "x" * (left[juggler] != left[receiver]) + _pass_text(
                draw, juggler, receiver, jugglers
            )
            written[place].append(_value_text(value) + flags + _modifier(draw, value))
    sides = [
        " ".join(_together(written[juggler, beat]) for beat in range(beats))
        for juggler in range(jugglers)
    ]
    hands = f"<{'|'.join('RL'[side] for side in left)}>" if any(left) else ""
    return f"{hands}<{'|'.join(sides)}>"


def _passing_pairs(draw: st.DrawFn, jugglers: int, pairs: int, layers: int) -> str:
    places = [
        (juggler, pair, hand)
        for juggler in range(jugglers)
        for pair in range(pairs)
        for hand in (0, 1)
    ]
    written: dict[tuple[int, int, int], list[str]] = {place: [] for place in places}
    for _ in range(layers):
        for place, (receiver, caught, to_hand) in zip(
            places, draw(st.permutations(places)), strict=True
        ):
            juggler, pair, hand = place
            same = (receiver, to_hand) == (juggler, hand)
            value = 2 * _flight(draw, (caught - pair) % pairs, pairs, instant=same)
            flags = "x" * (hand != to_hand) + _pass_text(draw, juggler, receiver, jugglers)
            written[place].append(_value_text(value) + flags + _modifier(draw, value))
    sides = [
        "".join(
            f"({_together(written[j, k, 0])},{_together(written[j, k, 1])})" for k in range(pairs)
        )
        for j in range(jugglers)
    ]
    return f"<{'|'.join(sides)}>"


def _flight(draw: st.DrawFn, least: int, period: int, *, instant: bool) -> int:
    """Beats in the air, some repetitions longer than the least; only an empty hand takes none."""
    return least + period * draw(st.integers(0 if least or instant else 1, 2))


def _pass_text(draw: st.DrawFn, juggler: int, receiver: int, jugglers: int) -> str:
    if receiver == juggler:
        return ""
    is_next = receiver == (juggler + 1) % jugglers
    return "p" if is_next and draw(st.booleans()) else f"p{receiver + 1}"


def _modifier(draw: st.DrawFn, value: int) -> str:
    return draw(st.sampled_from(["", "", "", "B", "BB", "BHF", "F", "T"])) if value > 2 else ""


def _together(throws: list[str]) -> str:
    return throws[0] if len(throws) == 1 else f"[{' '.join(throws)}]"
