from juggle_anim.exporter.view import DEFAULT_VIEW, VIEWS
from juggle_anim.scene.camera import CAMERA_PRESETS


def test_exports_take_their_views_from_the_same_table() -> None:
    assert {view.name: (view.azimuth, view.elevation) for view in VIEWS} == CAMERA_PRESETS
    assert DEFAULT_VIEW.name == "default"
