"""How the camera of a film is to move that is written beside the window, and the question about it."""

from __future__ import annotations

from collections.abc import Callable

from juggle_anim.language import _
from juggle_anim.scene.camera import EYE_VIEW
from juggle_anim.viewer.camera.camera_rig import DEFAULT_VIEW, CameraRig
from juggle_anim.viewer.screenshot import FilmCamera
from juggle_anim.viewer.state.prompt import Answer, Question


def film_question(name: str, rig: CameraRig, film: Callable[[FilmCamera], None], has_path: bool = False) -> Question:
    """Return the question from where a film is seen; Enter answers as the window shows it.

    Args:
        name: of the file.
        rig: the camera of the window; where it has been turned, the film can come from the front to it.
        film: begins the film.
        has_path: whether there is a camera path; then Enter follows it.
    """

    def answer(label: str, key: str, camera: FilmCamera) -> Answer:
        return Answer(label, key, lambda: film(camera))

    answers = [
        answer(_("As it is here"), "h", FilmCamera.HERE),
        answer(_("Once around"), "o", FilmCamera.TURNTABLE),
    ]
    if rig.is_manual or rig.view not in (DEFAULT_VIEW, EYE_VIEW):
        answers.append(answer(_("From the front to here"), "f", FilmCamera.FROM_FRONT))
    title, text = _("The camera of {name}", name=name), _("From where is it seen? Enter films it as it is here.")
    if has_path:
        answers.insert(0, answer(_("Along the camera path"), "p", FilmCamera.PATH))
        text = _("From where is it seen? Enter follows the path.")
    return Question(title, text, (*answers, Answer(_("Cancel"), "c")))
