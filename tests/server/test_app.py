import io
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hostile_queries import hostile_queries
from PIL import Image
from starlette.testclient import TestClient

import juggle_anim as ja
from juggle_anim.errors import counted
from juggle_anim.language import _, speaking
from juggle_anim.metadata.documents import read_metadata
from juggle_anim.parameters import Group, row_named
from juggle_anim.server.answers import Answers, busy
from juggle_anim.server.serve import allowed_hosts, make_app

OBSIDIAN = "anim?pattern=(4x,2)*;dwell=1;width=120;height=90;fps=5;colors=%7Bred%7D;redirect=true"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """A client of a server that draws with one process."""
    with TestClient(make_app(Answers(processes=1, seconds=120.0, wait=120.0))) as client:
        yield client


def test_an_address_made_for_juggling_labs_server_leads_to_the_gif_it_asks_for(
    client: TestClient,
) -> None:
    answer = client.get(OBSIDIAN, headers={"accept": "text/html"})
    assert [step.status_code for step in answer.history] == [302]
    assert answer.headers["content-type"] == "image/gif"
    with Image.open(io.BytesIO(answer.content)) as picture:
        assert (picture.format, picture.size) == ("GIF", (120, 90))
        assert picture.n_frames == round(ja.animate("pattern=(4x,2)*;dwell=1").duration * 3 * 5)


def test_a_window_gets_a_page_with_the_picture_and_others_the_picture(client: TestClient) -> None:
    page = client.get(
        "anim?pattern=3;width=64;height=48;fps=5", headers={"accept": "text/html,*/*"}
    )
    assert '<img src="anim.gif?pattern=3;width=64;height=48;fps=5"' in page.text
    assert client.get("anim?pattern=3;width=64;height=48;fps=5").content.startswith(b"GIF8")


def test_an_address_whose_answer_depends_on_who_asks_says_so_and_its_page_has_the_headers_of_pages(
    client: TestClient,
) -> None:
    page = client.get(
        "anim?pattern=3;width=64;height=48;fps=5", headers={"accept": "text/html"}
    ).headers
    picture = client.get("anim?pattern=3;width=64;height=48;fps=5").headers
    assert page["vary"] == picture["vary"] == "Accept, Accept-Language"
    front = client.get("/").headers
    assert "unsafe-inline" not in front["content-security-policy"]
    assert "default-src 'self'" in page["content-security-policy"]
    for name in (
        "x-content-type-options",
        "referrer-policy",
        "content-language",
    ):
        assert page[name] == front[name]
    assert client.get("anim.png?pattern=3;width=64;height=48").headers["vary"] == "Accept-Language"


@pytest.mark.parametrize(
    ("listens", "host", "status"),
    [
        ("127.0.0.1", "127.0.0.1:8000", 200),
        ("127.0.0.1", "LocalHost", 200),
        ("127.0.0.1", "localhost.:80", 200),
        ("127.0.0.1", "[::1]:8000", 200),
        ("127.0.0.1", "attacker.example:8000", 400),
        ("127.0.0.1", "127.0.0.1.attacker.example", 400),
        ("127.0.0.1", "[", 400),
        ("Juggling.example", "juggling.example", 200),
        ("juggling.example", "192.168.1.5", 400),
        ("0.0.0.0", "anything.example", 200),
        ("::", "anything.example", 200),
    ],
)
def test_a_server_answers_only_to_the_names_at_which_it_listens(
    listens: str, host: str, status: int
) -> None:
    client = TestClient(make_app(Answers(processes=1), allowed_hosts(listens)))
    for path in ("/", "page.css", "library"):
        assert client.get(path, headers={"host": host}).status_code == status


@pytest.mark.parametrize(
    ("ending", "media", "start"),
    [
        ("png", "image/png", b"\x89PNG"),
        ("mp4", "video/mp4", b""),
        ("svg", "image/svg+xml", b"<?xml"),
        ("json", "application/json", b"{"),
        ("html", "text/html; charset=utf-8", b"<!doctype html>"),
    ],
)
def test_other_endings_are_other_files_of_the_same_pattern(
    client: TestClient, tmp_path: Path, ending: str, media: str, start: bytes
) -> None:
    answer = client.get(f"anim.{ending}?pattern=51;chickenwing=60;width=65;height=48;fps=5")
    assert (answer.status_code, answer.headers["content-type"]) == (200, media)
    assert answer.content.startswith(start)
    path = tmp_path / f"a.{ending}"
    path.write_bytes(answer.content)
    assert ja.animate(str(path)).settings == "pattern=51;chickenwing=60"
    assert read_metadata(path) is not None


