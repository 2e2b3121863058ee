//! Specifications of any format: GR(1), or any LTL.

use super::{Failure, Format, Memory, Reader};
use crate::source::codes::{frame, specification as codes};
use crate::source::{Diagnostic, FileId, Sources};
use crate::spec::automaton::hoa;
use crate::spec::gr1::{Gr1, from_properties};
use crate::spec::ltl::{LtlSpec, Order};
use crate::spec::{Semantics, Spec, slugs, spectra, tlsf};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A specification of either kind.
#[derive(Clone)]
pub enum AnySpec {
    Gr1(Box<LoadedGr1>),
    Ltl(Box<LoadedLtl>),
}

/// A GR(1) specification with the meaning that it has.
#[derive(Clone)]
pub struct LoadedGr1 {
    /// As it was written.
    pub spec: Gr1,
    pub semantics: Semantics,
    pub format: Format,
}

/// A specification that no GR(1) game decides, or that is asked about as it is.
#[derive(Clone)]
pub struct LoadedLtl {
    pub spec: LtlSpec,
    pub format: Format,
    /// What a file says of itself.
    pub description: String,
    pub target: Order,
}

/// How a specification is read.
#[derive(Clone, Debug, Default)]
pub struct SpecOptions {
    /// Whose the names of a property file or an automaton are.
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    /// Of TLSF.
    pub parameters: Vec<(String, i64)>,
    /// `None`: as the format says.
    pub semantics: Option<Semantics>,
    /// A property file stays the formulas that it has, even if they are GR(1): as GR(1), it may
    /// need signals that remember.
    pub keeps_formulas: bool,
}

impl LoadedGr1 {
    /// A specification whose strict meaning is the one that is asked for.
    pub fn strict(&self) -> Gr1 {
        match self.semantics {
            Semantics::Strict => self.spec.clone(),
            Semantics::Implication => self.spec.as_implication(),
        }
    }

    /// The specification as its assumptions are asked whether they can be made to fail.
    pub fn separable(&self) -> Gr1 {
        match self.semantics {
            Semantics::Strict => self.spec.clone(),
            Semantics::Implication => self.spec.with_lasting_breaks(),
        }
    }
}

impl LoadedLtl {
    /// The same as GR(1), if its requirements are.
    pub fn as_gr1(&self) -> Result<LoadedGr1, Vec<Diagnostic>> {
        let (spec, is_strict) = self.spec.to_gr1()?;
        Ok(LoadedGr1 {
            spec,
            semantics: if is_strict {
                Semantics::Strict
            } else {
                Semantics::Implication
            },
            format: self.format,
        })
    }
}

impl AnySpec {
    /// The name that the specification has.
    pub fn name(&self) -> &str {
        match self {
            AnySpec::Gr1(loaded) => &loaded.spec.name,
            AnySpec::Ltl(loaded) => &loaded.spec.title,
        }
    }
}

/// Reads the specification that `file` is, and what it imports through `reader`.
///
/// ```
/// use respin::load::{self, AnySpec, Format, Memory, SpecOptions};
/// use respin::source::Sources;
///
/// let mut sources = Sources::new();
/// let file = sources.add("light.spectra", "module Light env boolean car; sys boolean green;");
/// let options = SpecOptions::default();
/// let spec = load::spec(&mut sources, file, Format::Spectra, &options, &Memory::new());
/// assert!(matches!(spec, Ok(AnySpec::Gr1(_))));
/// ```
pub fn spec(
    sources: &mut Sources,
    file: FileId,
    format: Format,
    options: &SpecOptions,
    reader: &dyn Reader,
) -> Result<AnySpec, Failure> {
    refuse_unsuitable(format, options)?;
    let (spec, usual) = match format {
        Format::Spectra => (with_imports(sources, file, reader)?, Semantics::Strict),
        Format::Slugs => (slugs::parse_prefix(sources, file)?, Semantics::Strict),
        Format::StructuredSlugs => (slugs::parse_structured(sources, file)?, Semantics::Strict),
        Format::Properties => match properties(sources, file, options)? {
            AnySpec::Gr1(loaded) => (loaded.spec, Semantics::Implication),
            ltl => return Ok(ltl),
        },
        Format::Tlsf => {
            let document = tlsf::parse(sources, file, &options.parameters)?;
            let mut spec = document.spec;
            if let Some(semantics) = options.semantics {
                spec.is_strict = semantics == Semantics::Strict;
            }
            return Ok(AnySpec::Ltl(Box::new(LoadedLtl {
                spec,
                format,
                description: document.description,
                target: document.target,
            })));
        }
        Format::Hoa => {
            let document = hoa::parse(sources, file)?;
            return Ok(AnySpec::Ltl(Box::new(LoadedLtl {
                spec: LtlSpec::from_automaton(&document, &options.inputs, &options.outputs)?,
                format,
                description: String::new(),
                target: Order::Mealy,
            })));
        }
        Format::Verilog | Format::Aiger | Format::YosysJson => {
            let message = format!("{} is no specification", format.description());
            return Err(refuse(
                message,
                "give a specification, or use `respin verify`",
            ));
        }
    };
    Ok(AnySpec::Gr1(Box::new(LoadedGr1 {
        spec,
        semantics: options.semantics.unwrap_or(usual),
        format,
    })))
}

