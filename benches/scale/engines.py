"""One question, one process at a time: respin, and Yosys with a checker of ABC."""

import os
import re
import resource
import signal
import subprocess
import tempfile
from pathlib import Path

from aiger import liveness_to_safety, without_outputs

YOSYS = (
    "read_verilog -sv -formal {text}; prep -top {top}; memory_map; async2sync; techmap; "
    "opt -fast -nodffe -nosdff; dffunmap; simplemap; setundef -zero; aigmap; "
    "write_aiger -zinit{names} {aiger}"
)
MEMORY = 12 << 30


def measured(command, seconds):
    """What a command prints, and its processor seconds; it is ended after `seconds` of them."""

    def limit():
        whole = int(seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT, preexec_fn=limit,
        )
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        printed = output.read().decode(errors="replace")
    if child.returncode < 0 and -child.returncode not in (signal.SIGXCPU, signal.SIGKILL):
        printed = f"ended by signal {-child.returncode}\n"
    return printed, usage.ru_utime + usage.ru_stime


def respin(binary, row, folder, options):
    """The answer and processor seconds of a whole run of respin.

    The answer is PASS, FAIL, nothing if there was none in time, or else what went wrong.
    """
    text = folder / f"{row.name}.sv"
    text.write_text(row.text)
    command = [binary, "verify", text, "--timeout", options.seconds * options.patience]
    if options.engine:
        command += ["--engine", options.engine]
    printed, seconds = measured(command, options.seconds)
    answer = printed.split("\n", 1)[0].strip()
    return (None if answer in ("UNKNOWN", "") else answer), seconds


def to_aiger(row, folder, seconds, names=""):
    """An AIGER file with bad signals alone, and the processor seconds that it took Yosys."""
    text, aiger = folder / f"{row.name}.sv", folder / f"{row.name}.aig"
    text.write_text(row.text)
    top = re.search(r"^module (\w+)", row.text, re.MULTILINE).group(1)
    command = ["yosys", "-q", "-p", YOSYS.format(text=text, top=top, names=names, aiger=aiger)]
    printed, used = measured(command, seconds)
    if not aiger.exists():
        if used < seconds:
            raise RuntimeError(f"{row.name}: {printed}")
        return None, used
    translate = liveness_to_safety if row.live else without_outputs
    aiger.write_bytes(translate(aiger.read_bytes()))
    return aiger, used


def abc(row, folder, options, command=None):
    """The answer and processor seconds of Yosys and of the checker that suits the row.

    The translation of liveness is ours, and its time is not counted.
    """
    aiger, used = to_aiger(row, folder, options.seconds)
    if aiger is None or used >= options.seconds:
        return None, used
    command = command or ("pdr" if row.holds else "bmc3")
    script = f"read_aiger {aiger}; {command}"
    printed, seconds = measured(["berkeley-abc", "-c", script], options.seconds - used)
    if "has failed" in printed:
        raise RuntimeError(f"{row.name}: {printed}")
    if re.search(r"asserted in frame", printed):
        return "FAIL", used + seconds
    if re.search(r"Property proved|Proved = +[1-9]", printed):
        return "PASS", used + seconds
    return None, used + seconds


def flip_flops(aiger):
    return int(Path(aiger).read_bytes().split(b" ", 4)[3])