def test_what_is_known_of_a_pattern_or_why_it_is_none_is_told(client: TestClient) -> None:
    told = client.get("facts?pattern=<3p 3|3p 3>;prop=club").json()
    assert {name: told[name] for name in ("valid", "props", "jugglers", "period", "kind")} == {
        "valid": True, "props": 6, "jugglers": 2, "period": 2, "kind": "club",
    }  # fmt: skip
    told = client.get("facts?532").json()
    assert told["valid"] is False
    assert "whole" in told["error"]
    assert told["near"] == ["522", "531", "534"]
    assert client.get("facts?no such name").json()["near"] == []


def test_what_a_query_says_in_vain_is_told_with_the_facts(client: TestClient) -> None:
    told = client.get("facts?pattern=531;scale=2;hidejugglers=(1,3);border=3").json()
    assert told["valid"]
    assert [note.split()[2] for note in told["notes"]] == ["scale", "border"]
    assert "notes" not in client.get("facts?pattern=531;showground=no").json()
    assert client.get("anim.png?pattern=531;scale=2;width=64;height=48").status_code == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("anim?pattern=532", 400),
        ("anim?pattern=3;width=9", 400),
        ("anim?pattern=" + "3" * 9000, 414),
        ("anim?pattern=" + "1" * 300, 400),
        ("anim?pattern={41}", 400),
        ("anim?pattern=<" + "|".join("3" * 40) + ">", 400),
        ("anim.mp4?pattern=3;width=1920;height=1920;fps=60;speed=0.05", 400),
        ("anim?pattern=(3^2000)", 400),
        ("anim.exe?3", 404),
        ("page.py", 404),
        ("..%2f..%2fetc%2fpasswd", 404),
    ],
)
def test_what_is_too_much_or_not_there_is_refused_in_words(
    client: TestClient, path: str, status: int
) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (
        status,
        "text/plain; charset=utf-8",
    )
    assert 10 < len(answer.text) < 1000


def test_a_server_only_tells_and_takes_nothing(client: TestClient) -> None:
    assert client.post("anim?3", content=b"x").status_code == 405


def test_no_file_is_read_through_a_pattern(client: TestClient, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("pattern=51;title=the secret\n")
    for text in (
        str(secret),
        f"{secret}#1",
        f"file://{secret}",
        f"~/../..{secret}",
        f"https://a.b/anim?pattern={secret}",
    ):
        for where in ("anim.json", "facts", "embed"):
            answer = client.get(where, params={"pattern": text})
            assert "the secret" not in answer.text
            assert answer.status_code == 400 or answer.json()["valid"] is False


def test_hostile_queries_are_all_answered_and_the_server_goes_on(client: TestClient) -> None:
    for query in hostile_queries(seed=1, count=120):
        answer = client.get(query)
        assert answer.status_code in (200, 400, 404, 414), query
        assert "Traceback" not in answer.text
        assert "root:" not in answer.text
    assert client.get("facts?pattern=531").json()["valid"]


def test_one_pattern_asked_for_by_many_at_once_is_drawn_once(client: TestClient) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(client.get, ["anim.png?pattern=45123;width=200"] * 8))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1


def test_more_than_may_wait_are_refused_and_may_ask_again() -> None:
    with (
        TestClient(make_app(Answers(processes=1, waiting=1, seconds=120.0, wait=120.0))) as client,
        ThreadPoolExecutor(12) as pool,
    ):
        answers = list(
            pool.map(client.get, [f"anim.png?pattern=3;chickenwing={angle}" for angle in range(12)])
        )
        told = {answer.status_code for answer in answers}
        assert told == {200, 503}
        refused = next(answer for answer in answers if answer.status_code == 503)
        assert (refused.content, refused.headers["retry-after"]) == (busy().content, "1")


def test_what_the_page_asks_first_is_answered_before_its_address_is_told() -> None:
    answers = Answers(processes=1, seconds=120.0, wait=120.0)
    answers.start()
    answers.draw_first()
    with TestClient(make_app(answers)) as client:
        first = given_to_page(client)["first"]
        answers._draw_seconds = 0.0  # nothing can be drawn any more
        assert client.get(f"facts?pattern={first}").json()["valid"]
        assert "player" in client.get(f"embed?pattern={first}").text
        assert client.get("anim.png?3").status_code == 503


def test_what_takes_too_long_is_ended_and_the_next_is_drawn_by_a_new_process() -> None:
    answers = Answers(processes=1, seconds=0.0, wait=120.0)
    with TestClient(make_app(answers)) as client:
        answer = client.get("anim.png?3")
        assert answer.status_code == 503
        assert "took longer" in answer.text
        answers._draw_seconds = 120.0
        assert client.get("anim.png?3").status_code == 200


def test_answers_kept_never_take_more_than_their_room() -> None:
    answers = Answers(processes=1, seconds=120.0, wait=120.0, room=20_000)
    with TestClient(make_app(answers)) as client:
        for angle in range(4):
            client.get(f"anim.png?pattern=3;width=100;height=100;chickenwing={angle}")
            assert answers._kept.used <= 20_000


