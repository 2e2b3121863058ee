"""respin from Python: each command returns its report as typed objects.

    import respin

    report = respin.repair("faulty.v", spec="properties.ltl", reset="rst_n=0")
    if report.verdict == "REPAIRED":
        print(report.diff)

Options have the names that `respin COMMAND --help` lists, with `_` for `-`: `allow_state=True` is
`--allow-state`, a list repeats an option. `UNKNOWN` is a verdict like the others; what respin
refuses raises `RespinError`, which has the diagnostics.
"""

from .commands import (
    Option,
    RespinError,
    campaign,
    check,
    convert,
    explain,
    instrument,
    mutate,
    repair,
    run,
    synth,
    verify,
)
from .model import Correction, DiagnosticRecord, Edit, PlaceRecord, PropertyResult, Report, Run
from .program import find_program

__all__ = [
    "Correction",
    "DiagnosticRecord",
    "Edit",
    "Option",
    "PlaceRecord",
    "PropertyResult",
    "Report",
    "RespinError",
    "Run",
    "campaign",
    "check",
    "convert",
    "explain",
    "find_program",
    "instrument",
    "mutate",
    "repair",
    "run",
    "synth",
    "verify",
]
