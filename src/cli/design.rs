//! Designs that users name, with their properties.

use super::context::{Context, Failure};
use super::input::{Disk, Format, read_all};
use super::options::{Frontend, InitialValue, PastReading};
use super::request::DesignInput;
use super::yosys::YosysRun;
use crate::design::verilog::{Past, ResetPlay, Translator, codes};
use crate::limits::Limits;
use crate::load::{self, DesignOptions, Purpose};
use crate::source::codes::frame;
use crate::source::{Diagnostic, FileId};
use crate::subject::Subject;
use std::rc::Rc;
use std::time::Duration;

/// How long other front ends are tried on a design that ours refuses.
const LONGEST_TRIAL: Duration = Duration::from_secs(10);

/// Reads a design.
pub fn load(
    input: &DesignInput,
    purpose: Purpose,
    context: &mut Context,
) -> Result<Subject, Failure> {
    load_with(input, purpose, Helpers::Tried, context)
}

/// Whether other front ends are tried on what ours refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Helpers {
    Tried,
    LeftAlone,
}

/// The same, for those who cannot wait for other programs.
pub fn load_with(
    input: &DesignInput,
    purpose: Purpose,
    helpers: Helpers,
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
    if input.reset_again && input.reset.is_none() {
        let message = "`--reset-again` needs a reset that is played";
        let diagnostic = Diagnostic::error(frame::BAD_USAGE, message);
        return Err(diagnostic.help("say `--reset NAME`, too").into());
    }
    let files = Files {
        designs,
        format,
        properties,
    };
    let mut options = options(input, references, purpose);
    if format == Format::Verilog && input.frontend != Frontend::Own {
        options.translator = Some(translator(input, &context.limits)?);
        context
            .progress
            .log(|| "yosys reads the design".to_string());
        return files.load(&options, context);
    }
    files
        .load(&options, context)
        .map_err(|failure| match failure {
            Failure::Diagnostics(diagnostics) if helpers == Helpers::Tried => {
                suggest(diagnostics, &files, input, &options, context).into()
            }
            other => other,
        })
}

/// The files of a design, read.
struct Files<'a> {
    designs: &'a [FileId],
    format: Format,
    properties: &'a [FileId],
}

impl Files<'_> {
    fn load(&self, options: &DesignOptions, context: &mut Context) -> Result<Subject, Failure> {
        let reader = Disk {
            limits: &context.limits,
            texts: &context.texts,
            missing: &context.missing,
        };
        let sources = &mut context.sources;
        let Files {
            designs,
            format,
            properties,
        } = *self;
        load::design(designs, format, properties, options, sources, &reader)
    }
}

fn translator(input: &DesignInput, limits: &Limits) -> Result<Rc<dyn Translator>, Diagnostic> {
    Ok(Rc::new(YosysRun::new(input, limits)?))
}

/// Where our own front end gives up on the language, another one may not: each one that is
/// installed is tried, for a moment, and named if it reads the design.
fn suggest(
    mut diagnostics: Vec<Diagnostic>,
    files: &Files<'_>,
    input: &DesignInput,
    options: &DesignOptions,
    context: &mut Context,
) -> Vec<Diagnostic> {
    let is_ours = |one: &Diagnostic| one.code == codes::UNSUPPORTED;
    if files.format != Format::Verilog || !diagnostics.iter().any(is_ours) {
        return diagnostics;
    }
    let left = context.limits.time_left().unwrap_or(LONGEST_TRIAL);
    let limits = Limits::new(
        Some(left.min(LONGEST_TRIAL)),
        context.limits.memory_bytes(),
        context.limits.interrupt().clone(),
    );
    let sources = context.sources.clone();
    let reads = [Frontend::Yosys, Frontend::Slang].into_iter().find(|who| {
        let input = DesignInput {
            frontend: *who,
            ..input.clone()
        };
        let Ok(translator) = translator(&input, &limits) else {
            return false;
        };
        let options = DesignOptions {
            translator: Some(translator),
            ..options.clone()
        };
        context
            .progress
            .log(|| "another front end tries to read the design".to_string());
        files.load(&options, context).is_ok()
    });
    context.sources = sources;
    if let Some(who) = reads
        && let Some(last) = diagnostics.pop()
    {
        let word = match who {
            Frontend::Slang => "slang",
            _ => "yosys",
        };
        diagnostics.push(last.note(format!("`--frontend {word}` reads this design")));
    }
    diagnostics
}

/// How the files are read by our own front end.
pub fn options(input: &DesignInput, references: &[FileId], purpose: Purpose) -> DesignOptions {
    let defines = input.defines.iter();
    DesignOptions {
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
        parameters: input.parameters.clone(),
        starts_at_zero: input.init == InitialValue::Zero,
        no_formal: !input.formal,
        purpose,
        reference: references.to_vec(),
        reference_format: input.references.first().map(|file| file.format),
        translator: None,
    }
}
