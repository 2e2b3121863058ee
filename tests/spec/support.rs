//! Random formulas and runs, and what is done with one that fails.

use crate::seed::given_seed;
use respin::expr::{Expr, ExprKind, TemporalBinary, TemporalUnary};
use respin::random::Random;
use respin::source::{Diagnostic, Severity, Sources, Span};
use respin::spec::{Formula, FormulaId, Formulas, Lasso};
use std::collections::HashMap;

/// `RESPIN_SEED`, or the same on every machine.
pub fn seed() -> u64 {
    given_seed().unwrap_or(20_260_101)
}

/// Which operators random formulas have.
#[derive(Clone)]
pub struct Shape {
    pub unary: Vec<TemporalUnary>,
    pub binary: Vec<TemporalBinary>,
    /// Negation in front of anything, or only of atoms.
    pub negate_anything: bool,
    pub depth: usize,
    pub atoms: usize,
}

impl Shape {
    pub fn everything(depth: usize) -> Shape {
        Shape {
            unary: TemporalUnary::ALL.to_vec(),
            binary: TemporalBinary::ALL.to_vec(),
            negate_anything: true,
            depth,
            atoms: 3,
        }
    }

    pub fn safety(depth: usize) -> Shape {
        Shape {
            unary: vec![TemporalUnary::Next, TemporalUnary::Globally],
            binary: vec![TemporalBinary::WeakUntil, TemporalBinary::Release],
            negate_anything: false,
            depth,
            atoms: 3,
        }
    }

    pub fn cosafety(depth: usize) -> Shape {
        Shape {
            unary: vec![TemporalUnary::Next, TemporalUnary::Finally],
            binary: vec![TemporalBinary::Until, TemporalBinary::StrongRelease],
            negate_anything: false,
            depth,
            atoms: 3,
        }
    }

    pub fn past(depth: usize) -> Shape {
        Shape {
            unary: vec![
                TemporalUnary::Yesterday,
                TemporalUnary::WeakYesterday,
                TemporalUnary::Once,
                TemporalUnary::Historically,
            ],
            binary: vec![TemporalBinary::Since, TemporalBinary::Trigger],
            negate_anything: true,
            depth,
            atoms: 3,
        }
    }
}

pub fn name(text: &str) -> Expr {
    Expr {
        kind: ExprKind::Name(vec![text.to_string()]),
        span: None,
    }
}

/// Formulas with the atoms `a`, `b`, `c`, in this order.
pub fn with_atoms(count: usize) -> (Formulas, Vec<FormulaId>) {
    let mut formulas = Formulas::new();
    let atoms = ["a", "b", "c", "d", "e", "f"][..count]
        .iter()
        .map(|text| formulas.condition_atom(&name(text)))
        .collect();
    (formulas, atoms)
}

pub fn random_formula(random: &mut Random, formulas: &mut Formulas, shape: &Shape) -> FormulaId {
    let atoms: Vec<FormulaId> = ["a", "b", "c", "d", "e", "f"][..shape.atoms]
        .iter()
        .map(|text| formulas.condition_atom(&name(text)))
        .collect();
    grow(random, formulas, shape, &atoms, shape.depth)
}

fn grow(
    random: &mut Random,
    formulas: &mut Formulas,
    shape: &Shape,
    atoms: &[FormulaId],
    depth: usize,
) -> FormulaId {
    if depth == 0 || random.below(8) == 0 {
        let atom = *random.pick(atoms);
        return match random.below(12) {
            0 => formulas.constant(random.flip()),
            1..=5 => formulas.not(atom),
            _ => atom,
        };
    }
    match random.below(10) {
        0 if shape.negate_anything => {
            let operand = grow(random, formulas, shape, atoms, depth - 1);
            formulas.not(operand)
        }
        0..=3 => {
            let left = grow(random, formulas, shape, atoms, depth - 1);
            let right = grow(random, formulas, shape, atoms, depth - 1);
            if random.flip() {
                formulas.and([left, right])
            } else {
                formulas.or([left, right])
            }
        }
        4..=6 => {
            let operator = *random.pick(&shape.unary);
            let operand = grow(random, formulas, shape, atoms, depth - 1);
            formulas.unary(operator, operand)
        }
        _ => {
            let operator = *random.pick(&shape.binary);
            let left = grow(random, formulas, shape, atoms, depth - 1);
            let right = grow(random, formulas, shape, atoms, depth - 1);
            formulas.binary(operator, left, right)
        }
    }
}

pub fn random_lasso(random: &mut Random, atoms: usize) -> Lasso {
    let steps = |random: &mut Random, count: usize| -> Vec<Vec<bool>> {
        (0..count)
            .map(|_| (0..atoms).map(|_| random.flip()).collect())
            .collect()
    };
    let prefix = random.below(4);
    let cycle = 1 + random.below(4);
    let prefix = steps(random, prefix);
    let cycle = steps(random, cycle);
    Lasso::new(prefix, cycle).expect("the cycle has a step")
}

/// What is wrong with a formula on a run, if anything.
pub type Check<'a> = dyn Fn(&mut Formulas, FormulaId, &Lasso) -> Option<String> + 'a;

/// Checks random formulas, each on several random runs; a failure is shrunk and reported with
/// the seed that found it.
pub fn check_random(count: usize, shape: &Shape, check: &Check<'_>) {
    check_on_runs(count, 4, shape, check);
}

