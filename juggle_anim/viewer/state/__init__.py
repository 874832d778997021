"""The state of a viewer and what changes it: no window, no OpenGL."""
