//! From a trace of inputs to the signals that people know.

use super::{Certified, Evidence, Problem, Trace};
use crate::design::reserved::{RESET_FREE, is_reserved};
use crate::design::{Design, Literal, NodeId, NodeSet, Reach, Word};
use crate::expr::{Expr, ExprKind};
use crate::run::{Bits, Run, Signal, SignalKind};
use crate::source::Diagnostic;
use crate::spec::{Atom, Spec};
use std::collections::HashSet;

/// Infinite runs get so many more steps, if then not only what the property depends on
/// repeats, but all there is.
const LONGER: usize = 64;

impl Problem {
    /// A run that violates a property (or covers it), with the signals of the design by name,
    /// then the conditions of the property. The trace was replayed when it was made.
    pub fn shown(
        &self,
        spec: &Spec,
        property: usize,
        trace: &Trace,
    ) -> Result<Certified<Run>, Diagnostic> {
        let run = self.described(spec, property, trace)?;
        Ok(Certified::new(run, Evidence::Replayed))
    }

    /// What the inputs of a run lead to here, for comparison, with the conditions of a property.
    /// Latches whose first value the design gives start with that. Inputs that repeat for ever
    /// are gone round until the state of this design repeats as well; if that takes long, the
    /// run ends without a loop.
    pub fn replayed(&self, spec: &Spec, property: usize, run: &Run) -> Result<Run, Diagnostic> {
        let design = self.design();
        let ones = design.ones_of(run);
        let chosen: Vec<bool> = design
            .chosen_latches()
            .map(|id| ones.initial.contains(&id))
            .collect();
        let values = |inputs: &HashSet<NodeId>| -> Vec<bool> {
            let ids = design.inputs().iter();
            ids.map(|id| inputs.contains(id)).collect()
        };
        let inputs = ones.inputs.iter().map(values).collect();
        let mut trace = Trace::new(design, &chosen, inputs, run.loop_start)?;
        if trace
            .with_whole_state(design, trace.len() + LONGER)?
            .is_none()
        {
            trace.loop_start = None;
        }
        self.described(spec, property, &trace)
    }

    fn described(&self, spec: &Spec, property: usize, trace: &Trace) -> Result<Run, Diagnostic> {
        let design = self.design();
        let whole = trace.with_whole_state(design, trace.len() + LONGER)?;
        let trace = whole.as_ref().unwrap_or(trace);
        let cone = design.cone(self.literals_for(property), Reach::Run);
        let mut rows = rows(design);
        rows.sort_by_key(|row| row.kind);
        for (name, literal) in conditions(self, spec, property) {
            if rows.iter().all(|row| row.name != name) {
                rows.push(Row {
                    name,
                    kind: SignalKind::Condition,
                    bits: vec![literal],
                });
            }
        }
        let literals: Vec<Literal> = rows.iter().flat_map(|row| row.bits.clone()).collect();
        let values = trace.values(design, &literals)?;
        let mut first = 0;
        let mut signals = Vec::new();
        for row in rows {
            let end = first + row.bits.len();
            let own = values
                .iter()
                .map(|step| Some(step[first..end].to_vec()))
                .collect();
            signals.push(row.signal(own, &cone));
            first = end;
        }
        Ok(Run {
            steps: trace.len(),
            loop_start: trace.loop_start,
            signals,
        })
    }
}

/// The atoms of a property that say more than the name of a signal.
fn conditions(problem: &Problem, spec: &Spec, property: usize) -> Vec<(String, Literal)> {
    let Some(property) = spec.properties.get(property) else {
        return Vec::new();
    };
    let atoms = spec.formulas.atoms_of(property.formula).into_iter();
    atoms
        .filter_map(|atom| match spec.formulas.atom(atom) {
            Atom::Condition(expr) if !is_internal(expr) => {
                Some((expr.to_string(), problem.literal(atom)?))
            }
            _ => None,
        })
        .collect()
}

/// Atoms that nobody wrote.
fn is_internal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Net(_) => true,
        ExprKind::Name(path) => matches!(path.as_slice(), [name] if is_reserved(name)),
        _ => false,
    }
}

struct Row {
    name: String,
    kind: SignalKind,
    bits: Vec<Literal>,
}

impl Row {
    fn signal(self, values: Vec<Option<Bits>>, cone: &NodeSet) -> Signal {
        let is_constant = |bit: &&Literal| bit.as_constant().is_some();
        let mut changing = self.bits.iter().filter(|bit| !is_constant(bit));
        Signal {
            // Whether a reset comes again is seen at the reset itself.
            relevant: self.kind == SignalKind::Condition
                || self.name != RESET_FREE && changing.any(|bit| cone.contains(bit.node())),
            width: self.bits.len(),
            values,
            name: self.name,
            kind: self.kind,
        }
    }
}

/// Inputs, latches and outputs in the order of the design, bits of one word together, and
/// then other words that have a name.
fn rows(design: &Design) -> Vec<Row> {
    let name = |id, letter: char, index: usize| match design.name(id) {
        Some(name) if !name.is_empty() => name.to_string(),
        _ => format!("{letter}{index}"),
    };
    // What the front end made for itself is not the user's.
    let is_own = |id: NodeId| {
        let name = design.name(id).unwrap_or_default();
        design.is_hidden(id) && name.contains('$') && design.latch(id).is_some()
    };
    let mut single = Vec::new();
    for (index, id) in design.inputs().iter().enumerate() {
        let name = name(*id, 'i', index);
        single.push((name, SignalKind::Input, id.literal()));
    }
    let latches = design.latches().iter().enumerate();
    for (index, id) in latches.filter(|(_, id)| !is_own(**id)) {
        let name = name(*id, 'l', index);
        single.push((name, SignalKind::Latch, id.literal()));
    }
    let outputs = design.outputs().iter().enumerate();
    let made = |name: &Option<String>| name.as_deref().is_some_and(is_reserved);
    for (index, output) in outputs.filter(|(_, output)| !made(&output.name)) {
        let name = match &output.name {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("o{index}"),
        };
        single.push((name, SignalKind::Output, output.literal));
    }
    let mut known: HashSet<String> = HashSet::new();
    let mut rows = Vec::new();
    for (name, kind, bit) in single {
        let row = match whole_word(design, &name, bit) {
            Some((name, bits)) => Row { name, kind, bits },
            None => Row {
                name,
                kind,
                bits: vec![bit],
            },
        };
        if known.insert(row.name.clone()) {
            rows.push(row);
        }
    }
    let words = design.words().iter();
    for word in words.filter(|word| !is_reserved(&word.name)) {
        let name = word_name(word);
        if known.insert(name.clone()) {
            rows.push(Row {
                name,
                kind: SignalKind::Wire,
                bits: word.bits.clone(),
            });
        }
    }
    rows
}

/// The word that `count[2]` is a bit of, if the design knows it and this is its bit.
fn whole_word(design: &Design, name: &str, bit: Literal) -> Option<(String, Vec<Literal>)> {
    let (base, _) = name.strip_suffix(']')?.rsplit_once('[')?;
    let word = design.signal(base).ok()?;
    let belongs = word.bits.len() > 1 && word.bits.contains(&bit);
    belongs.then(|| (word_name(word), word.bits.clone()))
}

/// As it is declared: `count[3:0]`.
fn word_name(word: &Word) -> String {
    match word.bits.len() {
        1 => word.name.clone(),
        _ => format!("{}[{}:{}]", word.name, word.left, word.right),
    }
}
