"""What tests of a driven viewer ask for beyond its state: the clock, what is heard, and what was
chosen.
"""

from typing import Any

import numpy as np

from juggle_anim.sound import SAMPLE_RATE
from juggle_anim.viewer.editor.picture_editor import numbers_of
from juggle_anim.viewer.learning.lesson_card import next_throws
from juggle_anim.viewer.panel.controls import CONTROLS, WINDOW_CONTROLS, chosen_value
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import FACTS, FOOTAGE, LESSON
from juggle_anim.viewer.state.model import Model

_LONGEST = 0.1  # s; the viewer does not make up for more


class Clock:
    """How long the viewer has played."""

    def __init__(self) -> None:
        self.played = 0.0
        """Real time in which it did not stand still, as it counts it, [s]."""

    def tick(self, model: Model, elapsed: float) -> None:
        """Real time passes, [s]."""
        if not model.playback.paused:
            self.played += min(elapsed, _LONGEST)


class Eye:
    """Watches how fast props go from one picture to the next, while patterns follow one another."""

    def __init__(self) -> None:
        self.fastest = 0.0
        """The greatest speed, [m/s]."""
        self._seen: tuple[float, np.ndarray] | None = None

    def look(self, model: Model) -> None:
        """See the picture of the present time."""
        routine, clock = model.live.last.routine, model.playback.clock
        if routine is None:
            self._seen = None
            return
        props = routine.sample(np.array([clock])).props[0]
        if self._seen and clock > self._seen[0] and len(props) == len(self._seen[1]):
            steps = np.linalg.norm(props - self._seen[1], axis=1)
            self.fastest = max(self.fastest, float(steps.max()) / (clock - self._seen[0]))
        self._seen = clock, props


class Ear:
    """Hears what a viewer plays, in place of an audio device."""

    def __init__(self) -> None:
        self.heard: list[tuple[int, int]] = []
        """Of each sound its pitch, [Hz], and its loudness in thousandths."""

    def play(self, sound: np.ndarray) -> None:
        """Hear a sound, shape (samples,)."""
        spectrum = np.abs(np.fft.rfft(sound))
        pitch = round(float(np.argmax(spectrum) * SAMPLE_RATE / len(sound)))
        self.heard.append((pitch, round(float(np.abs(sound).max()) * 1000)))


def _beside(model: Model) -> dict[str, Any] | None:
    other = model.other
    if other is None:
        return None
    camera, settled = other.rig.camera, other.rig.settled
    arms = other.animation.parameters.arms
    return {
        "pattern": other.text,
        "arms": arms,
        "eye": camera.eye,
        "target": camera.target,
        "settled": settled,
    }