@pytest.mark.parametrize(
    ("query", "accepted", "code"),
    [
        ("", "de-AT,de;q=0.9,en;q=0.8", "de"),
        ("lang=es", "de", "es"),
        ("lang=xx", "pt-BR", "pt"),
        ("", "", "en"),
    ],
)
def test_the_page_and_all_answers_are_in_the_language_of_who_asks(
    client: TestClient, query: str, accepted: str, code: str
) -> None:
    with speaking(code):
        slider, group, share = row_named("dwell").label, _(Group.TIMING.value), _("Share")
        props, busy_words = counted(3, "ball"), busy().content
    headers = {"accept-language": accepted}
    page = client.get(f"/?{query}", headers=headers)
    assert page.headers["content-language"] == code
    assert page.headers["vary"] == "Accept-Language"
    assert f'<html lang="{code}">' in page.text
    assert f">{share}</button>" in page.text
    given = json.loads(page.text.partition('id="given">')[2].partition("</script>")[0])
    assert (slider, group) in [(row["label"], row["group"]) for row in given["sliders"]]
    lang = f";lang={code}" if query else ""
    assert (
        client.get(f"facts?531{lang}", headers=headers).json()["sentence"].startswith(f"{props}, ")
    )
    for path in (
        "anim?pattern=543",
        "anim?pattern=3;width=9",
        "anim.exe?3",
        "nothing?3",
        "anim?pattern=" + "1" * 300,
    ):
        answer = client.get(f"{path}{lang}", headers=headers)
        assert answer.headers["content-language"] == code
        assert (answer.text == client.get(f"{path};lang=en").text) == (code == "en"), path
    assert (busy_words == busy().content) == (code == "en")


def test_a_language_that_is_not_spoken_is_refused_with_those_that_are(client: TestClient) -> None:
    answer = client.get("anim?pattern=3;lang=xx")
    assert answer.status_code == 400
    assert "pt" in answer.text


def test_the_library_and_the_page_are_there_and_the_page_asks_for_nothing_elsewhere(
    client: TestClient,
) -> None:
    names = {row["name"] for row in client.get("library").json()}
    assert {"Cascade", "Mills mess"} <= names
    for language, begins in (
        ("en", "The pattern to start with"),
        ("de", "Das Muster für den Anfang"),
    ):
        rows = client.get("library", headers={"Accept-Language": language}).json()
        (cascade,) = (row for row in rows if row["name"] == "Cascade")
        assert cascade["about"].startswith(begins)
        assert cascade["description"].startswith("The pattern to start with")
    page = client.get("/").text + client.get("page.js").text + client.get("page.css").text
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert {"bps", "dwell", "handwidth", "figure"} <= {
        row["key"] for row in given_to_page(client)["sliders"]
    }


def given_to_page(client: TestClient) -> dict[str, Any]:
    """What the page is told by the server."""
    given: dict[str, Any] = json.loads(
        client.get("/").text.partition('id="given">')[2].partition("</script>")[0]
    )
    return given


def test_a_message_shows_what_was_typed_and_a_pattern_may_be_a_routine(client: TestClient) -> None:
    for query in ("pattern=532", "pattern=532;bps=3"):
        assert client.get(f"facts?{query}").json()["error"].splitlines()[1] == "  532"
    clubs = client.get("facts?pattern=531 clubs;bps=3").json()
    assert (clubs["kind"], clubs["tempo"]) == ("club", 3.0)
    routine = client.get("facts?pattern=3 4 catches%0A441 2 loops%0Astop;bps=3").json()
    assert routine["title"].startswith("3 → 441")
    assert [trick["text"] for trick in routine["tricks"]] == [
        "3  ·  4 catches",
        "441  ·  2 loops",
        "end",
    ]
    assert client.get("facts?pattern=/etc/passwd%0A").json()["valid"] is False


def test_lines_of_a_routine_begin_with_a_pattern_and_say_what_is_wrong(client: TestClient) -> None:
    assert client.get("lines?pattern=531;prop=club").json() == {
        "head": ["title=My routine", "prop=club", ""],
        "lines": ["531 10 s", "stop"],
    }
    wrong = "title=A%0A3 4 catches%0A532 2 loops%0Astop%0A"
    assert client.get(f"lines?pattern={wrong}").json()["lines"][1] == "532 2 loops"
    (told,) = client.get(f"facts?pattern={wrong}").json()["lines"].items()
    assert told[0] == "3"
    assert "532" not in told[1]


def test_a_generator_finds_no_more_than_a_page_shows(client: TestClient) -> None:
    assert client.get("generate?pattern=3 5 3").json()["patterns"] == ["441", "522", "531", "450"]
    many = client.get("generate?pattern=5 9 7").json()
    assert (len(many["patterns"]), many["more"]) == (300, True)
    assert client.get("generate?pattern=x").status_code == 400
