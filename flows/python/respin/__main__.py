"""`python -m respin` is the program itself."""

import os
import sys

from .program import find_program

program = find_program()
os.execv(program, [program, *sys.argv[1:]])
