//! Automata as specifications: what they see of a run, as names that formulas may use.
//!
//! A deterministic automaton is a small circuit that reads the signals. Its acceptance
//! condition is a formula over what the circuit says of each step: that there was an edge to
//! take, and which sets the edge is in. Everything that is known of formulas then holds for
//! automata, too: games, certificates, explanations.

use super::{LtlSpec, Part, Section};
use crate::expr::{Circuit, Expr, ExprKind, Signal};
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, Span};
use crate::spec::automaton::hoa::Document;
use crate::spec::automaton::omega::{Automaton, LongRun};
use crate::spec::automaton::{Limits, TooBig};
use crate::spec::formula::{Atom, Formula, FormulaId, Formulas};
use std::collections::HashMap;

/// A circuit that follows a run, with names for some of its signals.
#[derive(Clone, Debug, Default)]
pub struct Observer {
    pub circuit: Circuit,
    pub named: Vec<(String, Signal)>,
}

impl Observer {
    /// Whether nothing is observed.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }
}

impl LtlSpec {
    /// The specification that the runs of an automaton are accepted. Lists of signals, if
    /// there are any, replace what the file says about whose propositions are.
    pub fn from_automaton(
        document: &Document,
        inputs: &[String],
        outputs: &[String],
    ) -> Result<LtlSpec, Vec<Diagnostic>> {
        let limits = Limits {
            states: 20_000,
            ..Limits::default()
        };
        let too_big = |_: TooBig| {
            let message = "the automaton is not deterministic, and a deterministic one is too big";
            vec![
                Diagnostic::error(codes::TOO_LARGE, message)
                    .at(document.acceptance, "accepts by this")
                    .help("give a deterministic automaton, or the formula that it stands for"),
            ]
        };
        let (inputs, outputs) = owners(document, inputs, outputs)?;
        let automaton = &document.automaton;
        let determined;
        let automaton = match automaton.choice(&limits).map_err(too_big)? {
            None => automaton,
            Some(_) => {
                determined = automaton.determinized(&limits).map_err(too_big)?;
                &determined
            }
        };
        let mut spec = LtlSpec {
            title: automaton.name.clone(),
            inputs,
            outputs,
            ..LtlSpec::default()
        };
        let prefix = spec.unused_prefix();
        let formula = observe(automaton, &prefix, &mut spec.observer, &mut spec.formulas);
        spec.parts.push(Part {
            section: Section::Guarantee,
            name: "acceptance".to_string(),
            span: Some(document.acceptance),
            formula,
        });
        Ok(spec)
    }

    /// A name that no signal begins with.
    fn unused_prefix(&self) -> String {
        let mut prefix = "automaton".to_string();
        let mut names = self.inputs.iter().chain(&self.outputs);
        while names.any(|name| name.starts_with(&prefix)) {
            prefix.push('_');
            names = self.inputs.iter().chain(&self.outputs);
        }
        prefix
    }
}

/// The inputs and outputs.
fn owners(
    document: &Document,
    inputs: &[String],
    outputs: &[String],
) -> Result<(Vec<String>, Vec<String>), Vec<Diagnostic>> {
    let automaton = &document.automaton;
    let refuse = |code, message: String, help: &str| {
        let error = Diagnostic::error(code, message).at(document.acceptance, "of this automaton");
        Err(vec![error.help(help)])
    };
    if inputs.is_empty() && outputs.is_empty() {
        let Some(controllable) = &automaton.controllable else {
            let message = "the file does not say whose its propositions are".to_string();
            let help = "name the inputs with `--ins a,b` and the outputs with `--outs c,d`, or \
                        the outputs by their numbers in an item `controllable-AP:`";
            return refuse(codes::UNKNOWN_NAME, message, help);
        };
        let (mut found_inputs, mut found_outputs) = (Vec::new(), Vec::new());
        for (number, proposition) in automaton.propositions.iter().enumerate() {
            if controllable.contains(&number) {
                found_outputs.push(proposition.name.clone())
            } else {
                found_inputs.push(proposition.name.clone())
            }
        }
        return Ok((found_inputs, found_outputs));
    }
    let mut known: Vec<&String> = Vec::new();
    for name in inputs.iter().chain(outputs) {
        if known.contains(&name) {
            let message = format!("`{name}` is named twice by `--ins` and `--outs`");
            let help = "a name is an input or an output, once";
            return refuse(codes::REPEATED_DECLARATION, message, help);
        }
        known.push(name);
    }
    for proposition in &automaton.propositions {
        if !known.contains(&&proposition.name) {
            let message = format!("`{}` is neither an input nor an output", proposition.name);
            let help = "name it with `--ins` or `--outs`";
            return refuse(codes::UNKNOWN_NAME, message, help);
        }
    }
    Ok((inputs.to_vec(), outputs.to_vec()))
}

