"""Editing: operations that change a pattern, its events or its staging, each valid or refused with
a reason.
"""
