"""The average theorem: the mean of the throws over the beats is the number of props, so it must be whole."""

from fractions import Fraction

from juggle_anim.errors import NotationError
from juggle_anim.notation.limits import MAX_PROPS
from juggle_anim.notation.mixed_number import mixed_number
from juggle_anim.notation.placement import Placement


def check_average(text: str, placement: Placement) -> None:
    """Refuse throws that need a broken number of props, or too many.

    Raises:
        NotationError: with the average, and with totals that would do.
    """
    # The swapped repetition doubles throws and beats alike, so one repetition is enough.
    values = [placed.throw.value for placed in placement.throws if placed.throw.beat < placement.written_period]
    total, beats = sum(values), placement.written_period
    if not beats:
        raise NotationError(
            text, _first(text), "nobody throws here", "write throws after the hands, as in <R|L><3p|3p>"
        )
    if total % beats:
        raise NotationError(text, _first(text), _reason(values, total, placement), _accepted(total, beats))
    if total // beats > MAX_PROPS:
        raise NotationError(
            text, _first(text), f"this takes {total // beats} props", f"at most {MAX_PROPS} are allowed"
        )


def _reason(values: list[int], total: int, placement: Placement) -> str:
    beats = placement.written_period
    average = f"average {mixed_number(Fraction(total, beats))}, and the average is the number of props"
    if placement.jugglers == 1 < len(values) == beats <= _LISTED:
        return f"the throws {', '.join(map(str, values))} {average}"
    return f"the throws add up to {total} over {beats} beats: on {average}"


def _accepted(total: int, beats: int) -> str:
    lower = total - total % beats
    near = f"{lower} or {lower + beats}" if lower else f"{beats}"
    return f"it must be whole: over {beats} beats the throws may add up to {near}, but not to {total}"


def _first(text: str) -> int:
    return len(text) - len(text.lstrip())


_LISTED = 12
"""More throws than these are not listed one by one."""
