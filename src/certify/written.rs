//! Controllers as text: read again from its first byte, and then model-checked. What is
//! certified is what users get.

use super::check::{Check, Judgement, judge};
use super::claim::StateSets;
use super::controller::{NoQuestion, question};
use super::ltl::Winner;
use super::{Certified, Options, Problem, Realizable, Refutation, Semantics, Unrealizable, check};
use crate::bdd::Limits;
use crate::design::aiger::{self, AigerFile};
use crate::design::{Design, Literal, NodeId, Reset, verilog};
use crate::source::{Diagnostic, Sources, codes::frame};
use crate::spec::Spec;
use crate::spec::gr1::Gr1;
use crate::spec::ltl::LtlSpec;

/// A circuit as a text in one of the languages that are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub language: Language,
    pub bytes: Vec<u8>,
    /// An input that is said to put every register back to its first value.
    pub reset_port: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Verilog,
    Aiger,
}

/// A controller with the circuit that its text says.
#[derive(Clone, Debug, PartialEq)]
pub struct Controller {
    pub text: Text,
    pub design: Design,
    pub judged: Judged,
}

/// What runs of a controller are judged by.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The design of the circuit, with more gates and latches.
    pub design: Design,
    /// Whether the inputs of a step keep the assumptions about steps.
    pub assumed: Literal,
    /// What is assumed to recur.
    pub recurrences: Vec<Literal>,
}

impl Judged {
    /// Nothing is known to be assumed.
    pub fn nothing(design: Design) -> Judged {
        Judged {
            design,
            assumed: Literal::TRUE,
            recurrences: Vec::new(),
        }
    }
}

impl Text {
    /// The circuit that the text says. A reset that does what it should is held off in it:
    /// runs with one are runs without, begun again.
    pub fn read(&self) -> Result<Design, Diagnostic> {
        let mut design = self.read_all()?;
        if let Some(name) = &self.reset_port {
            let reset = reset_of(&design, name).ok_or_else(|| {
                let message = format!("`{name}` does not reset the controller that was written");
                Diagnostic::error(frame::INTERNAL_ERROR, message)
            })?;
            let gates = design.len();
            design.drive(reset, Literal::FALSE, gates);
        }
        Ok(design)
    }

    fn read_all(&self) -> Result<Design, Diagnostic> {
        match self.language {
            Language::Aiger => Ok(aiger::read(&self.bytes, None)?.design),
            Language::Verilog => {
                let mut sources = Sources::new();
                let text = String::from_utf8_lossy(&self.bytes).into_owned();
                let file = sources.add("controller.v", text);
                let tree = verilog::parse(&sources, &[file], &|_, _| None, &[])?;
                Ok(verilog::elaborate(&tree, &verilog::Options::default())?.design)
            }
        }
    }
}

