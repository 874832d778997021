"""`python -m juggle_anim`: the command line."""

from juggle_anim.cli.main import main

if __name__ == "__main__":
    main()
