"""respin as tasks of SiliconCompiler: `flow.node("verify", VerifyTask())`."""

from siliconcompiler import Task


class RespinTask(Task):
    """A command on the design of a project. A verdict that is no yes ends the flow."""

    def __init__(self):
        super().__init__()
        self.add_parameter("reset", "str", "the reset that is played first, as --reset has it")

    def tool(self):
        return "respin"

    def parse_version(self, stdout):
        return stdout.split()[1]

    def setup(self):
        super().setup()
        self.set_exe("respin", vswitch="--version")
        self.add_version(">=0.1.0")
        self.add_required_key("option", "design")
        self.add_required_key("option", "fileset")

    def runtime_options(self):
        options = [*super().runtime_options(), self.task()]
        options.append(f"--top={self.design_topmodule}")
        if reset := self.get("var", "reset"):
            options.append(f"--reset={reset}")
        for library, fileset in self.project.get_filesets():
            options += [f"-I{folder}" for folder in library.get_idir(fileset)]
            options += [f"-D{name}" for name in library.get("fileset", fileset, "define")]
            for kind in ("systemverilog", "verilog"):
                options += library.get_file(fileset=fileset, filetype=kind)
        # In the folder of the step, JSON, SARIF, JUnit, waveforms and the patch.
        return [*options, "--workdir=reports/respin", "--force"]


class VerifyTask(RespinTask):
    """Whether all properties hold."""

    def task(self):
        return "verify"


class RepairTask(RespinTask):
    """Corrections of a design that fails."""

    def task(self):
        return "repair"
