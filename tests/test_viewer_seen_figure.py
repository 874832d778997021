import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.body import Joint
from juggle_anim.viewer.state.local_figure import LocalFigure

TIME = 0.3


def test_a_figure_is_seen_from_itself_whichever_way_it_faces() -> None:
    animation = animate("<3p|3p>")
    for juggler in (0, 1):
        figure = LocalFigure.of(animation, TIME, juggler)
        joints = animation.pose(np.array([TIME])).joints[0, juggler]
        assert figure.to_world(figure.joints) == pytest.approx(joints, abs=1e-12)
        assert figure.at("SHOULDER", 0)[0] > 0.1 > -0.1 > figure.at("SHOULDER", 1)[0]
        assert figure.joints[Joint.FACE][2] > figure.joints[Joint.HEAD][2]
