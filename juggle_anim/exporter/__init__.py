"""Exports: an animation written to files.

Nothing is imported here, so that commands can read the options of an export without loading the
exporters.
"""