/// The input of this name, if each register has its first value again after a step with it,
/// whatever else happens in that step.
fn reset_of(design: &Design, name: &str) -> Option<NodeId> {
    let mut inputs = design.inputs().iter().copied();
    let reset = inputs.find(|id| design.name(*id) == Some(name))?;
    let mut known: Vec<Option<bool>> = vec![None; design.len()];
    let of = |known: &[Option<bool>], literal: Literal| match literal.as_constant() {
        Some(value) => Some(value),
        None => known[literal.node().index()].map(|value| value != literal.is_complemented()),
    };
    known[reset.index()] = Some(true);
    for id in design.topological_order().ok()? {
        if let Some((left, right)) = design.gate(id) {
            known[id.index()] = match (of(&known, left), of(&known, right)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
        }
    }
    let resets = design.latches().iter().all(|id| {
        design.latch(*id).is_some_and(|latch| match latch.reset {
            Reset::Zero => of(&known, latch.next) == Some(false),
            Reset::One => of(&known, latch.next) == Some(true),
            _ => false,
        })
    });
    resets.then_some(reset)
}

impl Certified<Controller> {
    /// The verdict that the controller proves.
    pub fn realizable(&self, specification: &str) -> Certified<Realizable> {
        let answer = Realizable {
            specification: specification.to_string(),
        };
        Certified::new(answer, self.evidence().clone())
    }
}

impl Certified<Refutation> {
    /// The verdict that the strategy proves.
    pub fn unrealizable(&self, specification: &str) -> Certified<Unrealizable> {
        let answer = Unrealizable {
            specification: specification.to_string(),
        };
        Certified::new(answer, self.evidence().clone())
    }
}

/// Checks that a circuit keeps a GR(1) specification under strict semantics. Its signals have
/// the names of the variables.
pub fn gr1_controller(
    text: Text,
    spec: &Gr1,
    limits: &Limits,
) -> Result<Check<Controller>, NoQuestion> {
    let design = text
        .read()
        .map_err(|error| NoQuestion::Diagnostics(vec![error]))?;
    let asked = question(&design, spec)?;
    let options = Options {
        limits: limits.clone(),
        semantics: Semantics::Strict,
        ..Options::default()
    };
    let verdicts = check(&asked.design, &asked.spec, &options);
    let judgement = judge(&asked.spec, verdicts.map_err(NoQuestion::Diagnostics)?);
    let judged = Judged {
        design: asked.design,
        assumed: asked.assumed,
        recurrences: asked.recurrences,
    };
    let controller = Controller {
        text,
        design,
        judged,
    };
    Ok(judgement.of(controller))
}

/// Checks that a circuit keeps a specification in LTL. Its signals have the names of the
/// specification.
pub fn ltl_controller(
    text: Text,
    spec: &LtlSpec,
    limits: &Limits,
) -> Result<Check<Controller>, Vec<Diagnostic>> {
    let design = text.read().map_err(|error| vec![error])?;
    let requirements = spec.requirements();
    let winner = Winner {
        requirements: &requirements,
        order: spec.order,
        circuit: &design,
        limits,
    };
    let judgement = winner.keeps(&requirements.goals)?;
    let judged = Judged::nothing(design.clone());
    let controller = Controller {
        text,
        design,
        judged,
    };
    Ok(judgement.of(controller))
}

/// An AIGER game with logic in place of the system's inputs: it has to keep the properties
/// that the file itself states. If somebody claims to know states that its runs do not leave,
/// that claim is checked first, and the model checker is asked if it does not help.
pub fn game_controller(
    bytes: Vec<u8>,
    claim: Option<&StateSets>,
    limits: &Limits,
) -> Result<Check<Controller>, Vec<Diagnostic>> {
    let file = aiger::read(&bytes, None).map_err(|error| vec![error])?;
    let spec = properties_of_game(&file)?;
    let options = Options {
        limits: limits.clone(),
        semantics: Semantics::Strict,
        ..Options::default()
    };
    let by_claim = match claim {
        Some(claim) => Problem::new(&file.design, &spec)?.holds_by(claim, limits),
        None => Ok(false),
    };
    let judgement = match by_claim {
        Ok(true) => Judgement::Confirmed,
        Ok(false) => judge(&spec, check(&file.design, &spec, &options)?),
        Err(error) => Judgement::Unknown(error),
    };
    let text = Text {
        language: Language::Aiger,
        bytes,
        reset_port: None,
    };
    let controller = Controller {
        text,
        judged: Judged::nothing(file.design.clone()),
        design: file.design,
    };
    Ok(judgement.of(controller))
}

/// The properties of an AIGER game. Those without a symbol are named by their section and
/// their index in it.
pub fn properties_of_game(file: &AigerFile) -> Result<Spec, Vec<Diagnostic>> {
    let mut items = file.properties();
    let bad = if file.outputs_are_bad() {
        file.design.outputs().len()
    } else {
        file.bad.len()
    };
    let names = (0..bad).map(|index| format!("b{index}"));
    let names = names.chain((0..file.justice.len()).map(|index| format!("j{index}")));
    for (item, name) in items.iter_mut().zip(names) {
        item.name.get_or_insert(name);
    }
    let mut spec = Spec::new();
    spec.add_items(&items)?;
    Ok(spec)
}
