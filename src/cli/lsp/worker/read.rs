//! What is wrong with a text as it stands, as far as reading it tells.

use super::{Desk, Task, is_of_design};
use crate::certify::Problem;
use crate::cli::context::Failure;
use crate::cli::design::{Helpers, load_with};
use crate::cli::input::{self, InputFile};
use crate::cli::lsp::question::{Answer, Finding};
use crate::cli::request::Request;
use crate::cli::specification::read_spec;
use crate::cli::values::InputPath;
use crate::load::{Format, Purpose};
use crate::source::codes::certify::NOTHING_TO_CHECK;
use crate::source::{Code, Diagnostic};
use crate::spec::Spec;

impl Desk<'_> {
    /// Reads the file, with the project that it is part of.
    pub(super) fn read(&self, format: Format) -> Result<Answer, Failure> {
        if !is_of_design(format) {
            let mut task = self.task(&["check"])?;
            let found = match &task.request {
                Request::Check(request) => read_spec(&request.spec, &mut task.context).map(drop),
                _ => Ok(()),
            };
            let warnings = std::mem::take(&mut task.context.warnings);
            return Ok(self.told(&task, found.map(|()| warnings)));
        }
        match self.design_task("verify", format) {
            Ok(Some(mut task)) => {
                let found = self.read_design(&mut task);
                Ok(self.told(&task, found))
            }
            Ok(None) => self.read_properties(),
            // The project file itself is wrong; what it should have said is not known.
            Err(Failure::Diagnostics(found)) => self.read_alone(format, &found),
            Err(stopped) => Err(stopped),
        }
    }

    /// The design that a file is part of: that of a project, or the file alone. Properties
    /// without a project belong to no design that we know of.
    pub(super) fn design_task(
        &self,
        command: &str,
        format: Format,
    ) -> Result<Option<Task>, Failure> {
        if let Some(task) = self.project_task(command)? {
            return Ok(Some(task));
        }
        match format {
            Format::Verilog => Ok(Some(self.task(&[command, "--from", "verilog"])?)),
            _ => Ok(None),
        }
    }

    /// The warnings of a design, or what is wrong with it.
    fn read_design(&self, task: &mut Task) -> Result<Vec<Diagnostic>, Failure> {
        let design = match &task.request {
            Request::Verify(request) => &request.design,
            Request::Repair(request) => &request.design,
            _ => return Ok(Vec::new()),
        };
        let context = &mut task.context;
        let subject = load_with(design, Purpose::Verify, Helpers::LeftAlone, context)?;
        // Names in property files are looked up once there is something to be checked.
        Problem::new(&subject.design, &subject.spec)?;
        Ok(subject.warnings)
    }

    /// A property file whose design is not known: its names can mean anything.
    fn read_properties(&self) -> Result<Answer, Failure> {
        let mut task = self.task(&["check", "--from", "props"])?;
        let file = InputFile {
            path: InputPath::File(self.name()),
            format: Format::Properties,
        };
        let file = input::read(&file, &mut task.context)?;
        let found = Spec::new().read_property_file(&task.context.sources, file);
        Ok(self.told(&task, found.map_err(Failure::from)))
    }

    /// The file alone, besides what is wrong with the project file.
    fn read_alone(&self, format: Format, problems: &[Diagnostic]) -> Result<Answer, Failure> {
        let mut answer = match format {
            Format::Verilog => {
                let mut task = self.task(&["verify", "--from", "verilog"])?;
                let found = self.read_design(&mut task);
                self.told(&task, found)
            }
            _ => self.read_properties()?,
        };
        let log = problems.iter().map(|one| one.to_string());
        answer.log.extend(log);
        Ok(answer)
    }

    fn told(&self, task: &Task, found: Result<Vec<Diagnostic>, Failure>) -> Answer {
        let sources = &task.context.sources;
        let mut answer = Answer {
            project: task.project.clone(),
            read: self.files(sources),
            ..Answer::default()
        };
        match found {
            Ok(found) | Err(Failure::Diagnostics(found)) => {
                answer.findings = self.all(task, &found);
            }
            Err(Failure::Stopped(stop)) => answer.log.push(stop.reason().to_string()),
        }
        answer
    }

    /// Diagnostics as findings. That nothing is asserted is no mistake of a text.
    pub(super) fn all(&self, task: &Task, found: &[Diagnostic]) -> Vec<Finding> {
        const LEFT_OUT: [Code; 1] = [NOTHING_TO_CHECK];
        let findings = self.findings(&task.context.sources);
        let shown = found.iter().filter(|one| !LEFT_OUT.contains(&one.code));
        shown.map(|one| findings.diagnostic(one)).collect()
    }
}
