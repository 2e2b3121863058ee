"""The program in the wheel, and the platforms that the wheel is for.

RESPIN_BINARY names a program that is there already; without it, cargo builds one with the
profile for releases.
"""

import json
import os
import platform
import re
import subprocess
import sysconfig
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# The oldest glibc that the oldest tag of this form is for.
OLDEST_GLIBC = 17


class ProgramHook(BuildHookInterface):
    def initialize(self, version, build_data):
        if self.target_name != "wheel":
            raise SystemExit("the package is built as a wheel only: pip wheel flows/python")
        if version == "editable":
            raise SystemExit("the program is no part of an editable install: pip install flows/python")
        program = self.program()
        build_data["shared_scripts"] = {str(program): "respin"}
        for licence in ("LICENSE-MIT", "LICENSE-APACHE"):
            build_data["force_include"][f"../../{licence}"] = f"respin/{licence}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform_tag(program)}"

    def program(self):
        if given := os.environ.get("RESPIN_BINARY"):
            return Path(given).resolve(strict=True)
        manifest = Path(self.root).parent.parent / "Cargo.toml"
        build = ["cargo", "build", "--profile", "dist", "--locked", "--bin", "respin"]
        subprocess.run([*build, "--manifest-path", manifest], check=True)
        ask = ["cargo", "metadata", "--format-version", "1", "--no-deps"]
        answer = subprocess.run(
            [*ask, "--manifest-path", manifest], check=True, capture_output=True
        )
        return Path(json.loads(answer.stdout)["target_directory"]) / "dist" / "respin"


def platform_tag(program):
    """The tag of machines on which the program runs: of its glibc, if it has one."""
    if platform.system() != "Linux":
        # As macosx-11.0-arm64; the deployment target decides, not the machine.
        name = sysconfig.get_platform()
        if target := os.environ.get("MACOSX_DEPLOYMENT_TARGET"):
            name = f"macosx-{target}-{platform.machine()}"
        return re.sub(r"[-.]", "_", name)
    versions = re.findall(rb"GLIBC_2\.(\d+)", program.read_bytes())
    if not versions:
        return f"linux_{platform.machine()}"
    newest = max(OLDEST_GLIBC, *(int(version) for version in versions))
    return f"manylinux_2_{newest}_{platform.machine()}"
