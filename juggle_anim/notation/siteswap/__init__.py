"""Siteswap: parsing, placing on beats, wildcards, and writing."""
