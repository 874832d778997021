"""Models and tables: skeletons that move, for other programs, and the numbers of every joint and
prop.
"""
