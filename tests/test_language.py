"""Languages: how one is chosen, what the catalogues hold, and that nothing but words depends on
it.
"""

import ast
import json
import os
import re
import string
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from catalogues import (
    LANGUAGES,
    TEXTS,
    archived_catalogues,
    called,
    calls_of_program,
    catalogue_path,
    command_line_path,
    compiled_catalogues,
    compiled_for_command_line,
    read_catalogue,
    syntax_of_program,
    written,
)
from program import Program

import juggle_anim.errors
from juggle_anim import language
from juggle_anim.errors import NotationError, counted
from juggle_anim.notation import read_siteswap
from juggle_anim.parameters import row_named


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    language.choose_language("en")


def test_each_language_has_every_text_of_the_program_and_no_other() -> None:
    for domain, code in _CATALOGUES:
        texts = {(each.id, each.context) for each in _texts_of(domain) if each.id}
        catalogue = _catalogue(code, domain)
        known = {(each.id, each.context) for each in catalogue if each.id}
        hint = f"{domain} {code}: run scripts/update_catalogues.py"
        assert texts - known == set(), hint
        assert known - texts == set(), hint
        assert not catalogue.obsolete, hint
        assert [each.id for each in catalogue if each.id and each.fuzzy] == [], code


def test_no_text_lacks_a_translation() -> None:
    for domain, code in _CATALOGUES:
        texts = _texts(_catalogue(code, domain))
        assert [each.id for each in texts if not all(_forms(each))] == [], (domain, code)


def test_no_text_is_in_the_language_of_another_catalogue() -> None:
    catalogues: dict[str, dict[object, Message]] = {code: {} for code in LANGUAGES}
    for domain, code in _CATALOGUES:
        catalogues[code] |= {
            (each.id, each.context): each for each in _texts(_catalogue(code, domain))
        }
    for key, german in catalogues["de"].items():
        words = re.findall(r"[^\W\d_]{2,}", re.sub(r"\{.*?\}", "", _forms(german)[0]))
        if len(words) > 2:
            assert [
                code for code in LANGUAGES[1:] if _forms(catalogues[code][key]) == _forms(german)
            ] == [], key


def test_each_translation_has_the_values_of_its_text() -> None:
    for domain, code in _CATALOGUES:
        assert [each.id for each in _texts(_catalogue(code, domain)) if not _fits(each)] == [], (
            domain,
            code,
        )


def test_compiled_catalogues_are_those_that_people_edit() -> None:
    hint = "run scripts/update_catalogues.py"
    assert archived_catalogues() == compiled_catalogues(), hint
    for domain, code in _CATALOGUES:
        assert catalogue_path(code, domain).read_bytes() == written(_catalogue(code, domain)), hint
    for code in LANGUAGES:
        assert command_line_path(code).read_bytes() == compiled_for_command_line(code), hint


_CATALOGUES = [(domain, code) for domain in TEXTS for code in LANGUAGES]


@cache
def _catalogue(code: str, domain: str) -> Catalog:
    return read_catalogue(code, domain)


@cache
def _texts_of(domain: str) -> Catalog:
    return TEXTS[domain]()


def _texts(catalogue: Catalog) -> list[Message]:
    return [each for each in catalogue if each.id]


def _fits(message: Message) -> bool:
    """Whether each form of a translation has the same values as the text, formatted alike, and is
    spaced alike.
    """
    one, many = message.id if isinstance(message.id, (tuple, list)) else (message.id, message.id)
    forms = [form for form in _forms(message) if form]
    return all(
        _values(form) in (_values(one), _values(many)) and _spaced_alike(form, many)
        for form in forms
    )


def _forms(message: Message) -> tuple[str, ...]:
    return tuple(message.string) if isinstance(message.string, (tuple, list)) else (message.string,)


def _spaced_alike(form: str, text: str) -> bool:
    """Whether a translation has the space or new line with which a text begins or ends."""
    space = ("\n", " ")
    begins = not text.startswith(space) or form.startswith(space)
    return begins and (not text.endswith(space) or form.endswith(space))


