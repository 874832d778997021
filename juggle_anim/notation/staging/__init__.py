"""Staging as text: where hands, bodies and props go, as settings say it."""

from juggle_anim.notation.staging.read import read_staging, staging_texts

__all__ = ["read_staging", "staging_texts"]
