"""Where the program is that the wheel has brought along."""

import os
import shutil
import sysconfig
from pathlib import Path


def find_program() -> str:
    """The path of respin: what RESPIN names, else beside this package, else in PATH."""
    if given := os.environ.get("RESPIN"):
        return given
    schemes = ["", f"{os.name}_user"]
    folders = [
        Path(sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts"))
        for scheme in schemes
    ]
    # `pip install --target DIR` puts programs into DIR/bin.
    folders.append(Path(__file__).resolve().parent.parent / "bin")
    for folder in folders:
        program = folder / "respin"
        if program.is_file():
            return str(program)
    if found := shutil.which("respin"):
        return found
    raise FileNotFoundError("the program respin is neither beside this package nor in PATH")