def _values(text: str) -> list[str]:
    try:
        return sorted(
            f"{name}!{how}:{spec}"
            for _, name, spec, how in string.Formatter().parse(text)
            if name is not None
        )
    except ValueError:  # a text that is shown as it stands, as "this { is never closed"
        return re.findall("[{}]", text)


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_AT", "LC_MESSAGES": "es_MX.UTF-8"}, "es"),
        ({"LANG": "de", "LC_MESSAGES": "es", "LC_ALL": "fr_CA@euro"}, "fr"),
        ({"LC_ALL": "fr", "LANGUAGE": "ca:pt_BR:es"}, "pt"),
        ({"LANGUAGE": "", "LANG": "pt-PT"}, "pt"),
        ({"LANG": "nb_NO"}, "en"),
    ],
)
def test_the_system_chooses_by_its_variables(environment: dict[str, str], code: str) -> None:
    assert language.language_of_environment(environment) == code


def test_a_language_is_named_by_its_code_its_name_or_a_place() -> None:
    assert [language.known_language(text) for text in ("de", "DE_at.UTF-8", "deutsch", "Français",
        "pt-BR", "German", "xx")] == [
        "de", "de", "de", "fr", "pt", "de", "",
    ]  # fmt: skip


def test_words_change_and_the_rest_of_an_error_stays() -> None:
    with pytest.raises(NotationError) as english:
        read_siteswap("5x4")
    language.choose_language("de")
    with pytest.raises(NotationError) as german:
        read_siteswap("5x4")
    assert counted(1, "prop") == "1 Requisit"
    assert counted(3, "prop") == "3 Requisiten"
    assert german.value.index == english.value.index
    assert german.value.text == english.value.text


def test_the_command_line_speaks_the_language_that_is_asked_for(tmp_path: Path) -> None:
    """Help, errors of the library that parses words, and errors of ours; JSON stays as it is."""

    def ran(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "juggle_anim", *words]
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "LANGUAGE": "fr"},
        )

    help_ = ran("check", "--language", "de", "-h").stdout
    assert "Optionen" in help_
    assert "Prüft, ob Muster" in help_
    assert "Il n'y a pas d'option" in ran("check", "--nothing").stderr
    plain, spoken = (
        json.loads(ran("check", "531", "--json", *more).stdout) for more in (["--language=en"], [])
    )
    assert plain == spoken


def test_no_help_of_a_command_or_an_option_stays_english() -> None:
    words = """
import json
import click
from juggle_anim.language import choose_language
choose_language("{code}")
from juggle_anim.cli.app import app
def helps(name, command):
    context = click.Context(command)
    found = {{name: command.get_usage(context).partition(" ")[0], f"{{name}} help": command.help}}
    for each in command.get_params(context):
        found[f"{{name}} {{each.name}}"] = " ".join(each.get_help_record(context))
    for word in getattr(command, "list_commands", lambda context: [])(context):
        found |= helps(f"{{name}} {{word}}", command.get_command(context, word))
    return found
print(json.dumps(helps("", app)))
"""
    english, german = (
        json.loads(subprocess.check_output([sys.executable, "-c", words.format(code=code)]))
        for code in ("en", "de")
    )
    assert len(english) > 200
    assert [name for name, help_ in english.items() if help_ and help_ == german[name]] == []


def test_a_language_is_spoken_for_a_while_and_in_one_thread_alone() -> None:
    with language.speaking("de"):
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(counted, 3, "ball").result() == "3 balls"
        with language.speaking("fr"):
            assert counted(3, "ball") == "3 balles"
        assert counted(3, "ball") == "3 Bälle"
    assert counted(3, "ball") == "3 balls"


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("", "en"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("ca,pt;q=0.3,es-ES;q=0.7, *;q=0.1", "es"),
        ("de;q=0, fr;q=0.001", "fr"),
        ("de;q=many;q=1,;;,q=1", "en"),
        ("fr" * 9999, "en"),
    ],
)
def test_a_browser_says_which_language_it_likes_best(header: str, code: str) -> None:
    assert language.preferred_language(header) == code


