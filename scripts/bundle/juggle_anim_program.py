"""The program in a bundle, which also stands for the Python that its helper processes run in."""

import multiprocessing
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()
    if sys.argv[1:2] == ["-c"]:  # what worker_process.py asks of a Python
        exec(sys.argv[2])
    else:
        from juggle_anim.__main__ import main

        main()
