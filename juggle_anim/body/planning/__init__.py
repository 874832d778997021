"""Slow movements of bodies over a loop: reach, gaze, steps, and elbows guided around fast
moments.
"""
