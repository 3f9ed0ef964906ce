"""`python -m veery …` is the command `veery …`."""

import sys

from ._program import become_program

if __name__ == "__main__":
    become_program(sys.argv[1:])
