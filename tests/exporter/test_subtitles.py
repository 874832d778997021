import html
import itertools
import re
from pathlib import Path

import pysubs2
import pytest
from foreign_programs import probed, subtitles

import juggle_anim as ja
from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.metadata.documents import read_metadata, read_record

ENDINGS = (".srt", ".vtt")


@pytest.mark.parametrize("ending", ENDINGS)
def test_another_program_reads_each_beat_at_its_time(tmp_path: Path, ending: str) -> None:
    animation = ja.animate("pattern=531;speed=0.5")
    (path,) = ja.export(animation, tmp_path / f"a{ending}", loops=1)
    beat = 2 / animation.choreography.bps
    told = subtitles(path)
    assert [words for _, _, words in told] == ["<b>5</b>31", "5<b>3</b>1", "53<b>1</b>"] * 2
    for number, (begins, ends, _words) in enumerate(told):
        assert begins == pytest.approx(number * beat, abs=0.02)
        assert ends == pytest.approx((number + 1) * beat, abs=0.02)


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_editor_of_subtitles_reads_the_same(tmp_path: Path, ending: str) -> None:
    (path,) = ja.export("pattern=<3p 3|3p 3>;title=A & B", tmp_path / f"a{ending}", loops=2)
    lines, told = pysubs2.load(str(path)), subtitles(path)
    assert [(line.start / 1000, line.end / 1000) for line in lines] == [
        (begins, ends) for begins, ends, _ in told
    ]
    assert [html.unescape(line.plaintext) for line in lines] == [
        re.sub(r"</?b>", "", words) for _, _, words in told
    ]


@pytest.mark.parametrize("ending", ENDINGS)
def test_they_last_as_long_as_the_film_and_go_into_it(tmp_path: Path, ending: str) -> None:
    film, side = ja.export(
        "<3p 3|3p 3>", tmp_path / "a.mp4", size=(64, 48), fps=10, subtitles=ending[1:]
    )
    assert side == tmp_path / f"a{ending}"
    (picture,) = probed(film)["streams"]
    told = subtitles(side, into=film)
    assert told[0][0] == 0.0
    assert told[-1][1] == pytest.approx(float(picture["duration"]), abs=0.002)
    assert all(one[1] == other[0] for one, other in itertools.pairwise(told))


def test_signs_that_mean_something_else_in_a_file_are_shown_as_they_are(tmp_path: Path) -> None:
    words = {}
    for ending in ENDINGS:
        (path,) = ja.export("pattern=<3p 3|3p 3>;title=A & B", tmp_path / f"a{ending}", loops=1)
        words[ending] = subtitles(path)[0][2]
    assert words == {
        ".srt": "A & B\n‹<b>3p</b> 3|<b>3p</b> 3›",
        ".vtt": "A & B\n<<b>3p</b> 3|<b>3p</b> 3>",
    }


def test_one_caption_for_all_the_time_is_one_cue(tmp_path: Path) -> None:
    (path,) = ja.export("Mills mess", tmp_path / "a.srt")
    assert [words for _, _, words in subtitles(path)] == ["Mills mess\n<b>3</b>"]


def test_an_excerpt_begins_in_the_middle_of_a_beat(tmp_path: Path) -> None:
    animation = ja.animate("531")
    (path,) = ja.export(animation, tmp_path / "a.srt", start=0.4, seconds=0.5)
    told = subtitles(path)
    assert [words for _, _, words in told] == ["5<b>3</b>1", "53<b>1</b>", "<b>5</b>31"]
    assert told[0][1] == pytest.approx(2 / animation.choreography.bps - 0.4, abs=0.002)
    assert told[-1][1] == pytest.approx(0.5, abs=0.002)


def test_a_web_track_carries_what_opens_it_again(tmp_path: Path) -> None:
    (path,) = ja.export("<3p 3|3p 3>", tmp_path / "a.vtt")
    record = read_record(read_metadata(path) or "")
    assert record
    assert record.settings == "pattern=<3p 3|3p 3>"
    assert ja.animate(str(path)).settings == ja.animate("<3p 3|3p 3>").settings
    assert "-->" not in re.search(r"NOTE (.*)", path.read_text())[1]  # type: ignore[index]


@pytest.mark.parametrize("ending", ENDINGS)
def test_when_resumed_what_is_cut_is_written_again_and_what_is_another_stays(
    tmp_path: Path, ending: str
) -> None:
    film = tmp_path / "a.webm"
    given = {"size": (32, 24), "fps": 4, "subtitles": ending[1:]}
    _, side = ja.export("531", film, **given)
    whole = side.read_bytes()
    side.write_bytes(whole[:-40])
    assert ja.export("531", film, resume=True, **given) == [film, side]
    assert side.read_bytes() == whole
    side.write_bytes(b"mine")
    with pytest.raises(ExportError, match="from another export"):
        ja.export("531", film, resume=True, **given)
    assert side.read_bytes() == b"mine"


def test_no_film_is_drawn_where_its_subtitles_have_no_place(tmp_path: Path) -> None:
    (tmp_path / "a.srt").write_text("mine")
    with pytest.raises(ExportError, match=r"a\.srt already exists"):
        ja.export("531", tmp_path / "a.mp4", size=(32, 24), subtitles="srt")
    assert [path.name for path in tmp_path.iterdir()] == ["a.srt"]


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("a.png", {"subtitles": "srt"}, "subtitles work only with a video"),
        ("a.mp4", {"subtitles": "ass"}, "there are srt, vtt"),
        ("a.glb", {"captions": True}, r"captions is for \.mp4"),
        ("a.srt", {"sound": True}, "have no sound"),
        ("a.srt", {"at": "beats"}, "at works only for separate pictures"),
    ],
)
def test_where_there_are_none_they_are_refused(
    tmp_path: Path, name: str, given: dict[str, object], said: str
) -> None:
    with pytest.raises(ParameterError, match=said):
        ja.export("531", tmp_path / name, **given)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())
