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
from juggle_anim.exporter.options import ExportOptions, WriteOptions
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
            return Answer(200, "application/json", json.dumps(facts(animation)).encode())
        return Answer(200, FORMATS[query.format], _drawn_file(animation, query))
    except (RenderError, MemoryError) as error:
        return Answer.refusal(500, _("this server cannot draw now: {error}", error=error))
    except JuggleError as error:
        return Answer.refusal(400, str(error))


def open_bounded(settings: str) -> Animation:
    """Return the animation of a settings string, which never names a file.

    Its motion is not computed here, only its size and duration are checked.

    Raises:
        JuggleError: it is no pattern, or one that takes too long to draw.
    """
    parsed = read_settings(settings)
    score = parsed.score
    # Sizes are checked before the choreography is computed, whose time grows with them.
    beats = score.pattern.period if score.pattern else 0
    for thing, count, limit in (
        ("juggler", score.jugglers, MAX_JUGGLERS),
        ("prop", score.props, MAX_PROPS),
        ("beat", beats, MAX_BEATS),
    ):
        if count > limit:
            raise ParameterError(
                _(
                    "this pattern has {found}, and this server shows at most {most}",
                    found=counted(count, thing),
                    most=limit,
                )
            )
    animation = Animation(score, parsed.applied_to(DEFAULTS))
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
    """Return what is known of a pattern: values for programs, and a sentence for people."""
    score: Score = animation.score
    period = score.pattern.period if score.pattern else None
    kind = next(iter(score.staging.props.kinds))
    tempo = round(animation.choreography.bps, 2)  # beats/s
    # Empty phrases are left out of the sentence. Props with a picture have no name of their own.
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


def _drawn_file(animation: Animation, query: Query) -> bytes:
    """Return the content of the file that a query asks for."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"animation.{query.format}")
        if query.format == "svg":
            print_ladder(animation, path)
        else:
            _bounded_job(animation, path, query).write(True, None, WriteOptions())
        return path.read_bytes()


def _video_size(query: Query) -> tuple[int, int]:
    """Return the size, which for a video must be even."""
    if query.format not in ("mp4", "webm"):
        return query.size
    width, height = query.size
    return width + width % 2, height + height % 2


def _bounded_job(animation: Animation, path: Path, query: Query) -> Job:
    """Return the export job of a query; of one loop where the usual number would be too much.

    Args:
        animation: what is drawn.
        path: of the file that the job writes.
        query: says size, frames a second and camera.

    Raises:
        ParameterError: one loop is too much.
    """
    # None stands for the usual number of loops, until every prop is back.
    for loops in (None, 1):
        cameras = (query.camera,) if query.camera else ()
        options = ExportOptions(
            size=_video_size(query), fps=query.fps, cameras=cameras, loops=loops
        )
        (job,) = export_jobs(animation, path, options)
        width, height = job.request.size
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
