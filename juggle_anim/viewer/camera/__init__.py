"""The camera of the viewer: what turns and moves it, and the camera paths of films."""
