"""A server of animations: a page to type patterns into, and pictures by address, as Juggling Lab's
GIF server has.
"""
