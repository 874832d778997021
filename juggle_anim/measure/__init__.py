"""Measurements of animated jugglers beside those of people, and fits of model constants.

Each module prints its figures: `python -m juggle_anim.measure.realism`. Recordings are those in
`tests/data` of a checkout.
"""
