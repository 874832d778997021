"""Metadata: the record of an export in its file, written by exports and read to open the file
again.
"""
