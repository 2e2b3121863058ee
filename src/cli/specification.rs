//! Specifications that users name: GR(1) specifications, or any LTL.

use super::context::{Context, Failure};
use super::input::{Disk, read};
use super::request::SpecInput;
use crate::load::{self, AnySpec, Format, LoadedGr1, LoadedLtl, SpecOptions};
use crate::report::answers::explain as answers;
use crate::report::specification::{self as report, Constraints, Specification, Variables};
use crate::spec::Semantics;
use crate::spec::gr1::{Kind, Player, Side};
use crate::spec::ltl::{Order, Section};

/// What is known of a specification before anything is solved.
pub fn summary(spec: &AnySpec) -> Specification {
    match spec {
        AnySpec::Gr1(loaded) => loaded.summary(),
        AnySpec::Ltl(loaded) => loaded.summary(),
    }
}

impl LoadedGr1 {
    fn summary(&self) -> Specification {
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
        let semantics = match self.semantics {
            Semantics::Strict => report::Semantics::Strict,
            Semantics::Implication => report::Semantics::Implication,
        };
        Specification {
            environment: count(&|owner, _| owner == Player::Environment),
            system: count(&|owner, auxiliary| owner == Player::System && !auxiliary),
            auxiliary: count(&|_, auxiliary| auxiliary),
            assumptions: constraints(Side::Assumption),
            guarantees: constraints(Side::Guarantee),
            ..Specification::new(&self.spec.name, reported(self.format), semantics)
        }
    }
}

impl LoadedLtl {
    fn summary(&self) -> Specification {
        let bits = |names: &[String]| Variables {
            count: names.len(),
            bits: names.len(),
        };
        let count = |section: Section| {
            let parts = self.spec.parts.iter();
            parts.filter(|part| part.section == section).count()
        };
        let semantics = if self.spec.is_strict {
            report::Semantics::Strict
        } else {
            report::Semantics::Implication
        };
        Specification {
            system_moves_first: self.spec.order == Order::Moore,
            environment: bits(&self.spec.inputs),
            system: bits(&self.spec.outputs),
            sections: Some(
                Section::ALL
                    .into_iter()
                    .map(|section| (answers::section(section), count(section)))
                    .filter(|(_, count)| *count > 0)
                    .collect(),
            ),
            ..Specification::new(&self.spec.title, reported(self.format), semantics)
        }
    }
}

/// The format by the name that reports have for it. Circuits are no specifications: an AIGER
/// file has only its properties to be asked about.
fn reported(format: Format) -> report::Format {
    match format {
        Format::Spectra => report::Format::Spectra,
        Format::Tlsf => report::Format::Tlsf,
        Format::Slugs => report::Format::Slugs,
        Format::StructuredSlugs => report::Format::StructuredSlugs,
        Format::Hoa => report::Format::Hoa,
        Format::Properties | Format::Verilog | Format::Aiger | Format::YosysJson => {
            report::Format::Properties
        }
    }
}

/// Reads a specification, whatever its format.
pub fn read_spec(input: &SpecInput, context: &mut Context) -> Result<AnySpec, Failure> {
    load_spec(input, false, context)
}

/// The same with a property file as the formulas that it has.
pub fn read_formulas(input: &SpecInput, context: &mut Context) -> Result<AnySpec, Failure> {
    load_spec(input, true, context)
}

fn load_spec(
    input: &SpecInput,
    keeps_formulas: bool,
    context: &mut Context,
) -> Result<AnySpec, Failure> {
    let file = read(&input.file, context)?;
    let options = SpecOptions {
        inputs: input.inputs.clone(),
        outputs: input.outputs.clone(),
        parameters: input.parameters.clone(),
        semantics: input.semantics,
        keeps_formulas,
    };
    let reader = Disk {
        limits: &context.limits,
        texts: &context.texts,
        missing: &context.missing,
    };
    let format = input.file.format;
    let spec = load::spec(&mut context.sources, file, format, &options, &reader)?;
    if let AnySpec::Gr1(loaded) = &spec {
        context
            .warnings
            .extend(loaded.spec.warnings.iter().cloned());
    }
    Ok(spec)
}
