"""What is after the panel: controls, their values, presets and overrides."""