def test_what_the_library_tells_is_only_read_when_somebody_wants_to_know_it() -> None:
    """A program that starts in German does not read what a list of patterns needs."""
    words = (
        "from juggle_anim import language as l; l.choose_language('de'); l._('no'); "
        "print(l._catalogue.cache_info())"
    )
    assert "currsize=1" in subprocess.check_output([sys.executable, "-c", words], text=True)


def test_an_unknown_language_is_refused(program: Program) -> None:
    ran = program("check", "531", "--language", "klingon")
    assert ran.code == 2
    assert ran.err.startswith("--language: ")
    assert "Deutsch" in ran.err


def test_no_function_that_translates_takes_the_sign_for_something_else() -> None:
    """`_` is the translation; a loop over `_` in the same function would hide it, and fail where an
    error is made.
    """
    wrong = [
        f"{path.name}:{each.lineno}"
        for path, nodes in syntax_of_program().items()
        if any(map(_is_hidden_translation, nodes))
        for function in nodes
        if isinstance(function, ast.FunctionDef) and _translates(function)
        for each in _own_nodes(function)
        if _is_hidden_translation(each)
    ]
    assert wrong == []


def test_no_constant_is_put_into_a_text_in_english() -> None:
    """A constant that is marked by `N_` is still English, so what puts it into another text
    translates it.
    """
    syntax = syntax_of_program()
    constants = {
        name.id
        for (module, *_) in syntax.values()
        if isinstance(module, ast.Module)
        for each in module.body
        if isinstance(each, ast.Assign) and any(_calls(part, "N_") for part in ast.walk(each.value))
        for name in each.targets
        if isinstance(name, ast.Name)
    } - {"TITLES"}  # which also name buttons that nobody reads
    wrong = [
        f"{path.name}: {name}"
        for path, nodes in syntax.items()
        for each in nodes
        for value in _values_put_in(each)
        for name in _uncalled_names(value)
        if name in constants
    ]
    assert len(constants) > 30
    assert wrong == []


def test_no_error_says_a_sentence_that_is_in_no_catalogue() -> None:
    known = {
        text
        for each in _texts_of(language.DOMAIN)
        for text in ([each.id] if isinstance(each.id, str) else each.id)
    }
    errors = {each for each in vars(juggle_anim.errors) if each.endswith("Error")}
    wrong = [
        f"{path.name}:{each.lineno}"
        for path, calls in calls_of_program().items()
        for call in calls
        if called(call) in {*errors, "refusal"}
        for each in call.args
        if _SENTENCE.search(_literal(each)) and _literal(each) not in known
    ]
    assert wrong == []


_SENTENCE = re.compile(r"[a-z]{2,} [a-z]{2,}")


def _literal(node: ast.expr) -> str:
    """The letters of a text that stands in the program, less the values in it; empty for anything
    else.
    """
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(
        str(part.value)
        for part in parts
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )


def _calls(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and called(node) == name


def _values_put_in(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Call) and called(node) == "_":
        return [each.value for each in node.keywords]
    return [node.value] if isinstance(node, ast.FormattedValue) else []


def _uncalled_names(node: ast.AST) -> Iterator[str]:
    """Names in an expression, less those that a call makes something else of."""
    if isinstance(node, ast.Name):
        yield node.id
    if not isinstance(node, ast.Call):
        for child in ast.iter_child_nodes(node):
            yield from _uncalled_names(child)


def _is_hidden_translation(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "_" and isinstance(node.ctx, ast.Store)


def _translates(function: ast.FunctionDef) -> bool:
    return any(
        isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == "_"
        for each in _own_nodes(function)
    )


def test_german_labels_keep_their_capital_letter_within_a_sentence() -> None:
    for code, words in (("en", "dwell"), ("de", "Haltezeit"), ("fr", "tenue")):
        language.choose_language(code)
        assert language.within_sentence(row_named("dwell").label) == words


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function, less those with names of their own: functions and comprehensions."""
    inner = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    left = list(ast.iter_child_nodes(function))
    while left:
        node = left.pop()
        yield node
        if not isinstance(node, inner):
            left += ast.iter_child_nodes(node)
