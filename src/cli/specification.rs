//! Specifications that users name: GR(1) specifications, or any LTL.

use super::context::{Context, Failure};
use super::input::{Format, read, read_import};
use super::options::Semantics;
use super::request::SpecInput;
use super::values::InputPath;
use crate::report::specification::{Constraints, Specification, Variables};
use crate::source::codes::{frame, specification as codes};
use crate::source::{Diagnostic, FileId, Sources};
use crate::spec::automaton::hoa;
use crate::spec::gr1::{Gr1, Kind, Player, Side, from_properties};
use crate::spec::ltl::{LtlSpec, Order, Section};
use crate::spec::{Spec, slugs, spectra, tlsf};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A specification with the meaning that it has.
pub struct Read {
    /// As it was written.
    pub spec: Gr1,
    pub semantics: Semantics,
    pub format: Format,
}

impl Read {
    /// A specification whose strict meaning is the one that is asked for.
    pub fn strict(&self) -> Gr1 {
        match self.semantics {
            Semantics::Strict => self.spec.clone(),
            Semantics::Implication => self.spec.as_implication(),
        }
    }

    /// What is known before anything is solved.
    pub fn summary(&self) -> Specification {
        let count = |wanted: &dyn Fn(Player, bool) -> bool| {
            let mut found = Variables::default();
            for variable in &self.spec.variables {
                if wanted(variable.owner, variable.is_auxiliary()) {
                    found.count += 1;
                    found.bits += variable.domain.bits();
                }
            }
            found
        };
        let constraints = |side: Side| Constraints {
            initial: self.spec.of(side, Kind::Initial).count(),
            safety: self.spec.of(side, Kind::Safety).count(),
            justice: self.spec.of(side, Kind::Justice).count(),
        };
        Specification {
            name: self.spec.name.clone(),
            format: self.format.description(),
            semantics: match self.semantics {
                Semantics::Strict => "strict",
                Semantics::Implication => "implication",
            },
            environment: count(&|owner, _| owner == Player::Environment),
            system: count(&|owner, auxiliary| owner == Player::System && !auxiliary),
            auxiliary: count(&|_, auxiliary| auxiliary),
            assumptions: constraints(Side::Assumption),
            guarantees: constraints(Side::Guarantee),
            ..Specification::default()
        }
    }
}

/// A specification that no GR(1) game decides, or that is asked about as it is.
pub struct ReadLtl {
    pub spec: LtlSpec,
    pub format: Format,
    /// What a file says of itself.
    pub description: String,
    pub target: Order,
}

impl ReadLtl {
    /// What is known before anything is solved.
    pub fn summary(&self) -> Specification {
        let bits = |names: &[String]| Variables {
            count: names.len(),
            bits: names.len(),
        };
        let count = |section: Section| {
            let parts = self.spec.parts.iter();
            parts.filter(|part| part.section == section).count()
        };
        let sections = [
            ("INITIALLY", Section::Initially),
            ("PRESET", Section::Preset),
            ("REQUIRE", Section::Require),
            ("ASSUME", Section::Assume),
            ("ASSERT", Section::Assert),
            ("GUARANTEE", Section::Guarantee),
        ];
        Specification {
            name: self.spec.title.clone(),
            format: self.format.description(),
            semantics: match self.spec.is_strict {
                true => "strict",
                false => "implication",
            },
            system_moves_first: self.spec.order == Order::Moore,
            environment: bits(&self.spec.inputs),
            system: bits(&self.spec.outputs),
            sections: Some(
                sections
                    .into_iter()
                    .map(|(name, section)| (name, count(section)))
                    .filter(|(_, count)| *count > 0)
                    .collect(),
            ),
            ..Specification::default()
        }
    }
}

/// A specification of either kind.
pub enum Any {
    Gr1(Read),
    Ltl(ReadLtl),
}

/// A specification in LTL whose requirements are GR(1) ones.
pub fn as_gr1(read: &ReadLtl) -> Result<Read, Vec<Diagnostic>> {
    let (spec, is_strict) = read.spec.to_gr1()?;
    Ok(Read {
        spec,
        semantics: match is_strict {
            true => Semantics::Strict,
            false => Semantics::Implication,
        },
        format: read.format,
    })
}

/// Reads a specification, whatever its format.
pub fn read_any(input: &SpecInput, context: &mut Context) -> Result<Any, Failure> {
    read_as(input, true, context)
}

/// The same with a property file as the formulas that it has: as GR(1), it may need signals
/// that remember.
pub fn read_formulas(input: &SpecInput, context: &mut Context) -> Result<Any, Failure> {
    read_as(input, false, context)
}

