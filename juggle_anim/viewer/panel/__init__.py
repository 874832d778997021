"""What stands behind the panel: controls and their values, what is listed, presets and
overrides.
"""