/// A specification from a text, with the name that messages use for it; its extension says the
/// format. The sources are for messages that point into the text.
///
/// ```
/// use respin::load::{SpecOptions, spec_from_text};
///
/// let text = "module Light env boolean car; sys boolean green;";
/// let (spec, sources) = spec_from_text("light.spectra", text, &SpecOptions::default())?;
/// assert_eq!(spec.name(), "Light");
/// # Ok::<(), respin::load::Failure>(())
/// ```
pub fn spec_from_text(
    name: &str,
    text: &str,
    options: &SpecOptions,
) -> Result<(AnySpec, Sources), Failure> {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let extension = Path::new(name).extension().and_then(|one| one.to_str());
    let Some(format) = extension.and_then(Format::of_extension) else {
        let message = "the name of a specification needs an extension that says its format";
        return Err(Diagnostic::error(frame::FORMAT_UNKNOWN, message).into());
    };
    let read = spec(&mut sources, file, format, options, &Memory::new())?;
    Ok((read, sources))
}

fn refuse(message: impl Into<String>, help: &str) -> Failure {
    Diagnostic::error(frame::BAD_USAGE, message)
        .help(help)
        .into()
}

/// Options that the format has no use for are a mistake.
fn refuse_unsuitable(format: Format, options: &SpecOptions) -> Result<(), Failure> {
    let has_owners = !matches!(format, Format::Properties | Format::Hoa);
    if has_owners && !(options.inputs.is_empty() && options.outputs.is_empty()) {
        let message = format!(
            "`--ins` and `--outs` are for property files and HOA, and the specification is {}",
            format.description()
        );
        return Err(refuse(
            message,
            "leave them out: the file says whose a variable is",
        ));
    }
    if format != Format::Tlsf && !options.parameters.is_empty() {
        let message = format!(
            "`-p` is for parameters of TLSF, and the specification is {}",
            format.description()
        );
        return Err(refuse(message, "leave it out: no other format has them"));
    }
    if format == Format::Hoa && options.semantics == Some(Semantics::Strict) {
        return Err(refuse(
            "strict semantics is for GR(1), and the specification is an automaton",
            "leave it out: a run is accepted or not",
        ));
    }
    Ok(())
}

/// A Spectra file with those that it imports, whose names count from its own directory.
fn with_imports(sources: &mut Sources, file: FileId, reader: &dyn Reader) -> Result<Gr1, Failure> {
    let path = Path::new(&sources.file(file).name);
    let mut known = HashMap::from([(reader.identity(path), file)]);
    let mut stopped = None;
    let mut load = |sources: &mut Sources, import: &spectra::Import| {
        let from = Path::new(&sources.file(import.from).name);
        let path = match from.parent() {
            Some(directory) => directory.join(&import.name),
            None => PathBuf::from(&import.name),
        };
        let identity = reader.identity(&path);
        if let Some(&found) = known.get(&identity) {
            return Ok(found);
        }
        let found = match text_of(reader, &path) {
            Ok(text) => sources.add(path.display().to_string(), text),
            Err(Failure::Stopped(stop)) => {
                stopped = Some(stop);
                return Err(Diagnostic::error(frame::FILE_UNREADABLE, stop.reason()));
            }
            Err(Failure::Diagnostics(mut errors)) => {
                let error = errors.pop().unwrap_or_else(|| {
                    Diagnostic::error(frame::FILE_UNREADABLE, "a file cannot be read")
                });
                return Err(error.at(import.span, "imported here").help(
                    "the name of an import counts from the directory of the file that has it",
                ));
            }
        };
        known.insert(identity, found);
        Ok(found)
    };
    let parsed = spectra::parse_with_imports(sources, file, &mut load);
    match stopped {
        Some(stop) => Err(stop.into()),
        None => Ok(parsed?),
    }
}

fn text_of(reader: &dyn Reader, path: &Path) -> Result<String, Failure> {
    String::from_utf8(reader.read(path)?).map_err(|_| {
        let message = format!("`{}` is not valid UTF-8", path.display());
        Diagnostic::error(frame::NOT_UTF8, message).into()
    })
}

/// GR(1) if it can be, since more is known about such specifications.
fn properties(sources: &Sources, file: FileId, options: &SpecOptions) -> Result<AnySpec, Failure> {
    if options.inputs.is_empty() && options.outputs.is_empty() {
        return Err(refuse(
            "a property file does not say whose its names are",
            "name the inputs with `--ins a,b` and the outputs with `--outs c,d`",
        ));
    }
    let mut spec = Spec::new();
    spec.read_property_file(sources, file)?;
    let ltl = || -> Result<AnySpec, Failure> {
        Ok(AnySpec::Ltl(Box::new(LoadedLtl {
            spec: LtlSpec::from_properties(&spec, &options.inputs, &options.outputs)?,
            format: Format::Properties,
            description: String::new(),
            target: Order::Mealy,
        })))
    };
    let is_strict = options.semantics == Some(Semantics::Strict);
    if options.keeps_formulas && !is_strict {
        return ltl();
    }
    match from_properties(&spec, &options.inputs, &options.outputs) {
        Ok(spec) => Ok(AnySpec::Gr1(Box::new(LoadedGr1 {
            spec,
            semantics: Semantics::Implication,
            format: Format::Properties,
        }))),
        // Who breaks safety first is only defined for GR(1).
        Err(errors) if is_strict => Err(errors.into()),
        Err(mut errors) => {
            errors.retain(|error| error.code != codes::NOT_GR1);
            if !errors.is_empty() {
                return Err(errors.into());
            }
            ltl()
        }
    }
}
