"""Ways of bodies over the floor, as settings strings."""

from hypothesis import strategies as st


@st.composite
def moving_jugglers(draw: st.DrawFn, least_beats: int = 3, farthest: int = 120) -> str:
    """A pattern of one juggler who goes from place to place and turns; more beats and shorter ways
    are slower.
    """
    places = draw(
        st.lists(
            st.tuples(
                st.sampled_from([0, 0, 90, 180, 270, 37]),
                st.integers(-farthest, farthest),
                st.integers(-farthest, farthest),
                st.integers(least_beats, 9),
            ),
            min_size=2,
            max_size=4,
        )
    )
    return "pattern=3;body=" + "".join(
        f"({turn},{x},{z})" + "." * beats for turn, x, z, beats in places
    )
