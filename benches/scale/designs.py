"""The rows of this benchmark: the designs of `designs/` in several sizes, whole and with a fault.

A fault is one small edit of one line. A row keeps the line as it was: that is what a repair should
give back.
"""

import re
from dataclasses import dataclass
from pathlib import Path

TEXTS = Path(__file__).resolve().parent / "designs"


@dataclass
class Row:
    """One text to be judged; `holds` is what the judgement should be."""

    name: str
    family: str
    text: str
    holds: bool
    live: bool
    line: int = 0
    fix: str = ""


def words(sizes):
    """Depth, width, and the bits of an index, of memories such as 16x8."""
    pairs = [(size, *map(int, size.split("x"))) for size in sizes.split()]
    return [
        (size, {"DEPTH": depth, "WIDTH": width, "INDEX": (depth - 1).bit_length()})
        for size, depth, width in pairs
    ]


def numbers(name, sizes, **others):
    """One parameter, and constant ones."""
    return [(size, {name: int(size), **others}) for size in sizes.split()]


def clients(sizes):
    """How many there are, and the bits of their numbers."""
    return [
        (size, {"CLIENTS": int(size), "INDEX": (int(size) - 1).bit_length()})
        for size in sizes.split()
    ]


# A family: the sizes that are proved, and the faults, each with the sizes that are refuted, the
# right text, and the wrong one.
FAMILIES = {
    "pipeline": (
        words("3x8 4x16 8x16 16x32 32x64"),
        [("stall", words("3x8 4x16 8x16 16x32 32x64"), "(enable && valid[i-1])", "(valid[i-1])")],
    ),
    "fifo": (
        words("4x4 8x8 16x8 16x16 32x16 64x16"),
        [
            ("full", words("4x4 8x8 16x16 32x16 64x16"), "level == DEPTH;", "level == DEPTH + 1;"),
            ("both", words("8x8 16x16 64x16"), "if (do_push && !do_pop)", "if (do_push)"),
        ],
    ),
    "credit": (
        numbers("WIDTH", "12 16 24 32 48 64"),
        [("early", numbers("WIDTH", "12 32 64"), "back <= taking;", "back <= take;")],
    ),
    "overflow": (
        numbers("WIDTH", "6 8 16 32", CREDITS=30),
        [("guard", numbers("WIDTH", "8 16 32", CREDITS=30), "send && credits != 0", "send")],
    ),
    "lfsr": (
        numbers("WIDTH", "32 64 128 256 512 1024"),
        [
            ("seed", numbers("WIDTH", "32 128 512 1024"), "value | 1'b1", "value"),
            ("tap", numbers("WIDTH", "32 64"), "state[WIDTH-1] ^ state", "state[WIDTH-1] & state"),
        ],
    ),
    "arbiter": (
        numbers("CLIENTS", "8 16 32 64 128 256"),
        [("token", numbers("CLIENTS", "8 16 32 64 128 256"), "chosen[CLIENTS-1]}", "1'b1}")],
    ),
    "turns": (
        clients("4 8 16 32"),
        [("last", clients("4 8 16 32"), "if (found) last", "if (!found) last")],
    ),
    "updown": (
        numbers("WIDTH", "8 16 32 64"),
        [("end", numbers("WIDTH", "8 16 32 64"), "count == HIGH - 1", "count == HIGH")],
    ),
    "memory": (
        words("4x4 8x8 16x16 32x16 64x32"),
        [("half", words("4x4 16x16 64x32"), "halves[1]) upper", "halves[0]) upper")],
    ),
    "multiplier": (
        numbers("WIDTH", "3 4 5 6"),
        [("bit", numbers("WIDTH", "4 6 8 12"), "selector[i-1] ?", "selector[0] ?")],
    ),
    "accumulators": (
        numbers("WIDTH", "8 17 32 64"),
        [("carry", numbers("WIDTH", "17 64"), "(subtract ? ~value : value) + subtract", "(subtract ? ~value : value)")],
    ),
    "response": (
        numbers("CLIENTS", "8 16 32 64 128"),
        [
            ("lost", numbers("CLIENTS", "8 16 32 64 128"), "token[CLIENTS-1]}", "1'b0}"),
            ("skip", numbers("CLIENTS", "8 16 32"), "move = ready ||", "move = !ready ||"),
        ],
    ),
    "fair": (
        clients("8 16 32 64 128"),
        [("priority", clients("8 16 32 64 128"), "twice - token", "twice - 1'b1")],
    ),
}
LIVE = {"response", "fair"}


def sized(family, parameters):
    """The text of a family with other values of its parameters."""
    text = (TEXTS / f"{family}.sv").read_text()
    for name, value in parameters.items():
        text = re.sub(rf"\bparameter {name} = \d+", f"parameter {name} = {value}", text, count=1)
    return text


def planted(text, good, bad):
    """The text with a fault, the number of its line, and the line as it was."""
    if text.count(good) != 1:
        raise ValueError(f"`{good}` is in the text {text.count(good)} times")
    line = text[: text.index(good)].count("\n")
    return text.replace(good, bad), line + 1, text.splitlines()[line]


def rows():
    for family, (sizes, faults) in FAMILIES.items():
        live = family in LIVE
        for size, parameters in sizes:
            yield Row(f"{family}-{size}", family, sized(family, parameters), True, live)
        for fault, sizes, good, bad in faults:
            for size, parameters in sizes:
                text, line, fix = planted(sized(family, parameters), good, bad)
                name = f"{family}-{size}-{fault}"
                yield Row(name, family, text, False, live, line, fix)
