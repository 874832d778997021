"""Measures of what jugglers here do, beside people's, and fits of the numbers behind it.

Each module prints its figures: `python -m juggle_anim.measure.realism`. Recordings are those in
`tests/data` of a checkout.
"""
