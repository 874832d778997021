from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.scene import Viewport

sizes = st.integers(2, 300)
areas = st.builds(Viewport, sizes, sizes, sizes, sizes, st.integers(0, 2))


@given(areas)
def test_halves_are_of_one_size_and_fill_the_whole_without_overlap(area: Viewport) -> None:
    left, right = area.halves
    assert (left.width, left.height) == (right.width, right.height)
    assert not left.overlaps(right)
    first, last = left.rectangle, right.rectangle
    assert (first[0], first[1], first[0] + first[2]) == (area.rectangle[0], area.bottom, last[0])
    assert last[0] + last[2] == area.left + area.width


@given(areas, areas)
def test_areas_overlap_where_some_pixel_is_in_both(one: Viewport, other: Viewport) -> None:
    def pixels(area: Viewport) -> tuple[set[int], set[int]]:
        left, low, width, height = area.rectangle
        return set(range(left, left + width)), set(range(low, low + height))

    (across, up), (beside, above) = pixels(one), pixels(other)
    assert one.overlaps(other) == other.overlaps(one) == bool(across & beside and up & above)