fn read_as(input: &SpecInput, prefers_gr1: bool, context: &mut Context) -> Result<Any, Failure> {
    let id = read(&input.file, context)?;
    let format = input.file.format;
    let refuse = |message: String, help: &str| -> Failure {
        Diagnostic::error(frame::BAD_USAGE, message)
            .help(help)
            .into()
    };
    let has_owners = !matches!(format, Format::Properties | Format::Hoa);
    if has_owners && !(input.inputs.is_empty() && input.outputs.is_empty()) {
        let message = format!(
            "`--ins` and `--outs` are for property files and HOA, and the specification is {}",
            format.description()
        );
        return Err(refuse(
            message,
            "leave them out: the file says whose a variable is",
        ));
    }
    if format != Format::Tlsf && !input.parameters.is_empty() {
        let message = format!(
            "`-p` is for parameters of TLSF, and the specification is {}",
            format.description()
        );
        return Err(refuse(message, "leave it out: no other format has them"));
    }
    let (spec, usual) = match format {
        Format::Spectra => (with_imports(input, id, context)?, Semantics::Strict),
        Format::Slugs => (
            slugs::parse_prefix(&context.sources, id)?,
            Semantics::Strict,
        ),
        Format::StructuredSlugs => (
            slugs::parse_structured(&context.sources, id)?,
            Semantics::Strict,
        ),
        Format::Properties => match properties(input, id, prefers_gr1, context)? {
            Any::Gr1(read) => (read.spec, Semantics::Implication),
            ltl => return Ok(ltl),
        },
        Format::Tlsf => {
            let document = tlsf::parse(&context.sources, id, &input.parameters)?;
            let mut spec = document.spec;
            if let Some(semantics) = input.semantics {
                spec.is_strict = semantics == Semantics::Strict;
            }
            return Ok(Any::Ltl(ReadLtl {
                spec,
                format,
                description: document.description,
                target: document.target,
            }));
        }
        Format::Hoa => {
            if input.semantics == Some(Semantics::Strict) {
                let message =
                    "strict semantics is for GR(1), and the specification is an automaton";
                return Err(refuse(
                    message.to_string(),
                    "leave it out: a run is accepted or not",
                ));
            }
            let document = hoa::parse(&context.sources, id)?;
            return Ok(Any::Ltl(ReadLtl {
                spec: LtlSpec::from_automaton(&document, &input.inputs, &input.outputs)?,
                format,
                description: String::new(),
                target: Order::Mealy,
            }));
        }
        Format::Verilog | Format::Aiger | Format::YosysJson => {
            let message = format!("{} is no specification", format.description());
            return Err(refuse(
                message,
                "give a specification, or use `respin verify`",
            ));
        }
    };
    Ok(Any::Gr1(Read {
        spec,
        semantics: input.semantics.unwrap_or(usual),
        format,
    }))
}

/// A Spectra file with those that it imports, whose names count from its own directory.
fn with_imports(
    input: &SpecInput,
    id: FileId,
    context: &mut Context,
) -> Result<Gr1, Vec<Diagnostic>> {
    let limits = &context.limits;
    let mut known = HashMap::new();
    if let InputPath::File(path) = &input.file.path {
        known.insert(identity(path), id);
    }
    let mut load = |sources: &mut Sources, import: &spectra::Import| {
        let from = Path::new(&sources.file(import.from).name);
        let path = match from.parent() {
            Some(directory) => directory.join(&import.name),
            None => PathBuf::from(&import.name),
        };
        if let Some(&found) = known.get(&identity(&path)) {
            return Ok(found);
        }
        let found = read_import(sources, &path, import.span, limits)?;
        known.insert(identity(&path), found);
        Ok(found)
    };
    spectra::parse_with_imports(&mut context.sources, id, &mut load)
}

/// One file has one, whatever name leads to it.
fn identity(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// GR(1) if it can be, since more is known about such specifications.
fn properties(
    input: &SpecInput,
    id: FileId,
    prefers_gr1: bool,
    context: &Context,
) -> Result<Any, Failure> {
    if input.inputs.is_empty() && input.outputs.is_empty() {
        let message = "a property file does not say whose its names are";
        return Err(Diagnostic::error(frame::BAD_USAGE, message)
            .help("name the inputs with `--ins a,b` and the outputs with `--outs c,d`")
            .into());
    }
    let mut spec = Spec::new();
    spec.add_property_file(id, &context.sources.file(id).text)?;
    let ltl = || -> Result<Any, Failure> {
        Ok(Any::Ltl(ReadLtl {
            spec: LtlSpec::from_properties(&spec, &input.inputs, &input.outputs)?,
            format: Format::Properties,
            description: String::new(),
            target: Order::Mealy,
        }))
    };
    if !prefers_gr1 && input.semantics != Some(Semantics::Strict) {
        return ltl();
    }
    match from_properties(&spec, &input.inputs, &input.outputs) {
        Ok(spec) => Ok(Any::Gr1(Read {
            spec,
            semantics: Semantics::Implication,
            format: Format::Properties,
        })),
        // Who breaks safety first is only defined for GR(1).
        Err(errors) if input.semantics == Some(Semantics::Strict) => Err(errors.into()),
        Err(mut errors) => {
            errors.retain(|error| error.code != codes::NOT_GR1);
            if !errors.is_empty() {
                return Err(errors.into());
            }
            ltl()
        }
    }
}
