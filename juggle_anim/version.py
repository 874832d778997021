"""The version, for all parts that tell it."""

__version__ = "0.1.0"
