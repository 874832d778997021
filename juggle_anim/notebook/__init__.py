"""Notebooks: an animation with sliders that Python and the browser both turn."""

from juggle_anim.notebook.widget import AnimationWidget

__all__ = ["AnimationWidget"]
