import itertools

import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.exporter.captions import Caption, Captions
from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.rewriting import with_events

ROUTINE = "cascade 8 catches\n4-ball fountain 12 catches\n"


def marked(caption: Caption) -> str:
    return "".join(f"*{text}*" if lit else text for text, lit in caption.parts)


def shown(animation: Animation, beats: int) -> list[str]:
    captions, bps = Captions(animation), animation.choreography.bps
    return [marked(captions.at((beat + 0.5) / bps)) for beat in range(beats)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("531", ["*5*31", "5*3*1", "53*1*", "*5*31"]),
        ("(6x,4)*", ["(*6x*,*4*)*"] * 3),
        ("[34]23", ["[*3**4*]23", "[34]*2*3", "[34]2*3*"]),
        ("<3p 3|3p 3>", ["<*3p* 3|*3p* 3>", "<3p *3*|3p *3*>"]),
    ],
)
def test_the_throws_of_the_present_beat_are_marked(text: str, wanted: list[str]) -> None:
    assert shown(animate(text), len(wanted)) == wanted


def test_a_pattern_has_its_name_above_its_throws_and_none_where_these_are_its_name() -> None:
    assert Captions(animate("Mills mess")).at(0.0).title == "Mills mess"
    assert Captions(animate("531")).at(0.0).title == ""


def test_a_routine_shows_the_line_that_is_juggled() -> None:
    routine = animate(ROUTINE)
    captions, lines = (
        Captions(routine),
        [line for line in routine.score.routine.lines if line.number],
    )  # type: ignore[union-attr]
    assert [captions.at((line.enters + line.ends) / 2).text for line in lines] == [
        line.text.strip() for line in lines
    ]


def test_events_without_beats_have_their_name(tmp_path: object) -> None:
    path = f"{tmp_path}/a.jml"
    write_file(with_events(open_patterns("531"))[0], path)  # type: ignore[arg-type]
    animation = animate(path)
    assert Captions(animation).at(0.3) == Caption(animation.title)
    assert list(Captions(animation).changes(0.0, 9.0)) == []


@pytest.mark.parametrize("text", ["531", "(6x,4)*", "pattern=<3p 3|3p 3>;speed=0.5", ROUTINE])
def test_captions_change_at_the_times_that_are_told_and_at_no_others(text: str) -> None:
    animation = animate(text)
    captions, (first, last) = Captions(animation), (0.4, 0.4 + 1.7 * animation.duration)
    times = [first, *captions.changes(first, last), last]
    assert times == sorted(times)
    for begins, ends in itertools.pairwise(times):
        within = [captions.at(begins + share * (ends - begins)) for share in (1e-3, 0.5, 0.999)]
        assert len(set(within)) == 1
