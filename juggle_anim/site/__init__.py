"""The program as a folder of files for any web host: Python runs in the browser of whoever opens
it.
"""
