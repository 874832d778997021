"""Answers to queries: read the settings, refuse what is too much, and make the file.

Processes of a server run it, and Python in a browser; so what draws is imported when it is used.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from juggle_anim.animation import Animation
from juggle_anim.errors import (
    FileError,
    JuggleError,
    NotationError,
    ParameterError,
    RenderError,
    RoutineError,
    counted,
    printable,
    sentence,
    without_command,
)
from juggle_anim.exporter import (
    DEFAULT_VIEW,
    FrameRequest,
    loops_until_props_return,
    read_view,
)
from juggle_anim.exporter.page.page import JsonObject, pattern_data, planned_data
from juggle_anim.language import _, pgettext, speaking
from juggle_anim.notation import (
    WRITTEN,
    Entry,
    PatternList,
    lines_below,
    near_siteswaps,
    note_sentences,
    read_text,
    write_file,
    write_jml,
    write_patterns,
    write_routine,
    write_settings,
)
from juggle_anim.parameters import DEFAULTS
from juggle_anim.server.exchange import (
    COLLISIONS,
    CURVES,
    DRAFT,
    FACTS,
    FORMATS,
    GENERATED,
    LADDER,
    LANDINGS,
    LESSON,
    LINES,
    MAX_BEATS,
    MAX_FOUND,
    MAX_FPS,
    MAX_FRAMES,
    MAX_JUGGLED,
    MAX_JUGGLERS,
    MAX_LISTED,
    MAX_PIXELS,
    MAX_PROPS,
    MENU,
    OPENED,
    PLAN,
    SENT,
    STATES,
    Answer,
    Query,
    settings_by_key,
)
from juggle_anim.server.query import divided_settings, read_query, read_shown

if TYPE_CHECKING:
    from juggle_anim.exporter import Job  # it draws, which not all do who answer


def draw(query: Query) -> Answer:
    """Return the answer to a query, in its language.

    It is a refusal where the pattern is none, or takes too long to draw.
    """
    with speaking(query.language):
        return _drawn(query)


def _drawn(query: Query) -> Answer:
    """Return the answer to a query in the present language: facts, a file of patterns or a picture.

    Args:
        query: its format says which.

    Returns:
        The answer; a refusal with status 500 if this server cannot draw, or 400 if the query is
        wrong.
    """
    try:
        if query.format in _TOLD:
            document = _TOLD[query.format](query)
            content = json.dumps(document, separators=(",", ":")).encode()
            return Answer(200, media="application/json", content=content)
        if query.format in SENT:
            content = _saved(query.settings, query.file)
            return Answer(200, media="text/plain; charset=utf-8", content=content)
        animation = open_bounded(query.settings)
        return Answer(200, media=FORMATS[query.format], content=_file_content(animation, query))
    except (RenderError, MemoryError) as error:
        return Answer.refusal(500, _("this server cannot draw now: {error}", error=error))
    except NotationError as error:
        near = (error.near or near_siteswaps(error.text)) if query.format == FACTS else ()
        # Patterns that may have been meant stand in place of what would be accepted, and a library
        # to search in place of a command line.
        accepted = without_command(error.accepted)
        shown = str(error).removesuffix(error.accepted)
        text = sentence(shown if near else shown + sentence(accepted))
        return Answer.refusal(400, text.strip(), near=near)
    except RoutineError as error:
        return Answer.refusal(400, str(error), lines=error.sentences)
    except JuggleError as error:
        return Answer.refusal(400, str(error))


@lru_cache(maxsize=2)
def open_bounded(settings: str) -> Animation:
    """Return the animation of a settings string, within the limits of a server; cached.

    Args:
        settings: a siteswap, a name or `key=value;key=value`; never taken for the name of a file.

    Raises:
        JuggleError: it is no pattern, or one that takes too long to draw.
    """
    # Check what can be counted before anything is computed.
    read = read_shown(settings)
    score = read.score
    beats = score.pattern.period if score.pattern else 0
    for unit, count, limit in (
        ("juggler", score.jugglers, MAX_JUGGLERS),
        ("prop", score.props, MAX_PROPS),
        ("beat", beats, MAX_BEATS),
    ):
        if count > limit:
            raise ParameterError(
                _(
                    "this pattern has {found}, and this server shows at most {most}",
                    found=counted(count, unit),
                    most=limit,
                )
            )

    # The time that drawing takes grows with the seconds of a loop times the number of jugglers.
    animation = Animation(score, read.applied_to(DEFAULTS))
    if animation.duration * animation.num_jugglers > MAX_JUGGLED:
        raise ParameterError(
            _(
                "one loop of this pattern lasts {duration:.0f} s; this server shows at most "
                "{most:.0f} s of {jugglers}",
                duration=animation.duration,
                most=MAX_JUGGLED / animation.num_jugglers,
                jugglers=counted(animation.num_jugglers, "juggler"),
            )
        )
    return animation


def facts(query: Query) -> JsonObject:
    """Return the facts of a pattern: values for programs, and a sentence for people.

    "seconds" is the duration of a loop at playback speed; "tempo" is in beats/s of the pattern
    itself.

    Args:
        query: the query with the pattern's settings.

    Returns:
        JSON values by name.
    """
    animation = open_bounded(query.settings)
    score = animation.score
    pattern = score.pattern
    period = pattern.beats(pattern.written_period) if pattern else None
    # Imported here, as diagrams are not wanted at the start.
    from juggle_anim.diagrams import pattern_in_words

    # Of several kinds of props only the first is told.
    kind = next(iter(score.staging.props.kinds))
    tempo = round(animation.choreography.bps, 2)
    phrases = [counted(score.props, "prop" if kind == "image" else kind)]
    if animation.num_jugglers > 1:
        phrases.insert(0, counted(animation.num_jugglers, "juggler"))
    words = ""
    if pattern:
        words = f"{', '.join(phrases)}. {pattern_in_words(pattern)}".strip()
    if period:
        phrases.append(_("period {period}", period=period))
    phrases.append(f"{tempo} {_('beats/s')}")
    lines = [line for line in (score.routine.lines if score.routine else ()) if line.number]
    parts = [line.shown for line in lines]
    # A stop behind all others ends the routine.
    if parts and parts[-1] == "stop":
        parts[-1] = pgettext("last part of a routine", "end")
    return {
        "valid": True,
        "title": animation.title,
        # A settings string holds no events, nor a routine that has been laid out.
        "settings": animation.settings if score.pattern else query.settings,
        "props": score.props,
        "jugglers": animation.num_jugglers,
        "period": period,
        "seconds": round(animation.duration / animation.parameters.speed, 3),
        "kind": kind,
        "tempo": tempo,
        "sentence": ", ".join(phrases),
        "words": words,
        "tricks": [
            {"line": line.number, "text": text, "begins": line.begins, "ends": line.ends}
            for line, text in zip(lines, parts, strict=True)
        ],
    }


def curves(query: Query) -> JsonObject:
    """Return what the page's player shows of an animation, as JSON values.

    Beside `pattern_data`, "cycle" is the time after which all props are back where they were, [s].

    Args:
        query: its format says whether bodies are planned or a draft, and whether they are all that
            is wanted.
    """
    animation = open_bounded(query.settings)
    view = read_view(query.camera) if query.camera else DEFAULT_VIEW
    # Planning bodies takes most of the time of an answer.
    posed = animation.at_ease() if query.format == DRAFT else animation
    # One frame, as the player chooses its times by itself.
    request = FrameRequest(posed, query.size, MAX_FPS, seconds=1 / MAX_FPS, view=view)
    if query.format == PLAN:
        return planned_data(request)
    cycle = animation.duration * loops_until_props_return(animation, shortest=0.0)
    return {**pattern_data(request), "cycle": cycle}


def _told_ladder(query: Query) -> JsonObject:
    """Return what the page asks about its ladder; see `juggle_anim.server.ladder`."""
    # Imported here, as not everybody wants a ladder.
    from juggle_anim.server import ladder

    animation = open_bounded(query.settings)
    if query.format == LADDER:
        return ladder.shown_ladder(animation)
    return (ladder.menu if query.format == MENU else ladder.landings)(animation, query)


def _shown_states(query: Query) -> JsonObject:
    """Return the state graph of a pattern as a picture: SVG text under the key "svg".

    Args:
        query: the query with the pattern's settings.

    Raises:
        ParameterError: the settings give timed events, which have no states.
    """
    # Imported here, as few people ask for it.
    from juggle_anim.diagrams import StateDiagram, draw_state_diagram, svg
    from juggle_anim.pattern.state_graph import StateGraph

    animation = open_bounded(query.settings)
    if animation.pattern is None:
        raise ParameterError(
            _(
                "{title} has timed events without beats, so it has no states",
                title=printable(animation.title, 40),
            )
        )
    graph = StateGraph.of_pattern(animation.pattern)
    title = _("States of {title}", title=printable(animation.title, 70))
    subtitle = f"{counted(len(graph.states), 'state')}, {counted(len(graph.edges), 'edge')}"
    return {"svg": svg(draw_state_diagram(StateDiagram.lay_out(graph), title, subtitle))}


def _told_collisions(query: Query) -> JsonObject:
    """Return where props collide: in "words", and the "time" of the deepest or nearest, [s]."""
    # Imported here, as few people ask for it.
    from juggle_anim.analysis import collision_words, find_collisions, who_meet

    animation = open_bounded(query.settings)
    collisions = find_collisions(animation)
    words, meeting = collision_words(collisions, animation)
    if meeting and collisions.collisions:
        words = _(
            "{collisions} in each loop. Paused at the worst: {participants}.",
            collisions=counted(len(collisions.collisions), "collision"),
            participants=who_meet(meeting, animation),
        )
    return {"words": sentence(words), "time": meeting and meeting.time}


def _opened(query: Query) -> JsonObject:
    """Return the patterns of a file, as JSON values.

    "title" is that of the list, or else the name of the file. Each of "patterns" has a "name", and
    either the "settings" that open it or, if it is not valid, the "error". "notes" say what of the
    file is not shown.

    Args:
        query: the query with the text of the file in place of settings, and with its name, whose
            ending says what it is where the text does not.

    Raises:
        FileError: it is no file of patterns.
    """
    name = query.file
    patterns = read_text(query.settings, name, Path(name))
    rows = [_listed(entry, name) for entry in patterns.patterns[:MAX_LISTED]]
    left_out = len(patterns.patterns) - len(rows)
    notes = note_sentences(patterns.notes)
    if left_out:
        notes.append(_("{count} more patterns are not listed", count=left_out))
    return {"title": patterns.title or name, "patterns": rows, "notes": notes}


def _listed(entry: Entry, file: str) -> JsonObject:
    """Return what the page is told of a pattern in a file, whose name it has if it has none."""
    name = entry.display or file
    try:
        if entry.error:
            raise entry.error
        settings = _settings_for_page(entry)
        title = {} if name == settings["pattern"] else {"title": name}
        return {"name": name, "settings": {**settings, **title}}
    except JuggleError as error:
        return {"name": name, "error": str(error).splitlines()[0]}


def _settings_for_page(entry: Entry) -> Mapping[str, str]:
    """Return the settings that open a pattern in the page.

    The value of "pattern" is a siteswap; of a routine its lines, and of timed events their JML.

    Args:
        entry: a valid pattern of a file.

    Returns:
        Values by the keys of settings.
    """
    assert entry.settings is not None, "it is valid"
    score = entry.settings.score
    if score.pattern:
        parameters = entry.settings.applied_to(DEFAULTS)
        return settings_by_key(write_settings(score, parameters))
    # `write_routine` returns an empty text for what is not a routine.
    alone = PatternList((entry,), single=True)
    text = write_routine(alone) or write_jml(alone)
    return {"pattern": f"{text.strip()}\n"}


def _saved(text: str, name: str) -> bytes:
    """Return the content of a file of some patterns.

    Args:
        text: a pattern in each line, as the query of the address that opens it; lines after the
            first `MAX_LISTED` are left out.
        name: name of the file; its ending chooses the format.

    Raises:
        FileError: the ending is not one of a format for lists.
        JuggleError: a line is not a valid pattern.
    """
    file_format = WRITTEN.get(Path(name).suffix.casefold())
    if file_format is None:
        raise FileError(
            _("{path}: unknown file ending; use {kinds}", path=name, kinds=", ".join(WRITTEN))
        )
    entries = tuple(_entry(line) for line in text.splitlines()[:MAX_LISTED])
    return write_patterns(PatternList(entries), file_format).text.encode()


def _entry(line: str) -> Entry:
    """Return a pattern of a list as the page has it: the query of its address.

    Raises:
        JuggleError: it is no pattern.
    """
    settings = read_shown(read_query(line).settings)
    score = settings.score
    text = write_settings(score, settings.applied_to(DEFAULTS)) if score.pattern else ""
    return Entry(score.name, settings, text=text)


def told_lesson(query: Query) -> JsonObject:
    """Return how to learn a pattern, step by step, as JSON values.

    Args:
        query: the query with the pattern's settings.

    Returns:
        Words about the pattern, and steps, each with a title, advice, what to do about trouble, and
        settings that open its "pattern".
    """
    from juggle_anim.notation import lesson_of

    animation = open_bounded(query.settings)
    course = lesson_of(animation.score, animation.parameters)
    return {
        "about": course.about,
        "steps": [
            {
                "title": step.title,
                "advice": step.advice,
                "trouble": step.trouble,
                "pattern": step.text,
            }
            for step in course.steps
        ],
    }


def lines(query: Query) -> JsonObject:
    """Return the lines of a routine, even of one that has errors, as JSON values.

    "head" is its lines with settings, and "lines" are all below them. A plain pattern becomes the
    first line of a new routine.

    Args:
        query: the query with the pattern's settings.

    Raises:
        EditError: events of a file are shown.
    """
    text, _others = divided_settings(query.settings)
    if "\n" not in text or text.lstrip().startswith("<"):
        text = open_bounded(query.settings).as_routine()
    below = [line for _number, line in lines_below(text)]
    all_lines = text.splitlines()
    return {"head": all_lines[: len(all_lines) - len(below)], "lines": below}


def generated(query: Query) -> JsonObject:
    """Return patterns of a generator, and whether there are more, as JSON values."""
    from juggle_anim.generator import find_patterns, read_arguments

    options, _printed = read_arguments(divided_settings(query.settings)[0])
    patterns = list(islice(find_patterns(options), MAX_FOUND + 1))
    return {"patterns": patterns[:MAX_FOUND], "more": len(patterns) > MAX_FOUND}


_TOLD = {
    FACTS: facts,
    CURVES: curves,
    DRAFT: curves,
    PLAN: curves,
    LADDER: _told_ladder,
    LANDINGS: _told_ladder,
    MENU: _told_ladder,
    STATES: _shown_states,
    COLLISIONS: _told_collisions,
    LESSON: told_lesson,
    LINES: lines,
    GENERATED: generated,
    OPENED: _opened,
}


def _file_content(animation: Animation, query: Query) -> bytes:
    """Return the content of the file that a query asks for.

    Args:
        animation: what is shown.
        query: its format is the ending of the file.

    Raises:
        ParameterError: a routine is requested, but the animation is none.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"animation.{query.format}")
        if query.format == "svg":
            from juggle_anim.prints import print_ladder

            print_ladder(animation, path)
        elif query.format == "routine" and not animation.score.routine:
            raise ParameterError(_("this is not a routine; save it as .jml"))
        elif query.format in ("jml", "jif", "routine"):
            entry = Entry(animation.title, animation.as_settings())
            write_file(PatternList((entry,), single=True), path)
        else:
            # Films and pictures, within the limits of a server.
            _bounded_job(animation, path, query).write(force=True)
        return path.read_bytes()