def _picture(controller: Controller) -> dict[str, Any]:
    """The handles in the picture, each by its kind, hand and number: where it is seen, [pixels];
    and what is chosen.
    """
    picture, keys = controller.picture, controller.picture_keys
    if not controller.editor.shown:
        return {"handles": {}}
    handles, counts = picture.handles, dict[str, int]()
    seen, places = picture.view.to_window(handles.places), dict[str, list[float]]()
    for point, place in zip(handles.points, seen.tolist(), strict=True):
        name = f"{point.mark.name.lower()} {point.hand if point.hand >= 0 else point.juggler}"
        counts[name] = counts.get(name, -1) + 1
        places[f"{name} {counts[name]}"] = place
    chosen = picture.chosen[-1:]
    return {
        "handles": places,
        "chosen": numbers_of(picture.animation, chosen[0]) if chosen else "",
        "hovered": picture.hovered.mark.name if picture.hovered else "",
        "entry": [keys.entry.text, keys.entry.error] if keys.entry else None,
        "arrow": arrow[1].tolist() if (arrow := picture.arrow()) is not None else None,
        "paths": [
            picture.view.to_window(path).tolist()[:: max(len(path) // 20, 1)]
            for path in picture.paths
        ],
        "dragging": controller.editor.is_dragging,
        "place": controller.editor.place,
        "symmetric": controller.editor.symmetric,
        "copied": keys.copied,
        "event": chosen[0].event if chosen else None,
    }


def _lesson(controller: Controller) -> dict[str, Any] | None:
    """The lesson that runs: which row of which is juggled, and what the hands throw next."""
    lesson, model = controller.lesson, controller.model
    if not lesson.is_running:
        return None
    juggled, time, _ = model.moment
    coming = next_throws(juggled, model.throw_values.of(juggled.score), time)
    return {
        "card": model.cards.is_visible(LESSON),
        "row": lesson.row,
        "steps": [step.title for step in lesson.steps],
        "speeds": lesson.speeds,
        "problem": lesson.problem,
        "words": lesson.lesson.words.look if lesson.lesson and lesson.lesson.words else "",
        "about": lesson.lesson.about if lesson.lesson else "",
        "next": [[each.hand, each.text, each.is_next] for each in coming],
        "props": model.animation.score.props,
    }


def _drop_down(model: Model) -> dict[str, Any] | None:
    """The list of options that is open: its control, its options with what stands beside each, and
    the lit one.
    """
    opened = model.drop_downs.now
    if opened is None or opened.fresh:
        return None
    options = {option.words: option.note for option in opened.options}
    lit = opened.options[opened.index].words
    return {
        "name": opened.name,
        "options": options,
        "lit": lit,
        "typed": opened.typed,
        "error": opened.error,
    }


def more_state(controller: Controller, clock: Clock, ear: Ear) -> dict[str, Any]:
    """More of what a viewer shows, as JSON can hold it."""
    model, browser = controller.model, controller.library.browser
    return {
        "given": {
            **{row.name: chosen_value(model.animation, row) for row in CONTROLS},
            **{row.name: model.window_controls.value(row) for row in WINDOW_CONTROLS},
        },
        "drop_down": _drop_down(model),
        "focus": model.focus.chosen,
        "trouble": model.error or model.preset_list.error,
        "backwards": model.playback.backwards,
        "played": clock.played,
        "sound": model.sound.on,
        "heard": ear.heard,
        "filters": [shelf.index for shelf in browser.filters]
        if controller.library.is_browsing
        else [0, 0, 0, 0],
        "turning": model.lab.orients_hand if model.lab else False,
        "loop": model.animation.duration,
        "diagram": model.diagrams.kind,
        "facts": model.cards.strip == FACTS,
        "collisions_sought": model.facts.is_waiting,
        "collisions": [hit.time for hit in model.facts.hits(model.animation)],
        "film": {
            "name": controller.footage.path.name,
            "card": model.cards.panel == FOOTAGE,
            "place": controller.footage.place,
            "time": round(controller.footage.time, 4),
            "late": controller.footage._delay,
            "marks": [[mark.pressed, mark.released] for mark in controller.footage.marks.made],
            "controls": controller.footage.controls.changed,
        },
        "editing": controller.editor.shown,
        "lesson": _lesson(controller),
        "welcome": controller.welcome.number if controller.welcome.shown else None,
        "welcome_box": [*controller.welcome.box.low, *controller.welcome.box.size]
        if controller.welcome.box
        else None,
        "handles": [str(handle) for handle in controller.editor.selection],
        "menu": [line.words for line in getattr(controller.editor.menu, "lines", ())],
        "events": [round(time, 4) for time in model.animation.choreography.events.time.tolist()],
        "picture": _picture(controller),
        "live": model.live_change,
        "clock": model.playback.clock,
        "way": [list(each) for each in model.live.transition_texts(model.playback.clock)],
        "followed": [each.text for each in model.live.stretches],
        "saving": [saving.words for saving in model.screen.saving],
        "palette": {
            "found": [command.name for command in controller.palette.found],
            "chosen": controller.palette.index,
        }
        if controller.palette.shown
        else None,
        "help_page": model.help_pages.first,
        "half": model.half,
        "beside": _beside(model),
    }