/// Checks random formulas where the run does not matter.
pub fn check_formulas(
    count: usize,
    shape: &Shape,
    check: &dyn Fn(&mut Formulas, FormulaId) -> Option<String>,
) {
    check_on_runs(count, 1, shape, &|formulas, formula, _| {
        check(formulas, formula)
    });
}

fn check_on_runs(count: usize, runs: usize, shape: &Shape, check: &Check<'_>) {
    let seed = seed();
    for case in 0..count {
        let mut random = Random::new(seed.wrapping_add(case as u64));
        let (mut formulas, _) = with_atoms(shape.atoms);
        let formula = random_formula(&mut random, &mut formulas, shape);
        for _ in 0..runs {
            let lasso = random_lasso(&mut random, shape.atoms);
            if check(&mut formulas, formula, &lasso).is_some() {
                let (formula, lasso) = shrink(&mut formulas, formula, lasso, check);
                let problem = check(&mut formulas, formula, &lasso).unwrap_or_default();
                panic!(
                    "seed {seed}, case {case}: {problem}\nformula: {}\nrun:\n{}",
                    formulas.text(formula),
                    lasso.text(&formulas)
                );
            }
        }
    }
}

/// Makes the formula and the run smaller as long as the check still fails.
fn shrink(
    formulas: &mut Formulas,
    formula: FormulaId,
    lasso: Lasso,
    check: &Check<'_>,
) -> (FormulaId, Lasso) {
    let (mut formula, mut lasso) = (formula, lasso);
    loop {
        let smaller = smaller_formulas(formulas, formula)
            .into_iter()
            .find(|candidate| check(formulas, *candidate, &lasso).is_some());
        if let Some(smaller) = smaller {
            formula = smaller;
            continue;
        }
        let shorter = smaller_lassos(&lasso)
            .into_iter()
            .find(|candidate| check(formulas, formula, candidate).is_some());
        match shorter {
            Some(shorter) => lasso = shorter,
            None => return (formula, lasso),
        }
    }
}

fn smaller_formulas(formulas: &mut Formulas, root: FormulaId) -> Vec<FormulaId> {
    let size = formulas.size(root);
    let mut candidates = vec![formulas.constant(true), formulas.constant(false)];
    for replaced in formulas.subformulas(root) {
        let mut operands = Vec::new();
        formulas
            .get(replaced)
            .for_each_operand(|operand| operands.push(operand));
        for operand in operands {
            candidates.push(substitute(formulas, root, replaced, operand));
        }
    }
    candidates.retain(|candidate| formulas.size(*candidate) < size);
    candidates
}

fn substitute(
    formulas: &mut Formulas,
    root: FormulaId,
    replaced: FormulaId,
    by: FormulaId,
) -> FormulaId {
    let mut results: HashMap<FormulaId, FormulaId> = HashMap::new();
    for id in formulas.subformulas(root) {
        let result = if id == replaced {
            by
        } else {
            let formula: Formula = formulas.get(id).clone();
            formulas.rebuild(&formula, |operand| results[&operand])
        };
        results.insert(id, result);
    }
    results[&root]
}

fn smaller_lassos(lasso: &Lasso) -> Vec<Lasso> {
    let mut candidates = Vec::new();
    let steps = [lasso.prefix().to_vec(), lasso.cycle().to_vec()];
    for part in 0..2 {
        for index in 0..steps[part].len() {
            let mut shorter = steps.clone();
            shorter[part].remove(index);
            candidates.push(shorter);
            for atom in 0..steps[part][index].len() {
                if steps[part][index][atom] {
                    let mut quieter = steps.clone();
                    quieter[part][index][atom] = false;
                    candidates.push(quieter);
                }
            }
        }
    }
    candidates
        .into_iter()
        .filter_map(|[prefix, cycle]| Lasso::new(prefix, cycle))
        .collect()
}

/// The text as a file of its own.
pub fn source(text: &str) -> (Sources, respin::source::FileId) {
    let mut sources = Sources::new();
    let file = sources.add("test.props", text);
    (sources, file)
}

/// `line:column: code message`, then each label and the help on lines of their own.
pub fn render(text: &str, diagnostic: &Diagnostic) -> String {
    let place = |span: Span| {
        let before = &text[..span.start as usize];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|symbol| *symbol != '\n');
        format!("{line}:{}", column.count() + 1)
    };
    let first = diagnostic.labels.first();
    let severity = match diagnostic.severity {
        Severity::Error => "",
        Severity::Warning => "warning ",
        Severity::Note => "note ",
    };
    let mut lines = format!(
        "{}: {severity}R{:04} {}\n",
        first.map_or("?".to_string(), |label| place(label.span)),
        diagnostic.code.0,
        diagnostic.message
    );
    for label in &diagnostic.labels {
        let marked = &text[label.span.start as usize..label.span.end as usize];
        lines.push_str(&format!(
            "  {} `{}`: {}\n",
            place(label.span),
            marked.replace('\n', "\\n"),
            label.text
        ));
    }
    for note in &diagnostic.notes {
        lines.push_str(&format!("  note: {note}\n"));
    }
    if let Some(help) = &diagnostic.help {
        lines.push_str(&format!("  help: {help}\n"));
    }
    lines
}
