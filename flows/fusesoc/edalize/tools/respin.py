"""respin as a tool of Edalize. With this folder's parent in PYTHONPATH, the flow `generic` finds it."""

from edalize.tools.edatool import Edatool
from edalize.utils import EdaCommands


class Respin(Edatool):

    description = "respin: checks and repairs designs against their properties"

    TOOL_OPTIONS = {
        "command": {
            "type": "str",
            "desc": "verify (default), repair or mutate",
        },
        "respin_options": {
            "type": "str",
            "desc": "Additional options of the command, such as --reset=rst",
            "list": True,
        },
    }

    def setup(self, edam):
        super().setup(edam)
        include, sources, properties, others = [], [], [], []
        for file in self.files:
            kind = file.get("file_type", "")
            if kind.startswith(("verilogSource", "systemVerilogSource")):
                if not self._add_include_dir(file, include):
                    sources.append(file["name"])
            elif file["name"].endswith((".ltl", ".props")):
                properties.append(file["name"])
            else:
                others.append(file)
        self.edam = edam.copy()
        self.edam["files"] = others

        line = ["respin", self.tool_options.get("command", "verify"), *sources]
        line += [f"--top={self.toplevel}"] if self.toplevel else []
        line += [f"--spec={name}" for name in properties]
        line += [f"-I{name}" for name in include]
        line += [f"-D{name}={self._param_value_str(value)}" for name, value in self.vlogdefine.items()]
        line += [
            f"'--chparam={name}={self._param_value_str(value, chr(34))}'"
            for name, value in self.vlogparam.items()
        ]
        line += self.tool_options.get("respin_options", [])
        # The work directory has all results: JSON, SARIF, JUnit, waveforms and the patch.
        line += ["--workdir=respin", "--force"]
        self.commands = EdaCommands()
        self.commands.add(line, ["respin/status"], sources + properties)
        self.commands.set_default_target("respin/status")
