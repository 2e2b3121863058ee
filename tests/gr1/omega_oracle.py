"""Answers GR(1) specifications with the package omega.

Reads a JSON list of specifications from the file named on the command line, and prints one
line for each: 1 if it is realizable, 0 if not.
"""

import json
import logging
import sys

from omega.games import gr1
from omega.symbolic import temporal

logging.disable(logging.CRITICAL)


def conjunction(formulas):
    return " & ".join(f"({formula})" for formula in formulas) or "TRUE"


def realizable(specification):
    automaton = temporal.Automaton()
    environment = specification["environment"]
    system = specification["system"]
    automaton.declare_variables(**{name: "bool" for name in environment + system})
    automaton.varlist.update(env=environment, sys=system)
    automaton.prime_varlists()
    for player, side in (("env", "assumption"), ("sys", "guarantee")):
        automaton.init[player] = conjunction(specification[side]["initial"])
        automaton.action[player] = conjunction(specification[side]["safety"])
    # omega wants the states in which an assumption is not met, for ever.
    persistence = [f"!({formula})" for formula in specification["assumption"]["justice"]]
    recurrence = specification["guarantee"]["justice"]
    automaton.win["<>[]"] = automaton.bdds_from(*(persistence or ["FALSE"]))
    automaton.win["[]<>"] = automaton.bdds_from(*(recurrence or ["TRUE"]))
    automaton.qinit = r"\A \E"
    automaton.moore = False
    automaton.plus_one = False
    winning, _, _ = gr1.solve_streett_game(automaton)
    return gr1.is_realizable(winning, automaton)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        specifications = json.load(file)
    for specification in specifications:
        answer = realizable(specification)
        sys.stderr.flush()
        print("answer", int(answer), flush=True)


main()
