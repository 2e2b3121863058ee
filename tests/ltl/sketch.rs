//! Random specifications, and smaller ones of them.

use crate::support::{Shape, random_formula};
use respin::expr::{Expr, ExprKind, TemporalBinary, TemporalUnary};
use respin::random::Random;
use respin::spec::ltl::{LtlSpec, Order, Part, Section};
use respin::spec::{Formula, FormulaId};

/// Up to three inputs and three outputs, and up to four parts of small depth.
pub fn random_spec(random: &mut Random) -> LtlSpec {
    let names = ["a", "b", "c", "d", "e", "f"];
    let inputs = random.below(4);
    let signals = inputs + 1 + random.below(3);
    let mut spec = LtlSpec {
        inputs: names[..inputs]
            .iter()
            .map(|name| name.to_string())
            .collect(),
        outputs: names[inputs..signals]
            .iter()
            .map(|name| name.to_string())
            .collect(),
        order: if random.below(4) == 0 {
            Order::Moore
        } else {
            Order::Mealy
        },
        is_strict: random.below(4) == 0,
        ..LtlSpec::default()
    };
    for number in 0..1 + random.below(4) {
        let section = match random.below(3) {
            0 => Section::Guarantee,
            _ => *random.pick(&Section::ALL),
        };
        let formula = match section {
            Section::Initially | Section::Preset => {
                random_formula(random, &mut spec.formulas, &shape(1, signals, false))
            }
            Section::Require | Section::Assert => {
                random_formula(random, &mut spec.formulas, &shape(2, signals, true))
            }
            Section::Assume | Section::Guarantee => {
                random_formula(random, &mut spec.formulas, &shape(3, signals, false))
            }
        };
        spec.parts.push(part(number, section, formula));
    }
    spec
}

/// Requirements as people write them, of which some often contradict each other: answers,
/// invariants and recurrences about single signals.
pub fn conflicting_spec(random: &mut Random) -> LtlSpec {
    let (inputs, outputs) = (["a", "b"], ["x", "y"]);
    let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
    let mut spec = LtlSpec {
        inputs: names(&inputs),
        outputs: names(&outputs[..1 + random.below(2)]),
        is_strict: random.below(6) == 0,
        ..LtlSpec::default()
    };
    let outputs = spec.outputs.len();
    let mut atoms: Vec<FormulaId> = Vec::new();
    for name in spec.inputs.iter().chain(&spec.outputs) {
        atoms.push(spec.formulas.condition_atom(&Expr {
            kind: ExprKind::Name(vec![name.clone()]),
            span: None,
        }));
    }
    for number in 0..2 + random.below(3) {
        let formulas = &mut spec.formulas;
        let mut literal = |random: &mut Random, first: usize, count: usize| {
            let atom = atoms[first + random.below(count)];
            match random.below(2) {
                0 => formulas.not(atom),
                _ => atom,
            }
        };
        let asked = literal(random, 0, inputs.len());
        let answer = literal(random, inputs.len(), outputs);
        let kind = random.below(7);
        let (section, formula) = match kind {
            0 | 1 => (Section::Assert, formulas.implies(asked, answer)),
            2 | 3 => {
                let later = match kind {
                    2 => formulas.next(answer),
                    _ => formulas.finally(answer),
                };
                let answered = formulas.implies(asked, later);
                (Section::Guarantee, formulas.globally(answered))
            }
            4 => {
                let both = formulas.and([asked, answer]);
                let again = formulas.finally(both);
                (Section::Guarantee, formulas.globally(again))
            }
            5 => (Section::Assert, answer),
            _ => {
                let again = formulas.finally(asked);
                (Section::Assume, formulas.globally(again))
            }
        };
        spec.parts.push(part(number, section, formula));
    }
    spec
}

fn part(number: usize, section: Section, formula: FormulaId) -> Part {
    Part {
        section,
        name: format!("part_{number}"),
        span: None,
        formula,
    }
}

fn shape(depth: usize, atoms: usize, bounded: bool) -> Shape {
    let mut unary = vec![TemporalUnary::Next];
    let mut binary = vec![TemporalBinary::Until];
    if bounded {
        binary = vec![TemporalBinary::WeakUntil];
    } else {
        unary.extend([TemporalUnary::Finally, TemporalUnary::Globally]);
        binary.extend([TemporalBinary::WeakUntil, TemporalBinary::Release]);
    }
    Shape {
        unary,
        binary,
        negate_anything: true,
        depth,
        atoms,
    }
}

/// The same with one part less, or with an operand in place of a part's formula.
pub fn smaller_specs(spec: &LtlSpec) -> Vec<LtlSpec> {
    let mut found = Vec::new();
    for place in 0..spec.parts.len() {
        let mut smaller = spec.clone();
        smaller.parts.remove(place);
        found.push(smaller);
        let mut operands: Vec<FormulaId> = Vec::new();
        let formula: &Formula = spec.formulas.get(spec.parts[place].formula);
        formula.for_each_operand(|operand| operands.push(operand));
        for operand in operands {
            let mut smaller = spec.clone();
            smaller.parts[place].formula = operand;
            found.push(smaller);
        }
    }
    found
}

pub fn text(spec: &LtlSpec) -> String {
    let mut lines = format!(
        "inputs {:?}, outputs {:?}, {:?}, strict {}\n",
        spec.inputs, spec.outputs, spec.order, spec.is_strict
    );
    for part in &spec.parts {
        let formula = spec.formulas.text(part.formula);
        lines.push_str(&format!("  {:?}: {formula}\n", part.section));
    }
    lines
}
