"""Reading what people wrote: 5,356 siteswaps and 409 settings strings; the strings also laid out,
up to their paths.

And finding patterns of the library, one keystroke after another.
"""

import gzip
import json
from pathlib import Path

import pytest

from juggle_anim.choreography import choreograph
from juggle_anim.motion import Motion, move
from juggle_anim.notation import read_settings, read_siteswap
from juggle_anim.notation.listing import listed_in_library, search_listed
from juggle_anim.notation.text_list import read_text_list
from juggle_anim.parameters import Parameters

DATA = Path(__file__).parents[1] / "tests" / "data"


def lines(name: str) -> list[str]:
    return gzip.decompress((DATA / name).read_bytes()).decode().splitlines()


@pytest.fixture(scope="module")
def strings() -> list[str]:
    return [json.loads(line)["settings"] for line in lines("juggling_lab_layouts.jsonl.gz")]


def test_read_siteswaps(benchmark, report) -> None:
    texts = [line.split("\t")[1] for line in lines("siteswaps.tsv.gz")[1:]]
    benchmark(lambda: [read_siteswap(text) for text in texts])
    report(patterns_a_second=len(texts) / benchmark.stats["median"])


def test_read_settings_strings(benchmark, report, strings: list[str]) -> None:
    benchmark(lambda: [read_settings(text) for text in strings])
    report(patterns_a_second=len(strings) / benchmark.stats["median"])


@pytest.mark.parametrize("typed", ["rubinsteins revenge", "xyzzy qwerty"])
def test_search_the_library_as_somebody_types(benchmark, report, typed: str) -> None:
    among = listed_in_library()

    def type_all() -> None:
        for end in range(1, len(typed) + 1):
            search_listed(typed[:end], among)

    benchmark(type_all)
    report(milliseconds_a_key=1e3 * benchmark.stats["median"] / len(typed))


def lay_out(text: str) -> Motion:
    settings = read_settings(text)
    parameters = settings.applied_to(Parameters())
    return move(choreograph(settings.score, parameters), parameters)


def test_lay_out_settings_strings(benchmark, report, strings: list[str]) -> None:
    benchmark(lambda: [lay_out(text) for text in strings])
    report(patterns_a_second=len(strings) / benchmark.stats["median"])


def test_lay_out_settings_strings_with_paths(benchmark, report, strings: list[str]) -> None:
    def with_paths(text: str) -> None:
        motion = lay_out(text)
        assert motion.hands
        assert motion.props

    benchmark(lambda: [with_paths(text) for text in strings])
    report(patterns_a_second=len(strings) / benchmark.stats["median"])


def test_read_a_list_of_long_repeats(benchmark, report) -> None:
    lines = [f"(531^{repeats})" for repeats in range(500, 600)]
    benchmark(read_text_list, "\n".join(lines), "list")
    report(
        throws_a_second=sum(3 * repeats for repeats in range(500, 600)) / benchmark.stats["median"]
    )