/// Adds a deterministic automaton to an observer, and gives the formula that its run is
/// accepted.
fn observe(
    automaton: &Automaton,
    prefix: &str,
    observer: &mut Observer,
    formulas: &mut Formulas,
) -> FormulaId {
    let Some(&start) = automaton.start.first() else {
        return formulas.constant(false);
    };
    // States are numbered from the initial one on; past the last one the run has ended.
    let count = automaton.states.len();
    let code = |state: usize| (state + count - start) % count;
    let width = (usize::BITS - count.leading_zeros()) as usize;
    let circuit = &mut observer.circuit;
    let latches: Vec<Signal> = (0..width)
        .map(|bit| circuit.latch(format!("{prefix}.state{bit}"), false))
        .collect();
    let mut guards: HashMap<FormulaId, Signal> = HashMap::new();
    let mut next: Vec<Vec<Signal>> = vec![Vec::new(); width];
    let mut alive = Vec::new();
    let mut marks: Vec<Vec<Signal>> = vec![Vec::new(); automaton.sets];
    for (state, edges) in automaton.states.iter().enumerate() {
        let mut here = Vec::new();
        for (bit, latch) in latches.iter().enumerate() {
            here.push(match code(state) >> bit & 1 {
                1 => *latch,
                _ => circuit.not(*latch),
            });
        }
        let here = circuit.and(here);
        for edge in edges {
            let guard = guard_signal(automaton, edge.guard, circuit, &mut guards);
            let taken = circuit.and([here, guard]);
            alive.push(taken);
            for (bit, next) in next.iter_mut().enumerate() {
                if code(edge.successor) >> bit & 1 == 1 {
                    next.push(taken);
                }
            }
            for mark in &edge.marks {
                marks[*mark].push(taken);
            }
        }
    }
    let alive = circuit.or(alive);
    let ended = circuit.not(alive);
    for (bit, (latch, mut next)) in latches.iter().zip(next).enumerate() {
        if count >> bit & 1 == 1 {
            next.push(ended);
        }
        let next = circuit.or(next);
        circuit.set_next(*latch, next);
    }
    let mut signals = vec![("runs".to_string(), alive)];
    for (set, taken) in marks.into_iter().enumerate() {
        signals.push((format!("set{set}"), circuit.or(taken)));
    }
    let mut atoms = Vec::new();
    for (name, signal) in signals {
        let path = vec![prefix.to_string(), name];
        observer.named.push((path.join("."), signal));
        atoms.push(formulas.condition_atom(&Expr {
            kind: ExprKind::Name(path),
            span: None,
        }));
    }
    let goes_on = atoms.remove(0);
    let goes_on = formulas.globally(goes_on);
    let accepted = long_run(&automaton.acceptance, &atoms, formulas);
    formulas.and([goes_on, accepted])
}

fn guard_signal(
    automaton: &Automaton,
    root: FormulaId,
    circuit: &mut Circuit,
    known: &mut HashMap<FormulaId, Signal>,
) -> Signal {
    for id in automaton.formulas.subformulas(root) {
        if known.contains_key(&id) {
            continue;
        }
        let signal = match automaton.formulas.get(id) {
            Formula::True => circuit.constant(true),
            Formula::Atom(atom) => match automaton.formulas.atom(*atom) {
                Atom::Condition(expr) => circuit.input(expr),
                Atom::Past(_) => circuit.constant(false),
            },
            Formula::Not(operand) => circuit.not(known[operand]),
            Formula::And(operands) => circuit.and(operands.iter().map(|operand| known[operand])),
            Formula::Or(operands) => circuit.or(operands.iter().map(|operand| known[operand])),
            _ => circuit.constant(false),
        };
        known.insert(id, signal);
    }
    known[&root]
}

fn long_run(condition: &LongRun, sets: &[FormulaId], formulas: &mut Formulas) -> FormulaId {
    match condition {
        LongRun::Constant(value) => formulas.constant(*value),
        LongRun::Inf(set) => {
            let again = formulas.finally(sets[*set]);
            formulas.globally(again)
        }
        LongRun::Fin(set) => {
            let absent = formulas.not(sets[*set]);
            let absent = formulas.globally(absent);
            formulas.finally(absent)
        }
        LongRun::And(parts) | LongRun::Or(parts) => {
            let parts: Vec<FormulaId> = parts
                .iter()
                .map(|part| long_run(part, sets, formulas))
                .collect();
            match condition {
                LongRun::And(_) => formulas.and(parts),
                _ => formulas.or(parts),
            }
        }
    }
}

/// Where a specification comes from an automaton, formats of formulas cannot say it.
pub fn no_formula(spec: &LtlSpec) -> Option<Diagnostic> {
    if spec.observer.is_empty() {
        return None;
    }
    let message = "the specification is an automaton, and this format has formulas only";
    let error = Diagnostic::error(codes::NOT_SUPPORTED, message)
        .help("write `--to hoa`, or give the formula that the automaton stands for");
    let span: Option<Span> = spec.parts.iter().find_map(|part| part.span);
    Some(error.at_optional(span, "accepts by this"))
}
