"""What the processes of a server do: read a query's settings, refuse what is too much, and make the
file.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from juggle_anim.animation import Animation
from juggle_anim.choreography import Score
from juggle_anim.errors import JuggleError, ParameterError, RenderError, counted
from juggle_anim.exporter.export import Job, export_jobs
from juggle_anim.exporter.options import ExportOptions
from juggle_anim.language import _, speaking
from juggle_anim.notation import read_settings
from juggle_anim.parameters import DEFAULTS
from juggle_anim.prints import print_ladder
from juggle_anim.server.exchange import (
    FACTS,
    FORMATS,
    MAX_BEATS,
    MAX_FRAMES,
    MAX_JUGGLED,
    MAX_JUGGLERS,
    MAX_PIXELS,
    MAX_PROPS,
    Answer,
    Query,
)


def draw(query: Query) -> Answer:
    """Return the answer to a query, in its language.

    It is a refusal where the pattern is none, or takes too long to draw.
    """
    with speaking(query.language):
        return _drawn(query)


def _drawn(query: Query) -> Answer:
    """Return the answer to a query in the present language."""
    try:
        animation = open_bounded(query.settings)
        if query.format == FACTS:
            return Answer(
                200, media="application/json", content=json.dumps(facts(animation)).encode()
            )
        return Answer(200, media=FORMATS[query.format], content=_file_content(animation, query))
    except (RenderError, MemoryError) as error:
        return Answer.refusal(500, _("this server cannot draw now: {error}", error=error))
    except JuggleError as error:
        return Answer.refusal(400, str(error))


def open_bounded(settings: str) -> Animation:
    """Return the animation of a settings string, within the limits of a server.

    Args:
        settings: as of `read_settings`; it is never taken for the name of a file.

    Raises:
        JuggleError: it is no pattern, or one that takes too long to draw.
    """
    # What can be counted before anything is computed.
    read = read_settings(settings)
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

    # Drawing takes time for each second of each juggler.
    animation = Animation(score, read.applied_to(DEFAULTS))
    if animation.duration * animation.jugglers > MAX_JUGGLED:
        raise ParameterError(
            _(
                "one loop of this pattern lasts {duration:.0f} s; this server shows at most "
                "{most:.0f} s of {jugglers}",
                duration=animation.duration,
                most=MAX_JUGGLED / animation.jugglers,
                jugglers=counted(animation.jugglers, "juggler"),
            )
        )
    return animation


def facts(animation: Animation) -> dict[str, Any]:
    """Return what is known of a pattern: values for programs, and a sentence for people.

    Seconds are those of one loop at the speed at which it is shown; the tempo is in beats/s of the
    pattern itself.
    """
    score: Score = animation.score
    pattern = score.pattern
    period = pattern.beats(pattern.written_period) if pattern else None
    # Of several kinds of props the first.
    kind = next(iter(score.staging.props.kinds))
    tempo = round(animation.choreography.bps, 2)
    phrases = (
        counted(animation.jugglers, "juggler") if animation.jugglers > 1 else "",
        counted(score.props, "prop" if kind == "image" else kind),
        _("period {period}", period=period) if period else "",
        f"{tempo} {_('beats/s')}",
    )
    return {
        "valid": True,
        "title": animation.title,
        "settings": animation.settings,
        "props": score.props,
        "jugglers": animation.jugglers,
        "period": period,
        "seconds": round(animation.duration / animation.parameters.speed, 3),
        "kind": kind,
        "tempo": tempo,
        "sentence": ", ".join(filter(None, phrases)),
    }


def _file_content(animation: Animation, query: Query) -> bytes:
    """Return the content of the file that a query asks for."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"animation.{query.format}")
        if query.format == "svg":
            print_ladder(animation, path)
        else:
            _bounded_job(animation, path, query).write(force=True)
        return path.read_bytes()


def _even_size(query: Query) -> tuple[int, int]:
    """Return the size, which for a video must be even."""
    if query.format not in ("mp4", "webm"):
        return query.size
    width, height = query.size
    return width + width % 2, height + height % 2


def _bounded_job(animation: Animation, path: Path, query: Query) -> Job:
    """Return the export job of a query, of one loop where the usual number would be too much.

    Args:
        animation: what to draw.
        path: of the file; its ending is the format.
        query: size, frame rate and camera.

    Raises:
        ParameterError: one loop has too many frames, or too many pixels in all.
    """
    for loops in (None, 1):
        cameras = (query.camera,) if query.camera else ()
        options = ExportOptions(size=_even_size(query), fps=query.fps, cameras=cameras, loops=loops)
        (job,) = export_jobs(animation, path, options)
        width, height = job.request.size
        # Encoding a video takes time for each pixel.
        pixels = job.request.frames * width * height if job.kind == "video" else 0
        if pixels <= MAX_PIXELS and job.request.frames <= MAX_FRAMES:
            return job
    raise ParameterError(
        _(
            "that would be {frames} frames of {width}×{height} pixels; this server draws at most "
            "{most} frames, and "
            "{millions} million pixels in all: ask for fewer by fps, width and height",
            frames=job.request.frames,
            width=width,
            height=height,
            most=MAX_FRAMES,
            millions=MAX_PIXELS // 1_000_000,
        )
    )
