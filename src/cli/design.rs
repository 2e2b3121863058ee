//! Designs that users name, with their properties.

use super::context::{Context, Failure};
use super::input::{Disk, Format, read_all};
use super::options::{Frontend, PastReading};
use super::request::DesignInput;
use super::yosys::YosysRun;
use crate::design::verilog::{Past, ResetPlay, Translator};
use crate::load::{self, DesignOptions, Purpose};
use crate::source::Diagnostic;
use crate::source::codes::frame;
use crate::subject::Subject;
use std::rc::Rc;

/// Reads a design.
pub fn load(
    input: &DesignInput,
    purpose: Purpose,
    context: &mut Context,
) -> Result<Subject, Failure> {
    let files = read_all(input.files(), context)?;
    let (designs, rest) = files.split_at(input.designs.len());
    let (properties, references) = rest.split_at(input.properties.len());
    let mut formats = input.designs.iter().map(|file| file.format);
    let format = formats.next().unwrap_or(Format::Verilog);
    if formats.any(|other| other != format) {
        let message = "such a file is a whole design, and several files were given";
        let diagnostic = Diagnostic::error(frame::BAD_USAGE, message);
        return Err(diagnostic.help("check them one by one").into());
    }
    let mut translator: Option<Rc<dyn Translator>> = None;
    if format == Format::Verilog && input.frontend == Frontend::Yosys {
        let run = YosysRun::new(input, &context.limits)?;
        context
            .progress
            .log(|| "yosys reads the design".to_string());
        translator = Some(Rc::new(run));
    }
    if input.reset_again && input.reset.is_none() {
        let message = "`--reset-again` needs a reset that is played";
        let diagnostic = Diagnostic::error(frame::BAD_USAGE, message);
        return Err(diagnostic.help("say `--reset NAME`, too").into());
    }
    let defines = input.defines.iter();
    let options = DesignOptions {
        top: input.top.clone(),
        defines: defines
            .map(|one| (one.name.clone(), one.value.clone()))
            .collect(),
        include_directories: input.include_directories.clone(),
        reset: input.reset.as_ref().map(|reset| ResetPlay {
            signal: reset.signal.clone(),
            value: reset.value,
            cycles: reset.cycles,
            again: input.reset_again,
        }),
        past: match input.past {
            PastReading::Standard => Past::Standard,
            PastReading::Yosys => Past::Yosys,
        },
        no_formal: !input.formal,
        purpose,
        reference: references.to_vec(),
        reference_format: input.references.first().map(|file| file.format),
        translator,
    };
    let reader = Disk {
        limits: &context.limits,
    };
    let sources = &mut context.sources;
    load::design(designs, format, properties, &options, sources, &reader)
}
