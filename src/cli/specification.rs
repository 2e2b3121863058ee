//! Specifications that users name, as GR(1) specifications.

use super::context::{Context, Failure};
use super::input::{Format, read};
use super::options::Semantics;
use super::request::SpecInput;
use crate::report::specification::{Constraints, Specification, Variables};
use crate::source::{Diagnostic, FileId, codes::frame};
use crate::spec::gr1::{Gr1, Kind, Player, Side, from_properties};
use crate::spec::{Spec, slugs, spectra};

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

/// Reads a specification, whatever its format.
pub fn read_specification(input: &SpecInput, context: &mut Context) -> Result<Read, Failure> {
    let id = read(&input.file, context)?;
    let format = input.file.format;
    if format != Format::Properties && !(input.inputs.is_empty() && input.outputs.is_empty()) {
        let message = format!(
            "`--ins` and `--outs` are for property files, and the specification is {}",
            format.description()
        );
        return Err(Diagnostic::error(frame::BAD_USAGE, message)
            .help("leave them out: the file says whose a variable is")
            .into());
    }
    let (spec, usual) = match format {
        Format::Spectra => (spectra::parse(&context.sources, id)?, Semantics::Strict),
        Format::Slugs => (
            slugs::parse_prefix(&context.sources, id)?,
            Semantics::Strict,
        ),
        Format::StructuredSlugs => (
            slugs::parse_structured(&context.sources, id)?,
            Semantics::Strict,
        ),
        Format::Properties => (properties(input, id, context)?, Semantics::Implication),
        _ => return Err(not_available(format)),
    };
    Ok(Read {
        spec,
        semantics: input.semantics.unwrap_or(usual),
        format,
    })
}

fn properties(input: &SpecInput, id: FileId, context: &Context) -> Result<Gr1, Failure> {
    if input.inputs.is_empty() && input.outputs.is_empty() {
        let message = "a property file does not say whose its names are";
        return Err(Diagnostic::error(frame::BAD_USAGE, message)
            .help("name the inputs with `--ins a,b` and the outputs with `--outs c,d`")
            .into());
    }
    let mut spec = Spec::new();
    spec.add_property_file(id, &context.sources.file(id).text)?;
    Ok(from_properties(&spec, &input.inputs, &input.outputs)?)
}

fn not_available(format: Format) -> Failure {
    let message = format!(
        "{} cannot be read as a specification yet",
        format.description()
    );
    Diagnostic::error(frame::COMMAND_NOT_AVAILABLE, message)
        .note("the inputs were read; nothing was checked and nothing was written")
        .help("give a specification in Spectra or slugs, or a property file")
        .into()
}
