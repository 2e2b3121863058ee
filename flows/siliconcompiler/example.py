"""Verifies the debouncer of flows/example, which fails, and repairs it."""

import sys
from pathlib import Path

from respin_tool import RepairTask, VerifyTask
from siliconcompiler import Design, Flowgraph, Project

EXAMPLE = Path(__file__).resolve().parent.parent / "example"


def run(command, task):
    """Runs one command on the design as a flow of one step; where its results are."""
    design = Design("debounce")
    design.set_dataroot("example", str(EXAMPLE))
    with design.active_dataroot("example"), design.active_fileset("rtl"):
        design.set_topmodule("debounce")
        design.add_file("rtl/debounce.sv")
    flow = Flowgraph(f"respin-{command}")
    flow.node(command, task())
    project = Project(design)
    project.add_fileset("rtl")
    project.set_flow(flow)
    project.set("option", "jobname", command)
    project.set("option", "quiet", True)
    project.set("option", "nodashboard", True)
    task.find_task(project).set("var", "reset", "rst")
    try:
        project.run()
    except RuntimeError as error:
        print(error)
    return Path("build") / "debounce" / command / command / "0" / "reports" / "respin"


if __name__ == "__main__":
    for command, task, expected in (
        ("verify", VerifyTask, "FAIL"),
        ("repair", RepairTask, "REPAIRED"),
    ):
        status = (run(command, task) / "status").read_text()
        print(command, status)
        if not status.startswith(expected):
            sys.exit(1)
    print((Path("build/debounce/repair/repair/0/reports/respin") / "patch.diff").read_text())
