"""Editing by hand in the window: what is chosen and dragged, and what each change does."""
