"""The commands as functions: a process each, whose JSON document becomes a report."""

import json
import os
import subprocess
from typing import Iterable, List, Optional, Union

from . import decode
from .model import DiagnosticRecord, Report
from .program import find_program

_Word = Union[str, int, float, "os.PathLike[str]"]
_Folder = Optional[Union[str, "os.PathLike[str]"]]
# A file of a design, or several of them.
_Files = Union[_Word, Iterable[_Word]]
# What an option can be: a value, several, or whether it is given at all.
Option = Union[_Word, Iterable[_Word], bool, None]

SCHEMA = 1


class RespinError(Exception):
    """What respin refuses, with its diagnostics: places, codes, and what to do."""

    def __init__(self, text: str, report: Optional[Report] = None) -> None:
        super().__init__(text)
        self.report = report
        self.diagnostics: List[DiagnosticRecord] = report.diagnostics if report else []


def run(command: str, *files: _Files, cwd: _Folder = None, **options: Option) -> Report:
    """Runs a command of respin. `cwd` is the directory that names of files count from; a list of
    files stands for all of them."""
    line = [find_program(), command, "--format", "json"]
    for name, value in options.items():
        line += _option(name, value)
    line += ["--", *(_text(one) for several in files for one in _each(several))]
    # Progress and diagnostics are in the document as well.
    ended = subprocess.run(
        line,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    report = _report(ended.stdout)
    if report is None or report.verdict == "ERROR" or ended.returncode == 2:
        raise RespinError(_message(report, ended), report)
    return report


def _option(name: str, value: Option) -> List[str]:
    dashes = "-" if len(name) == 1 else "--"
    name = dashes + name.replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [name]
    text: List[str] = []
    for one in _each(value):
        # In one word, so that a value may begin with a dash.
        text.append(f"{name}={_text(one)}" if dashes == "--" else f"{name}{_text(one)}")
    return text


def _each(words: _Files) -> Iterable[_Word]:
    return [words] if isinstance(words, (str, int, float, os.PathLike)) else words


def _text(word: _Word) -> str:
    return os.fspath(word) if isinstance(word, os.PathLike) else str(word)


def _report(text: str) -> Optional[Report]:
    try:
        data = json.loads(text)
    except ValueError:
        return None
    if data.get("schema") != SCHEMA:
        raise RespinError(f"a report of version {data.get('schema')}; this package reads {SCHEMA}")
    return decode.record(Report, data)


def _message(report: "Optional[Report]", ended: "subprocess.CompletedProcess[str]") -> str:
    errors = [one for one in report.diagnostics if one.severity == "error"] if report else []
    if not errors:
        return ended.stderr.strip() or f"respin ended with {ended.returncode}"
    lines = []
    for one in errors:
        place = "".join(f"{label.file}:{label.line}: " for label in one.labels[:1])
        lines.append(f"{place}{one.message} ({one.code})")
        if one.help:
            lines.append(f"  help: {one.help}")
    return "\n".join(lines)


def verify(*design: _Files, cwd: _Folder = None, **options: Option) -> Report:
    """Checks properties of a design: `PASS`, `FAIL` with a run for each, or `UNKNOWN`."""
    return run("verify", *design, cwd=cwd, **options)


def repair(*design: _Files, cwd: _Folder = None, **options: Option) -> Report:
    """Looks for corrections of a design: `REPAIRED`, `PLAUSIBLE`, `NO REPAIR` or `UNKNOWN`."""
    return run("repair", *design, cwd=cwd, **options)


def mutate(*design: _Files, cwd: _Folder = None, **options: Option) -> Report:
    """Puts faults into a correct design; `report.mutation` tells which of them were noticed."""
    return run("mutate", *design, cwd=cwd, **options)


def check(specification: _Word, *, cwd: _Folder = None, **options: Option) -> Report:
    """Whether a specification is realizable; `report.specification` has the rest."""
    return run("check", specification, cwd=cwd, **options)


def explain(specification: _Word, *, cwd: _Folder = None, **options: Option) -> Report:
    """Why a specification is unrealizable; `report.explanation` has cores and the like."""
    return run("explain", specification, cwd=cwd, **options)


def synth(specification: _Word, *, cwd: _Folder = None, **options: Option) -> Report:
    """A controller; `report.output` is its text."""
    return run("synth", specification, cwd=cwd, **options)


def instrument(design: _Word, *, cwd: _Folder = None, **options: Option) -> Report:
    """The repair game of a design as AIGER, in `report.output`."""
    return run("instrument", design, cwd=cwd, **options)


def convert(specification: _Word, *, cwd: _Folder = None, **options: Option) -> Report:
    """A specification in another format (`to="tlsf"`), in `report.output`."""
    return run("convert", specification, cwd=cwd, **options)


def campaign(plan: _Word, *, cwd: _Folder = None, **options: Option) -> Report:
    """Many commands at once; `report.campaign` has the jobs."""
    return run("campaign", plan, cwd=cwd, **options)
