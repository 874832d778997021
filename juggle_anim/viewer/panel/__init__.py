"""What stands behind the panel: controls, their values, presets and overrides."""
