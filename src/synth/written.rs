//! Controllers of specifications: made, written as text, read again from it and certified.
//! What is certified is what users get.

use super::circuit::{Circuit, Port};
use super::controller::controller;
use super::explicit::{Bounds, Explicit, explicit};
use super::{Event, Unknown, Watch, gr1, ltl, verilog};
use crate::bdd::{self, Limits};
use crate::certify::controller::NoQuestion;
use crate::certify::{
    self, Certified, Check, Controller, Language, Realizability, RealizabilityCheck, Realizable,
    Text, Unrealizable,
};
use crate::design::Design;
use crate::design::aiger::{self, AigerFile};
use crate::game::gr1::{Gr1Game, Selection};
use crate::load::{AnySpec, LoadedGr1, LoadedLtl};
use crate::source::Diagnostic;
use crate::source::codes::{frame, specification as codes};
use crate::spec::gr1::Gr1;
use crate::spec::ltl::{LtlSpec, Order};
use std::time::Duration;

/// How long the controller of a specification in LTL is made smaller.
const POLISH: Duration = Duration::from_secs(1);

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub limits: Limits,
    pub form: Form,
    /// The name of an input with which the controller starts again; only in Verilog.
    pub reset_port: Option<String>,
}

/// How a controller is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    #[default]
    Verilog,
    Aiger(aiger::Form),
}

/// Who wins a specification.
pub enum Answer {
    Realizable(Box<Synthesized>),
    Unrealizable(Certified<Unrealizable>),
    Unknown(Unknown),
}

/// A controller with its ports.
pub struct Synthesized {
    pub controller: Certified<Controller>,
    /// Over the design of the text that was certified.
    pub circuit: Circuit,
    /// Of the circuit that was written: reading text makes gates that say nothing.
    pub gates: usize,
    pub registers: usize,
    pub notes: Vec<String>,
}

impl Synthesized {
    /// The same with a port for each bit, as an automaton reads and drives single signals.
    pub fn states_of_bits(&self) -> Result<Explicit, Diagnostic> {
        let circuit = self.circuit.of_single_bits();
        explicit(&circuit, &self.controller.judged, Bounds::default())
    }

    /// The controller as a list of states and transitions.
    pub fn states(&self) -> Result<Explicit, Diagnostic> {
        explicit(&self.circuit, &self.controller.judged, Bounds::default())
    }
}