def _even_size(query: Query) -> tuple[int, int]:
    """Return the size, which for a video must be even."""
    if query.format not in ("mp4", "webm"):
        return query.size
    width, height = query.size
    return width + width % 2, height + height % 2


def _bounded_job(animation: Animation, path: Path, query: Query) -> Job:
    """Return the export job of a query, within the limits of this server.

    A film has the usual number of loops, or one loop if those would be too much. Other formats have
    no limit of pixels.

    Args:
        animation: what to draw.
        path: path of the file; its ending is the format.
        query: size, frame rate and camera.

    Raises:
        ParameterError: one loop has too many frames, or too many pixels in all.
    """
    from juggle_anim.exporter import ExportOptions, export_jobs

    cameras = (query.camera,) if query.camera else ()
    for loops in (None, 1):  # None is the usual number
        options = ExportOptions(size=_even_size(query), fps=query.fps, cameras=cameras, loops=loops)
        (job,) = export_jobs(animation, path, options)  # one camera, so one file
        width, height = job.request.size
        # The time to encode a video grows with its pixels; other formats are limited by frames.
        pixels = job.request.frames * width * height if job.kind == "video" else 0
        if pixels <= MAX_PIXELS and job.request.frames <= MAX_FRAMES:
            return job
    # `job` is that of one loop.
    raise ParameterError(
        _(
            "that would be {frames} frames of {width}×{height} pixels; this server draws at most "
            "{most} frames, and {millions} million pixels in all: lower fps, width or height",
            frames=job.request.frames,
            width=width,
            height=height,
            most=MAX_FRAMES,
            millions=MAX_PIXELS // 1_000_000,
        )
    )
