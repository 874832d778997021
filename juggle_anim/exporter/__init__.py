"""Files: an animation written down.

Nothing is imported here, so that commands can look at the options of an export without the weight of an export.
"""