/// Makes a controller of a specification; `watch` is told what is being done.
///
/// ```
/// use respin::synth::written::{Answer, Options};
/// use respin::{SpecOptions, spec_from_text, synth};
///
/// let text = "module Copy env boolean a; sys boolean b; gar same: G (b = a);";
/// let (spec, _) = spec_from_text("copy.spectra", text, &SpecOptions::default())?;
/// let Answer::Realizable(made) = synth(&spec, &Options::default(), &mut |_| {})? else {
///     panic!("a wire does it");
/// };
/// let verilog = String::from_utf8_lossy(&made.controller.text.bytes);
/// assert!(verilog.contains("assign b = a;"));
/// # Ok::<(), respin::load::Failure>(())
/// ```
pub fn synth(
    spec: &AnySpec,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Answer, Vec<Diagnostic>> {
    match spec {
        AnySpec::Gr1(loaded) => of_gr1(loaded, options, watch),
        AnySpec::Ltl(loaded) => of_ltl(loaded, options, watch),
    }
}

fn of_gr1(
    loaded: &LoadedGr1,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Answer, Vec<Diagnostic>> {
    let spec = loaded.strict();
    watch(Event::Stage("solving the game"));
    let circuit = match strategy_of_gr1(&spec, options) {
        Ok(Ok(circuit)) => circuit,
        Ok(Err(refuted)) => return unrealizable(refuted),
        Err(error) => return Ok(Answer::Unknown(Unknown::limit(error))),
    };
    let circuit = circuit.with_reset_port(options.reset_port.clone());
    watch(Event::Stage("certifying the controller"));
    let written = Written::new(circuit, options.form).map_err(|error| vec![error])?;
    match written.certify_gr1(&spec, &options.limits) {
        Ok(check) => written.answer(check),
        Err(NoQuestion::Diagnostics(diagnostics)) => Err(diagnostics),
        Err(NoQuestion::TooManyAnswers) => Ok(Answer::Unknown(Unknown::because(
            "the solver says REALIZABLE, but the controller was not certified: assumptions \
             speak of too many next values of the system",
        ))),
    }
}

/// The circuit of a controller; or the checked reason why there is none.
fn strategy_of_gr1(
    spec: &Gr1,
    options: &Options,
) -> bdd::Result<Result<Circuit, gr1::Certification>> {
    let game = Gr1Game::new(spec, options.limits.clone())?;
    let rules = game.rules(&Selection::everything(spec))?;
    let solution = rules.solve()?;
    if !solution.realizable {
        return Ok(Err(gr1::certified(&game, &rules, &solution)?));
    }
    let tells_goal = options.form == Form::Verilog;
    let circuit = controller(&rules, &solution, &options.limits, tells_goal)?;
    Ok(Ok(circuit))
}

fn unrealizable(certification: gr1::Certification) -> Result<Answer, Vec<Diagnostic>> {
    match certification {
        Ok(Realizability::Unrealizable(verdict)) => Ok(Answer::Unrealizable(verdict)),
        Ok(Realizability::Realizable(_)) => Err(internal("the verdict is another one")),
        Err(flaw) => Err(internal(&format!(
            "a verdict was not confirmed: {}",
            flaw.0
        ))),
    }
}

fn internal(message: &str) -> Vec<Diagnostic> {
    vec![Diagnostic::error(frame::INTERNAL_ERROR, message)]
}

fn of_ltl(
    loaded: &LoadedLtl,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Answer, Vec<Diagnostic>> {
    let spec = &loaded.spec;
    watch(Event::Stage("solving the game"));
    // The text is checked below, and nothing is shown before.
    let claim = match claim_of_ltl(spec, &options.limits, watch)? {
        Ok(claim) => claim,
        Err(unknown) => return Ok(Answer::Unknown(unknown)),
    };
    if !claim.realizable {
        let answer = match claim.checked(spec, &options.limits) {
            Ok(answer) => answer,
            Err(failure) => return Ok(Answer::Unknown(unknown(failure)?)),
        };
        return match winner(spec, answer)? {
            Winner::Environment(_, verdict) => Ok(Answer::Unrealizable(verdict)),
            Winner::Unknown(unknown) => Ok(Answer::Unknown(unknown)),
            Winner::System(..) => Err(internal("the verdict is another one")),
        };
    }
    watch(Event::Status("making the controller smaller"));
    let smaller = ltl::smaller_controller(spec, claim.circuit, POLISH, &options.limits);
    let circuit = Circuit::of_bits(&spec.title, smaller);
    let circuit = circuit.with_reset_port(options.reset_port.clone());
    let written = Written::new(circuit, options.form).map_err(|error| vec![error])?;
    watch(Event::Status("certifying what was written"));
    let check = certify::ltl_controller(written.text.clone(), spec, &options.limits)?;
    let mut answer = written.answer(check)?;
    if let Answer::Realizable(made) = &mut answer
        && loaded.target == Order::Moore
        && spec.order == Order::Mealy
    {
        let note = "the target is Moore, but outputs may depend on inputs of the same step, \
                    as the semantics allow";
        made.notes.push(note.to_string());
    }
    Ok(answer)
}

/// Who wins a specification in LTL, with the circuit that was certified.
pub enum Winner {
    System(Circuit, Certified<Realizable>),
    Environment(Circuit, Certified<Unrealizable>),
    Unknown(Unknown),
}

/// Solves a specification in LTL.
pub fn winner_of_ltl(
    spec: &LtlSpec,
    limits: &Limits,
    watch: &mut Watch<'_>,
) -> Result<Winner, Vec<Diagnostic>> {
    watch(Event::Stage("solving the game"));
    let options = ltl::Options {
        limits: limits.clone(),
        ..ltl::Options::default()
    };
    match ltl::solve(spec, &options, &mut |doing| watch(Event::Detail(doing))) {
        Ok(answer) => winner(spec, answer),
        Err(failure) => Ok(Winner::Unknown(unknown(failure)?)),
    }
}

/// What a solver says of a specification in LTL.
fn claim_of_ltl(
    spec: &LtlSpec,
    limits: &Limits,
    watch: &mut Watch<'_>,
) -> Result<Result<ltl::Claim, Unknown>, Vec<Diagnostic>> {
    let options = ltl::Options {
        limits: limits.clone(),
        ..ltl::Options::default()
    };
    match ltl::claim(spec, &options, &mut |doing| watch(Event::Detail(doing))) {
        Ok(claim) => Ok(Ok(claim)),
        Err(failure) => Ok(Err(unknown(failure)?)),
    }
}

fn unknown(failure: ltl::Failure) -> Result<Unknown, Vec<Diagnostic>> {
    match failure {
        ltl::Failure::Diagnostics(diagnostics) => Err(diagnostics),
        ltl::Failure::Limit(error) => Ok(Unknown::limit(error)),
        ltl::Failure::GaveUp(reason) => Ok(Unknown::because(reason)),
    }
}

fn winner(spec: &LtlSpec, answer: ltl::Answer) -> Result<Winner, Vec<Diagnostic>> {
    let circuit = Circuit::of_bits(&spec.title, answer.circuit);
    match answer.check {
        RealizabilityCheck::Certified(Realizability::Realizable(verdict)) => {
            Ok(Winner::System(circuit, verdict))
        }
        RealizabilityCheck::Certified(Realizability::Unrealizable(verdict)) => {
            Ok(Winner::Environment(circuit, verdict))
        }
        RealizabilityCheck::Unknown(error) => Ok(Winner::Unknown(Unknown::uncertified(
            answer.realizable,
            "that was not certified",
            error,
        ))),
        RealizabilityCheck::NotShown(part) => {
            Err(internal(&format!("a verdict was not confirmed: {part}")))
        }
    }
}

/// A circuit with its text.
pub struct Written {
    pub text: Text,
    /// As it was made, before it was written.
    made: Circuit,
}

impl Written {
    pub fn new(circuit: Circuit, form: Form) -> Result<Written, Diagnostic> {
        let text = match form {
            Form::Verilog => as_verilog(&circuit)?,
            Form::Aiger(form) => as_aiger(&circuit, form)?,
        };
        Ok(Written {
            text,
            made: circuit,
        })
    }

    /// The circuit that the text says.
    pub fn read(&self) -> Result<Circuit, Diagnostic> {
        over(&self.made, self.text.read()?)
    }

    /// Checks the text against a GR(1) specification under strict semantics.
    pub fn certify_gr1(
        &self,
        spec: &Gr1,
        limits: &Limits,
    ) -> Result<Check<Controller>, NoQuestion> {
        certify::gr1_controller(self.text.clone(), spec, limits)
    }

    fn answer(self, check: Check<Controller>) -> Result<Answer, Vec<Diagnostic>> {
        match check {
            Check::Certified(controller) => {
                let design = controller.design.clone();
                Ok(Answer::Realizable(Box::new(Synthesized {
                    circuit: over(&self.made, design).map_err(|error| vec![error])?,
                    gates: self.made.gates(),
                    registers: self.made.registers(),
                    controller,
                    notes: Vec::new(),
                })))
            }
            Check::Unknown(error) => {
                let what = "the controller was not certified";
                Ok(Answer::Unknown(Unknown::uncertified(true, what, error)))
            }
            Check::NotShown(part) => {
                let message = format!("a controller that was made breaks a property: {part}");
                Err(internal(&message))
            }
        }
    }
}

fn as_verilog(circuit: &Circuit) -> Result<Text, Diagnostic> {
    let text = verilog::write(circuit).map_err(|name| {
        let message = format!("`{}` cannot be spelled in Verilog", name.0);
        Diagnostic::error(codes::NOT_SUPPORTED, message)
            .help("use names of printable ASCII characters, or `--to aiger`")
    })?;
    Ok(Text {
        language: Language::Verilog,
        bytes: text.into_bytes(),
        reset_port: circuit.reset_port.clone(),
    })
}

/// Words are bits with an index.
fn as_aiger(circuit: &Circuit, form: aiger::Form) -> Result<Text, Diagnostic> {
    let mut file = AigerFile::from_design(circuit.design.clone(), &[])?;
    file.outputs_are_plain = true;
    Ok(Text {
        language: Language::Aiger,
        bytes: file.bytes(form)?,
        reset_port: None,
    })
}

/// The same ports in another design.
fn over(circuit: &Circuit, design: Design) -> Result<Circuit, Diagnostic> {
    let ports = |ports: &[Port]| -> Result<Vec<Port>, Diagnostic> {
        let ports = ports.iter();
        ports
            .map(|port| {
                let bits = match circuit.arrays.bits(port, &design) {
                    Some(bits) => bits.to_vec(),
                    None => design.signal(&port.name)?.bits.clone(),
                };
                if bits.len() != port.bits.len() {
                    let message = format!("`{}` has another width when read again", port.name);
                    return Err(Diagnostic::error(frame::INTERNAL_ERROR, message));
                }
                Ok(Port {
                    bits,
                    ..port.clone()
                })
            })
            .collect()
    };
    Ok(Circuit {
        name: circuit.name.clone(),
        inputs: ports(&circuit.inputs)?,
        outputs: ports(&circuit.outputs)?,
        internal: ports(&circuit.internal)?,
        arrays: circuit.arrays.clone(),
        reset_port: circuit.reset_port.clone(),
        design,
    })
}
