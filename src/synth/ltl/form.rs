//! How the functions of a controller are written as gates.
//!
//! A multiplexer for each node of a decision diagram is the plain way. Where many nodes choose
//! by the same variables, as those of a wide multiplexer do, it is shorter to decode some levels
//! at once: which way the variables of these levels lead is a signal that all nodes share, and
//! each node is a disjunction with one conjunction for each way. A choice of four is seven gates
//! then, and not nine, beside the four of the decoder.

use crate::bdd::{Bdd, Variable};
use crate::design::{Design, Literal};
use std::collections::HashMap;

/// Which levels of the diagrams are decoded at once, the first and how many; none unless said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form {
    decoded: Option<(usize, usize)>,
}

/// Levels further down are not worth while: there, each node has variables of its own.
const MOST_LEVELS: usize = 16;
/// More than these have too many ways.
const MOST_DECODED: usize = 4;

impl Form {
    /// Forms to be tried, for diagrams with so many levels.
    pub fn all(levels: usize) -> impl Iterator<Item = Form> {
        let firsts = 0..levels.min(MOST_LEVELS);
        let decoded =
            firsts.flat_map(|first| (2..=MOST_DECODED).map(move |count| Some((first, count))));
        std::iter::once(None)
            .chain(decoded)
            .map(|decoded| Form { decoded })
    }
}

/// Gates made so far.
pub struct Gates<'a> {
    /// The signal that each variable stands for.
    signals: &'a HashMap<Variable, Literal>,
    form: Form,
    known: HashMap<Bdd, Literal>,
}

/// Values of some variables, top first.
type Path = Vec<(Variable, bool)>;

// Handles are equal if their functions are; the manager behind them has no part in it.
#[allow(clippy::mutable_key_type)]
impl<'a> Gates<'a> {
    pub fn new(signals: &'a HashMap<Variable, Literal>, form: Form) -> Gates<'a> {
        Gates {
            signals,
            form,
            known: HashMap::new(),
        }
    }

    /// A literal with the value of the function. The recursion is as deep as there are
    /// variables.
    ///
    /// # Panics
    /// If the function depends on a variable that stands for no signal.
    pub fn build(&mut self, design: &mut Design, function: &Bdd) -> Literal {
        if let Some(literal) = literal(&self.known, function) {
            return literal;
        }
        let Some((variable, low, high)) = function.expand() else {
            return Literal::constant(function.is_one());
        };
        let level = function.manager().level(variable);
        let result = match self.form.decoded {
            Some((first, count)) if (first..first + count).contains(&level) => {
                self.decoded(design, function, first + count)
            }
            _ => {
                let (low, high) = (self.build(design, &low), self.build(design, &high));
                design.mux(self.signals[&variable], high, low)
            }
        };
        self.known.insert(function.clone(), result);
        result
    }

    /// One conjunction for each way through the levels above `end`.
    fn decoded(&mut self, design: &mut Design, function: &Bdd, end: usize) -> Literal {
        let mut result = Literal::FALSE;
        for (below, paths) in ways(function, end) {
            let mut way = Literal::FALSE;
            for path in paths {
                let taken = self.path(design, &path);
                way = design.or(way, taken);
            }
            let value = self.build(design, &below);
            let taken = design.and(way, value);
            result = design.or(result, taken);
        }
        result
    }

    /// Whether all of these variables have these values; the last ones are shared.
    fn path(&mut self, design: &mut Design, path: &[(Variable, bool)]) -> Literal {
        let mut taken = Literal::TRUE;
        for (variable, value) in path.iter().rev() {
            let own = self.signals[variable].complement_if(!value);
            taken = design.and(own, taken);
        }
        taken
    }
}

// As above.
#[allow(clippy::mutable_key_type)]
fn literal(known: &HashMap<Bdd, Literal>, function: &Bdd) -> Option<Literal> {
    if function.is_constant() {
        return Some(Literal::constant(function.is_one()));
    }
    let complement = || known.get(&function.not()).map(|literal| !*literal);
    known.get(function).copied().or_else(complement)
}

/// What a function is below some level, by the values of the variables above; false is left out.
fn ways(function: &Bdd, end: usize) -> Vec<(Bdd, Vec<Path>)> {
    let mut found: Vec<(Bdd, Vec<Path>)> = Vec::new();
    let mut pending: Vec<(Bdd, Path)> = vec![(function.clone(), Vec::new())];
    while let Some((one, path)) = pending.pop() {
        match one.expand() {
            Some((variable, low, high)) if one.manager().level(variable) < end => {
                for (next, value) in [(low, false), (high, true)] {
                    let mut path = path.clone();
                    path.push((variable, value));
                    pending.push((next, path));
                }
            }
            _ if one.is_zero() => {}
            _ => match found.iter_mut().find(|(known, _)| *known == one) {
                Some((_, paths)) => paths.push(path),
                None => found.push((one, vec![path])),
            },
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bdd::Manager;
    use crate::design::InputKind;
    use crate::random::Random;

    #[test]
    fn each_form_has_the_same_function() {
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let manager = Manager::new();
            let variables = manager.new_variables(7).unwrap();
            let mut function = manager.zero();
            for row in 0..1_usize << 7 {
                if random.below(4) == 0 {
                    let values = variables.iter().enumerate();
                    let values: Vec<_> =
                        values.map(|(bit, id)| (*id, row >> bit & 1 == 1)).collect();
                    function = function.or(&manager.cube(&values).unwrap()).unwrap();
                }
            }
            for form in Form::all(variables.len()) {
                let mut design = Design::new();
                let inputs: Vec<_> = variables
                    .iter()
                    .map(|_| design.add_input(InputKind::Environment))
                    .collect();
                let signals = variables.iter().copied();
                let signals = signals.zip(inputs.iter().map(|id| id.literal())).collect();
                let literal = Gates::new(&signals, form).build(&mut design, &function);
                let rows = (0..1_usize << 7).map(|row| (0..7).map(move |bit| row >> bit & 1 == 1));
                let rows: Vec<Vec<bool>> = rows.map(Iterator::collect).collect();
                let run = design.run(&[], &rows).unwrap();
                for (step, row) in rows.iter().enumerate() {
                    let values: Vec<_> = variables.iter().copied().zip(row.clone()).collect();
                    let expected = function.cofactor(&values).unwrap().is_one();
                    let own = run.value(step, literal);
                    assert_eq!(own, expected, "seed {seed}, {form:?}, row {step}");
                }
            }
        }
    }
}
